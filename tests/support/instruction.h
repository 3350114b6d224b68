// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "isa/code/code.h"
#include "isa/codec/codec.h"

namespace shflsim::test {

/// The instruction with this text, for an architecture.
inline isa::Instruction instruction_of(isa::Arch arch, const std::string& text) {
  isa::Instruction instruction;
  const isa::Encoded encoded = isa::encode(arch, text, 0);
  const bool is_short = isa::family_of(arch) == isa::Family::kMaxwell;
  const std::string problem = is_short ? isa::decode(encoded.word.low, 0, {}, &instruction)
                                       : isa::decode(arch, encoded.word, 0, &instruction);
  if (!problem.empty()) throw std::logic_error(text + ": " + problem);
  return instruction;
}

/// The line of code with this instruction.
inline isa::CodeLine line_of(isa::Arch arch, const std::string& text) {
  return isa::code_line(instruction_of(arch, text), text);
}

}  // namespace shflsim::test
