// SPDX-License-Identifier: Apache-2.0
#include "isa/code/footprint.h"

#include <algorithm>

namespace shflsim::isa {
namespace {

constexpr uint8_t kNoPosition = 3;

/// The position of an operand. Addresses have no reuse bit; their position follows their role.
uint8_t position_of(const Operand& operand, Role role) {
  if (operand.reuse_bit != Operand::kNoReuseBit) return operand.reuse_bit;
  if (operand.is(Operand::Kind::kRegister)) return kNoPosition;
  switch (role) {
    case Role::kA: return 0;
    case Role::kB: return 1;
    case Role::kC: return 2;
    default: return kNoPosition;
  }
}

/// The number of registers: 1 for an address register that is added to a UR as 32 bits.
uint8_t registers_of(const Operand& operand) {
  const bool is_narrow = operand.is(Operand::Kind::kMemory) && operand.has_uniform &&
                         !operand.is_descriptor && !operand.is_wide;
  return is_narrow ? uint8_t{1} : operand.count;
}

/// `count` registers from `first` on, cut off after the last register, R254.
uint8_t within_file(unsigned first, unsigned count) {
  return static_cast<uint8_t>(std::min(count, kRZ - first));
}

void add_reads(const Operand& operand, Role role, Footprint* out) {
  if (operand.index == kRZ || out->read_count == Footprint::kMostReads) return;
  out->reads[out->read_count++] = {operand.index, within_file(operand.index, registers_of(operand)),
                                   position_of(operand, role), operand.reuse};
}

void add_operand(const Operand& operand, Role role, Footprint* out) {
  const bool is_destination = role == Role::kD;
  switch (operand.kind) {
    case Operand::Kind::kRegister:
      if (!is_destination) return add_reads(operand, role, out);
      if (operand.index == kRZ) return;
      out->first_write = operand.index;
      out->write_count = within_file(operand.index, operand.count);
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

/// True for branches whose word has a CC test. Calls and instructions that push a token have none.
bool has_carry_test(Op op) {
  switch (op) {
    case Op::kBRA:
    case Op::kBRX:
    case Op::kJMP:
    case Op::kJMX:
    case Op::kSYNC:
    case Op::kRET:
    case Op::kBRK:
    case Op::kCONT:
    case Op::kLONGJMP:
    case Op::kKIL:
    case Op::kEXIT: return true;
    default: return false;
  }
}

constexpr uint8_t kExtended = 2;  ///< value of the modifier xhi: ".X" and ".XHI"

bool tests_carry(const Instruction& instruction) {
  // The CC test of a branch reads the condition code unless it is "true" (15).
  const bool tested = has_carry_test(instruction.op) && instruction[Mod::k_cct] != 15;
  const bool names_it = instruction.op == Op::kCSET || instruction.op == Op::kCSETP;
  const bool extends = instruction[Mod::k_x] != 0 || instruction[Mod::k_xhi] >= kExtended;
  return tested || names_it || extends;
}

/// P2R and R2P access the predicates, or the condition code, as a whole; operand B is a mask of
/// the predicates if it is an immediate.
void add_flags(const Instruction& instruction, Footprint* out) {
  constexpr uint8_t kAllPredicates = 0x7F;
  const Op op = instruction.op;
  const bool reads = op == Op::kP2R || op == Op::kSm70_P2R;
  if (!reads && op != Op::kR2P && op != Op::kSm70_R2P) return;
  if (instruction[Mod::k_flags] != 0) {
    (reads ? out->reads_carry : out->writes_carry) = true;
    return;
  }
  const Operand& mask = instruction[Role::kB];
  const uint8_t named = mask.is(Operand::Kind::kImmediate)
                            ? static_cast<uint8_t>(mask.value & kAllPredicates)
                            : kAllPredicates;
  uint8_t& predicates = reads ? out->predicates_read : out->predicates_written;
  predicates = static_cast<uint8_t>(predicates | named);
}

}  // namespace

Footprint footprint(const Instruction& instruction) {
  Footprint out;
  for (unsigned r = 0; r < kRoles; ++r) {
    add_operand(instruction.operands[r], static_cast<Role>(r), &out);
  }
  if (instruction.guard != kPT && !instruction.guard_is_uniform) {
    out.predicates_read = static_cast<uint8_t>(out.predicates_read | (1u << instruction.guard));
  }
  out.reads_carry = tests_carry(instruction);
  out.writes_carry = instruction.sets_cc;
  add_flags(instruction, &out);
  return out;
}

}  // namespace shflsim::isa
