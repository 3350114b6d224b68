// SPDX-License-Identifier: Apache-2.0
#include "isa/lanes/lane_map.h"

#include "isa/lanes/lane_bits.h"

namespace shflsim::isa {

uint8_t source_lane(ShuffleMode mode, unsigned lane, uint32_t sb, uint32_t sc, bool* in_range) {
  const int i = static_cast<int>(lane);
  const int b = static_cast<int>(sb & 31);
  const int clamp = static_cast<int>(sc & 31);
  const int mask = static_cast<int>((sc >> 8) & 31);
  const int min_lane = i & mask;
  const int max_lane = min_lane | (clamp & ~mask);

  int j = i;
  switch (mode) {
    case ShuffleMode::kIdx: j = min_lane | (b & ~mask); break;
    case ShuffleMode::kUp: j = i - b; break;
    case ShuffleMode::kDown: j = i + b; break;
    case ShuffleMode::kBfly: j = i ^ b; break;
  }
  *in_range = mode == ShuffleMode::kUp ? j >= max_lane : j <= max_lane;
  return static_cast<uint8_t>(*in_range ? j : i);
}

namespace {

/// All lanes of one mode: with the mode known, the loop has no branches and is vectorised.
template <ShuffleMode mode>
LaneMap map_of_mode(const LaneValues& sb, const LaneValues& sc) {
  LaneMap map;
  std::array<bool, kLanes> in_range;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    map.source[lane] = source_lane(mode, lane, sb[lane], sc[lane], &in_range[lane]);
  }
  map.in_range = lanes_where([&](unsigned lane) { return in_range[lane]; });
  return map;
}

LaneMap map_of(ShuffleMode mode, const LaneValues& sb, const LaneValues& sc) {
  switch (mode) {
    case ShuffleMode::kIdx: return map_of_mode<ShuffleMode::kIdx>(sb, sc);
    case ShuffleMode::kUp: return map_of_mode<ShuffleMode::kUp>(sb, sc);
    case ShuffleMode::kDown: return map_of_mode<ShuffleMode::kDown>(sb, sc);
    default: return map_of_mode<ShuffleMode::kBfly>(sb, sc);
  }
}

}  // namespace

LaneMap lane_map(ShuffleMode mode, const LaneValues& sb, const LaneValues& sc, LaneMask executing) {
  LaneMap map = map_of(mode, sb, sc);
  map.executing = executing;
  if (executing == kAllLanes) return map;
  map.undefined =
      executing & lanes_where([&](unsigned lane) { return !bit_of(executing, map.source[lane]); });
  return map;
}

}  // namespace shflsim::isa
