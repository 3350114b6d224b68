// SPDX-License-Identifier: Apache-2.0
#include "isa/code.h"

#include <cstdlib>
#include <string_view>

#include "isa/codec.h"
#include "isa/form.h"
#include "isa/volta_line.h"

namespace shflsim::isa {
namespace {

bool reads_clock(const Instruction& instruction) {
  const bool reads_special = instruction.op == Op::kS2R || instruction.op == Op::kCS2R;
  return reads_special && instruction[Role::kA].index == special_register_number("SR_CLOCKLO");
}

/// From the size modifier: .U8 .S8 .U16 .S16, none for 32 bits, .64, .128.
uint8_t access_bytes(const Instruction& instruction) {
  const std::string_view name = mod_names(Mod::k_size)[instruction[Mod::k_size]];
  if (name.find("128") != std::string_view::npos) return 16;
  if (name.find("64") != std::string_view::npos) return 8;
  if (name.find("16") != std::string_view::npos) return 2;
  return name.find('8') != std::string_view::npos ? 1 : 4;
}

bool accesses_shared(Op op) { return op == Op::kLDS || op == Op::kSTS || op == Op::kATOMS; }

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

/// Of a BAR of SPA 5.0.
BarrierOperands barrier_operands(const Instruction& bar) {
  const Operand& number = bar[Role::kB];
  const Operand& threads = bar[Role::kC];
  BarrierOperands operands;
  if (number.is(Operand::Kind::kImmediate)) operands.number = number.value & 15u;
  if (threads.is(Operand::Kind::kImmediate)) operands.threads = threads.value & 0xFFFu;
  operands.in_registers = number.is_live_register() || threads.is_live_register();
  const std::string_view operation = mod_names(Mod::k_bar)[bar[Mod::k_bar]];
  operands.stops = operation != ".ARV";
  return operands;
}

/// The value of an immediate at `at`; -1 where none stands there.
long immediate_at(const std::string& text, size_t at) {
  at = std::min(text.find_first_not_of(" ,", at), text.size());
  return text.compare(at, 2, "0x") == 0 ? std::strtol(text.c_str() + at, nullptr, 16) : -1;
}

}  // namespace

BarrierOperands barrier_operands(const std::string& text) {
  BarrierOperands operands;
  const size_t bar = text.find("BAR");
  const size_t space = std::min(text.find(' ', bar), text.size());
  operands.stops = text.substr(0, space).find(".ARV") == std::string::npos;
  const long number = immediate_at(text, space);
  const size_t comma = text.find(',', space);
  if (number < 0) return operands;
  const bool has_more = comma != std::string::npos && text.find('R', comma) == std::string::npos;
  const long threads = has_more ? immediate_at(text, comma) : -1;
  if (comma != std::string::npos && !has_more) return operands;  // as many as a register says
  unpack_barrier(packed_barrier(static_cast<uint32_t>(number),
                                threads < 0 ? 0 : static_cast<uint32_t>(threads)),
                 &operands);
  return operands;
}

void unpack_barrier(uint64_t packed, BarrierOperands* operands) {
  operands->number = packed & 15u;
  operands->threads = packed >> 4 & 0xFFFu;
}

const FamilyFacts& facts(Family family) {
  // SPA 5.0: three instructions of 8 bytes share a word of control bits of 8 (docs/sources.md,
  // "Instruction words").
  static const FamilyFacts maxwell = {"SPA 5.0", 32, 3, false};
  static const FamilyFacts volta = {"Volta or later", 16, 1, true};
  return family == Family::kMaxwell ? maxwell : volta;
}

CodeLine code_line(const Instruction& instruction, const std::string& text) {
  if (family_of(instruction.arch) == Family::kVolta)
    return volta_line(text, instruction.address, instruction.word.low, instruction.word.high, {});
  CodeLine line;
  line.address = instruction.address;
  line.text = text;
  line.word = instruction.word.low;
  line.pipe = facts(instruction.op).pipe;
  line.control = instruction.control;
  line.footprint = footprint(instruction);
  if (line.is_shuffle()) line.shuffle = shuffle_operands(instruction);
  line.is_guarded = instruction.has_guard();
  line.is_exit = instruction.op == Op::kEXIT;
  line.is_clock_read = reads_clock(instruction);
  line.is_block_barrier = instruction.op == Op::kBAR;
  if (line.is_block_barrier) line.barrier = barrier_operands(instruction);
  line.accesses_shared = accesses_shared(instruction.op);
  line.is_constant_load = instruction.op == Op::kLDC;
  line.is_store = is_mio(line.pipe) && line.footprint.write_count == 0 &&
                  line.footprint.predicates_written == 0;
  line.access_bytes = access_bytes(instruction);
  if (instruction.op == Op::kDEPBAR) {
    line.depbar_mask = static_cast<uint8_t>(1u << instruction[Mod::k_sb]);
    line.depbar_most = static_cast<uint8_t>(instruction[Role::kC].value);
  }
  return line;
}

Code code_of(const Program& program) {
  Code code;
  code.name = program.name;
  code.family = family_of(program.arch);
  code.has_words = code.family == Family::kMaxwell;
  code.has_control = program.has_control;
  code.is_lowered = program.is_lowered;
  code.registers = program.registers;
  code.shared_bytes = program.shared_bytes;
  code.local_bytes = program.local_bytes;
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
