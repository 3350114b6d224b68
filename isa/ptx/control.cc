// SPDX-License-Identifier: Apache-2.0
// shfl with the rules of its document, votes, barriers, branches.
#include "isa/ptx/lowering.h"

namespace shflsim::isa::ptx {
namespace {

/// A source of SHFL: the bits of a number that it looks at, or a register.
Term shuffle_operand(Lowering& to, const Operand& operand, uint64_t looked_at) {
  uint64_t value = 0;
  const Type word = {'b', 32};
  return to.is_number(operand, word, &value) ? number(static_cast<int64_t>(value & looked_at))
                                             : to.source(operand, word);
}

/// What the PTX ISA says of the two instructions by version and target.
void check_version(Lowering& to, bool is_sync) {
  const unsigned version = to.module().version;
  const unsigned target = to.module().target;
  if (target != 0 && target < 30)
    to.fail("'shfl' requires sm_30 or higher; the text says sm_" + std::to_string(target));
  if (is_sync && version != 0 && version < 60) {
    to.fail("'shfl.sync' was introduced in PTX ISA version 6.0; expected .version 6.0 or later");
  }
  if (is_sync) return;
  if (target >= 70 && version >= 64) {
    to.fail(
        "'shfl' without '.sync' is not supported on sm_70 or higher starting PTX ISA version 6.4; "
        "expected 'shfl.sync' and a membermask");
  }
  if (version >= 60)
    to.warn("'shfl' without '.sync' is deprecated in PTX ISA version 6.0 in favor of 'shfl.sync'");
}

void shfl(Lowering& to, Modifiers& modifiers) {
  const bool is_sync = modifiers.take("sync");
  const std::string mode = modifiers.take_one_of({"up", "down", "bfly", "idx"});
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (mode.empty()) to.fail("'shfl' without a mode; expected .up, .down, .bfly or .idx");
  if (type.kind != 'b' || type.bits != 32) to.fail("'shfl' of another type; expected .b32");
  check_version(to, is_sync);
  if (is_sync && to.statement().operands.size() == 4)
    to.fail("'shfl.sync' without a membermask; expected it behind c");
  to.expect_operands(is_sync ? 5 : 4, is_sync ? 5 : 4);

  const Operand& result = to.operand(0);
  const Term a = to.source(to.operand(1), type);
  const Term b = shuffle_operand(to, to.operand(2), 0x1F);
  const Term c = shuffle_operand(to, to.operand(3), 0x1F1F);
  std::vector<Term> members;
  if (is_sync) members.push_back(shuffle_operand(to, to.operand(4), 0xFFFFFFFF));
  const Term p = result.second.empty() ? pt() : to.destination_named(result.second, result, 0);
  std::string upper = ".";
  for (const char letter : mode) upper += static_cast<char>(letter - 'a' + 'A');
  Operand first = result;
  first.second.clear();
  Line& line = to.emit("SHFL" + upper, {p, to.destination(first, 1), a, b, c});
  line.membermask = members;
}

void vote(Lowering& to, Modifiers& modifiers) {
  const bool is_sync = modifiers.take("sync");
  const std::string mode = modifiers.take_one_of({"all", "any", "uni", "ballot"});
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (mode.empty()) to.fail("'vote' without a mode; expected .all, .any, .uni or .ballot");
  to.expect_operands(is_sync ? 3 : 2, is_sync ? 3 : 2);
  const Term p = to.predicate(to.operand(1));
  if (mode == "ballot") {
    to.emit("VOTE.ANY", {to.destination(to.operand(0), 1), pt(), p});
    return;
  }
  if (type.kind != 'p') to.fail("'vote." + mode + "' of another type; expected .pred");
  const char* const operation = mode == "all" ? "VOTE.ALL" : mode == "any" ? "VOTE.ANY" : "VOTE.EQ";
  to.emit(operation, {to.destination(to.operand(0), 0), p});
}

void activemask(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(1, 1);
  modifiers.take_type();
  modifiers.finish();
  to.emit("VOTE.ANY", {to.destination(to.operand(0), 1), pt(), pt()});
}

/// bar.warp.sync leaves nothing: on these machines a warp is together where its ways have joined.
void bar(Lowering& to, Modifiers& modifiers) {
  const bool is_warp = modifiers.take("warp");
  const bool is_sync = modifiers.take("sync");
  modifiers.take("aligned");
  modifiers.finish();
  if (!is_sync) to.fail("'bar' of this kind is not supported; expected bar.sync or bar.warp.sync");
  to.expect_operands(1, is_warp ? 1 : 2);
  if (is_warp) return;
  uint64_t value = 0;
  const Type word = {'u', 32};
  if (!to.is_number(to.operand(0), word, &value) || value > 15) {
    to.fail(to.operand(0), "no barrier; expected a number from 0 to 15");
  }
  std::vector<Term> terms = {number(static_cast<int64_t>(value))};
  if (to.statement().operands.size() == 2) {
    const bool is_number = to.is_number(to.operand(1), word, &value);
    if (is_number && value > 1024)
      to.fail(to.operand(1), "more threads than a block has; expected 1024 at most");
    terms.push_back(is_number ? number(static_cast<int64_t>(value))
                              : to.source(to.operand(1), word));
  }
  to.emit("BAR.SYNC", terms);
}

void membar(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(0, 0);
  const std::string level = modifiers.take_one_of({"cta", "gl", "sys"});
  modifiers.finish();
  if (level.empty()) to.fail("'membar' without a level; expected .cta, .gl or .sys");
  to.emit(level == "cta" ? "MEMBAR.CTA" : level == "gl" ? "MEMBAR.GL" : "MEMBAR.SYS", {});
}

void bra(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(1, 1);
  const bool uniform = modifiers.take("uni");
  modifiers.finish();
  to.branch(to.operand(0), uniform);
}

void end(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(0, 0);
  modifiers.take("uni");
  modifiers.finish();
  to.end();
}

}  // namespace

void add_control(LowerTable& table) {
  table["shfl"] = shfl;
  table["vote"] = vote;
  table["activemask"] = activemask;
  table["bar"] = bar;
  table["membar"] = membar;
  table["bra"] = bra;
  table["ret"] = end;
  table["exit"] = end;
}

}  // namespace shflsim::isa::ptx
