// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/code_flow.h"

#include <algorithm>

#include "isa/codec/form.h"

namespace shflsim::isa {
namespace {

bool pushes_token(Op op) {
  switch (op) {
    case Op::kSSY:
    case Op::kPBK:
    case Op::kPCNT:
    case Op::kPRET:
    case Op::kPEXIT:
    case Op::kPLONGJMP: return true;
    default: return false;
  }
}

bool may_jump(const Instruction& instruction) {
  return !pushes_token(instruction.op) && facts(instruction.op).latency == Latency::kBranch;
}

int target_of(const Program& program, const Instruction& instruction) {
  for (const Operand& operand : instruction.operands) {
    if (operand.is(Operand::Kind::kTarget)) return program.index_at(operand.value);
  }
  return -1;
}

/// True if the jump is always taken: it has no guard and no condition code.
bool always_leaves(const Instruction& instruction) {
  return !instruction.has_guard() && instruction[Mod::k_cct] == 15;
}

}  // namespace

bool is_final_exit(const Instruction& instruction) {
  return instruction.op == Op::kEXIT && always_leaves(instruction);
}

CodeFlow::CodeFlow(const Program& program) {
  const std::vector<Instruction>& code = program.code;
  const bool is_indirect = std::any_of(code.begin(), code.end(),
                                       [](const Instruction& each) {
                                         return each.op == Op::kBRX || each.op == Op::kJMX;
                                       }) &&
                           program.jump_targets.empty();
  starts_.assign(code.size() + 1, is_indirect);
  open_.assign(code.size(), is_indirect);
  next_.resize(code.size());
  starts_[code.size()] = true;
  for (const uint32_t target : program.jump_targets) {
    starts_[static_cast<size_t>(program.index_at(target))] = true;
  }
  for (size_t i = 0; i < code.size(); ++i) {
    const int target = target_of(program, code[i]);
    if (target >= 0) starts_[static_cast<size_t>(target)] = true;
    if (target >= 0 && code[i].op == Op::kSSY) joins_.insert(static_cast<size_t>(target));
    if (target >= 0 && code[i].op == Op::kPBK) breaks_.insert(static_cast<size_t>(target));
    if (may_jump(code[i])) starts_[i + 1] = true;
  }
  for (size_t i = 0; i < code.size(); ++i) {
    if (ends_block(i)) follow(program, i);
  }
}

void CodeFlow::follow(const Program& program, size_t index) {
  const Instruction& last = program.code[index];
  const bool goes_on = !may_jump(last) || !always_leaves(last);
  if (goes_on && index + 1 < program.code.size()) next_[index].push_back(index + 1);
  if (!may_jump(last) || last.op == Op::kEXIT) return;
  if (last.op == Op::kSYNC) return follow_tokens(index, joins_);
  if (last.op == Op::kBRK) return follow_tokens(index, breaks_);
  const int target = last.op == Op::kBRA ? target_of(program, last) : -1;
  if (target < 0) {
    open_[index] = true;
  } else {
    next_[index].push_back(static_cast<size_t>(target));
  }
}

void CodeFlow::follow_tokens(size_t index, const std::set<size_t>& targets) {
  // With more targets the successors are treated as unknown, since following all takes long.
  constexpr size_t kMostTargets = 32;
  open_[index] = open_[index] || targets.size() > kMostTargets;
  if (!open_[index]) next_[index].insert(next_[index].end(), targets.begin(), targets.end());
}

}  // namespace shflsim::isa
