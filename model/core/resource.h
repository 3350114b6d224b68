// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shflsim::model {

/// The resource that an instruction needs to issue when its own warp does not delay it. The math
/// pipes come first, in the order of isa::Pipe.
enum class Resource : uint8_t {
  kFmai,
  kFxu,
  kDouble,
  kHalf,
  kTensor,
  kFmaiFxu,
  kMultiply,
  kWideMultiply,
  kSpecial,      ///< the special function unit, if it is not behind the MIO queue
  kQueue,        ///< room in the MIO queue
  kGlobalQueue,  ///< room in the queue for global memory
  kNothing,
  kCount
};
constexpr unsigned kResources = static_cast<unsigned>(Resource::kCount);

constexpr uint32_t resource_bit(Resource resource) { return 1u << static_cast<unsigned>(resource); }

constexpr bool is_math(Resource resource) { return resource <= Resource::kWideMultiply; }

}  // namespace shflsim::model
