// SPDX-License-Identifier: Apache-2.0
#include "isa/code/code.h"

#include <algorithm>

#include "isa/codec/codec.h"

namespace shflsim::isa {
namespace {

ShuffleOperands shuffle_operands(const Instruction& shfl) {
  const Operand& index = shfl[Role::kB];
  const Operand& clamp = shfl[Role::kC];
  ShuffleOperands operands;
  operands.mode = shuffle_mode(shfl);
  operands.index_is_register = !index.is(Operand::Kind::kImmediate);
  operands.clamp_is_register = !clamp.is(Operand::Kind::kImmediate);
  operands.index = operands.index_is_register ? index.index : static_cast<uint32_t>(index.value);
  operands.clamp = operands.clamp_is_register ? clamp.index : static_cast<uint32_t>(clamp.value);
  return operands;
}

int64_t target_of(const Instruction& instruction) {
  const auto found =
      std::find_if(instruction.operands.begin(), instruction.operands.end(),
                   [](const Operand& operand) { return operand.is(Operand::Kind::kTarget); });
  return found == instruction.operands.end() ? -1 : found->value;
}

int address_register_of(const Instruction& instruction) {
  const Operand& address = instruction[Role::kA];
  return address.is(Operand::Kind::kMemory) && address.index != kRZ ? address.index : -1;
}

}  // namespace

const FamilyFacts& facts(Family family) {
  // SPA 5.0: three instructions of 8 bytes share a word of control bits of 8 (docs/sources.md,
  // "Instruction words").
  static const FamilyFacts maxwell = {"SPA 5.0", 32, 3, false};
  static const FamilyFacts volta = {"Volta or later", 16, 1, true};
  return family == Family::kMaxwell ? maxwell : volta;
}

CodeLine code_line(const Instruction& instruction, const std::string& text) {
  CodeLine line;
  static_cast<LineFacts&>(line) = line_facts(instruction);
  line.address = instruction.address;
  line.text = text;
  line.name = name_in_text(instruction);
  line.modifiers = modifiers_in_text(instruction);
  line.word = instruction.word;
  if (line.is_shuffle()) line.shuffle = shuffle_operands(instruction);
  const bool is_plain_jump = line.kind == OpKind::kJump && instruction[Mod::k_bra] == 0;
  if (is_plain_jump) line.target = target_of(instruction);
  if (line.accesses_shared) line.address_register = address_register_of(instruction);
  return line;
}

Code code_of(const Program& program) {
  Code code;
  code.name = program.name;
  code.arch = program.arch;
  code.has_words = true;
  code.has_control = program.has_control;
  code.is_lowered = program.is_lowered;
  code.registers = program.registers;
  code.shared_bytes = program.shared_bytes;
  code.local_bytes = program.local_bytes;
  code.barriers = program.barriers;
  code.warnings = program.warnings;
  code.lines.reserve(program.code.size());
  for (size_t i = 0; i < program.code.size(); ++i)
    code.lines.push_back(code_line(program.code[i], program.texts[i]));
  code.source_files = program.source_files;
  for (size_t i = 0; i < program.source_lines.size(); ++i)
    code.lines[i].source = program.source_lines[i];
  return code;
}

}  // namespace shflsim::isa
