// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/assembled.h"

#include <fmt/format.h>

#include "isa/text_cursor.h"
#include "isa/word_text.h"

namespace shflsim::isa {
namespace {

constexpr std::string_view kRest = "&rest=";

Word with_control(const Word& word, const Control& control) {
  return with_field(word, kControlPosition, kControlBits, control_field(control));
}

/// The bits behind "&rest=", which ends the text; none where it has no such part.
Word take_rest(std::string_view* text) {
  const size_t at = text->find(kRest);
  if (at == std::string_view::npos) return {};
  std::string_view digits = trimmed(text->substr(at + kRest.size()));
  if (!digits.empty() && digits.back() == ';')
    digits = trimmed(digits.substr(0, digits.size() - 1));
  const std::optional<Word> word = word_of_hex(digits);
  if (!word) {
    const auto column = static_cast<unsigned>(at + kRest.size() + 1);
    throw SyntaxError{"no word behind &rest=; expected up to 32 hexadecimal digits", column};
  }
  *text = text->substr(0, at);
  return *word;
}

Instruction decoded(Arch arch, const Encoded& encoded, const Word& rest, uint32_t address,
                    Control control) {
  control.reuse = encoded.reuse;
  Instruction instruction;
  const std::string problem =
      family_of(arch) == Family::kMaxwell
          ? decode(encoded.word.low, address, control, &instruction)
          : decode(arch, with_control(encoded.word, control) ^ rest, address, &instruction);
  if (!problem.empty()) throw SyntaxError{problem, 1};
  return instruction;
}

}  // namespace

std::string assembler_text(const Instruction& instruction) {
  Instruction shown = instruction;
  for (Operand& operand : shown.operands) operand.is_shown = true;
  return text_of(shown);
}

std::string assembler_rest(const Instruction& instruction) {
  if (family_of(instruction.arch) == Family::kMaxwell) return "";
  const Instruction said = assembled(instruction.arch, assembler_text(instruction),
                                     instruction.address, instruction.control);
  const Word rest = said.word ^ instruction.word;
  if (rest.none()) return "";
  if (rest.high == 0) return fmt::format(" {}0x{:x}", kRest, rest.low);
  return fmt::format(" {}0x{:x}{:016x}", kRest, rest.high, rest.low);
}

Instruction assembled(Arch arch, std::string_view text, uint32_t address, const Control& control,
                      const Names& names) {
  const Word rest = family_of(arch) == Family::kMaxwell ? Word() : take_rest(&text);
  return decoded(arch, encode(arch, text, address, names), rest, address, control);
}

}  // namespace shflsim::isa
