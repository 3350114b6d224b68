// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/members.h"

#include <fmt/format.h>

#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

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

}  // namespace shflsim::isa
