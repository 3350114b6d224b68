// SPDX-License-Identifier: Apache-2.0
// SHFL: moves registers between lanes as its lane map says.
#include "isa/codec.h"
#include "isa/machine/address_space.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

LaneValues copy(const Source& source) {
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = source[lane];
  return values;
}

/// A lane's own Sb and Sc decide where it reads; what it reads carries the source lane's marks.
void mark_results(Issue& issue, const LaneMap& map) {
  Warp& warp = issue.warp;
  if (map.undefined != 0) warp.marked = true;
  if (!warp.marked) return;
  const auto marks_of = [&](Role role) {
    const Operand& operand = issue.operand(role);
    return operand.is_live_register() ? warp.register_marks[operand.index] : Marks{};
  };
  const Marks data = marks_of(Role::kA);
  const Marks lanes = marks_of(Role::kB) | marks_of(Role::kC);
  Marks moved = lanes;
  moved.undefined |= map.undefined;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    moved.undefined |= ((data.undefined >> map.source[lane]) & 1u) << lane;
    moved.approximate |= ((data.approximate >> map.source[lane]) & 1u) << lane;
  }
  const Operand& d = issue.operand(Role::kD);
  const Operand& p = issue.operand(Role::kP);
  if (d.index != kRZ) {
    warp.register_marks[d.index] = warp.register_marks[d.index].replaced(moved, issue.lanes);
  }
  if (p.index != kPT) {
    warp.predicate_marks[p.index] = warp.predicate_marks[p.index].replaced(lanes, issue.lanes);
  }
}

/// The rules of PTX's shfl.sync for sm_6x and below, where a warp's lanes must be together.
void check_members(const Issue& issue, const LaneMap& map) {
  const Program& program = issue.block.grid.program;
  const auto found = program.membermasks.find(issue.index);
  if (found == program.membermasks.end()) return;
  const Operand& operand = found->second;
  const bool in_register = operand.is(Operand::Kind::kRegister);
  LaneMask outside = 0;
  LaneMask reads_outside = 0;
  LaneMask named = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!bit_of(issue.lanes, lane)) continue;
    const LaneMask members =
        in_register ? issue.warp.row(operand.index)[lane] : static_cast<LaneMask>(operand.value);
    named |= members;
    if (!bit_of(members, lane)) outside |= 1u << lane;
    if (!bit_of(members, map.source[lane])) reads_outside |= 1u << lane;
  }
  report_undefined(issue, outside, "shuffles without being in its membermask");
  report_undefined(issue, reads_outside & ~outside, "reads from a lane outside its membermask");
  report_undefined(issue, named & issue.warp.divergence.alive() & ~issue.lanes,
                   "is in the membermask of a shuffle that it does not execute in convergence");
}

LaneMap lane_map_of(const Issue& issue) {
  const Source b(issue, Role::kB);
  const Source c(issue, Role::kC);
  return lane_map(shuffle_mode(issue.instruction), copy(b), copy(c), issue.lanes,
                  issue.block.grid.options.up_rule);
}

/// Immediates give the same map each time the same lanes execute.
const LaneMap& remembered_lane_map(const Issue& issue) {
  const bool fixed = issue.operand(Role::kB).is(Operand::Kind::kImmediate) &&
                     issue.operand(Role::kC).is(Operand::Kind::kImmediate);
  LaneMap& map = fixed ? issue.block.immediate_maps[issue.index] : issue.block.lane_map;
  if (!fixed || map.executing != issue.lanes) map = lane_map_of(issue);
  return map;
}

void shfl(Issue& issue) {
  const Source a(issue, Role::kA);
  const LaneMap& map = remembered_lane_map(issue);
  issue.lane_map = &map;
  if (shuffle_mode(issue.instruction) == ShuffleMode::kUp) {
    const Source c(issue, Role::kC);
    issue.up_clamped =
        issue.lanes & lanes_where([&](unsigned lane) { return (c[lane] & 31) != 0; });
  }
  check_members(issue, map);
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = a[map.source[lane]];
  for_each_lane(map.undefined, [&](unsigned lane) { values[lane] = 0; });
  mark_results(issue, map);
  write_result(issue, values);
  write_predicate(issue, Role::kP, map.in_range);
}

}  // namespace

void add_shuffle_operations(OperationTable& table) {
  entry(table, Op::kSHFL) = {shfl, nullptr, true};
}

}  // namespace shflsim::isa
