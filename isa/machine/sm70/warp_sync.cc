// SPDX-License-Identifier: Apache-2.0
// WARPSYNC of sm_70 and later: lanes wait for the other lanes of a membermask. From sm_90 on
// WARPSYNC.COLLECTIVE and ENDCOLLECTIVE enclose code that these lanes execute together, even if
// they come from different places.
#include <fmt/format.h>

#include "isa/codec/codec.h"
#include "isa/machine/address_space.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

/// True if the WARPSYNC states where the lanes continue after the collective code.
bool is_collective(const Instruction& instruction) {
  return instruction[Role::kB].is(Operand::Kind::kTarget);
}

/// True for .EXCLUSIVE and .COLLECTIVE: lanes with one mask continue without the others.
bool lets_masks_apart(const Instruction& instruction) { return instruction[Mod::k_wsy] != 0; }

/// True if all live lanes in the masks of the running lanes are running.
bool are_together(const Execution& execution, const LaneValues& masks, LaneMask lanes) {
  LaneMask named = 0;
  for_each_lane(lanes, [&](unsigned lane) { named |= masks[lane]; });
  return (named & execution.warp.convergence.alive() & ~lanes) == 0;
}

/// The lanes' masks: from a register, from the instruction, or all lanes.
LaneValues masks_of(Execution& execution) {
  LaneValues masks;
  masks.fill(kAllLanes);
  const bool in_register = execution.operand(Role::kA).is(Operand::Kind::kRegister);
  const Role role = in_register ? Role::kA : Role::kB;
  const Operand& operand = execution.operand(role);
  if (operand.is(Operand::Kind::kNone) || operand.is(Operand::Kind::kTarget)) return masks;
  const SourceOperand source(execution, role);
  LaneAddresses& shown = execution.block.addresses;
  for (unsigned lane = 0; lane < kLanes; ++lane) shown[lane] = masks[lane] = source[lane];
  execution.addresses = &shown;
  return masks;
}

/// The lanes that are in their masks. Hardware reports "illegal instruction" for the others.
LaneMask lanes_in_their_masks(Execution& execution, const LaneValues& masks, LaneMask lanes) {
  const LaneMask outside =
      lanes & ~lanes_where([&](unsigned lane) { return bit_of(masks[lane], lane); });
  if (outside == 0) return lanes;
  report_undefined(execution, outside, "waits without being in its membermask, which is illegal");
  if (!execution.block.grid.options.go_on_after_faults) {
    fail(execution, fmt::format("lanes 0x{:08x} are not in the membermask that they give; expected "
                                "each lane in its own",
                                outside));
  }
  return lanes & ~outside;
}

/// True if the instructions are equal, apart from control bits. A collective executes the
/// instruction after its WARPSYNC.
bool do_the_same(const Instruction& one, const Instruction& other) {
  const auto said = [](const Instruction& instruction) {
    return with_field(instruction.word, kControlPosition, kControlBits, 0);
  };
  return said(one) == said(other);
}

/// Reports lanes that wait for different operations: all would execute the operation of the last
/// lanes, on registers with other contents.
void check_collective(const Execution& execution, LaneMask members, LaneMask lanes) {
  const Convergence& flow = execution.warp.convergence;
  const std::vector<Instruction>& code = execution.block.grid.program.code;
  if (flow.pc() >= code.size()) return;
  for (const LaneGroup& other : flow.others()) {
    const bool meets = other.wait == LaneGroup::Wait::kCollective && other.detail == members;
    if (!meets || do_the_same(code[other.pc], code[flow.pc()])) continue;
    report_undefined(execution, lanes, "meets lanes that come for another operation");
    if (execution.block.grid.options.go_on_after_faults) continue;
    fail(execution,
         fmt::format("lanes 0x{:08x} come for '{}', lanes 0x{:08x} at 0x{:04x} for '{}'; "
                     "expected one operation of all that the membermask names",
                     lanes, text_of(code[flow.pc()]), other.lanes, code[other.pc - 1].address,
                     text_of(code[other.pc])));
  }
}

/// The lanes by mask, that of the lowest lane first.
std::vector<LaneSet> sets_of(const LaneValues& masks, LaneMask lanes) {
  std::vector<LaneSet> sets;
  while (lanes != 0) {
    const LaneMask mask = masks[static_cast<unsigned>(__builtin_ctz(lanes))];
    const LaneMask same = lanes & lanes_where([&](unsigned lane) { return masks[lane] == mask; });
    lanes &= ~same;
    sets.push_back({mask, same});
  }
  return sets;
}

void warpsync(Execution& execution) {
  const LaneMask all = execution.lanes & predicate_of(execution, Role::kS);
  if (all == 0) return;
  const LaneValues masks = masks_of(execution);
  const LaneMask lanes = lanes_in_their_masks(execution, masks, all);
  const Instruction& instruction = execution.instruction;
  if (lanes == 0 || (!lets_masks_apart(instruction) && are_together(execution, masks, lanes)))
    return;
  const std::vector<LaneSet> sets = sets_of(masks, lanes);
  Convergence& flow = execution.warp.convergence;
  if (!lets_masks_apart(instruction)) return flow.wait_for_lanes(sets);
  if (!is_collective(instruction)) return flow.wait_exclusively(sets);
  for (const LaneSet& set : sets) check_collective(execution, set.members, set.lanes);
  const int end = execution.block.grid.program.index_at(execution.operand(Role::kB).value);
  flow.wait_for_collective(sets, static_cast<uint32_t>(end));
}

void end_collective(Execution& execution) {
  if (execution.lanes != 0) execution.warp.convergence.end_collective();
}

}  // namespace

void add_sm70_sync_operations(OperationTable& table) {
  entry(table, Op::kSm70_WARPSYNC) = {warpsync, nullptr, false, true};
  entry(table, Op::kSm70_ENDCOLLECTIVE) = {end_collective, nullptr, false, true};
}

}  // namespace shflsim::isa
