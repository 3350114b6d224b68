// SPDX-License-Identifier: Apache-2.0
// Branches, divergence, calls, barriers.
#include <fmt/format.h>

#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

uint32_t index_of_target(const Issue& issue) {
  return static_cast<uint32_t>(issue.block.grid.program.index_at(issue.operand(Role::kB).value));
}

void bra(Issue& issue) {
  Divergence& flow = issue.warp.divergence;
  flow.branch(issue.lanes, index_of_target(issue), flow.pc(), issue.block.grid.options.taken_first);
}

/// Where `lane` goes: a register plus an offset, counted from the next word where `relative`.
uint32_t indirect_target(const Issue& issue, uint32_t from_register, bool relative, unsigned lane) {
  const uint32_t base = relative ? issue.instruction.address + 8 : 0;
  const uint32_t address =
      base + from_register + static_cast<uint32_t>(issue.operand(Role::kB).value);
  const int index = issue.block.grid.program.index_at(address);
  if (index < 0) {
    fail(issue, fmt::format("jumps to 0x{:x}, outside the kernel", address), lane);
  }
  return static_cast<uint32_t>(index);
}

/// Lanes with different targets part, one target at a time; the highest lane's target runs first.
template <bool relative>
void indirect_branch(Issue& issue) {
  const Source a(issue, Role::kA);
  Divergence& flow = issue.warp.divergence;
  const uint32_t next = flow.pc();
  if (issue.lanes != flow.active()) flow.branch(issue.lanes, next, next, true);
  for (LaneMask left = issue.lanes; left != 0;) {
    const unsigned first = static_cast<unsigned>(__builtin_ctz(left));
    const uint32_t target = indirect_target(issue, a[first], relative, first);
    const LaneMask same = left & lanes_where([&](unsigned lane) { return a[lane] == a[first]; });
    left &= ~same;
    if (left == 0) {
      flow.go_to(target);
    } else {
      // The others become the running ones; this target is taken up when they are done.
      flow.branch(same, target, target, false);
    }
  }
  if (issue.warp.marked && issue.operand(Role::kA).is_live_register()) {
    const Marks& marks = issue.warp.register_marks[issue.operand(Role::kA).index];
    report_undefined(issue, marks.undefined & issue.lanes, "branches to an undefined target");
  }
}

void push(Issue& issue, TokenKind kind, uint32_t target) {
  if (issue.warp.divergence.depth() >= Divergence::kDeepest) {
    fail(issue, fmt::format("more than {} entries on the divergence stack", Divergence::kDeepest));
  }
  issue.warp.divergence.push(kind, target);
}

template <TokenKind kind>
void push_token(Issue& issue) {
  if (issue.lanes != 0) push(issue, kind, index_of_target(issue));
}

void call(Issue& issue) {
  if (issue.lanes == 0) return;
  push(issue, TokenKind::kReturn, issue.warp.divergence.pc());
  issue.warp.divergence.go_to(index_of_target(issue));
}

template <TokenKind kind>
void leave(Issue& issue) {
  if (issue.lanes == 0) return;
  if (!issue.warp.divergence.leave(issue.lanes, kind)) {
    fail(issue, fmt::format("no {} token to return to", token_name(kind)));
  }
}

void exit_lanes(Issue& issue) { issue.warp.divergence.exit(issue.lanes); }

void trap(Issue& issue) {
  if (issue.lanes != 0) fail(issue, "the kernel traps");
}

void nothing(Issue&) {}

/// Barrier number and thread count may come from registers, equal in all lanes.
uint32_t uniform_value(const Issue& issue, Role role) {
  if (issue.operand(role).is(Operand::Kind::kNone)) return 0;
  const Source source(issue, role);
  return source[static_cast<unsigned>(__builtin_ctz(issue.lanes))];
}

constexpr uint32_t kBarriers = 16;
enum BarOp : uint8_t { kBarSync, kBarArrive, kBarReduce, kBarScan, kBarSyncAll };

void bar(Issue& issue) {
  if (issue.lanes == 0) return;
  const uint32_t id = uniform_value(issue, Role::kB);
  if (id >= kBarriers) fail(issue, fmt::format("barrier {}; expected 0 to 15", id));
  const uint8_t operation = issue.instruction[Mod::k_bar];
  BarrierRequest request;
  request.id = static_cast<uint8_t>(id);
  request.threads = uniform_value(issue, Role::kC);
  request.waits = operation != kBarArrive;
  request.executing = issue.lanes;
  request.predicate = operation == kBarReduce ? predicate_of(issue, Role::kS) : 0;
  request.reduction = issue.instruction[Mod::k_bar_red];
  issue.block.arrive(issue.warp_index, request);
}

/// The result of the last BAR.RED: a count, or all ones for true.
void b2r(Issue& issue) {
  const uint32_t result = issue.warp.barrier_result;
  set_result(issue, [result](unsigned) { return result; });
  write_predicate(issue, Role::kP, all_ones_if(result != 0));
}

std::string refuse_b2r(const Instruction& instruction) {
  return form_says(instruction, ".RESULT") ? "" : "forms other than .RESULT";
}

std::string refuse_bar(const Instruction& instruction) {
  return instruction[Mod::k_bar] < kBarScan ? "" : "the forms .SCAN and .SYNCALL";
}

std::string refuse_indirect(const Instruction& instruction) {
  return instruction[Role::kB].is(Operand::Kind::kTarget) ? "" : "the form with a constant target";
}

std::string refuse_constant(const Instruction& instruction) {
  return instruction[Role::kA].is(Operand::Kind::kRegister) ? ""
                                                            : "the form with a constant target";
}

constexpr Operation control(void (*execute)(Issue&), std::string (*refuse)(const Instruction&)) {
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
  entry(table, Op::kBAR) = {bar, refuse_bar};
  entry(table, Op::kB2R) = {b2r, refuse_b2r};
  entry(table, Op::kNOP) = {nothing};
  entry(table, Op::kDEPBAR) = {nothing};
  entry(table, Op::kVOTE_VTG) = {nothing};
}

}  // namespace shflsim::isa
