// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/reuse.h"

#include <algorithm>
#include <array>

#include "isa/code/footprint.h"
#include "isa/codec/codec.h"
#include "isa/codec/form.h"
#include "isa/dialects/code_flow.h"
#include "isa/dialects/groups.h"

namespace shflsim::isa {
namespace {

/// The operands that the following instructions read; filled from the end of the code.
class Readers {
 public:
  void forget_all() { registers_ = {}; }

  void forget_written(const Footprint& writer) {
    constexpr unsigned kMostBefore = kWidest - 1;
    const unsigned first = std::max<unsigned>(writer.first_write, kMostBefore) - kMostBefore;
    for (auto& position : registers_) {
      for (unsigned i = first; i < unsigned{writer.first_write} + writer.write_count; ++i) {
        if (i + position[i] > writer.first_write) position[i] = 0;
      }
    }
  }

  void add(const Operand& operand) { registers_[operand.reuse_bit][operand.index] = operand.count; }

  /// True if the next reader in this position reads the same registers.
  bool take(const Operand& operand) const {
    return registers_[operand.reuse_bit][operand.index] == operand.count;
  }

 private:
  static constexpr size_t kPositions = 3;
  static constexpr unsigned kWidest = 4;                          // registers of one operand
  std::array<std::array<uint8_t, 256>, kPositions> registers_{};  ///< by first register: how many
};

bool can_be_kept(const Operand& operand) {
  return operand.is(Operand::Kind::kRegister) && operand.reuse_bit != Operand::kNoReuseBit &&
         operand.index != kRZ;
}

bool overlap(const Operand& read, const Footprint& writer) {
  return read.index < writer.first_write + writer.write_count &&
         writer.first_write < read.index + read.count;
}

/// True if it has marked an operand.
bool mark(const Footprint& own, const Readers& readers, Instruction* instruction) {
  bool is_marked = false;
  for (Operand& operand : instruction->operands) {
    if (!can_be_kept(operand) || overlap(operand, own) || !readers.take(operand)) continue;
    is_marked = operand.reuse = true;
    instruction->control.reuse =
        static_cast<uint8_t>(instruction->control.reuse | 1u << operand.reuse_bit);
  }
  return is_marked;
}

}  // namespace

void mark_reuse(Program* program) {
  const CodeFlow flow(*program);
  Readers readers;
  for (size_t i = program->code.size(); i-- > 0;) {
    Instruction& instruction = program->code[i];
    if (flow.ends_block(i) || !goes_on(instruction.control)) readers.forget_all();
    const Footprint own = footprint(instruction);
    const bool is_kept = is_math(facts(instruction.op).pipe);
    if (is_kept && mark(own, readers, &instruction)) program->texts[i] = text_of(instruction);
    readers.forget_written(own);
    for (const Operand& operand : instruction.operands) {
      if (is_kept && can_be_kept(operand)) readers.add(operand);
    }
  }
}

}  // namespace shflsim::isa
