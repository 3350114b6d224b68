// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/operation_names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/codec/form.h"
#include "traces/accel_sim/matrix_registers.h"

namespace shflsim::traces {
namespace {

using isa::Op;
using isa::OpKind;
using Names = std::map<std::string, Op, std::less<>>;

/// The names of the operations; IMAD_WIDE in the table is the prefix "IMAD.WIDE".
Names names_between(Op first, Op end) {
  Names names;
  for (size_t i = static_cast<size_t>(first); i < static_cast<size_t>(end); ++i) {
    const auto op = static_cast<Op>(i);
    std::string name = isa::facts(op).name;
    std::replace(name.begin(), name.end(), '_', '.');
    names[name] = op;
  }
  return names;
}

const Names& names_of(isa::Family family) {
  static const Names maxwell = names_between(Op{}, Op::kFirstSm70Op);
  static const Names volta = names_between(Op::kFirstSm70Op, Op::kCount);
  return family == isa::Family::kMaxwell ? maxwell : volta;
}

/// Names of SPA 5.0 mark long immediates in the operation: FADD32I is FADD.
std::string_view without_width(std::string_view root) {
  constexpr std::string_view kLong = "32I";
  const bool is_long =
      root.size() > kLong.size() && root.substr(root.size() - kLong.size()) == kLong;
  return is_long ? root.substr(0, root.size() - kLong.size()) : root;
}

/// A name with its first modifier takes precedence over the name alone. OMMA, the product of 4-bit
/// numbers of sm_120, has no form in the codec and is a QMMA here.
std::optional<Op> op_named(isa::Family family, std::string name) {
  if (is_half_byte_product(name)) name.front() = 'Q';
  std::replace(name.begin(), name.end(), '_', '.');  // UCGABAR_ARV
  const std::string_view whole = name;
  const size_t root = std::min(name.find('.'), name.size());
  const size_t modifier = std::min(name.find('.', root + 1), name.size());
  const Names& names = names_of(family);
  for (const std::string_view part :
       {whole.substr(0, modifier), whole.substr(0, root), without_width(whole.substr(0, root))}) {
    const auto found = names.find(part);
    if (found != names.end()) return found->second;
  }
  return std::nullopt;
}

isa::AccessKind load_kind_of(const Modifiers& modifiers) {
  if (modifiers.has_one_of({"CI", "CONSTANT"})) return isa::AccessKind::kReadOnlyLoad;
  const bool is_strong = modifiers.has("STRONG") && modifiers.has_one_of({"GPU", "SYS"});
  return is_strong || modifiers.has_one_of({"CG", "CV", "MMIO"}) ? isa::AccessKind::kPastL1Load
                                                                 : isa::AccessKind::kLoad;
}

isa::Fence fence_of(const Modifiers& modifiers) {
  if (modifiers.has("SYS")) return isa::Fence::kSystem;
  return modifiers.has("GPU") ? isa::Fence::kChip : isa::Fence::kNone;
}

isa::MatrixProduct matrices_of(std::string_view root, const Modifiers& modifiers) {
  constexpr unsigned kLargeFactor = 4;
  if (root == "DMMA") return isa::MatrixProduct::kDouble;
  return matrix_registers(root, modifiers).first == kLargeFactor ? isa::MatrixProduct::kLarge
                                                                 : isa::MatrixProduct::kSmall;
}

/// True for 64-bit conversions: F2I and FRND name F64 for their source, I2F 64-bit integers.
bool converts_wide(std::string_view root, const Modifiers& modifiers) {
  return root == "I2F" ? modifiers.has_one_of({"S64", "U64"}) : modifiers.has("F64");
}

void set_modifiers(std::string_view root, const Modifiers& modifiers, isa::CodeLine* line) {
  switch (line->kind) {
    case OpKind::kJump:
      if (modifiers.has_one_of({"DIV", "CONV"})) line->branch = isa::Branch::kWarpJump;
      break;
    case OpKind::kWarpSync:
      line->parts_sets = modifiers.has_one_of({"EXCLUSIVE", "COLLECTIVE"});
      break;
    case OpKind::kMatch:
      line->match_words = modifiers.has("U64") ? 2 : 1;
      line->matches_any = modifiers.has("ANY");
      break;
    case OpKind::kBarrier:
      line->barrier.stops = !modifiers.has("ARV");
      line->barrier.reduces = modifiers.has("RED");
      break;
    case OpKind::kFence: line->fence = fence_of(modifiers); break;
    case OpKind::kMatrix: line->matrices = matrices_of(root, modifiers); break;
    case OpKind::kConversion: line->converts_wide = converts_wide(root, modifiers); break;
    default: break;
  }
  if (root == "LDGSTS" && !modifiers.has("BYPASS")) line->access.kind = isa::AccessKind::kLoad;
  const bool is_load = line->access.kind == isa::AccessKind::kLoad;
  if (is_load && line->pipe == isa::Pipe::kGlobal) line->access.kind = load_kind_of(modifiers);
}

}  // namespace

void set_named_operation(isa::Family family, std::string_view name, isa::CodeLine* line) {
  const size_t root = std::min(name.find('.'), name.size());
  line->name = name.substr(0, root);
  line->modifiers = name.substr(root);
  const std::optional<Op> op = op_named(family, std::string(name));
  if (op) {
    isa::set_operation(*op, line);
  } else {
    const bool is_uniform = family == isa::Family::kSm70 && name.substr(0, 1) == "U";
    line->pipe = is_uniform ? isa::Pipe::kFrontEnd : isa::Pipe::kFxu;
  }
  set_modifiers(line->name, Modifiers(line->modifiers), line);
}

}  // namespace shflsim::traces
