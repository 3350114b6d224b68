// SPDX-License-Identifier: Apache-2.0
// shfl with the rules of the PTX ISA, votes, branches.
#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {
namespace {

/// A source of SHFL: a register, or those bits of a number that SHFL uses.
Term shuffle_operand(Lowering& to, const Operand& operand, uint64_t looked_at) {
  uint64_t value = 0;
  const Type word = {'b', 32};
  return to.is_number(operand, word, &value) ? number(static_cast<int64_t>(value & looked_at))
                                             : to.source(operand, word);
}

/// Checks the PTX ISA's rules for shfl and shfl.sync by version and target.
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
  if (is_sync) members.push_back(members_of(to, to.operand(4)));
  const Term p = result.second.empty() ? pt() : to.destination_named(result.second, result, 0);
  std::string upper = ".";
  for (const char letter : mode) upper += static_cast<char>(letter - 'a' + 'A');
  Operand first = result;
  first.second.clear();
  Line& line = to.emit("SHFL" + upper, {p, to.destination(first, 1), a, b, c});
  line.membermask = members;
}

/// The ballot of a predicate over the executing lanes that are in the membermask.
Term ballot(Lowering& to, const Term& p, const Term& members) {
  const Term all = temporary_written(to);
  const Term named = temporary_written(to);
  to.emit("VOTE.ANY", {all, pt(), p}).membermask = {members};
  to.emit("LOP.AND", {named, read(all), members});
  return read(named);
}

/// Votes with a membermask of less than a warp: VOTE asks every executing lane; masks its ballot.
void vote_of_members(Lowering& to, const std::string& mode, const Term& p) {
  const Term members = to.source(to.operand(2), kWord);
  const Term votes = ballot(to, p, members);
  if (mode == "ballot") {
    to.emit("MOV", {to.destination(to.operand(0), 1), votes});
    return;
  }
  const Term d = to.destination(to.operand(0), 0);
  if (mode == "any") {
    to.emit("ISETP.NE.U32.AND", {d, pt(), votes, rz(), pt()});
    return;
  }
  const Term is_all = temporary_written(to, 0);
  to.emit("ISETP.EQ.U32.AND", {mode == "all" ? d : is_all, pt(), votes, members, pt()});
  if (mode == "uni") to.emit("ISETP.EQ.U32.OR", {d, pt(), votes, rz(), read(is_all)});
}

void vote(Lowering& to, Modifiers& modifiers) {
  const bool is_sync = modifiers.take("sync");
  const std::string mode = modifiers.take_one_of({"all", "any", "uni", "ballot"});
  const Type type = modifiers.take_type();
  modifiers.finish();
  if (mode.empty()) to.fail("'vote' without a mode; expected .all, .any, .uni or .ballot");
  if (mode != "ballot" && type.kind != 'p') {
    to.fail("'vote." + mode + "' of another type; expected .pred");
  }
  to.expect_operands(is_sync ? 3 : 2, is_sync ? 3 : 2);
  const Term p = to.predicate(to.operand(1));
  uint64_t members = kAllMembers;
  const bool known = !is_sync || to.is_number(to.operand(2), kWord, &members);
  if (!known || (members & kAllMembers) != kAllMembers) return vote_of_members(to, mode, p);
  const bool is_ballot = mode == "ballot";
  const Operation operation = mode == "all" ? "VOTE.ALL" : mode == "uni" ? "VOTE.EQ" : "VOTE.ANY";
  const Term d = to.destination(to.operand(0), is_ballot ? 1 : 0);
  Line& line =
      to.emit(operation, is_ballot ? std::vector<Term>{d, pt(), p} : std::vector<Term>{d, p});
  if (is_sync) line.membermask = {number(kAllMembers)};
}

void activemask(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(1, 1);
  modifiers.take_type();
  modifiers.finish();
  to.emit("VOTE.ANY", {to.destination(to.operand(0), 1), pt(), pt()});
}

void bra(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(1, 1);
  const bool uniform = modifiers.take("uni");
  modifiers.finish();
  to.branch(to.operand(0), uniform);
}

void brx(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  modifiers.take("uni");
  if (!modifiers.take("idx")) to.fail("'brx' without a way to choose; expected brx.idx");
  modifiers.finish();
  to.branch_by(to.operand(0), to.operand(1));
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
  table["bra"] = bra;
  table["brx"] = brx;
  table["ret"] = end;
  table["exit"] = end;
}

}  // namespace shflsim::isa::ptx
