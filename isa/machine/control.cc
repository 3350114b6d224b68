// SPDX-License-Identifier: Apache-2.0
// Branches, divergence, barriers.
#include <fmt/format.h>

#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

uint32_t index_of_target(const Issue& issue) {
  return static_cast<uint32_t>(issue.block.grid.program.index_at(issue.operand(Role::kB).value));
}

void bra(Issue& issue) {
  Divergence& flow = issue.warp.divergence;
  flow.branch(issue.lanes, index_of_target(issue), flow.pc(), issue.block.grid.options.taken_first);
}

template <TokenKind kind>
void push_token(Issue& issue) {
  if (issue.lanes == 0) return;
  if (issue.warp.divergence.depth() >= Divergence::kDeepest) {
    fail(issue, fmt::format("more than {} entries on the divergence stack", Divergence::kDeepest));
  }
  issue.warp.divergence.push(kind, index_of_target(issue));
}

template <TokenKind kind>
void leave(Issue& issue) {
  if (issue.lanes == 0) return;
  if (!issue.warp.divergence.leave(issue.lanes, kind)) {
    fail(issue, fmt::format("no {} token to return to", token_name(kind)));
  }
}

void exit_lanes(Issue& issue) { issue.warp.divergence.exit(issue.lanes); }

void nothing(Issue&) {}

void bar_sync(Issue& issue) {
  if (issue.lanes == 0) return;
  BarrierRequest request;
  request.id = static_cast<uint8_t>(issue.operand(Role::kB).value & 15);
  request.threads = static_cast<uint32_t>(issue.operand(Role::kC).value);
  request.executing = issue.lanes;
  issue.block.arrive(issue.warp_index, request);
}

std::string refuse_bad_target(const Instruction& instruction) {
  return instruction[Role::kB].is(Operand::Kind::kTarget) ? "" : "an indirect target";
}

}  // namespace

void add_control_operations(OperationTable& table) {
  entry(table, Op::kBRA) = {bra, refuse_bad_target, false, true};
  entry(table, Op::kSSY) = {push_token<TokenKind::kSync>, refuse_bad_target, false, true};
  entry(table, Op::kSYNC) = {leave<TokenKind::kSync>, nullptr, false, true};
  entry(table, Op::kEXIT) = {exit_lanes, nullptr, false, true};
  entry(table, Op::kBAR) = {bar_sync};
  entry(table, Op::kNOP) = {nothing};
  entry(table, Op::kDEPBAR) = {nothing};
}

}  // namespace shflsim::isa
