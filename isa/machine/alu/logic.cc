// SPDX-License-Identifier: Apache-2.0
// Bitwise operations, moves and selection.
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

/// P = LOP's test of the result: false, true, is zero, is not zero. With .X the condition code says
/// whether the lower words of the result are zero.
void write_logic_test(Execution& execution, const LaneValues& values, LaneMask lower_zero) {
  if (!execution.operand(Role::kP).is(Operand::Kind::kPredicate)) return;
  const LaneMask zero = lower_zero & lanes_where([&](unsigned lane) { return values[lane] == 0; });
  const LaneMask results[] = {0, kAllLanes, zero, ~zero};
  write_predicate(execution, Role::kP, results[execution.instruction[Mod::k_ptest]]);
}

void finish_logic(Execution& execution, const LaneValues& values) {
  ConditionCode& cc = execution.warp.cc;
  const LaneMask lower_zero = execution.instruction[Mod::k_x] != 0 ? cc.zero : kAllLanes;
  write_result(execution, values);
  write_logic_test(execution, values, lower_zero);
  write_condition(execution, values, 0, 0);
  if (execution.instruction.sets_cc) cc.zero &= lower_zero | ~execution.lanes;
}

/// One loop per operation, so that compilers vectorise each.
template <class First, class Second>
LaneValues logic(uint8_t operation, First a, Second b) {
  LaneValues values;
  switch (operation) {
    case 0:
      for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = a(lane) & b(lane);
      break;
    case 1:
      for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = a(lane) | b(lane);
      break;
    case 2:
      for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = a(lane) ^ b(lane);
      break;
    default:
      for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = b(lane);
  }
  return values;
}

void lop(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const uint32_t flip_a = all_ones_if(execution.operand(Role::kA).invert);
  const uint32_t flip_b = all_ones_if(execution.operand(Role::kB).invert);
  finish_logic(execution, logic(
                              execution.instruction[Mod::k_logic],
                              [&](unsigned lane) { return a[lane] ^ flip_a; },
                              [&](unsigned lane) { return b[lane] ^ flip_b; }));
}

/// A function of three bits: each result bit is bit (4a + 2b + c) of the table.
void lop3(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const SourceOperand c(execution, Role::kC);
  const uint32_t table = static_cast<uint32_t>(execution.operand(Role::kG).value);
  uint32_t minterm[8];
  for (unsigned i = 0; i < 8; ++i) minterm[i] = all_ones_if(((table >> i) & 1u) != 0);
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t x = a[lane], y = b[lane], z = c[lane];
    const uint32_t low = (~y & ((~z & minterm[0]) | (z & minterm[1]))) |
                         (y & ((~z & minterm[2]) | (z & minterm[3])));
    const uint32_t high = (~y & ((~z & minterm[4]) | (z & minterm[5]))) |
                          (y & ((~z & minterm[6]) | (z & minterm[7])));
    values[lane] = (~x & low) | (x & high);
  }
  finish_logic(execution, values);
}

/// Copies the bytes that the mask selects; the other bytes of D are unchanged.
void mov(Execution& execution) {
  const SourceOperand b(execution, Role::kB);
  uint32_t mask = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    if (((execution.instruction[Mod::k_bytes] >> byte) & 1u) != 0) mask |= 0xFFu << (8 * byte);
  }
  if (execution.operand(Role::kD).index == kRZ) return;
  const SourceOperand old(execution, Role::kD);
  set_result(execution, [&](unsigned lane) { return (b[lane] & mask) | (old[lane] & ~mask); });
}

Marks operand_marks(const Execution& execution, Role role, unsigned word) {
  const Operand& operand = execution.operand(role);
  return operand.is_live_register() ? execution.warp.register_marks[operand.index + word] : Marks{};
}

/// The result gets the marks of the selected operand and of the predicate.
void mark_selection(Execution& execution, LaneMask selects_a, unsigned word) {
  const Operand& d = execution.operand(Role::kD);
  if (!execution.warp.marked || d.index == kRZ) return;
  const Operand& s = execution.operand(Role::kS);
  const Marks choice =
      s.is(Operand::Kind::kPredicate) ? execution.warp.predicate_marks[s.index] : Marks{};
  const Marks from = (operand_marks(execution, Role::kA, word) & selects_a) |
                     (operand_marks(execution, Role::kB, word) & ~selects_a) | choice;
  Marks& marks = execution.warp.register_marks[d.index + word];
  marks = marks.replaced(from, execution.lanes);
}

void sel(Execution& execution) {
  const LaneMask selects_a = predicate_of(execution, Role::kS);
  for (unsigned word = 0; word < execution.operand(Role::kD).count; ++word) {
    const SourceOperand a(execution, Role::kA, word);
    const SourceOperand b(execution, Role::kB, word);
    mark_selection(execution, selects_a, word);
    set_result(
        execution, [&](unsigned lane) { return bit_of(selects_a, lane) ? a[lane] : b[lane]; },
        word);
  }
}

}  // namespace

void add_logic_operations(OperationTable& table) {
  entry(table, Op::kLOP) = {lop};
  entry(table, Op::kLOP3) = {lop3};
  entry(table, Op::kMOV) = {mov};
  for (const Op op : {Op::kSEL, Op::kSm70_SEL}) entry(table, op) = {sel, nullptr, true};
}

}  // namespace shflsim::isa
