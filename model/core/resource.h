// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shflsim::model {

/// What an instruction needs free in order to issue, once nothing of its own warp is in its way.
/// The math pipes come first, in the order of isa::Pipe.
enum class Resource : uint8_t {
  kFmai,
  kFxu,
  kDouble,
  kHalf,
  kTensor,
  kFmaiFxu,
  kMultiply,
  kWideMultiply,
  kSpecial,      ///< the special function unit, where it is not behind the MIO queue
  kQueue,        ///< room in the MIO queue
  kGlobalQueue,  ///< room in the queue for global memory
  kNothing,
  kCount
};
constexpr unsigned kResources = static_cast<unsigned>(Resource::kCount);

constexpr bool is_math(Resource resource) { return resource <= Resource::kWideMultiply; }

}  // namespace shflsim::model
