// SPDX-License-Identifier: Apache-2.0
// SHFL: moves registers between lanes as its lane map says.
#include "isa/codec/codec.h"
#include "isa/machine/address_space.h"
#include "isa/machine/members.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

LaneValues copy(const SourceOperand& source) {
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = source[lane];
  return values;
}

/// A result is marked if the lane's own Sb or Sc is marked, or the value in the source lane.
void mark_results(Execution& execution, const LaneMap& map) {
  Warp& warp = execution.warp;
  if (map.undefined != 0) warp.marked = true;
  if (!warp.marked) return;
  const auto marks_of = [&](Role role) {
    const Operand& operand = execution.operand(role);
    return operand.is_live_register() ? warp.register_marks[operand.index] : Marks{};
  };
  const Marks data = marks_of(Role::kA);
  const Marks lanes = marks_of(Role::kB) | marks_of(Role::kC);
  Marks moved = lanes;
  moved.undefined |= map.undefined;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    moved.undefined |= ((data.undefined >> map.source[lane]) & 1u) << lane;
  const Operand& d = execution.operand(Role::kD);
  const Operand& p = execution.operand(Role::kP);
  if (d.index != kRZ) {
    warp.register_marks[d.index] = warp.register_marks[d.index].replaced(moved, execution.lanes);
  }
  if (p.index != kPT) {
    warp.predicate_marks[p.index] = warp.predicate_marks[p.index].replaced(lanes, execution.lanes);
  }
}

LaneMap lane_map_of(const Execution& execution) {
  const SourceOperand b(execution, Role::kB);
  const SourceOperand c(execution, Role::kC);
  return lane_map(shuffle_mode(execution.instruction), copy(b), copy(c), execution.lanes);
}

/// Immediates give the same map each time the same lanes execute.
const LaneMap& remembered_lane_map(const Execution& execution) {
  const bool fixed = execution.operand(Role::kB).is(Operand::Kind::kImmediate) &&
                     execution.operand(Role::kC).is(Operand::Kind::kImmediate);
  LaneMap& map = fixed ? execution.block.immediate_maps[execution.index] : execution.block.lane_map;
  if (!fixed || map.executing != execution.lanes) map = lane_map_of(execution);
  return map;
}

void shfl(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const LaneMap& map = remembered_lane_map(execution);
  execution.lane_map = &map;
  if (shuffle_mode(execution.instruction) == ShuffleMode::kUp) {
    const SourceOperand c(execution, Role::kC);
    execution.up_clamped =
        execution.lanes & lanes_where([&](unsigned lane) { return (c[lane] & 31) != 0; });
  }
  check_sources(execution, map);
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = a[map.source[lane]];
  for_each_lane(map.undefined, [&](unsigned lane) { values[lane] = 0; });
  mark_results(execution, map);
  write_result(execution, values);
  write_predicate(execution, Role::kP, map.in_range);
}

}  // namespace

void add_shuffle_operations(OperationTable& table) {
  for (const Op op : {Op::kSHFL, Op::kSm70_SHFL}) entry(table, op) = {shfl, nullptr, true};
}

}  // namespace shflsim::isa
