// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/simplify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "isa/ptx/line_text.h"
#include "isa/ptx/lowering.h"
#include "isa/ptx/operations.h"
#include "isa/ptx/simplify_bits.h"

namespace shflsim::isa::ptx {
namespace {

using Kind = Term::Kind;

std::optional<uint32_t> with_sign(const Term& term, std::optional<uint32_t> value) {
  if (!value || (!term.after.empty() && term.after != ".reuse")) return std::nullopt;
  if (term.before == "-") return 0 - *value;
  if (term.before == "~") return ~*value;
  return term.before.empty() ? value : std::nullopt;
}

using Numbers = std::optional<uint32_t>;

/// What an operation of two numbers gives; nothing for operations that are not known here.
Numbers computed(const std::string& operation, uint32_t a, uint32_t b) {
  const bool is_unsigned = has_part(operation, "U32");
  if (operation == "IADD" || operation == "IADD32I") return a + b;
  if (has_part(operation, "AND")) return a & b;
  if (has_part(operation, "OR")) return a | b;
  if (has_part(operation, "XOR")) return a ^ b;
  if (operation == "SHL") return b > 31 ? 0 : a << b;
  if (operation == "SHR" && !is_unsigned) {
    return static_cast<uint32_t>(static_cast<int32_t>(a) >> std::min(b, 31u));
  }
  if (operation == "SHR.U32") return b > 31 ? 0 : a >> b;
  return std::nullopt;
}

/// Which operand is the result, where the other one is this number; 0 for neither.
size_t neutral_to(const std::string& operation, const Numbers& a, const Numbers& b) {
  const std::string stem = stem_of(operation);
  const bool is_and = has_part(operation, "AND");
  const uint32_t neutral = is_and ? ~0u : 0;
  const bool is_shift = operation == "SHL" || operation == "SHR" || operation == "SHR.U32";
  const bool is_sum = operation == "IADD" || operation == "IADD32I";
  const bool is_logic = (stem == "LOP" || stem == "LOP32I") &&
                        (is_and || has_part(operation, "OR") || has_part(operation, "XOR"));
  if (b == neutral && (is_shift || is_sum || is_logic)) return 1;
  return a == neutral && (is_sum || is_logic) ? 2 : 0;
}

bool is_plain_binary(const Line& line) {
  static const std::vector<std::string> kStems = {"IADD", "IADD32I", "LOP", "LOP32I", "SHL", "SHR"};
  const std::string stem = stem_of(line.operation);
  return std::find(kStems.begin(), kStems.end(), stem) != kStems.end() && line.terms.size() == 3 &&
         !writes_carry(line) && !reads_carry(line);
}

bool is_same_register(const Term& a, const Term& b) {
  return a.kind == Kind::kRegister && b.kind == Kind::kRegister && a.id == b.id &&
         a.part == b.part && a.before == b.before;
}

void simplify_binary(Line& line, const KnownOf& known) {
  const Numbers a = number_in(line.terms[1], known);
  const Numbers b = number_in(line.terms[2], known);
  if (a && b) {
    const Numbers result = computed(line.operation, *a, *b);
    if (result) return become_move(line, number_term(*result));
  }
  if (has_part(line.operation, "AND") && (a == 0u || b == 0u)) return become_move(line, rz());
  if (line.operation == "LOP.XOR" && is_same_register(line.terms[1], line.terms[2])) {
    return become_move(line, rz());
  }
  const size_t chosen = neutral_to(line.operation, a, b);
  if (chosen != 0 && line.terms[chosen].before.empty()) become_move(line, line.terms[chosen]);
}

/// SEL by PT or !PT.
void simplify_choice(Line& line) {
  const Term by = line.terms[3];
  if (by.kind != Kind::kText || by.text.find("PT") == std::string::npos) return;
  const bool is_false = (by.before == "!") != (by.text == "!PT");
  become_move(line, line.terms[is_false ? 2 : 1]);
}

/// x * 0 + c.
void simplify_product(Line& line, const KnownOf& known) {
  const bool is_zero =
      number_in(line.terms[1], known) == 0u || number_in(line.terms[2], known) == 0u;
  if (is_zero && line.terms[3].before.empty() && !writes_carry(line)) {
    become_move(line, line.terms[3]);
  }
}

/// The middle product of 32 bits, a * upper b, with b's lower half above it: known where b is
/// short.
void simplify_cross(Line& line, const KnownOf& known) {
  const Term& b = line.terms[2];
  const Value* factor = b.after == ".H1" && b.before.empty() ? known(b) : nullptr;
  const bool adds_nothing = number_in(line.terms[3], known) == 0u;
  if (factor == nullptr || !factor->number || (*factor->number >> 16) != 0 || !adds_nothing) return;
  become_move(line, number_term(*factor->number << 16));
}

/// What CBCC adds, b above 16 bits, is nothing where b has only an upper half.
void drop_lower_factor(Line& line, const KnownOf& known) {
  const Value* factor = known(line.terms[2]);
  if (factor == nullptr || !factor->number || (*factor->number & 0xFFFFu) != 0) return;
  line.operation = "XMAD.PSL";
}

/// The line with another operand, if there is a word for that.
bool take_operand(Line& line, size_t at, const Term& term, const std::string& operation) {
  Line changed = line;
  changed.terms[at] = term;
  changed.operation = operation;
  if (!has_word(changed)) return false;
  line = std::move(changed);
  return true;
}

std::string wide_operation(const std::string& operation) {
  const std::string stem = stem_of(operation);
  const std::string rest = operation.substr(stem.size());
  static const std::vector<std::string> kStems = {"IADD", "LOP", "MOV", "FADD", "FMUL"};
  const bool has_wide = std::find(kStems.begin(), kStems.end(), stem) != kStems.end();
  return has_wide ? stem + "32I" + rest : "";
}

bool take_number(Line& line, size_t at, uint32_t value) {
  const Term& term = line.terms[at];
  if (!takes_integers(line.operation)) return false;
  // Behind a carry "-" takes the complement: the carry is the one that is missing.
  const bool is_complement = reads_carry(line) && term.before == "-";
  const std::optional<uint32_t> signed_value = is_complement ? ~value : with_sign(term, value);
  if (!signed_value || at != 2) return false;
  if (take_operand(line, at, number_term(*signed_value), line.operation)) return true;
  const std::string wide = wide_operation(line.operation);
  return !wide.empty() && take_operand(line, at, number(static_cast<int64_t>(*signed_value)), wide);
}

/// A float's number as decimal digits that give it back; "" for NaN and infinity.
std::string float_text(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  if (!std::isfinite(value)) return "";
  return fmt::format("{:.9g}", value);
}

/// Of floats the short immediate has the upper 20 bits, the long one, of FADD and FMUL, all.
bool take_float(Line& line, size_t at, uint32_t value) {
  static const std::vector<std::string> kStems = {"FADD", "FMUL", "FFMA", "FMNMX"};
  const std::string stem = stem_of(line.operation);
  Term folded = line.terms[at];
  if (at != 2 || std::find(kStems.begin(), kStems.end(), stem) == kStems.end()) return false;
  if (folded.before == "-" && folded.after.empty()) {
    value ^= 0x80000000u;
    folded.before.clear();
  }
  folded.kind = Kind::kText;
  folded.id = -1;
  folded.text = float_text(value);
  if (folded.text.empty() || !folded.before.empty() || !folded.after.empty()) return false;
  if ((value & 0xFFFu) == 0) return take_operand(line, at, folded, line.operation);
  const bool is_sum = stem == "FADD" || stem == "FMUL";
  return is_sum && take_operand(line, at, folded, wide_operation(line.operation));
}

/// Of a 16-bit product the factor is half a register.
bool take_factor(Line& line, size_t at, uint32_t value) {
  static const std::vector<std::string> kPlain = {"XMAD", "XMAD.PSL"};
  if (at != 2 || std::find(kPlain.begin(), kPlain.end(), line.operation) == kPlain.end())
    return false;
  const uint32_t half = line.terms[at].after == ".H1" ? value >> 16 : value & 0xFFFFu;
  return line.terms[at].before.empty() && take_operand(line, at, number_term(half), line.operation);
}

/// The comparison with its sides exchanged: LT is GT then. Empty for .X: its carry is of a - b.
std::string mirrored(const std::string& operation) {
  if (has_part(operation, "X")) return "";
  static const std::vector<std::pair<std::string, std::string>> kPairs = {
      {"ISETP.LT", "ISETP.GT"}, {"ISETP.GT", "ISETP.LT"}, {"ISETP.LE", "ISETP.GE"},
      {"ISETP.GE", "ISETP.LE"}, {"ISETP.EQ", "ISETP.EQ"}, {"ISETP.NE", "ISETP.NE"}};
  for (const auto& [from, to] : kPairs) {
    if (operation.compare(0, from.size(), from) == 0) return to + operation.substr(from.size());
  }
  return "";
}

/// The line with operands a and b exchanged; false where that is another thing.
bool exchange(Line& line) {
  if (stem_of(line.operation) == "SEL") {
    std::swap(line.terms[1], line.terms[2]);
    line.terms[3].before = line.terms[3].before.empty() ? "!" : "";
    if (number_of(line.terms[1]) == 0u) line.terms[1] = rz();
    return true;
  }
  const bool is_comparison = stem_of(line.operation) == "ISETP";
  const size_t first = is_comparison ? 2 : 1;
  const std::string operation = is_comparison ? mirrored(line.operation) : line.operation;
  const bool is_product = line.operation == "XMAD" || line.operation == "XMAD.PSL";
  if (operation.empty() || !(is_comparison || is_product || commutes(operation))) return false;
  line.operation = operation;
  std::swap(line.terms[first], line.terms[first + 1]);
  return true;
}

bool fold(Line& line, size_t at, const KnownOf& known) {
  const Term term = line.terms[at];
  const Value* value = known(term);
  if (value == nullptr || (!value->number && value->constant.empty())) return false;
  Term folded = term;
  folded.kind = Kind::kText;
  folded.id = -1;
  if (!value->number) {
    folded.text = value->constant;
    return take_operand(line, at, folded, line.operation);
  }
  folded.text = "RZ";
  if (*value->number == 0) return take_operand(line, at, folded, line.operation);
  // Of a comparison b is the fourth operand: two predicates stand in front.
  const bool is_comparison = stem_of(line.operation) == "ISETP";
  if (is_comparison && at == 3) {
    const std::optional<uint32_t> number = with_sign(term, value->number);
    return number && take_operand(line, at, number_term(*number), line.operation);
  }
  return take_number(line, at, *value->number) || take_factor(line, at, *value->number) ||
         take_float(line, at, *value->number);
}

}  // namespace

Term number_term(uint32_t value) { return number(static_cast<int32_t>(value)); }

std::optional<uint32_t> number_in(const Term& term, const KnownOf& known) {
  if (term.kind == Kind::kText) return number_of(term);
  const Value* value = known(term);
  return value == nullptr ? std::nullopt : with_sign(term, value->number);
}

void become_move(Line& line, Term from) {
  Term to = line.terms.front();
  const std::optional<uint32_t> value = number_of(from);
  line.operation = value && *value != 0 ? "MOV32I" : "MOV";
  if (value) from = *value == 0 ? rz() : number(static_cast<int64_t>(*value));
  line.terms = {to, from};
}

std::optional<uint32_t> number_of(const Term& term) {
  if (term.kind != Kind::kText) return std::nullopt;
  if (term.text == "RZ") return with_sign(term, 0u);
  const size_t digits = term.text.compare(0, 1, "-") == 0 ? 1 : 0;
  if (term.text.compare(digits, 2, "0x") != 0) return std::nullopt;
  return with_sign(term, static_cast<uint32_t>(std::stoll(term.text, nullptr, 16)));
}

void simplify(Line& line, const KnownOf& known) {
  const std::string stem = stem_of(line.operation);
  if (is_plain_binary(line)) {
    simplify_binary(line, known);
  } else if (stem == "SEL") {
    simplify_choice(line);
  } else if (line.operation == "XMAD.MRG") {
    simplify_cross(line, known);
  } else if (line.operation == "XMAD.PSL.CBCC") {
    drop_lower_factor(line, known);
  }
  if (line.operation == "XMAD" || line.operation == "XMAD.PSL") simplify_product(line, known);
  simplify_bits(line, known);
}

void fold_operands(Line& line, const KnownOf& known) {
  if (line.target >= 0) return;
  for (size_t at = line.terms.size(); at-- > 0;) {
    if (fold(line, at, known)) continue;
    const Value* value = known(line.terms[at]);
    const bool may_fold = value != nullptr && (value->number || !value->constant.empty());
    Line exchanged = line;
    if (!may_fold || !exchange(exchanged)) continue;
    const size_t first = stem_of(line.operation) == "ISETP" ? 2 : 1;
    if (at == first && fold(exchanged, at + 1, known)) line = exchanged;
  }
}

}  // namespace shflsim::isa::ptx
