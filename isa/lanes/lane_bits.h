// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "isa/lanes/lane_map.h"

namespace shflsim::isa {

/// A table of 1 << lane: compilers vectorise a loop that reads it, but not one that shifts.
inline constexpr std::array<LaneMask, kLanes> kLaneBits = [] {
  std::array<LaneMask, kLanes> bits{};
  for (unsigned lane = 0; lane < kLanes; ++lane) bits[lane] = LaneMask{1} << lane;
  return bits;
}();

inline bool bit_of(LaneMask mask, unsigned lane) { return (mask & kLaneBits[lane]) != 0; }

/// Lanes for which f(lane) holds. The compiler vectorises the first loop; a product moves the
/// lowest bits of eight bytes next to each other.
template <class F>
LaneMask lanes_where(F f) {
  std::array<uint8_t, kLanes> flags;
  for (unsigned lane = 0; lane < kLanes; ++lane) flags[lane] = f(lane) ? 1 : 0;
  LaneMask mask = 0;
  for (unsigned lane = 0; lane < kLanes; lane += 8) {
    uint64_t eight;
    std::memcpy(&eight, &flags[lane], sizeof eight);
    mask |= static_cast<LaneMask>(eight * 0x0102040810204080u >> 56) << lane;
  }
  return mask;
}

}  // namespace shflsim::isa
