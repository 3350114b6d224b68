// SPDX-License-Identifier: Apache-2.0
#include "isa/operation.h"

#include <algorithm>
#include <map>
#include <string>

#include "isa/form.h"

namespace shflsim::isa {
namespace {

using Names = std::map<std::string, Operation, std::less<>>;

Names maxwell_names() {
  Names names;
  for (size_t i = 0; i < static_cast<size_t>(Op::kFirstVoltaOp); ++i) {
    const auto op = static_cast<Op>(i);
    Operation operation;
    operation.pipe = facts(op).pipe;
    if (op == Op::kBAR) operation.kind = Operation::Kind::kBarrier;
    if (op == Op::kB2R || op == Op::kR2B) operation.kind = Operation::Kind::kBarrierState;
    if (op == Op::kLDC) operation.kind = Operation::Kind::kConstantLoad;
    names[facts(op).name] = operation;
  }
  return names;
}

/// IMAD_WIDE of the table is what begins "IMAD.WIDE".
Names volta_names() {
  using Kind = Operation::Kind;
  struct Row {
    std::string name;
    Operation operation;
  };
  const Row rows[] = {
#define OP(name, pipe, kind, destinations) {#name, {Pipe::k##pipe, Kind::k##kind, destinations}},
#define FORM(op, first, last, opcode, forms, bits, text)
#include "isa/volta_opcodes.inc"
#undef OP
#undef FORM
  };
  Names names;
  for (Row row : rows) {
    std::replace(row.name.begin(), row.name.end(), '_', '.');
    names[row.name] = row.operation;
  }
  return names;
}

const Names& names_of(Family family) {
  static const Names maxwell = maxwell_names();
  static const Names volta = volta_names();
  return family == Family::kMaxwell ? maxwell : volta;
}

/// Texts of SPA 5.0 mark a long immediate at the operation: FADD32I is FADD.
std::string_view without_width(std::string_view root) {
  constexpr std::string_view kLong = "32I";
  const bool is_long = root.size() > kLong.size() && root.substr(root.size() - 3) == kLong;
  return is_long ? root.substr(0, root.size() - kLong.size()) : root;
}

}  // namespace

Operation operation_named(Family family, std::string_view name) {
  const Names& names = names_of(family);
  const size_t root = std::min(name.find('.'), name.size());
  const size_t modifier = std::min(name.find('.', root + 1), name.size());
  for (const std::string_view part :
       {name.substr(0, modifier), name.substr(0, root), without_width(name.substr(0, root))}) {
    const auto found = names.find(part);
    if (found != names.end()) return found->second;
  }
  const bool is_uniform = family == Family::kVolta && name.substr(0, 1) == "U";
  return {is_uniform ? Pipe::kFrontEnd : Pipe::kFxu, Operation::Kind::kPlain, 1};
}

void set_operation(const Operation& operation, CodeLine* line) {
  using Kind = Operation::Kind;
  line->pipe = operation.pipe;
  line->is_store = operation.kind == Kind::kStore;
  line->accesses_shared = operation.pipe == Pipe::kShared && operation.kind != Kind::kBarrier &&
                          operation.kind != Kind::kBarrierState;
  line->is_block_barrier = operation.kind == Kind::kBarrier;
  line->is_constant_load = operation.kind == Kind::kConstantLoad;
  line->is_reduction = operation.kind == Kind::kReduction;
}

}  // namespace shflsim::isa
