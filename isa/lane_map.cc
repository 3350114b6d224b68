// SPDX-License-Identifier: Apache-2.0
#include "isa/lane_map.h"

namespace shflsim::isa {

uint8_t source_lane(ShuffleMode mode, unsigned lane, uint32_t sb, uint32_t sc, bool* in_range,
                    UpRule up_rule) {
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
  const int up_bound = up_rule == UpRule::kMaxLane ? max_lane : min_lane;
  *in_range = mode == ShuffleMode::kUp ? j >= up_bound : j <= max_lane;
  return static_cast<uint8_t>(*in_range ? j : i);
}

LaneMap lane_map(ShuffleMode mode, const LaneValues& sb, const LaneValues& sc, LaneMask executing,
                 UpRule up_rule) {
  LaneMap map;
  map.executing = executing;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    bool in_range = false;
    map.source[lane] = source_lane(mode, lane, sb[lane], sc[lane], &in_range, up_rule);
    if (in_range) map.in_range |= 1u << lane;
    const bool source_executes = (executing >> map.source[lane]) & 1u;
    if (!source_executes) map.undefined |= 1u << lane;
  }
  map.undefined &= executing;
  return map;
}

}  // namespace shflsim::isa
