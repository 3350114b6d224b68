// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/path.h"

#include <algorithm>

#include "isa/codec.h"

namespace shflsim::traces {
namespace {

PathCode::Line line_of(const isa::Instruction& instruction) {
  PathCode::Line line;
  line.guarded = instruction.has_guard();
  line.shuffles = instruction.op == isa::Op::kSHFL;
  if (!line.shuffles) return line;
  const isa::Operand& index = instruction[isa::Role::kB];
  const isa::Operand& clamp = instruction[isa::Role::kC];
  line.knows_map =
      index.is(isa::Operand::Kind::kImmediate) && clamp.is(isa::Operand::Kind::kImmediate);
  line.mode = isa::shuffle_mode(instruction);
  line.index = static_cast<uint32_t>(index.value);
  line.clamp = static_cast<uint32_t>(clamp.value);
  return line;
}

PathCode::Line line_of(const isa::VoltaInstruction& instruction) {
  PathCode::Line line;
  line.guarded = instruction.is_guarded;
  line.shuffles = instruction.timing == isa::TimingClass::kShuffle;
  return line;
}

}  // namespace

PathCode::PathCode(const Trace& trace, const LaunchShape& shape)
    : up_rule(shape.up_rule), threads_per_block(trace.threads_per_block) {
  for (const isa::VoltaInstruction& instruction : trace.volta)
    lines.push_back(line_of(instruction));
  if (!lines.empty()) return;
  for (const isa::Instruction& instruction : trace.program.code)
    lines.push_back(line_of(instruction));
}

isa::LaneMap PathCode::map_of(uint32_t index, isa::LaneMask executing) const {
  const Line& line = lines[index];
  isa::LaneValues indices;
  isa::LaneValues clamps;
  indices.fill(line.index);
  clamps.fill(line.clamp);
  return isa::lane_map(line.mode, indices, clamps, executing, up_rule);
}

isa::LaneMask PathCode::first_lanes(uint32_t warp) const {
  const uint64_t first = uint64_t{warp} * isa::kLanes;
  if (first + isa::kLanes <= threads_per_block) return isa::kAllLanes;
  if (first >= threads_per_block) return 0;
  return (isa::LaneMask{1} << (threads_per_block - first)) - 1;
}

void PathExpectation::start(const PathCode& code, isa::LaneMask lanes) {
  lines_.resize(code.lines.size());
  for (size_t i = 0; i < lines_.size(); ++i) lines_[i] = {kActive, static_cast<uint32_t>(i + 1)};
  active_ = lanes;
  previous_ = Step::kNone;
  next_ = 0;
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
