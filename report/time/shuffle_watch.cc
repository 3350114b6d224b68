// SPDX-License-Identifier: Apache-2.0
#include "report/time/shuffle_watch.h"

#include "report/time/path_bounds.h"

namespace shflsim::report {
namespace {

uint64_t key_of(model::InstructionId id) { return uint64_t{id.warp} << 32u | id.number; }

}  // namespace

ShuffleWatch::ShuffleWatch() {
  observers_.add(this);
  observers_.add(verdict_.observer());
}

std::shared_ptr<void> ShuffleWatch::elaborate(const traces::Trace& trace,
                                              const model::RunResult& /*result*/) {
  trace_ = &trace;
  producers_ = std::make_unique<Producers>(trace.code);
  return nullptr;
}

void ShuffleWatch::warp_started(const model::ResidentWarp& warp, model::Cycle /*now*/) {
  producers_->warp_started(warp);
}

void ShuffleWatch::stood(const model::ResidentWarp& warp, uint32_t index, model::WarpState state,
                         model::Cycle from, model::Cycle to) {
  if (state == model::WarpState::kSelected) return;
  const std::optional<Issued> on = producers_->of(warp, index, state);
  if (on && trace_->code.lines[on->index].is_shuffle()) stalls_ += to - from;
}

void ShuffleWatch::issued(const model::ResidentWarp& warp, const model::Issue& issue) {
  producers_->issued(warp, issue);
  if (trace_->code.lines[issue.index].is_shuffle()) waiting_[key_of(issue.id)] = issue.cycle;
}

void ShuffleWatch::entered(model::InstructionId id, model::Stage stage, model::Cycle from) {
  if (stage != model::Stage::kUnit) return;
  const auto found = waiting_.find(key_of(id));
  if (found == waiting_.end()) return;
  ++served_;
  waited_ += from - found->second;
  waiting_.erase(found);
}

void ShuffleWatch::left_queue(model::InstructionId id, model::Cycle /*now*/) {
  producers_->left_queue(id);
}

void ShuffleWatch::sources_read(model::InstructionId id, model::Cycle cycle) {
  producers_->sources_read(id, cycle);
}

void ShuffleWatch::done(model::InstructionId id, model::Cycle result) {
  producers_->done(id, result);
}

WatchedFigures ShuffleWatch::figures(const Run& run) const {
  WatchedFigures figures;
  if (served_ != 0)
    figures.queue_wait = static_cast<double>(waited_) / static_cast<double>(served_);
  figures.stalls = stalls_;
  for (const BoundShare& bound : verdict_.verdict(run).bounds) {
    if (bound.bound == bound_name(Bound::kShuffleRate) ||
        bound.bound == bound_name(Bound::kShuffleLatency))
      figures.path_share += bound.share;
  }
  return figures;
}

}  // namespace shflsim::report
