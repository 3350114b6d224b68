// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace shflsim::isa {

constexpr unsigned kLanes = 32;
using LaneMask = uint32_t;                        ///< bit i: lane i
using LaneValues = std::array<uint32_t, kLanes>;  ///< one 32-bit register of a warp
constexpr LaneMask kAllLanes = 0xFFFFFFFFu;
constexpr uint32_t kWidestClamp = kLanes - 1;  ///< widest clamp of SHFL: all lanes are one segment

/// SHFL's mode, in the order of its 2-bit field (bits 31:30 of the word).
enum class ShuffleMode : uint8_t { kIdx, kUp, kDown, kBfly };

/// The data movement of one executed SHFL: for each of the 32 lanes, the lane whose value it gets.
struct LaneMap {
  std::array<uint8_t, kLanes> source{};  ///< source lane 0..31; the lane itself if out of range
  LaneMask executing = 0;                ///< lanes that execute the SHFL (active, guard true)
  LaneMask in_range = 0;                 ///< lanes whose source is in range: the predicate Pu
  LaneMask undefined = 0;                ///< executing lanes that read from a lane not executing

  bool operator==(const LaneMap& other) const {
    return executing == other.executing && in_range == other.in_range &&
           undefined == other.undefined && source == other.source;
  }
};

/// The source lane of `lane` for index or offset `sb` (bits 4:0) and `sc` (clamp in bits 4:0,
/// segment mask in bits 12:8); other bits are ignored. `in_range` receives the predicate.
/// `.UP` compares the source lane with maxLane, as silicon does (measured: groundtruth/
/// shfl_semantics); the manual's page says minLane.
uint8_t source_lane(ShuffleMode mode, unsigned lane, uint32_t sb, uint32_t sc, bool* in_range);

/// The lane map of a SHFL whose lanes may each have their own Sb and Sc. Source and predicate of
/// lanes that do not execute are computed all the same; `undefined` names executing lanes only.
LaneMap lane_map(ShuffleMode mode, const LaneValues& sb, const LaneValues& sc, LaneMask executing);

}  // namespace shflsim::isa
