// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "isa/base/input_error.h"

namespace shflsim::isa {

/// What ended a running launch, in the categories that the CUDA runtime distinguishes.
enum class LaunchFault : uint8_t {
  kOther,      ///< includes instructions that the machine cannot execute
  kAddress,    ///< an access outside every buffer
  kAlignment,  ///< an address that is not a multiple of the access size
  kTrap,
  kAssert,
  kEndless,  ///< the step limit is exceeded, or warps wait forever
};

/// A launch that ended early.
class LaunchError : public InputError {
 public:
  LaunchError(LaunchFault fault, const std::string& what) : InputError(what), fault_(fault) {}
  LaunchFault fault() const { return fault_; }

 private:
  LaunchFault fault_;
};

}  // namespace shflsim::isa
