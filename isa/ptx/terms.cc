// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "isa/ptx/lowering.h"

namespace shflsim::isa::ptx {

Term text(const std::string& words) {
  Term term;
  term.text = words;
  return term;
}

Term number(int64_t value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%s0x%llx", value < 0 ? "-" : "",
                static_cast<unsigned long long>(value < 0 ? 0 - static_cast<uint64_t>(value)
                                                          : static_cast<uint64_t>(value)));
  return text(digits);
}

Term constant(unsigned bank, int64_t offset) {
  char words[48];
  std::snprintf(words, sizeof words, "c[0x%x][0x%llx]", bank,
                static_cast<unsigned long long>(offset));
  return text(words);
}

Term low(Term pair) {
  pair.width = 1;
  return pair;
}

Term high(Term pair) {
  if (pair.kind == Term::Kind::kRegister) pair.part = 1;
  pair.width = 1;
  return pair;
}

Term negated(Term term) {
  term.before = "-";
  return term;
}

Term with_suffix(Term term, const std::string& suffix) {
  term.after = suffix;
  return term;
}

Term temporary_written(Lowering& to, uint8_t width) {
  Term term = to.temporary(width);
  term.written = true;
  return term;
}

Term read(Term term) {
  term.written = false;
  return term;
}

void move(Lowering& to, const Term& d, const Term& from) {
  to.emit("MOV", {low(d), low(from)});
  if (d.width == 2) to.emit("MOV", {high(d), high(from)});
}

Term extended(Lowering& to, const Operand& operand, Type type) {
  uint64_t value = 0;
  Operand exact = operand;
  if (type.bits >= 32) return to.source(operand, type);
  if (to.is_number(operand, type, &value)) {
    const unsigned unused = 64 - type.bits;
    exact.kind = Operand::Kind::kInteger;
    exact.value = type.is_signed() ? static_cast<int64_t>(value << unused) >> unused
                                   : static_cast<int64_t>(value << unused >> unused);
    return to.source(exact, {type.kind, 32});
  }
  const Term a = to.source(operand, type);
  Term wide = to.temporary();
  wide.written = true;
  const bool is_signed = type.is_signed();
  to.emit(is_signed ? "BFE" : "BFE.U32", {wide, a, number(type.bits << 8)});
  wide.written = false;
  return wide;
}

}  // namespace shflsim::isa::ptx
