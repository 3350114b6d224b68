// SPDX-License-Identifier: Apache-2.0
// Comparisons and choices.
#include <algorithm>

#include "isa/ptx/statements/halves.h"

namespace shflsim::isa::ptx {
namespace {

/// The comparison's name in SPA 5.0. `is_unsigned`: its PTX name implies it (lo, ls, hi, hs).
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
  std::string combination;  ///< ".AND" with the predicate after the operands
  bool is_unsigned = false;
  Type type;
  bool ftz = false;
};

void check_comparison(Lowering& to, const Comparison& result) {
  if (result.relation.empty()) {
    to.fail("'" + to.statement().opcode + "' without a comparison; expected one such as .lt");
  }
  const bool known = result.type.is_float() ? result.type.bits >= 32
                                            : result.type.bits >= 16 && result.relation.size() == 3;
  if (!known) {
    to.fail("'" + to.statement().opcode +
            "' with this relation and type is not supported; expected "
            "integers of 16 bits or more, or floats of 32 or 64");
  }
}

Comparison read_comparison(Lowering& to, Modifiers& modifiers) {
  Comparison result;
  bool says_unsigned = false;
  result.relation = comparison(modifiers, &says_unsigned);
  const std::string boolean = modifiers.take_one_of({"and", "or", "xor"});
  result.combination = boolean == "or" ? ".OR" : boolean == "xor" ? ".XOR" : ".AND";
  result.ftz = modifiers.take("ftz");
  result.type = modifiers.take_type();
  modifiers.finish();
  if (result.relation.empty())
    to.fail("'" + to.statement().opcode + "' without a comparison; expected one such as .lt");
  result.is_unsigned = says_unsigned || result.type.kind == 'u';
  check_comparison(to, result);
  return result;
}

/// Compares 64-bit integers: subtracts the lower words, then compares the upper with the carry.
void compare_pairs(Lowering& to, const Comparison& how, const std::string& sign,
                   std::vector<Term> terms) {
  const Term a = terms[2];
  const Term b = terms[3];
  to.emit("IADD", {rz(), low(a), negated(low(b))}).sets_cc = true;
  terms[2] = high(a);
  terms[3] = high(b);
  to.emit("ISETP" + how.relation + sign + ".X" + how.combination, std::move(terms));
}

/// Compares operands 1 and 2, and combines the result with predicate operand 3 if there is one.
void compare(Lowering& to, const Comparison& how, const Term& p, const Term& q) {
  const bool is_short = how.type.bits < 32;
  const Term a = extended(to, to.operand(1), how.type);
  const Term b =
      is_short ? extended(to, to.operand(2), how.type) : to.short_source(to.operand(2), how.type);
  const Term c = to.statement().operands.size() == 4 ? to.predicate(to.operand(3)) : pt();
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

void setp(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(3, 4);
  const Comparison how = read_comparison(to, modifiers);
  const Operand& d = to.operand(0);
  const Term p = to.destination_named(d.name, d, 0);
  const Term q = d.second.empty() ? pt() : to.destination_named(d.second, d, 0);
  compare(to, how, p, q);
}

/// Writes the statement's result: all ones, or 1.0 for floats, if p is true, else 0.
void write_truth(Lowering& to, Type result, const Term& p) {
  if (result.bits != 32 && result.bits != 16)
    to.fail("'set' with this result is not supported; expected 16 or 32 bits");
  constexpr int64_t kOne = 0x3F800000;
  constexpr int64_t kOneOfHalf = 0x3C00;
  const int64_t one = result.bits == 16 ? kOneOfHalf : kOne;
  const int64_t ones = result.bits == 16 ? 0xFFFF : 0xFFFFFFFF;
  const Term yes = temporary_written(to);
  to.emit("MOV32I", {yes, number(result.is_float() ? one : ones)});
  to.emit("SEL", {to.destination(to.operand(0), 1), rz(), read(yes), negated(p)});
}

/// Lowers set: d = all ones, or 1.0 for floats, if the comparison is true, else 0.
void set(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(3, 4);
  bool says_unsigned = false;
  Comparison how;
  how.relation = comparison(modifiers, &says_unsigned);
  const std::string boolean = modifiers.take_one_of({"and", "or", "xor"});
  how.combination = boolean == "or" ? ".OR" : boolean == "xor" ? ".XOR" : ".AND";
  how.ftz = modifiers.take("ftz");
  const Type result = modifiers.take_type();
  how.type = modifiers.take_type();
  modifiers.finish();
  how.is_unsigned = says_unsigned || how.type.kind == 'u';
  check_comparison(to, how);
  const Term p = temporary_written(to, 0);
  compare(to, how, p, pt());
  write_truth(to, result, read(p));
}

/// The name of a comparison of halves, by its modifiers; `operation` is HSETP2 or HSET2.BF.
std::string half_comparison(Lowering& to, Modifiers& modifiers, const std::string& operation) {
  bool says_unsigned = false;
  const std::string relation = comparison(modifiers, &says_unsigned);
  const std::string boolean = modifiers.take_one_of({"and", "or", "xor"});
  const std::string ftz = modifiers.take("ftz") ? ".FTZ" : "";
  if (relation.empty() || says_unsigned) {
    to.fail("'" + to.statement().opcode + "' without a comparison; expected one such as .lt");
  }
  const std::string combination = boolean == "or" ? ".OR" : boolean == "xor" ? ".XOR" : ".AND";
  return operation + relation + ftz + combination;
}

/// Lowers setp of halves. The second predicate is the result for the upper halves.
void setp_halves(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(3, 4);
  const Piece halves = take_halves(to, modifiers);
  const std::string operation = half_comparison(to, modifiers, "HSETP2");
  modifiers.finish();
  const Operand& d = to.operand(0);
  if (!d.second.empty() && halves == kLowerHalf) {
    to.fail(d, "a second predicate of one comparison; expected one, or .f16x2");
  }
  const Term p = to.destination_named(d.name, d, 0);
  const Term q = d.second.empty() ? pt() : to.destination_named(d.second, d, 0);
  const Term c = to.statement().operands.size() == 4 ? to.predicate(to.operand(3)) : pt();
  to.emit(operation, {p, q, half_source(to, 1, halves), half_source(to, 2, halves), c});
}

/// Lowers set if either its operands or its result is a half, and the other is another type.
void set_of_one_half(Lowering& to, Modifiers& modifiers) {
  if (to.statement().parts.back() != "f16") return set(to, modifiers);
  const Type result = modifiers.take_type();
  const Piece half = take_halves(to, modifiers);
  const std::string operation = half_comparison(to, modifiers, "HSETP2");
  modifiers.finish();
  const Term c = to.statement().operands.size() == 4 ? to.predicate(to.operand(3)) : pt();
  const Term p = temporary_written(to, 0);
  to.emit(operation, {p, pt(), half_source(to, 1, half), half_source(to, 2, half), c});
  write_truth(to, result, read(p));
}

/// Lowers set of halves: each half of d is 1.0 if its comparison is true, else 0.
void set_halves(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(3, 4);
  const std::vector<std::string>& parts = to.statement().parts;
  const auto count = std::count(parts.begin(), parts.end(), "f16");
  if (count == 1 && std::count(parts.begin(), parts.end(), "f16x2") == 0)
    return set_of_one_half(to, modifiers);
  const Piece result = take_halves(to, modifiers);
  const Piece halves = take_halves(to, modifiers);
  const std::string operation = half_comparison(to, modifiers, "HSET2.BF");
  modifiers.finish();
  if (result != halves)
    to.fail("'set' with this result is not supported; expected that of its operands");
  const Term c = to.statement().operands.size() == 4 ? to.predicate(to.operand(3)) : pt();
  const Term a = half_source(to, 1, halves);
  const Term b = half_source(to, 2, halves);
  to.emit(operation, {to.destination(to.operand(0), 1), a, b, c});
}

/// Lowers slct: d = a if c >= 0, else b.
void slct(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(4, 4);
  const bool ftz = modifiers.take("ftz");
  const Type type = modifiers.take_type();
  const Type tested = modifiers.take_type();
  modifiers.finish();
  if (type.bits < 32 || tested.bits != 32) {
    to.fail(
        "'slct' on these types is not supported; expected 32 or 64 bits, and 32 for the choice");
  }
  const Term a = to.source(to.operand(1), type);
  const Term b = to.source(to.operand(2), type);
  const Term c = to.source(to.operand(3), tested);
  const Term p = temporary_written(to, 0);
  const std::string operation =
      tested.is_float() ? std::string("FSETP.GE") + (ftz ? ".FTZ" : "") : "ISETP.GE";
  to.emit(operation + ".AND", {p, pt(), c, rz(), pt()});
  const Term d = to.destination(to.operand(0), width_of(type));
  to.emit("SEL", {low(d), low(a), low(b), read(p)});
  if (type.bits == 64) to.emit("SEL", {high(d), high(a), high(b), read(p)});
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

void add_comparison(LowerTable& table) {
  table["setp"] = setp;
  table["set"] = set;
  table["selp"] = selp;
  table["slct"] = slct;
  table[std::string(kOfHalves) + "setp"] = setp_halves;
  table[std::string(kOfHalves) + "set"] = set_halves;
}

}  // namespace shflsim::isa::ptx
