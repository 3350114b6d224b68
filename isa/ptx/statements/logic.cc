// SPDX-License-Identifier: Apache-2.0
// Bitwise operations and shifts.
#include <algorithm>

#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {
namespace {

/// Lowers a logic operation on predicates to PSETP, whose second result is not used.
void combine_predicates(Lowering& to, const std::string& logic) {
  const Term a = to.predicate(to.operand(1));
  const Term b = to.predicate(to.operand(2));
  to.emit("PSETP" + logic + ".AND", {to.destination(to.operand(0), 0), pt(), a, b, pt()});
}

void combine_bits(Lowering& to, Modifiers& modifiers, const std::string& logic) {
  to.expect_operands(3, 3);
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (type.kind == 'p') return combine_predicates(to, logic);
  const Term a = to.source(to.operand(1), type);
  const Term b = to.short_source(to.operand(2), type);
  const Term d = to.destination(to.operand(0), width_of(type));
  to.emit("LOP" + logic, {low(d), low(a), low(b)});
  if (type.bits == 64) to.emit("LOP" + logic, {high(d), high(a), high(b)});
}

void and_(Lowering& to, Modifiers& modifiers) { combine_bits(to, modifiers, ".AND"); }
void or_(Lowering& to, Modifiers& modifiers) { combine_bits(to, modifiers, ".OR"); }
void xor_(Lowering& to, Modifiers& modifiers) { combine_bits(to, modifiers, ".XOR"); }

void not_(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (type.kind == 'p') {
    Term a = to.predicate(to.operand(1));
    a.negate = !a.negate;
    to.emit("PSETP.AND.AND", {to.destination(to.operand(0), 0), pt(), pt(), a, pt()});
    return;
  }
  const Term a = to.source(to.operand(1), type);
  const Term d = to.destination(to.operand(0), width_of(type));
  to.emit("LOP.PASS_B", {low(d), rz(), inverted(low(a))});
  if (type.bits == 64) to.emit("LOP.PASS_B", {high(d), rz(), inverted(high(a))});
}

/// The distance of a shift: a number clamped to the width, or a register, which SHL, SHR and SHF
/// clamp themselves.
Term distance(Lowering& to, unsigned bits) {
  uint64_t value = 0;
  const Type word = {'u', 32};
  if (!to.is_number(to.operand(2), word, &value)) return to.source(to.operand(2), word);
  const uint64_t held = std::min<uint64_t>(value & 0xFFFFFFFF, bits);
  constexpr uint64_t kMostInField = 63;
  return held <= kMostInField ? number(static_cast<int64_t>(held)) : to.source(to.operand(2), word);
}

void shl_pair(Lowering& to) {
  const Term amount = distance(to, 64);
  const Term a = to.source(to.operand(1), {'b', 64});
  const Term result = temporary_written(to, 2);
  to.emit("SHF.L.U64", {high(result), low(a), amount, high(a)});
  to.emit("SHL", {low(result), low(a), amount});
  move(to, to.destination(to.operand(0), 2), read(result));
}

void shr_pair(Lowering& to, Type type) {
  const Term amount = distance(to, 64);
  const Term a = to.source(to.operand(1), type);
  const Term result = temporary_written(to, 2);
  to.emit(type.is_signed() ? "SHF.R.S64" : "SHF.R.U64", {low(result), low(a), amount, high(a)});
  to.emit(type.is_signed() ? "SHR" : "SHR.U32", {high(result), high(a), amount});
  move(to, to.destination(to.operand(0), 2), read(result));
}

void shl(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(3, 3);
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (type.bits == 64) return shl_pair(to);
  const Term a = to.source(to.operand(1), type);
  to.emit("SHL", {to.destination(to.operand(0), 1), a, distance(to, 32)});
}

void shr(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(3, 3);
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (type.bits == 64) return shr_pair(to, type);
  const Term a = extended(to, to.operand(1), type);
  to.emit(type.is_signed() ? "SHR" : "SHR.U32",
          {to.destination(to.operand(0), 1), a, distance(to, 32)});
}

}  // namespace

void add_logic(LowerTable& table) {
  table["and"] = and_;
  table["or"] = or_;
  table["xor"] = xor_;
  table["not"] = not_;
  table["shl"] = shl;
  table["shr"] = shr;
}

}  // namespace shflsim::isa::ptx
