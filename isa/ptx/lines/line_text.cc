// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/line_text.h"

#include <fmt/format.h>

#include <cstring>
#include <functional>

#include "isa/codec/codec.h"
#include "isa/ptx/lines/line_word.h"

namespace shflsim::isa::ptx {
namespace {

using Kind = Term::Kind;
/// The name of a virtual register's part, or of a predicate.
using NameOf = std::function<std::string(int id, unsigned part, unsigned width)>;

std::string text_of_number(int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  return value < 0 ? fmt::format("-{:#x}", 0 - bits) : fmt::format("{:#x}", bits);
}

std::string text_of_float(int64_t value) {
  const auto bits = static_cast<uint32_t>(value);
  float number = 0;
  std::memcpy(&number, &bits, sizeof number);
  return fmt::format("{:.9g}", number);
}

std::string text_of_address(const Term& term, const NameOf& name_of) {
  const std::string offset = text_of_number(term.offset);
  if (term.id < 0) return "[" + offset + "]";
  const std::string name = name_of(term.id, term.part, term.width);
  return "[" + name + (term.offset == 0 ? "]" : "+" + offset + "]");
}

std::string bare_text(const Term& term, const NameOf& name_of) {
  switch (term.kind) {
    case Kind::kZero: return "RZ";
    case Kind::kTrue: return "PT";
    case Kind::kNumber: return text_of_number(term.value);
    case Kind::kFloat: return text_of_float(term.value);
    case Kind::kSpecial: return special_register_name(static_cast<uint8_t>(term.value));
    case Kind::kConstant:
      return fmt::format("c[{:#x}]", term.bank) + text_of_address(term, name_of);
    case Kind::kMemory: return text_of_address(term, name_of);
    default: return name_of(term.id, term.part, term.width);
  }
}

std::string text_of_term(const Term& term, const NameOf& name_of) {
  const bool is_predicate = term.width == 0;
  std::string text = term.negate ? (is_predicate ? "!" : "-") : "";
  if (term.invert) text += "~";
  if (term.absolute) text += "|";
  text += bare_text(term, name_of) + name_of_piece(term.piece);
  return term.absolute ? text + "|" : text;
}

std::string text_by(const Line& line, const NameOf& name_of) {
  std::string text = line.operation.text();
  const char* separator = " ";
  for (const Term& term : line.terms) {
    text += separator + text_of_term(term, name_of);
    if (line.sets_cc && &term == &line.terms.front()) text += ".CC";
    separator = ", ";
  }
  if (line.target >= 0) text += separator + ("B" + std::to_string(line.target));
  if (!line.callee.empty()) text += separator + line.callee;
  if (line.guard < 0) return text;
  return (line.guard_negate ? "@!" : "@") + name_of(line.guard, 0, 0) + " " + text;
}

std::string virtual_name(int id, unsigned part, unsigned width) {
  const std::string name = (width == 0 ? "p" : "v") + std::to_string(id);
  return part == 0 ? name : name + "." + std::to_string(part);
}

NameOf names_by(const std::vector<uint8_t>& numbers) {
  return [&numbers](int id, unsigned part, unsigned width) {
    const unsigned number = numbers[static_cast<size_t>(id)] + part;
    return (width == 0 ? "P" : "R") + std::to_string(number);
  };
}

std::string text_of_way(const Block& block, const NameOf& name_of) {
  const std::string next = block.next < 0 ? "the end" : "B" + std::to_string(block.next);
  if (block.taken < 0) return "  to " + next + "\n";
  const std::string guard = (block.guard_negate ? "!" : "") + name_of(block.guard, 0, 0);
  return "  " + guard + " to B" + std::to_string(block.taken) + ", else to " + next + "\n";
}

/// A table of the PTX names of virtual registers.
std::string text_of_names(const Code& code) {
  std::string text;
  for (size_t id = 0; id < code.registers.size(); ++id) {
    const VirtualRegister& each = code.registers[id];
    if (each.name.empty()) continue;
    text += "  " + virtual_name(static_cast<int>(id), 0, each.width) + " is " + each.name + "\n";
  }
  return text;
}

}  // namespace

std::string text_of_line(const Line& line, const std::vector<uint8_t>& numbers) {
  return text_by(line, names_by(numbers));
}

std::string text_of_line(const Line& line) { return text_by(line, virtual_name); }

std::string text_of_code(const Code& code, const std::vector<uint8_t>& numbers) {
  const NameOf name_of = numbers.empty() ? NameOf(virtual_name) : names_by(numbers);
  std::string text = numbers.empty() ? text_of_names(code) : "";
  for (size_t b = 0; b < code.blocks.size(); ++b) {
    const Block& block = code.blocks[b];
    text += "B" + std::to_string(b) + ":\n";
    for (const Line& line : block.lines) text += "    " + text_by(line, name_of) + "\n";
    text += text_of_way(block, name_of);
  }
  return text;
}

}  // namespace shflsim::isa::ptx
