// SPDX-License-Identifier: Apache-2.0
#include "isa/check/effects.h"

#include <fmt/format.h>

#include "isa/codec/form.h"

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

/// Adds the uniform registers of an address: two for a descriptor or a 64-bit address.
void add_base(const Operand& operand, Op op, Effects* effects) {
  if (!operand.has_uniform || operand.uniform == kRZ) return;
  const bool is_pair = operand.is_descriptor || facts(op).pipe == Pipe::kGlobal;
  add_range(&effects->reads, kFirstUniform, operand.uniform, is_pair ? 2 : 1);
}

void add_uniform_operand(const Operand& operand, Role role, Op op, Effects* effects) {
  const bool written = role == Role::kD || role == Role::kP || role == Role::kQ;
  std::vector<Resource>* list = written ? &effects->writes : &effects->reads;
  switch (operand.kind) {
    case Operand::Kind::kUniform:
      return add_range(list, kFirstUniform, operand.index, operand.count);
    case Operand::Kind::kMemory:
    case Operand::Kind::kConstant: return add_base(operand, op, effects);
    case Operand::Kind::kUniformPredicate:
      if (operand.index != kPT) list->push_back(numbered(kFirstUniformPredicate, operand.index));
      return;
    default: return;
  }
}

/// UP2UR and UR2UP access the predicates in a mask, which is operand B.
void add_masked_predicates(const Instruction& instruction, Effects* effects) {
  const bool reads = instruction.op == Op::kSm70_UP2UR;
  if (!reads && instruction.op != Op::kSm70_UR2UP) return;
  const Operand& mask = instruction[Role::kB];
  const bool known = mask.is(Operand::Kind::kImmediate);
  add_mask(reads ? &effects->reads : &effects->writes, kFirstUniformPredicate,
           known ? static_cast<unsigned>(mask.value & 0x7F) : 0x7Fu);
}

void add_footprint(const Footprint& found, Effects* effects) {
  found.for_each_read(
      [effects](unsigned index) { effects->reads.push_back(numbered(kFirstRegister, index)); });
  add_range(&effects->writes, kFirstRegister, found.first_write, found.write_count);
  add_mask(&effects->reads, kFirstPredicate, found.predicates_read);
  add_mask(&effects->writes, kFirstPredicate, found.predicates_written);
  if (found.reads_carry) effects->reads.push_back(kCarryFlag);
  if (found.writes_carry) effects->writes.push_back(kCarryFlag);
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
  Effects effects;
  if (instruction.guard != kPT) {
    effects.guard = numbered(
        instruction.guard_is_uniform ? kFirstUniformPredicate : kFirstPredicate, instruction.guard);
    if (instruction.guard_is_uniform) effects.reads.push_back(effects.guard);
  }
  add_footprint(footprint(instruction), &effects);
  for (unsigned r = 0; r < kRoles; ++r)
    add_uniform_operand(instruction.operands[r], static_cast<Role>(r), instruction.op, &effects);
  add_masked_predicates(instruction, &effects);
  return effects;
}

}  // namespace shflsim::isa
