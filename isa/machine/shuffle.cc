// SPDX-License-Identifier: Apache-2.0
// SHFL: moves registers between lanes as its lane map says. Membermasks of lowered PTX.
#include <fmt/format.h>

#include "isa/codec/codec.h"
#include "isa/machine/address_space.h"
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

/// The lanes' membermasks together, and the lanes that are not in their own.
struct Members {
  LaneMask named = 0;
  LaneMask outside = 0;
};

LaneMask mask_of(const Execution& execution, const Operand& mask, unsigned lane) {
  return mask.is(Operand::Kind::kRegister) ? execution.warp.row(mask.index)[lane]
                                           : static_cast<LaneMask>(mask.value);
}

Members members_of(const Execution& execution, const Operand& mask, LaneMask lanes) {
  Members all;
  for_each_lane(lanes, [&](unsigned lane) {
    const LaneMask members = mask_of(execution, mask, lane);
    all.named |= members;
    if (!bit_of(members, lane)) all.outside |= 1u << lane;
  });
  return all;
}

/// Stops where PTX is for sm_70 or later.
void refuse(const Execution& execution, LaneMask lanes, const char* what) {
  const Grid& grid = execution.block.grid;
  if (lanes == 0 || !grid.program.extras.lanes_may_part || grid.options.go_on_after_faults) return;
  fail(execution, fmt::format("lanes 0x{:08x} {}", lanes, what));
}

/// Reports lanes that give a membermask without themselves, and lanes in a membermask that are
/// elsewhere; these end the run.
Members check(const Execution& execution, const Operand& mask, LaneMask lanes) {
  const bool shuffles = execution.instruction.op == Op::kSHFL;
  const Members members = members_of(execution, mask, lanes);
  const LaneMask elsewhere = members.named & execution.warp.divergence.alive() & ~lanes;
  report_undefined(
      execution, members.outside,
      shuffles ? "shuffles without being in its membermask" : "gives a membermask without itself");
  report_undefined(
      execution, elsewhere,
      shuffles ? "is in the membermask of a shuffle that it does not execute in convergence"
               : "is in the membermask of an operation that it does not execute in convergence");
  refuse(execution, elsewhere,
         "of the membermask are at another place, which PTX for sm_70 and later may do but the "
         "code to which it is lowered (sm_50) cannot; expected a cubin of sm_70 or later");
  return members;
}

/// Reports lanes in their membermask that read a lane outside it.
void check_sources(const Execution& execution, const LaneMap& map) {
  const Program::Extras& extras = execution.block.grid.program.extras;
  const auto found = extras.membermasks.find(execution.index);
  if (found == extras.membermasks.end()) return;
  LaneMask outside = 0;
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const LaneMask members = mask_of(execution, found->second, lane);
    if (bit_of(members, lane) && !bit_of(members, map.source[lane])) outside |= 1u << lane;
  });
  report_undefined(execution, outside, "reads from a lane outside its membermask");
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
  LaneMap& map =
      fixed ? execution.block.sm->immediate_maps[execution.index] : execution.block.lane_map;
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

/// A lane outside the membermask of bar.warp.sync changes no value: the warp is converged.
void check_members(const Execution& execution, LaneMask active) {
  const Program::Extras& extras = execution.block.grid.program.extras;
  const auto met = extras.meetings.find(execution.index);
  if (met != extras.meetings.end()) {
    for (const Operand& mask : met->second) check(execution, mask, active);
  }
  const auto own = extras.membermasks.find(execution.index);
  if (own == extras.membermasks.end()) return;
  refuse(execution, check(execution, own->second, execution.lanes).outside,
         "are not in the membermask that they give; expected each lane in its own");
}

void add_shuffle_operations(OperationTable& table) {
  for (const Op op : {Op::kSHFL, Op::kSm70_SHFL}) entry(table, op) = {shfl, nullptr, true};
}

}  // namespace shflsim::isa
