// SPDX-License-Identifier: Apache-2.0
#include "isa/check/effects.h"

#include <fmt/format.h>

#include "isa/form.h"

namespace shflsim::isa {
namespace {

Resource numbered(Resource first, unsigned index) { return static_cast<Resource>(first + index); }

void add_range(std::vector<Resource>* list, Resource first, unsigned index, unsigned count) {
  for (unsigned i = 0; i < count && index + i < kRZ; ++i)
    list->push_back(numbered(first, index + i));
}

void add_mask(std::vector<Resource>* list, Resource first, unsigned mask) {
  for (unsigned i = 0; i < 7; ++i) {
    if ((mask >> i & 1u) != 0) list->push_back(numbered(first, i));
  }
}

// --- SPA 5.0 -----------------------------------------------------------------------------------

Effects maxwell_effects(const Instruction& instruction) {
  const Footprint found = footprint(instruction);
  Effects effects;
  if (instruction.guard != kPT) effects.guard = numbered(kFirstPredicate, instruction.guard);
  for (unsigned i = 0; i < found.read_count; ++i) effects.reads.push_back(found.reads[i].index);
  add_range(&effects.writes, 0, found.first_write, found.write_count);
  add_mask(&effects.reads, kFirstPredicate, found.predicates_read);
  add_mask(&effects.writes, kFirstPredicate, found.predicates_written);
  if (found.reads_carry) effects.reads.push_back(kCarryFlag);
  if (found.writes_carry) effects.writes.push_back(kCarryFlag);
  return effects;
}

// --- sm_70 and later ---------------------------------------------------------------------------

/// An address's register has 64 bits unless it is added to a uniform one as 32.
unsigned registers_of_address(const Operand& operand) {
  const bool is_narrow = operand.has_uniform && !operand.is_descriptor && !operand.is_wide;
  return is_narrow ? 1 : operand.count;
}

/// The uniform register of an address: a descriptor, and what has 64 bits, take two.
void add_base(const Operand& operand, Op op, Effects* effects) {
  if (!operand.has_uniform || operand.uniform == kRZ) return;
  const bool is_pair = operand.is_descriptor || facts(op).pipe == Pipe::kGlobal;
  add_range(&effects->reads, kFirstUniform, operand.uniform, is_pair ? 2 : 1);
}

void add_operand(const Operand& operand, Role role, Op op, Effects* effects) {
  const bool written = role == Role::kD || role == Role::kP || role == Role::kQ;
  std::vector<Resource>* list = written ? &effects->writes : &effects->reads;
  switch (operand.kind) {
    case Operand::Kind::kRegister: return add_range(list, 0, operand.index, operand.count);
    case Operand::Kind::kUniform:
      return add_range(list, kFirstUniform, operand.index, operand.count);
    case Operand::Kind::kMemory:
      add_range(&effects->reads, 0, operand.index, registers_of_address(operand));
      return add_base(operand, op, effects);
    case Operand::Kind::kConstant:
      if (operand.indexed) add_range(&effects->reads, 0, operand.index, operand.count);
      return add_base(operand, op, effects);
    case Operand::Kind::kPredicate:
    case Operand::Kind::kUniformPredicate: {
      const bool uniform = operand.is(Operand::Kind::kUniformPredicate);
      const Resource first = uniform ? kFirstUniformPredicate : kFirstPredicate;
      if (operand.index != kPT) list->push_back(numbered(first, operand.index));
      return;
    }
    default: return;
  }
}

/// P2R and R2P, and their uniform twins, name predicates by a mask, their last operand.
void add_masked_predicates(const Instruction& instruction, Effects* effects) {
  const Op op = instruction.op;
  const bool reads = op == Op::kVolta_P2R || op == Op::kVolta_UP2UR;
  if (!reads && op != Op::kVolta_R2P && op != Op::kVolta_UR2UP) return;
  const bool uniform = op == Op::kVolta_UP2UR || op == Op::kVolta_UR2UP;
  const Operand& mask = instruction[Role::kB];
  const bool known = mask.is(Operand::Kind::kImmediate);
  add_mask(reads ? &effects->reads : &effects->writes,
           uniform ? kFirstUniformPredicate : kFirstPredicate,
           known ? static_cast<unsigned>(mask.value & 0x7F) : 0x7Fu);
}

Effects volta_effects(const Instruction& instruction) {
  Effects effects;
  if (instruction.guard != kPT) {
    effects.guard = numbered(
        instruction.guard_is_uniform ? kFirstUniformPredicate : kFirstPredicate, instruction.guard);
    effects.reads.push_back(effects.guard);
  }
  for (unsigned r = 0; r < kRoles; ++r)
    add_operand(instruction.operands[r], static_cast<Role>(r), instruction.op, &effects);
  add_masked_predicates(instruction, &effects);
  return effects;
}

}  // namespace

std::string name_of(Resource resource) {
  if (resource >= kFirstUniformPredicate)
    return fmt::format("UP{}", resource - kFirstUniformPredicate);
  if (resource >= kFirstUniform) return fmt::format("UR{}", resource - kFirstUniform);
  if (resource == kCarryFlag) return "CC";
  if (resource >= kFirstPredicate) return fmt::format("P{}", resource - kFirstPredicate);
  return fmt::format("R{}", resource);
}

Effects effects_of(const Instruction& instruction) {
  return family_of(instruction.arch) == Family::kMaxwell ? maxwell_effects(instruction)
                                                         : volta_effects(instruction);
}

}  // namespace shflsim::isa
