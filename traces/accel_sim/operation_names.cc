// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/operation_names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/codec/form.h"

namespace shflsim::traces {
namespace {

using isa::Op;
using isa::OpKind;
using Names = std::map<std::string, Op, std::less<>>;
using Parts = std::vector<std::string_view>;

/// IMAD_WIDE of the table is what begins "IMAD.WIDE".
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

/// Names of SPA 5.0 mark a long immediate at the operation: FADD32I is FADD.
std::string_view without_width(std::string_view root) {
  constexpr std::string_view kLong = "32I";
  const bool is_long =
      root.size() > kLong.size() && root.substr(root.size() - kLong.size()) == kLong;
  return is_long ? root.substr(0, root.size() - kLong.size()) : root;
}

/// A name with its first modifier goes before the name alone.
std::optional<Op> op_named(isa::Family family, std::string name) {
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

/// The modifiers of ".E.64", without their points.
Parts parts_of(std::string_view modifiers) {
  Parts parts;
  while (!modifiers.empty()) {
    modifiers.remove_prefix(1);
    const size_t end = std::min(modifiers.find('.'), modifiers.size());
    parts.push_back(modifiers.substr(0, end));
    modifiers.remove_prefix(end);
  }
  return parts;
}

bool has(const Parts& parts, std::string_view part) {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

bool has_one_of(const Parts& parts, std::initializer_list<std::string_view> some) {
  return std::any_of(some.begin(), some.end(),
                     [&](std::string_view one) { return has(parts, one); });
}

isa::AccessKind load_kind_of(const Parts& parts) {
  if (has_one_of(parts, {"CI", "CONSTANT"})) return isa::AccessKind::kReadOnlyLoad;
  const bool is_strong = has(parts, "STRONG") && has_one_of(parts, {"GPU", "SYS"});
  return is_strong || has_one_of(parts, {"CG", "CV", "MMIO"}) ? isa::AccessKind::kPastL1Load
                                                              : isa::AccessKind::kLoad;
}

isa::Fence fence_of(const Parts& parts) {
  if (has(parts, "SYS")) return isa::Fence::kSystem;
  return has(parts, "GPU") ? isa::Fence::kChip : isa::Fence::kNone;
}

/// A first factor of four registers, by the shape and the type of the values.
isa::MatrixProduct matrices_of(std::string_view root, const Parts& parts) {
  if (root == "DMMA") return isa::MatrixProduct::kDouble;
  const bool is_half = root == "HMMA";
  const bool is_large =
      !has(parts, "SP") &&
      (is_half ? has(parts, "16816") || (has(parts, "1688") && has(parts, "TF32"))
               : has(parts, "16864") || (has(parts, "16832") && !has_one_of(parts, {"S4", "U4"})));
  return is_large ? isa::MatrixProduct::kLarge : isa::MatrixProduct::kSmall;
}

/// F2I and FRND name F64 for their source, and I2F integers of 64 bits.
bool converts_wide(std::string_view root, const Parts& parts) {
  return root == "I2F" ? has_one_of(parts, {"S64", "U64"}) : has(parts, "F64");
}

void set_modifiers(std::string_view root, const Parts& parts, isa::CodeLine* line) {
  switch (line->kind) {
    case OpKind::kJump:
      if (has_one_of(parts, {"DIV", "CONV"})) line->branch = isa::Branch::kWarpJump;
      break;
    case OpKind::kWarpSync:
      line->parts_sets = has_one_of(parts, {"EXCLUSIVE", "COLLECTIVE"});
      break;
    case OpKind::kMatch:
      line->match_words = has(parts, "U64") ? 2 : 1;
      line->matches_any = has(parts, "ANY");
      break;
    case OpKind::kBarrier:
      line->barrier.stops = !has(parts, "ARV");
      line->barrier.reduces = has(parts, "RED");
      break;
    case OpKind::kFence: line->fence = fence_of(parts); break;
    case OpKind::kMatrix: line->matrices = matrices_of(root, parts); break;
    case OpKind::kConversion: line->converts_wide = converts_wide(root, parts); break;
    default: break;
  }
  const bool is_load = line->access.kind == isa::AccessKind::kLoad;
  if (is_load && line->pipe == isa::Pipe::kGlobal) line->access.kind = load_kind_of(parts);
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
  set_modifiers(line->name, parts_of(line->modifiers), line);
}

}  // namespace shflsim::traces
