// SPDX-License-Identifier: Apache-2.0
#include "tests/isa/code_walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/check/hazards.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kUniformFirst = 8;

unsigned bit_of(const Operand& predicate) {
  return predicate.index + (predicate.is(Operand::Kind::kUniformPredicate) ? kUniformFirst : 0);
}

int target_of(const Program& program, const Instruction& instruction) {
  for (const Operand& operand : instruction.operands) {
    if (operand.is(Operand::Kind::kTarget)) return program.index_at(operand.value);
  }
  return -1;
}

}  // namespace

bool CodeWalk::holds(const Operand& predicate) const {
  const bool is_predicate =
      predicate.is(Operand::Kind::kPredicate) || predicate.is(Operand::Kind::kUniformPredicate);
  if (!is_predicate) return true;
  const bool value = predicate.index == kPT || (predicates_ >> bit_of(predicate) & 1u) != 0;
  return value != predicate.negate;
}

bool CodeWalk::guard_holds(const Instruction& instruction) const {
  Operand guard;
  guard.kind =
      instruction.guard_is_uniform ? Operand::Kind::kUniformPredicate : Operand::Kind::kPredicate;
  guard.index = instruction.guard;
  guard.negate = instruction.guard_negate;
  return holds(guard);
}

/// True if the branch is taken; at random if it depends on the warp's divergence.
bool CodeWalk::goes_away(const Instruction& instruction) {
  const uint8_t kind = instruction[Mod::k_bra];
  if (kind >= 2 && instruction[Role::kA].is(Operand::Kind::kUniform)) return random_() % 8 == 0;
  return holds(instruction[Role::kS]);
}

void CodeWalk::set_predicates(const Instruction& instruction) {
  for (const Resource written : effects_of(instruction).writes) {
    const bool uniform = written >= kFirstUniformPredicate;
    if (!uniform && (written < kFirstPredicate || written >= kCarryFlag)) continue;
    const unsigned bit =
        uniform ? written - kFirstUniformPredicate + kUniformFirst : written - kFirstPredicate;
    const auto value = static_cast<unsigned>(random_() & 1u);
    predicates_ = (predicates_ & ~(1u << bit)) | value << bit;
  }
}

std::vector<CodeWalk::Step> CodeWalk::steps(size_t most) {
  std::vector<Step> all;
  for (size_t at = 0; all.size() < most && at < program_.code.size();) {
    const Instruction& instruction = program_.code[at];
    const bool executes = guard_holds(instruction);
    all.push_back({static_cast<uint32_t>(at), executes});
    ++at;
    if (!executes) continue;
    set_predicates(instruction);
    switch (instruction.op) {
      case Op::kSm70_BRA:
      case Op::kSm70_CALL: {
        if (!goes_away(instruction)) break;
        const int target = target_of(program_, instruction);
        if (target < 0) return all;
        at = static_cast<size_t>(target);
        break;
      }
      case Op::kSm70_EXIT:
      case Op::kSm70_RET:
      case Op::kSm70_BRX:
      case Op::kSm70_BRXU:
        if (goes_away(instruction)) return all;
        break;
      default: break;
    }
  }
  return all;
}

std::vector<std::string> hazards_on_walks(const Program& program, unsigned walks, size_t steps) {
  std::vector<Effects> effects;
  for (const Instruction& instruction : program.code) effects.push_back(effects_of(instruction));
  std::vector<std::string> found;
  for (unsigned seed = 0; seed < walks; ++seed) {
    Hazards hazards(program, effects);
    for (const CodeWalk::Step& step : CodeWalk(program, seed).steps(steps)) {
      const Hazards::Problem problem =
          hazards.step(step.index, kAllLanes, step.executes ? kAllLanes : 0);
      if (problem.what.empty()) continue;
      std::string line =
          fmt::format("0x{:04x}: {}", program.code[step.index].address, problem.what);
      if (std::find(found.begin(), found.end(), line) == found.end())
        found.push_back(std::move(line));
    }
  }
  return found;
}

}  // namespace shflsim::isa
