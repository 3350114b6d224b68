// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/divergence.h"

namespace shflsim::isa {

const char* token_name(TokenKind kind) {
  static const char* const names[] = {"branch", "SSY", "PBK", "PCNT", "call", "PLONGJMP"};
  return names[static_cast<size_t>(kind)];
}

LaneMask Divergence::alive() const {
  LaneMask lanes = active_;
  for (const Entry& entry : stack_) lanes |= entry.lanes;
  return lanes;
}

void Divergence::branch(LaneMask taken, uint32_t target, uint32_t next, bool taken_first) {
  const LaneMask others = active_ & ~taken;
  if (taken == 0 || others == 0) {
    pc_ = taken != 0 ? target : next;
    return;
  }
  const bool first_is_target = taken_first;
  stack_.push_back(
      {TokenKind::kBranch, first_is_target ? next : target, first_is_target ? others : taken});
  active_ = first_is_target ? taken : others;
  pc_ = first_is_target ? target : next;
}

bool Divergence::leave(LaneMask lanes, TokenKind kind) {
  size_t token = stack_.size();
  while (token > 0 && stack_[token - 1].kind != kind) --token;
  if (token == 0) return false;
  for (size_t i = token; i < stack_.size(); ++i) stack_[i].lanes &= ~lanes;
  active_ &= ~lanes;
  resume_if_empty();
  return true;
}

void Divergence::exit(LaneMask lanes) {
  for (Entry& entry : stack_) entry.lanes &= ~lanes;
  active_ &= ~lanes;
  resume_if_empty();
}

void Divergence::resume_if_empty() {
  while (active_ == 0 && !stack_.empty()) {
    active_ = stack_.back().lanes;
    pc_ = stack_.back().target;
    stack_.pop_back();
  }
}

}  // namespace shflsim::isa
