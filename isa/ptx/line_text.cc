// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/line_text.h"

#include <algorithm>

#include "isa/codec.h"
#include "isa/program.h"
#include "isa/ptx/lowering.h"

namespace shflsim::isa::ptx {
namespace {

std::string text_of_term(const Term& term, const std::vector<uint8_t>& numbers) {
  if (term.kind == Term::Kind::kText) return term.before + term.text + term.after;
  const int at = term.id < 0 ? 0 : numbers[static_cast<size_t>(term.id)] + term.part;
  const std::string name = (term.width == 0 ? "P" : "R") + std::to_string(at);
  const std::string offset = number(term.offset).text;
  if (term.kind == Term::Kind::kRegister) return term.before + name + term.after;
  if (term.kind == Term::Kind::kMemory && term.id < 0) return "[" + offset + "]";
  const std::string address = "[" + name + (term.offset == 0 ? "]" : "+" + offset + "]");
  const std::string bank = "c[0x" + std::to_string(term.bank) + "]";
  return (term.kind == Term::Kind::kConstant ? bank : "") + address;
}

}  // namespace

std::string text_of_line(const Line& line, const std::vector<uint8_t>& numbers) {
  std::string text = line.operation;
  const char* separator = " ";
  for (const Term& term : line.terms) {
    text += separator + text_of_term(term, numbers);
    separator = ", ";
  }
  if (line.target >= 0 || !line.callee.empty()) text += " target";
  if (line.guard < 0) return text;
  const std::string guard = "P" + std::to_string(numbers[static_cast<size_t>(line.guard)]);
  return (line.guard_negate ? "@!" : "@") + guard + " " + text;
}

bool has_word(const Line& line) {
  int last = line.guard;
  for (const Term& term : line.terms) last = std::max(last, term.id);
  const std::vector<uint8_t> zeros(static_cast<size_t>(last + 1));
  try {
    encode(text_of_line(line, zeros), isa::address_of(0), {});
    return true;
  } catch (const SyntaxError&) {
    return false;
  }
}

}  // namespace shflsim::isa::ptx
