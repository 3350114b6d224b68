// SPDX-License-Identifier: Apache-2.0
// Branches, divergence, calls, barriers.
#include <fmt/format.h>

#include "isa/code/code.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

uint32_t index_of_target(const Execution& execution) {
  return static_cast<uint32_t>(
      execution.block.grid.program.index_at(execution.operand(Role::kB).value));
}

void bra(Execution& execution) {
  Divergence& flow = execution.warp.divergence;
  flow.branch(execution.lanes, index_of_target(execution), flow.pc(), true);
}

/// The target of `lane`: a register plus an offset, relative to the next word if `relative`.
uint32_t indirect_target(const Execution& execution, uint32_t from_register, bool relative,
                         unsigned lane) {
  const uint32_t base = relative ? execution.instruction.address + 8 : 0;
  const uint32_t address =
      base + from_register + static_cast<uint32_t>(execution.operand(Role::kB).value);
  const int index = execution.block.grid.program.index_at(address);
  if (index < 0) {
    fail(execution, fmt::format("jumps to 0x{:x}, outside the kernel", address), lane);
  }
  return static_cast<uint32_t>(index);
}

/// Lanes with different targets diverge, target by target; the highest lane's target runs first.
template <bool relative>
void indirect_branch(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  Divergence& flow = execution.warp.divergence;
  const uint32_t next = flow.pc();
  if (execution.lanes != flow.active()) flow.branch(execution.lanes, next, next, true);
  for (LaneMask left = execution.lanes; left != 0;) {
    const unsigned first = static_cast<unsigned>(__builtin_ctz(left));
    const uint32_t target = indirect_target(execution, a[first], relative, first);
    const LaneMask same = left & lanes_where([&](unsigned lane) { return a[lane] == a[first]; });
    left &= ~same;
    if (left == 0) {
      flow.go_to(target);
    } else {
      // The other lanes run first; these lanes continue at their target afterwards.
      flow.branch(same, target, target, false);
    }
  }
  if (execution.warp.marked && execution.operand(Role::kA).is_live_register()) {
    const Marks& marks = execution.warp.register_marks[execution.operand(Role::kA).index];
    report_undefined(execution, marks.undefined & execution.lanes,
                     "branches to an undefined target");
  }
}

void push(Execution& execution, TokenKind kind, uint32_t target) {
  if (execution.warp.divergence.depth() >= Divergence::kDeepest) {
    fail(execution,
         fmt::format("more than {} entries on the divergence stack", Divergence::kDeepest));
  }
  execution.warp.divergence.push(kind, target);
}

template <TokenKind kind>
void push_token(Execution& execution) {
  if (execution.lanes != 0) push(execution, kind, index_of_target(execution));
}

void call(Execution& execution) {
  if (execution.lanes == 0) return;
  push(execution, TokenKind::kReturn, execution.warp.divergence.pc());
  execution.warp.divergence.go_to(index_of_target(execution));
}

template <TokenKind kind>
void leave(Execution& execution) {
  if (execution.lanes == 0) return;
  if (!execution.warp.divergence.leave(execution.lanes, kind)) {
    fail(execution, fmt::format("no {} token to return to", token_name(kind)));
  }
}

void exit_lanes(Execution& execution) { execution.warp.divergence.exit(execution.lanes); }

void trap(Execution& execution) {
  if (execution.lanes != 0) fail(execution, "the kernel traps", kNoLane, LaunchFault::kTrap);
}

/// Barrier number and thread count may come from registers, equal in all lanes.
uint32_t uniform_value(const Execution& execution, Role role) {
  if (execution.operand(role).is(Operand::Kind::kNone)) return 0;
  const SourceOperand source(execution, role);
  return source[static_cast<unsigned>(__builtin_ctz(execution.lanes))];
}

constexpr uint32_t kBarriers = 16;
enum BarOp : uint8_t { kBarSync, kBarArrive, kBarReduce, kBarScan, kBarSyncAll };

/// Shows barrier number and threads that are in registers to the observer; timing needs them.
void note_operands(Execution& execution, const BarrierRequest& request) {
  const bool names_a_register = execution.operand(Role::kB).is_live_register() ||
                                execution.operand(Role::kC).is_live_register();
  if (!names_a_register) return;
  execution.block.addresses.fill(packed_barrier(request.id, request.threads));
  execution.addresses = &execution.block.addresses;
}

/// The kind of BAR. From sm_70 on only BAR.RED has a predicate operand.
uint8_t bar_operation(const Instruction& instruction) {
  if (family_of(instruction.arch) == Family::kMaxwell) return instruction[Mod::k_bar];
  if (!instruction[Role::kS].is(Operand::Kind::kNone)) return kBarReduce;
  return instruction[Mod::k_barm];
}

void bar(Execution& execution) {
  if (execution.lanes == 0) return;
  const uint32_t id = uniform_value(execution, Role::kB);
  if (id >= kBarriers) fail(execution, fmt::format("barrier {}; expected 0 to 15", id));
  const uint8_t operation = bar_operation(execution.instruction);
  BarrierRequest request;
  request.id = static_cast<uint8_t>(id);
  request.threads = uniform_value(execution, Role::kC);
  request.waits = operation != kBarArrive;
  request.executing = execution.lanes;
  request.predicate = operation == kBarReduce ? predicate_of(execution, Role::kS) : 0;
  request.reduction = execution.instruction[Mod::k_bar_red];
  note_operands(execution, request);
  execution.block.arrive(execution.warp_index, request);
}

/// The result of the last BAR.RED: a count, or all ones for true.
void b2r(Execution& execution) {
  const uint32_t result = execution.warp.barrier_result;
  set_result(execution, [result](unsigned) { return result; });
  write_predicate(execution, Role::kP, all_ones_if(result != 0));
}

std::string refuse_b2r(const Instruction& instruction) {
  constexpr uint8_t kResult = 2;  // Mod::k_b2r
  const bool result = form_says(instruction, ".RESULT") || instruction[Mod::k_b2r] == kResult;
  return result ? "" : "forms other than .RESULT";
}

std::string refuse_bar(const Instruction& instruction) {
  return bar_operation(instruction) < kBarScan ? "" : "the forms .SCAN and .SYNCALL";
}

std::string refuse_indirect(const Instruction& instruction) {
  return instruction[Role::kB].is(Operand::Kind::kTarget) ? "" : "the form with a constant target";
}

std::string refuse_constant(const Instruction& instruction) {
  return instruction[Role::kA].is(Operand::Kind::kRegister) ? ""
                                                            : "the form with a constant target";
}

constexpr Operation control(void (*execute)(Execution&),
                            std::string (*refuse)(const Instruction&)) {
  return {execute, refuse, false, true};
}

}  // namespace

void add_control_operations(OperationTable& table) {
  entry(table, Op::kBRA) = control(bra, refuse_indirect);
  entry(table, Op::kJMP) = control(bra, refuse_indirect);
  entry(table, Op::kBRX) = control(indirect_branch<true>, refuse_constant);
  entry(table, Op::kJMX) = control(indirect_branch<false>, refuse_constant);
  entry(table, Op::kCAL) = control(call, refuse_indirect);
  entry(table, Op::kJCAL) = control(call, refuse_indirect);
  entry(table, Op::kSSY) = control(push_token<TokenKind::kSync>, refuse_indirect);
  entry(table, Op::kPBK) = control(push_token<TokenKind::kBreak>, refuse_indirect);
  entry(table, Op::kPCNT) = control(push_token<TokenKind::kContinue>, refuse_indirect);
  entry(table, Op::kPRET) = control(push_token<TokenKind::kReturn>, refuse_indirect);
  entry(table, Op::kPLONGJMP) = control(push_token<TokenKind::kLongJump>, refuse_indirect);
  entry(table, Op::kSYNC) = control(leave<TokenKind::kSync>, nullptr);
  entry(table, Op::kBRK) = control(leave<TokenKind::kBreak>, nullptr);
  entry(table, Op::kCONT) = control(leave<TokenKind::kContinue>, nullptr);
  entry(table, Op::kRET) = control(leave<TokenKind::kReturn>, nullptr);
  entry(table, Op::kLONGJMP) = control(leave<TokenKind::kLongJump>, nullptr);
  entry(table, Op::kEXIT) = control(exit_lanes, nullptr);
  entry(table, Op::kKIL) = control(exit_lanes, nullptr);
  entry(table, Op::kBPT) = {trap};
  for (const Op op : {Op::kBAR, Op::kSm70_BAR}) entry(table, op) = {bar, refuse_bar};
  for (const Op op : {Op::kB2R, Op::kSm70_B2R}) entry(table, op) = {b2r, refuse_b2r};
  entry(table, Op::kNOP) = {nothing};
  entry(table, Op::kDEPBAR) = {nothing};
  entry(table, Op::kVOTE_VTG) = {nothing};
}

}  // namespace shflsim::isa
