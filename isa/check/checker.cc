// SPDX-License-Identifier: Apache-2.0
#include "isa/check/checker.h"

#include "isa/check/liveness.h"

namespace shflsim::isa {

Checker::Checker(const Program& program) : program_(program), first_(program.code.size()) {
  for (const Instruction& instruction : program.code) effects_.push_back(effects_of(instruction));
  check_text();
}

void Checker::add(const CheckFinding& finding) {
  const auto [known, is_new] =
      findings_.emplace(std::make_pair(finding.index, finding.what), finding);
  const bool same_warp = known->second.block == finding.block && known->second.warp == finding.warp;
  if (!is_new && same_warp) known->second.lanes |= finding.lanes;
}

namespace {

/// True for instructions that may write a predicate that is never read: R2P and UR2UP write several
/// by a mask, ELECT always writes one, and from sm_90 on so does a shuffle in the out-of-line code
/// that ptxas makes for lanes that have diverged.
bool may_write_unread(const Program& program, uint32_t index) {
  switch (program.code[index].op) {
    case Op::kR2P:
    case Op::kSm70_R2P:
    case Op::kSm70_UR2UP:
    case Op::kSm70_ELECT: return true;
    case Op::kSm70_SHFL:
      return index > 0 && program.code[index - 1].op == Op::kSm70_WARPSYNC &&
             program.code[index - 1][Role::kA].is(Operand::Kind::kRegister);
    default: return false;
  }
}

}  // namespace

/// Looks for faults that are visible without execution.
void Checker::check_text() {
  const std::vector<PredicateSet> read_later = predicates_read_later(program_);
  for (uint32_t i = 0; i < program_.code.size(); ++i) {
    const PredicateSet written = predicates_of(effects_[i].writes);
    if (may_write_unread(program_, i)) continue;
    if ((written & ~read_later[i]) != 0) {
      add({i, false, 0, 0, 0, "writes a predicate that nobody reads; expected PT"});
    }
  }
}

void Checker::look_at_map(const ExecutedStep& step) {
  const LaneMap& map = *step.lane_map;
  if (step.up_clamped != 0) {
    add({step.index, true, step.block, step.warp, step.up_clamped,
         "is .UP with a clamp other than 0, which silicon compares with and the manual does not; "
         "expected 0"});
  }
  const LaneMask undefined = map.undefined & ~reported_;
  if (undefined != 0) {
    add({step.index, true, step.block, step.warp, undefined,
         "reads from a lane that does not execute the shuffle"});
  }
  Moves& moves = moves_[step.index];
  moves.any_pair |= (map.executing & (map.executing - 1)) != 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    moves.any_other |= ((map.executing >> lane) & 1u) != 0 && map.source[lane] != lane;
  }
}

void Checker::on_step(const ExecutedStep& step) {
  CheckFinding& first = first_[step.index];
  if (!first.executed && step.lanes != 0) {
    first = {step.index, true, step.block, step.warp, step.lanes, ""};
  }
  if (step.lane_map != nullptr) look_at_map(step);
  reported_ = 0;
  if (!program_.has_control) return;
  const auto key = std::make_pair(step.block, step.warp);
  Hazards& hazards = hazards_.try_emplace(key, program_, effects_).first->second;
  const Hazards::Problem problem = hazards.step(step.index, step.active, step.lanes);
  if (!problem.what.empty()) {
    add({step.index, true, step.block, step.warp, problem.lanes, problem.what});
  }
}

void Checker::on_undefined_use(const UndefinedUse& use) {
  add({use.index, true, use.block, use.warp, use.lanes, use.what});
  reported_ |= use.lanes;
}

std::vector<CheckFinding> Checker::finish() {
  for (const auto& [index, moves] : moves_) {
    if (moves.any_pair && !moves.any_other) {
      add({index, false, 0, 0, 0, "moves nothing: every lane reads its own value"});
    }
  }
  std::vector<CheckFinding> all;
  for (const auto& [key, finding] : findings_) {
    all.push_back(finding.executed ? finding : first_[finding.index]);
    all.back().index = finding.index;
    all.back().what = finding.what;
  }
  return all;
}

}  // namespace shflsim::isa
