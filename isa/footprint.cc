// SPDX-License-Identifier: Apache-2.0
#include "isa/footprint.h"

#include "isa/form.h"

namespace shflsim::isa {
namespace {

uint8_t slot_of(Role role) {
  switch (role) {
    case Role::kA: return 0;
    case Role::kB: return 1;
    case Role::kC: return 2;
    default: return 3;
  }
}

void add_reads(const Operand& operand, Role role, Footprint* out) {
  if (operand.index == kRZ) return;
  ++out->operand_count;
  for (uint8_t i = 0; i < operand.count && out->read_count < Footprint::kMostReads; ++i) {
    const uint8_t slot =
        operand.is(Operand::Kind::kRegister) && !operand.reuse_slot ? 3 : slot_of(role);
    out->reads[out->read_count++] = {static_cast<uint8_t>(operand.index + i), slot, operand.reuse};
  }
}

void add_operand(const Operand& operand, Role role, Footprint* out) {
  const bool is_destination = role == Role::kD;
  switch (operand.kind) {
    case Operand::Kind::kRegister:
      if (!is_destination) return add_reads(operand, role, out);
      if (operand.index == kRZ) return;
      out->first_write = operand.index;
      out->write_count = operand.count;
      return;
    case Operand::Kind::kMemory: return add_reads(operand, role, out);
    case Operand::Kind::kConstant:
      if (operand.indexed) add_reads(operand, role, out);
      return;
    case Operand::Kind::kPredicate: {
      if (operand.index == kPT) return;
      const bool written = role == Role::kP || role == Role::kQ;
      uint8_t& mask = written ? out->predicates_written : out->predicates_read;
      mask = static_cast<uint8_t>(mask | (1u << operand.index));
      return;
    }
    default: return;
  }
}

bool tests_carry(const Instruction& instruction) {
  // The CC test of a branch reads the condition code unless it is "true" (15).
  const bool conditional = facts(instruction.op).pipe == Pipe::kBranch;
  return instruction[Mod::k_x] != 0 || (conditional && instruction[Mod::k_cct] != 15);
}

}  // namespace

Footprint footprint(const Instruction& instruction) {
  Footprint out;
  for (unsigned r = 0; r < kRoles; ++r) {
    add_operand(instruction.operands[r], static_cast<Role>(r), &out);
  }
  if (instruction.guard != kPT) {
    out.predicates_read = static_cast<uint8_t>(out.predicates_read | (1u << instruction.guard));
  }
  out.reads_carry = tests_carry(instruction);
  out.writes_carry = instruction.sets_cc;
  return out;
}

}  // namespace shflsim::isa
