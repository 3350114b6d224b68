// SPDX-License-Identifier: Apache-2.0
// Bits, shifts, comparisons and choices.
#include "isa/ptx/lowering.h"

namespace shflsim::isa::ptx {
namespace {

/// A predicate written, with the one that LOP-like PSETP writes beside it left out.
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

Term inverted(Term term) {
  term.before = "~";
  return term;
}

void not_(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (type.kind == 'p') {
    Term a = to.predicate(to.operand(1));
    a.before = a.before.empty() ? "!" : "";
    to.emit("PSETP.AND.AND", {to.destination(to.operand(0), 0), pt(), pt(), a, pt()});
    return;
  }
  const Term a = to.source(to.operand(1), type);
  const Term d = to.destination(to.operand(0), width_of(type));
  to.emit("LOP.PASS_B", {low(d), rz(), inverted(low(a))});
  if (type.bits == 64) to.emit("LOP.PASS_B", {high(d), rz(), inverted(high(a))});
}

int64_t shift_of_pair(Lowering& to) {
  uint64_t value = 0;
  if (!to.is_number(to.operand(2), {'u', 32}, &value)) {
    to.fail(to.operand(2), "a shift of 64 bits by a register is not supported; expected a number");
  }
  return value < 64 ? static_cast<int64_t>(value) : 64;
}

/// Upper part first, since the lower one may overwrite its source; the result is moved at the end.
void move_pair(Lowering& to, const Term& d, const Term& from) {
  to.emit("MOV", {low(d), low(from)});
  to.emit("MOV", {high(d), high(from)});
}

void shl_pair(Lowering& to) {
  const Type type = {'b', 64};
  const int64_t amount = shift_of_pair(to);
  const Term a = to.source(to.operand(1), type);
  Term result = to.temporary(2);
  result.written = true;
  to.emit("SHL", {low(result), low(a), number(amount)});
  if (amount < 32) {
    to.emit("SHF.L.U64", {high(result), low(a), number(amount), high(a)});
  } else {
    to.emit("SHL", {high(result), low(a), number(amount - 32)});
  }
  result.written = false;
  move_pair(to, to.destination(to.operand(0), 2), result);
}

void shl(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(3, 3);
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (type.bits == 64) return shl_pair(to);
  const Term a = to.source(to.operand(1), type);
  const Term b = to.short_source(to.operand(2), {'u', 32});
  to.emit("SHL", {to.destination(to.operand(0), 1), a, b});
}

void shr_pair(Lowering& to, Type type) {
  const int64_t amount = shift_of_pair(to);
  const std::string shift = type.is_signed() ? "SHR" : "SHR.U32";
  const Term a = to.source(to.operand(1), type);
  Term result = to.temporary(2);
  result.written = true;
  if (amount < 32) {
    to.emit("SHF.R.U64", {low(result), low(a), number(amount), high(a)});
    to.emit(shift, {high(result), high(a), number(amount)});
  } else {
    to.emit(shift, {low(result), high(a), number(amount - 32)});
    to.emit(shift, {high(result), high(a), number(type.is_signed() ? 31 : 32)});
  }
  result.written = false;
  move_pair(to, to.destination(to.operand(0), 2), result);
}

void shr(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(3, 3);
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (type.bits == 64) return shr_pair(to, type);
  const Term a = to.source(to.operand(1), type);
  const Term b = to.short_source(to.operand(2), {'u', 32});
  to.emit(type.is_signed() ? "SHR" : "SHR.U32", {to.destination(to.operand(0), 1), a, b});
}

void popc(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (type.bits != 32) to.fail("'popc' on this type is not supported; expected .b32");
  const Term a = to.source(to.operand(1), type);
  to.emit("POPC", {to.destination(to.operand(0), 1), a});
}

/// The comparison in SPA 5.0's words. `is_unsigned` is set by those that say so themselves.
std::string comparison(Modifiers& modifiers, bool* is_unsigned) {
  static const std::map<std::string, std::string> kUnsigned = {
      {"lo", ".LT"}, {"ls", ".LE"}, {"hi", ".GT"}, {"hs", ".GE"}};
  const std::string name =
      modifiers.take_one_of({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ",
                             "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  const auto own = kUnsigned.find(name);
  *is_unsigned = own != kUnsigned.end();
  if (*is_unsigned || name.empty()) return *is_unsigned ? own->second : "";
  std::string upper = ".";
  for (const char c : name) upper += static_cast<char>(c - 'a' + 'A');
  return upper;
}

struct Comparison {
  std::string relation;
  std::string combination;  ///< ".AND" with the predicate behind the operands
  bool is_unsigned = false;
  Type type;
  bool ftz = false;
};

Comparison read_comparison(Lowering& to, Modifiers& modifiers) {
  Comparison result;
  bool says_unsigned = false;
  result.relation = comparison(modifiers, &says_unsigned);
  const std::string boolean = modifiers.take_one_of({"and", "or", "xor"});
  result.combination = boolean == "or" ? ".OR" : boolean == "xor" ? ".XOR" : ".AND";
  result.ftz = modifiers.take("ftz");
  result.type = modifiers.take_type();
  modifiers.finish();
  if (result.relation.empty()) to.fail("'setp' without a comparison; expected one such as .lt");
  result.is_unsigned = says_unsigned || result.type.kind == 'u';
  const bool known =
      result.type.bits >= 32 && (result.type.is_float() || result.relation.size() == 3);
  if (!known)
    to.fail("'setp" + result.relation +
            "' on this type is not supported; expected 32 or 64 bits and a relation of that type");
  return result;
}

/// Integer pairs are subtracted for the carry, the upper words are then compared with it.
void compare_pairs(Lowering& to, const Comparison& how, const std::string& sign,
                   std::vector<Term> terms) {
  const Term a = terms[2];
  const Term b = terms[3];
  to.emit("IADD", {text("RZ.CC"), low(a), negated(low(b))});
  terms[2] = high(a);
  terms[3] = high(b);
  to.emit("ISETP" + how.relation + sign + ".X" + how.combination, std::move(terms));
}

void setp(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(3, 4);
  const Comparison how = read_comparison(to, modifiers);
  const Operand& d = to.operand(0);
  const Term a = to.source(to.operand(1), how.type);
  const Term b = to.short_source(to.operand(2), how.type);
  const Term c = to.statement().operands.size() == 4 ? to.predicate(to.operand(3)) : pt();
  const Term p = to.destination(d, 0);
  const Term q = d.second.empty() ? pt() : to.destination_named(d.second, d, 0);
  const std::string sign = how.is_unsigned ? ".U32" : "";
  if (!how.type.is_float() && how.type.bits == 64) {
    return compare_pairs(to, how, sign, {p, q, a, b, c});
  }
  std::string operation = "ISETP" + how.relation + sign;
  if (how.type.is_float()) {
    operation = how.type.bits == 64 ? "DSETP" + how.relation
                                    : "FSETP" + how.relation + (how.ftz ? ".FTZ" : "");
  }
  to.emit(operation + how.combination, {p, q, a, b, c});
}

void selp(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(4, 4);
  const Type type = modifiers.take_type();
  modifiers.finish();
  const Term a = to.source(to.operand(1), type);
  const Term b = to.short_source(to.operand(2), type);
  const Term p = to.predicate(to.operand(3));
  const Term d = to.destination(to.operand(0), width_of(type));
  to.emit("SEL", {low(d), low(a), low(b), p});
  if (type.bits == 64) to.emit("SEL", {high(d), high(a), high(b), p});
}

}  // namespace

void add_logic(LowerTable& table) {
  table["and"] = and_;
  table["or"] = or_;
  table["xor"] = xor_;
  table["not"] = not_;
  table["shl"] = shl;
  table["shr"] = shr;
  table["popc"] = popc;
  table["setp"] = setp;
  table["selp"] = selp;
}

}  // namespace shflsim::isa::ptx
