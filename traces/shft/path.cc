// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/path.h"

#include <algorithm>

#include "isa/machine/asynchronous_row.h"

namespace shflsim::traces {
namespace {

/// If only names are known, no lane map is derived from them.
PathCode::Line line_of(const isa::CodeLine& listed, bool has_words) {
  PathCode::Line line;
  line.guarded = listed.is_guarded;
  line.shuffles = listed.is_shuffle();
  line.has_whole_rows = listed.op != isa::Op::kCount && isa::has_copy_rows(listed.op);
  line.knows_map = line.shuffles && has_words && listed.shuffle.are_immediate();
  line.mode = listed.shuffle.mode;
  line.index = listed.shuffle.index;
  line.clamp = listed.shuffle.clamp;
  return line;
}

}  // namespace

PathCode::PathCode(const Trace& trace) : threads_per_block(trace.threads_per_block) {
  for (const isa::CodeLine& listed : trace.code.lines)
    lines.push_back(line_of(listed, trace.code.has_words));
}

isa::LaneMap PathCode::map_of(uint32_t index, isa::LaneMask executing) const {
  const Line& line = lines[index];
  isa::LaneValues indices;
  isa::LaneValues clamps;
  indices.fill(line.index);
  clamps.fill(line.clamp);
  return isa::lane_map(line.mode, indices, clamps, executing);
}

isa::LaneMask PathCode::first_lanes(uint32_t warp) const {
  const uint64_t first = uint64_t{warp} * isa::kLanes;
  if (first + isa::kLanes <= threads_per_block) return isa::kAllLanes;
  if (first >= threads_per_block) return 0;
  return (isa::LaneMask{1} << (threads_per_block - first)) - 1;
}

void PathExpectation::start(const PathCode& code, isa::LaneMask lanes) {
  lines_.clear();
  grow(code);
  active_ = lanes;
  previous_ = Step::kNone;
  next_ = 0;
}

void PathExpectation::grow(const PathCode& code) {
  while (lines_.size() < code.lines.size())
    lines_.push_back({kActive, static_cast<uint32_t>(lines_.size() + 1)});
}

void PathExpectation::learn(const PathCode& code, uint32_t index, isa::LaneMask lanes) {
  if (previous_ != Step::kNone) lines_[previous_].successor = index;
  if (code.lines[index].guarded) {
    lines_[index].lanes = lanes;
  } else {
    active_ = lanes;
  }
  previous_ = index;
  next_ = lines_[index].successor;
}

bool AddressExpectation::holds(const LaneAddresses& actual, isa::LaneMask executing) const {
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if (((executing >> lane) & 1u) != 0 && actual[lane] != lanes[lane] + distance) return false;
  }
  return true;
}

void AddressExpectation::learn(AddressForm form, uint64_t base, uint64_t stride,
                               isa::LaneMask executing, const LaneAddresses& listed,
                               bool is_first) {
  const unsigned first = lowest_lane(executing);
  const uint64_t moved = base - lanes[first];
  distance = is_first ? 0 : moved;
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    lanes[lane] = form == AddressForm::kAffine ? base + stride * (uint64_t{lane} - first)
                                               : lanes[lane] + moved;
    const bool is_listed = form == AddressForm::kList && ((executing >> lane) & 1u) != 0;
    if (is_listed) lanes[lane] = listed[lane];
  }
}

unsigned lowest_lane(isa::LaneMask lanes) { return static_cast<unsigned>(__builtin_ctz(lanes)); }

}  // namespace shflsim::traces
