// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/assembled.h"

#include <fmt/format.h>

#include "isa/base/text_cursor.h"
#include "isa/base/word_text.h"

namespace shflsim::isa {
namespace {

constexpr std::string_view kRest = "&rest=";

Word with_control(const Word& word, const Control& control) {
  return with_field(word, kControlPosition, kControlBits, control_field(control));
}

/// Removes "&rest=" and its bits from the end of the text; returns the bits, 0 if there are none.
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

/// The word that ptxas 12 and later write for an instruction with a descriptor: sm_80 to sm_89 have
/// a bit that makes nvdisasm print the descriptor, and ptxas never sets this bit.
Word with_hidden_descriptors(Instruction instruction) {
  for (Operand& operand : instruction.operands) operand.is_shown = false;
  return encode(instruction);
}

Instruction decoded(Arch arch, const Word& word, uint32_t address, const Control& control) {
  Instruction instruction;
  const std::string problem = family_of(arch) == Family::kMaxwell
                                  ? decode(word.low, address, control, &instruction)
                                  : decode(arch, word, address, &instruction);
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
                      const Names& names, uint8_t reuse) {
  const bool is_long = family_of(arch) == Family::kSm70;
  const Word rest = is_long ? take_rest(&text) : Word();
  const Encoded encoded = encode(arch, text, address, names);
  Control all = control;
  all.reuse = encoded.reuse | reuse;
  if (!is_long) return decoded(arch, encoded.word, address, all);
  const Instruction shown = decoded(arch, with_control(encoded.word, all), address, all);
  return decoded(arch, with_hidden_descriptors(shown) ^ rest, address, all);
}

}  // namespace shflsim::isa
