// SPDX-License-Identifier: Apache-2.0
// Logic, moves and selection of sm_70 and later: LOP3, PLOP3, MOV, SEL and their uniform versions.
#include "isa/machine/operations.h"
#include "isa/machine/sm70/wide_source.h"

namespace shflsim::isa {
namespace {

/// Bit 4a + 2b + c of the table, for each bit of the words.
LaneValues looked_up(const SourceOperand& a, const SourceOperand& b, const SourceOperand& c,
                     uint32_t table) {
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
  return values;
}

/// LOP3's function; the most frequent tables have separate loops.
LaneValues logic(const SourceOperand& a, const SourceOperand& b, const SourceOperand& c,
                 uint32_t table) {
  constexpr uint32_t kA = 0xf0, kB = 0xcc, kC = 0xaa;
  switch (table) {
    case kA& kB: return each_lane([&](unsigned lane) { return a[lane] & b[lane]; });
    case kA | kB: return each_lane([&](unsigned lane) { return a[lane] | b[lane]; });
    case kA ^ kB: return each_lane([&](unsigned lane) { return a[lane] ^ b[lane]; });
    case 0xff & ~kB: return each_lane([&](unsigned lane) { return ~b[lane]; });
    case kA ^ kB ^ kC: return each_lane([&](unsigned lane) { return a[lane] ^ b[lane] ^ c[lane]; });
    case (kA & kB) | kC:
      return each_lane([&](unsigned lane) { return (a[lane] & b[lane]) | c[lane]; });
    default: return looked_up(a, b, c, table);
  }
}

/// P = (the result is not 0) or S; with .PAND: and S.
void lop3(Execution& execution) {
  const SourceOperand a(execution, Role::kA), b(execution, Role::kB), c(execution, Role::kC);
  const auto table = static_cast<uint32_t>(execution.operand(Role::kG).value);
  const LaneValues values = logic(a, b, c, table);
  write_result(execution, values);
  if (!is_kept(execution, Role::kP)) return;
  const LaneMask some = lanes_where([&](unsigned lane) { return values[lane] != 0; });
  const LaneMask s = predicate_of(execution, Role::kS);
  write_predicate(execution, Role::kP,
                  execution.instruction[Mod::k_pand] != 0 ? some & s : some | s);
}

/// The lanes in which a register or a constant is negative.
LaneMask signs_of(const Execution& execution, Role role) {
  const SourceOperand source(execution, role);
  return lanes_where([&](unsigned lane) { return (source[lane] >> 31) != 0; });
}

/// Two functions of the same three predicates, or of the signs of three registers.
void plop3(Execution& execution) {
  const bool of_signs = has_operand(execution, Role::kA);
  const auto source = [&](Role predicate, Role value) {
    return of_signs ? signs_of(execution, value) : predicate_of(execution, predicate);
  };
  const LaneMask s = source(Role::kS, Role::kA);
  const LaneMask t = source(Role::kT, Role::kB);
  const LaneMask u = source(Role::kU, Role::kC);
  const auto function = [&](Role role) {
    const auto table = static_cast<uint32_t>(execution.operand(role).value);
    LaneMask result = 0;
    for (unsigned i = 0; i < 8; ++i) {
      if (((table >> i) & 1u) == 0) continue;
      result |= ((i & 4) != 0 ? s : ~s) & ((i & 2) != 0 ? t : ~t) & ((i & 1) != 0 ? u : ~u);
    }
    return result;
  };
  const LaneMask p = function(Role::kG);
  const LaneMask q = function(Role::kH);
  write_predicate(execution, Role::kP, p);
  write_predicate(execution, Role::kQ, q);
}

void mov(Execution& execution) {
  for (unsigned word = 0; word < execution.operand(Role::kD).count; ++word) {
    const SourceOperand b(execution, Role::kB, word);
    set_result(
        execution, [&](unsigned lane) { return b[lane]; }, word);
  }
}

constexpr int64_t kAllLanesOfAQuad = 15;

std::string refuse_mov(const Instruction& instruction) {
  const Operand& lanes = instruction[Role::kG];
  const bool partial = lanes.is(Operand::Kind::kImmediate) && lanes.value != kAllLanesOfAQuad;
  return partial ? "the form with a mask of lanes" : "";
}

/// USEL.64: its second source is C.
void usel(Execution& execution) {
  const Role second = has_operand(execution, Role::kB) ? Role::kB : Role::kC;
  const LaneMask selects_a = predicate_of(execution, Role::kS);
  for (unsigned word = 0; word < execution.operand(Role::kD).count; ++word) {
    const SourceOperand a(execution, Role::kA, word), b(execution, second, word);
    set_result(
        execution, [&](unsigned lane) { return bit_of(selects_a, lane) ? a[lane] : b[lane]; },
        word);
  }
}

}  // namespace

void add_sm70_logic_operations(OperationTable& table) {
  for (const Op op : {Op::kSm70_LOP3, Op::kSm70_ULOP3}) entry(table, op) = {lop3};
  for (const Op op : {Op::kSm70_PLOP3, Op::kSm70_UPLOP3}) entry(table, op) = {plop3};
  for (const Op op : {Op::kSm70_MOV, Op::kSm70_UMOV}) entry(table, op) = {mov, refuse_mov};
  entry(table, Op::kSm70_USEL) = {usel};
}

}  // namespace shflsim::isa
