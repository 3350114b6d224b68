// SPDX-License-Identifier: Apache-2.0
#include "isa/check/checker.h"

#include <fmt/format.h>

#include "isa/codec.h"
#include "isa/footprint.h"
#include "isa/form.h"

namespace shflsim::isa {
namespace {

/// Whether nobody can read the predicates that instruction `index` writes, as far as straight-line
/// code tells: behind a branch anybody may.
bool is_unread(const Program& program, uint32_t index) {
  uint8_t open = footprint(program.code[index]).predicates_written;
  for (size_t i = index + 1; i < program.code.size() && open != 0; ++i) {
    const Instruction& next = program.code[i];
    const Footprint after = footprint(next);
    if ((after.predicates_read & open) != 0) return false;
    if (next.op == Op::kEXIT && !next.has_guard()) return true;
    if (facts(next.op).pipe == Pipe::kBranch && next.op != Op::kSSY && next.op != Op::kEXIT) {
      return false;
    }
    if (!next.has_guard()) open = static_cast<uint8_t>(open & ~after.predicates_written);
  }
  return true;
}

}  // namespace

Checker::Checker(const Program& program) : program_(program) { check_text(); }

void Checker::add(const CheckFinding& finding) {
  const auto [known, is_new] =
      findings_.emplace(std::make_pair(finding.index, finding.what), finding);
  const bool same_warp = known->second.block == finding.block && known->second.warp == finding.warp;
  if (!is_new && same_warp) known->second.lanes |= finding.lanes;
}

/// What can be said without running the code.
void Checker::check_text() {
  for (uint32_t i = 0; i < program_.code.size(); ++i) {
    const Instruction& instruction = program_.code[i];
    if (instruction.op == Op::kSHFL) {
      const Operand& c = instruction[Role::kC];
      const bool clamps = c.is(Operand::Kind::kImmediate) && (c.value & 31) != 0;
      if (shuffle_mode(instruction) == ShuffleMode::kUp && clamps) {
        add({i, false, 0, 0, 0,
             fmt::format(
                 "is .UP with the clamp {}, which silicon compares with and the manual does "
                 "not; expected 0",
                 c.value & 31)});
      }
    }
    const bool writes = footprint(instruction).predicates_written != 0;
    if (writes && is_unread(program_, i)) {
      add({i, false, 0, 0, 0, "writes a predicate that nobody reads; expected PT"});
    }
  }
}

void Checker::look_at_map(const ExecutedStep& step) {
  const LaneMap& map = *step.lane_map;
  if (map.undefined != 0) {
    add({step.index, true, step.block, step.warp, map.undefined,
         "reads from a lane that does not execute the shuffle"});
  }
  Moves& moves = moves_[step.index];
  moves.any_pair |= (map.executing & (map.executing - 1)) != 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    moves.any_other |= ((map.executing >> lane) & 1u) != 0 && map.source[lane] != lane;
  }
}

void Checker::on_step(const ExecutedStep& step) {
  if (step.lane_map != nullptr) look_at_map(step);
  if (!program_.has_control) return;
  const auto key = std::make_pair(step.block, step.warp);
  Hazards& hazards = hazards_.try_emplace(key, program_).first->second;
  const std::string problem = hazards.step(step.index, step.lanes);
  if (!problem.empty()) add({step.index, true, step.block, step.warp, step.lanes, problem});
}

void Checker::on_undefined_use(const UndefinedUse& use) {
  add({use.index, true, use.block, use.warp, use.lanes, use.what});
}

std::vector<CheckFinding> Checker::finish() {
  for (const auto& [index, moves] : moves_) {
    if (moves.any_pair && !moves.any_other) {
      add({index, false, 0, 0, 0, "moves nothing: every lane reads its own value"});
    }
  }
  std::vector<CheckFinding> all;
  for (const auto& [key, finding] : findings_) all.push_back(finding);
  return all;
}

}  // namespace shflsim::isa
