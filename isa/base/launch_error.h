// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "isa/base/input_error.h"

namespace shflsim::isa {

/// What ended a launch while it ran, as far as the CUDA runtime tells it apart.
enum class LaunchFault : uint8_t {
  kOther,      ///< what the machine cannot execute, among it
  kAddress,    ///< an access outside every buffer
  kAlignment,  ///< an address that is no multiple of the access's size
  kTrap,
  kAssert,
  kEndless,  ///< beyond the step limit, or warps that wait for ever
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
