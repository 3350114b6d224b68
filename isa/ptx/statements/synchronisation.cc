// SPDX-License-Identifier: Apache-2.0
// Barriers and fences.
#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {
namespace {

/// The barrier's number: 0 to 15, or a register.
Term barrier_term(Lowering& to, const Operand& operand) {
  uint64_t value = 0;
  if (!to.is_number(operand, kWord, &value)) return to.source(operand, kWord);
  if (value > 15) to.fail(operand, "no barrier; expected a number from 0 to 15");
  return number(static_cast<int64_t>(value));
}

/// The number of threads that take part in the barrier: at most 1024, or a register.
Term count_term(Lowering& to, const Operand& operand) {
  uint64_t value = 0;
  if (!to.is_number(operand, kWord, &value)) return to.source(operand, kWord);
  if (value > 1024) {
    to.fail(operand, "more threads than a block has; expected 1024 at most");
  }
  return number(static_cast<int64_t>(value));
}

/// Lowers bar.red: B2R reads the result of BAR.RED.
void reduce(Lowering& to, const std::string& operation, Type type) {
  to.expect_operands(3, 4);
  const bool counts = operation == "popc";
  if (counts ? type.bits != 32 : type.kind != 'p') {
    to.fail("'bar.red' of this type; expected .popc.u32, .and.pred or .or.pred");
  }
  std::vector<Term> terms = {barrier_term(to, to.operand(1))};
  if (to.statement().operands.size() == 4) terms.push_back(count_term(to, to.operand(2)));
  terms.push_back(to.predicate(to.statement().operands.back()));
  const std::string name = counts ? ".POPC" : operation == "and" ? ".AND" : ".OR";
  to.emit("BAR.RED" + name, std::move(terms));
  if (counts) {
    to.emit("B2R.RESULT", {to.destination(to.operand(0), 1)});
    return;
  }
  const Term p = to.destination(to.operand(0), 0);
  to.emit("B2R.RESULT", {rz(), p});
}

/// bar.warp.sync: on these machines a warp is converged after joins, but accesses keep their order.
void meet(Lowering& to) {
  to.expect_operands(1, 1);
  const Term members = members_of(to, to.operand(0));
  to.emit(Pseudo::kMeet, {}).membermask = {members};
}

void bar(Lowering& to, Modifiers& modifiers) {
  modifiers.take("cta");
  const bool is_warp = modifiers.take("warp");
  const std::string kind = modifiers.take_one_of({"sync", "arrive", "red"});
  const bool is_aligned = modifiers.take("aligned") || to.statement().opcode == "bar";
  if (kind == "red") {
    const std::string operation = modifiers.take_one_of({"popc", "and", "or"});
    const Type type = modifiers.take_type();
    modifiers.finish();
    return reduce(to, operation, type);
  }
  modifiers.finish();
  if (kind.empty()) {
    to.fail("'bar' of this kind is not supported; expected .sync, .arrive, .red or .warp.sync");
  }
  if (is_warp) return meet(to);
  to.expect_operands(kind == "arrive" ? 2 : 1, 2);
  std::vector<Term> terms = {barrier_term(to, to.operand(0))};
  if (to.statement().operands.size() == 2) terms.push_back(count_term(to, to.operand(1)));
  Line& line = to.emit(kind == "sync" ? "BAR.SYNC" : "BAR.ARV", std::move(terms));
  // Lanes may come to barrier.sync from several places; BAR.SYNC counts whole warps.
  if (!is_aligned) line.membermask = {number(kAllMembers)};
}

void membar(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(0, 0);
  const std::string level = modifiers.take_one_of({"cta", "gl", "sys"});
  modifiers.finish();
  if (level.empty()) to.fail("'membar' without a level; expected .cta, .gl or .sys");
  to.emit(level == "cta" ? "MEMBAR.CTA" : level == "gl" ? "MEMBAR.GL" : "MEMBAR.SYS", {});
}

void fence(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(0, 0);
  if (modifiers.take("proxy")) {
    modifiers.take("alias");  // there are no aliases in one address space
    modifiers.finish();
    to.emit("MEMBAR.GL", {});
    return;
  }
  modifiers.take_one_of({"sc", "acq_rel", "acquire", "release"});
  const std::string scope = modifiers.take_one_of({"cta", "gpu", "sys"});
  modifiers.finish();
  if (scope.empty()) to.fail("'fence' without a scope; expected .cta, .gpu or .sys");
  to.emit(scope == "cta" ? "MEMBAR.CTA" : scope == "gpu" ? "MEMBAR.GL" : "MEMBAR.SYS", {});
}

/// Emits nothing: nanosleep may take any short time, and performance events are ignored.
void nothing(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(1, 1);
  modifiers.take("u32");
  modifiers.take("mask");
  modifiers.finish();
}

/// Lowers trap, which ends the kernel with an error.
void trap(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(0, 0);
  modifiers.finish();
  to.emit("BPT.TRAP", {number(1)});
}

}  // namespace

void add_synchronisation(LowerTable& table) {
  table["nanosleep"] = nothing;
  table["pmevent"] = nothing;
  table["trap"] = trap;
  table["bar"] = bar;
  table["barrier"] = bar;
  table["membar"] = membar;
  table["fence"] = fence;
}

}  // namespace shflsim::isa::ptx
