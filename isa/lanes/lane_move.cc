// SPDX-License-Identifier: Apache-2.0
#include "isa/lanes/lane_move.h"

namespace shflsim::isa {

WideMask LaneMove::written(unsigned result) const {
  WideMask mask = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const bool writes = source[result][lane].kind != LaneSource::Kind::kOld;
    mask |= WideMask{writes} << lane;
  }
  return mask;
}

WideMask LaneMove::served(unsigned result, unsigned operand) const {
  WideMask mask = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const LaneSource& from = source[result][lane];
    mask |= WideMask{from.is_lane() && from.operand == operand} << lane;
  }
  return mask;
}

bool LaneMove::does(const LaneMove& wanted) const {
  if (lanes != wanted.lanes || results != wanted.results || bits != wanted.bits) return false;
  for (unsigned result = 0; result < results; ++result) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const LaneSource& asked = wanted.source[result][lane];
      if (asked.kind == LaneSource::Kind::kUndefined) continue;
      if (!(source[result][lane] == asked)) return false;
    }
  }
  return true;
}

bool LaneMove::operator==(const LaneMove& other) const {
  return lanes == other.lanes && results == other.results && bits == other.bits &&
         source == other.source;
}

LaneMove after(const LaneMove& first, const LaneMove& second, bool chained) {
  LaneMove both(first.lanes);
  for (unsigned lane = 0; lane < first.lanes; ++lane) {
    const LaneSource& from = second.source[0][lane];
    LaneSource& to = both.source[0][lane];
    to = from;
    if (from.kind == LaneSource::Kind::kOld) to = first.source[0][lane];
    if (!from.is_lane() || !chained) continue;
    to = first.source[0][from.lane];
    // A lane of the result cannot keep the old value of another lane.
    if (to.kind == LaneSource::Kind::kOld && from.lane != lane) to = LaneSource::undefined();
  }
  return both;
}

}  // namespace shflsim::isa
