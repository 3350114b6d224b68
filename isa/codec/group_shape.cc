// SPDX-License-Identifier: Apache-2.0
#include "isa/codec/group_shape.h"

#include <cstdio>

#include "isa/codec/form.h"

namespace shflsim::isa {
namespace {

Mod shape_field(Op op) {
  switch (op) {
    case Op::kSm70_HGMMA: return Mod::k_hgmma;
    case Op::kSm70_IGMMA: return Mod::k_igmma_shape;
    case Op::kSm70_QGMMA: return Mod::k_qgmma;
    case Op::kSm70_BGMMA: return Mod::k_bgmma;
    default: return Mod::kCount;
  }
}

}  // namespace

GroupShape group_shape(const Instruction& instruction) {
  const Mod field = shape_field(instruction.op);
  GroupShape shape;
  if (field == Mod::kCount) return shape;
  const char* const name = mod_names(field)[instruction[field]];
  if (std::sscanf(name, ".64x%ux%u", &shape.columns, &shape.depth) != 2) return {};
  return shape;
}

bool is_group_product(Op op) { return shape_field(op) != Mod::kCount; }

bool has_integer_sums(Op op) { return op == Op::kSm70_IGMMA || op == Op::kSm70_BGMMA; }

bool has_shared_factor(const Instruction& instruction) {
  return instruction[Role::kA].is(Operand::Kind::kUniform);
}

void set_group_registers(Instruction* instruction) {
  constexpr uint8_t kFactor = 4, kDescriptors = 4;
  const GroupShape shape = group_shape(*instruction);
  if (shape.columns == 0) return;
  const bool has_halves = !has_integer_sums(instruction->op) && (*instruction)[Mod::k_hd] == 0;
  const auto sums = static_cast<uint8_t>(shape.columns / (has_halves ? 4 : 2));
  (*instruction)[Role::kD].count = sums;
  (*instruction)[Role::kC].count = sums;
  (*instruction)[Role::kA].count = has_shared_factor(*instruction) ? kDescriptors : kFactor;
  if (!has_shared_factor(*instruction)) (*instruction)[Role::kB].count = kDescriptors;
}

}  // namespace shflsim::isa
