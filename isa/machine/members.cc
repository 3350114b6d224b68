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

/// Reports the lanes to the observer, or stops.
void refuse(const Execution& execution, LaneMask lanes, const char* finding, const char* refusal) {
  if (lanes == 0) return;
  report_undefined(execution, lanes, finding);
  const Grid& grid = execution.block.grid;
  if (!grid.program.extras.lanes_may_part || grid.options.go_on_after_faults) return;
  fail(execution, fmt::format("lanes 0x{:08x} {}", lanes, refusal));
}

void check(const Execution& execution, const Operand& mask, LaneMask lanes) {
  const bool shuffles = execution.instruction.op == Op::kSHFL;
  const Members members = members_of(execution, mask, lanes);
  refuse(
      execution, members.outside,
      shuffles ? "shuffles without being in its membermask" : "gives a membermask without itself",
      "are not in the membermask that they give; expected each lane in its own");
  refuse(
      execution, members.named & execution.warp.divergence.alive() & ~lanes,
      shuffles ? "is in the membermask of a shuffle that it does not execute in convergence"
               : "is in the membermask of an operation that it does not execute in convergence",
      "of the membermask are at another place, which PTX for sm_70 and later may do but the code "
      "to which it is lowered (sm_50) cannot; expected a cubin of sm_70 or later");
}

}  // namespace

void check_members(const Execution& execution, LaneMask active) {
  const Program::Extras& extras = execution.block.grid.program.extras;
  const auto met = extras.meetings.find(execution.index);
  if (met != extras.meetings.end()) {
    for (const Operand& mask : met->second) check(execution, mask, active);
  }
  const auto own = extras.membermasks.find(execution.index);
  if (own != extras.membermasks.end()) check(execution, own->second, execution.lanes);
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
