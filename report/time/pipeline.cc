// SPDX-License-Identifier: Apache-2.0
#include "report/time/pipeline.h"

#include <algorithm>

#include "traces/trace.h"

namespace shflsim::report {

using model::Cycle;
using model::kNever;
using model::WarpState;

Cycle PipelineRow::begin() const {
  const Cycle waited = waits.empty() ? kNever : waits.front().from;
  return has_issued ? std::min(waited, issue.cycle) : waited;
}

Cycle PipelineRow::end() const {
  Cycle end = has_issued ? issue.cycle + 1 : 0;
  const std::vector<StageTime> all = stages();
  if (!all.empty()) end = std::max(end, all.back().to);
  if (!waits.empty()) end = std::max(end, waits.back().to);
  return std::max(end, result);
}

std::vector<StageTime> PipelineRow::stages() const {
  using Kind = StageTime::Kind;
  std::vector<StageTime> all;
  if (!has_issued) return all;
  for (size_t s = 0; s < entered.size(); ++s) {
    if (entered[s] != kNever) all.push_back({static_cast<Kind>(s), entered[s], 0});
  }
  if (passes != 0) {
    all.push_back({Kind::kExecute, first_pass, 0});
    all.push_back({Kind::kReturn, last_pass(), 0});
  } else if (all.empty()) {
    all.push_back({Kind::kExecute, issue.cycle + 1, 0});
  } else if (entered.back() != kNever) {
    all.back().kind = Kind::kExecute;
  }
  Cycle at = issue.cycle + 1;
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].from = std::max(all[i].from, at);
    all[i].to = std::max(all[i].from, i + 1 == all.size() ? result : all[i + 1].from);
    if (all[i].to > all[i].from) at = all[i].to;
  }
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const StageTime& each) { return each.to <= each.from; }),
            all.end());
  return all;
}

std::shared_ptr<void> Pipeline::elaborate(const traces::Trace& trace,
                                          const model::RunResult& /*result*/) {
  producers_ = std::make_unique<Producers>(trace.code);
  warps_.assign(trace.warps.size(), PipelineWarp{});
  return nullptr;
}

void Pipeline::warp_started(const model::ResidentWarp& warp, Cycle /*now*/) {
  producers_->warp_started(warp);
  warps_[warp.index].who = warp;
  warps_[warp.index].has_started = true;
}

void Pipeline::stood(const model::ResidentWarp& warp, uint32_t index, WarpState state, Cycle from,
                     Cycle to) {
  if (state == WarpState::kSelected || from >= window_.to || !window_.has_warp(warp.index)) return;
  warps_[warp.index].waits.push_back({state, index, from, to, producers_->of(warp, index, state)});
}

void Pipeline::issued(const model::ResidentWarp& warp, const model::Issue& issue) {
  producers_->issued(warp, issue);
  PipelineWarp& its = warps_[warp.index];
  ++its.issued;
  if (!window_.has_warp(warp.index)) return;
  PipelineRow row;
  row.has_issued = true;
  row.issue = issue;
  row.waits.swap(its.waits);
  if (row.begin() >= window_.to) return;
  if (its.rows.empty()) its.first = issue.id.number;
  its.rows.push_back(std::move(row));
  forget(&its);
}

/// Drops rows that ended before the window.
void Pipeline::forget(PipelineWarp* warp) const {
  while (warp->rows.size() > 1) {
    const PipelineRow& oldest = warp->rows.front();
    const bool is_away = oldest.entered.front() != kNever || oldest.entered.back() != kNever;
    if ((is_away && oldest.result == 0) || oldest.end() > window_.from) return;
    warp->rows.pop_front();
    ++warp->first;
  }
}

PipelineRow* Pipeline::row_of(model::InstructionId id) {
  PipelineWarp& warp = warps_[id.warp];
  const bool is_kept = id.number >= warp.first && id.number - warp.first < warp.rows.size();
  return is_kept ? &warp.rows[id.number - warp.first] : nullptr;
}

void Pipeline::entered(model::InstructionId id, model::Stage stage, Cycle from) {
  if (PipelineRow* row = row_of(id)) row->entered[static_cast<size_t>(stage)] = from;
}

void Pipeline::left_queue(model::InstructionId id, Cycle now) {
  producers_->left_queue(id);
  if (PipelineRow* row = row_of(id)) row->left_queue = now;
}

void Pipeline::sources_read(model::InstructionId id, Cycle cycle) {
  producers_->sources_read(id, cycle);
}

void Pipeline::passes(model::InstructionId id, Cycle first, uint32_t count, uint32_t interval) {
  PipelineRow* row = row_of(id);
  if (row == nullptr) return;
  row->passes = count;
  row->first_pass = first;
  row->interval = interval;
}

void Pipeline::done(model::InstructionId id, Cycle result) {
  producers_->done(id, result);
  if (PipelineRow* row = row_of(id)) row->result = result;
}

void Pipeline::finish() {
  for (PipelineWarp& warp : warps_) {
    if (!warp.waits.empty()) {
      const bool is_behind =
          !warp.rows.empty() && warp.rows.back().issue.index == warp.waits.back().index;
      if (!is_behind) {
        if (warp.rows.empty()) warp.first = warp.issued;
        warp.rows.emplace_back();
      }
      std::vector<Wait>& waits = warp.rows.back().waits;
      waits.insert(waits.end(), warp.waits.begin(), warp.waits.end());
      warp.waits.clear();
    }
    const auto is_outside = [this](const PipelineRow& row) {
      return row.begin() >= window_.to || row.end() <= window_.from;
    };
    while (!warp.rows.empty() && is_outside(warp.rows.front())) {
      warp.rows.pop_front();
      ++warp.first;
    }
  }
}

}  // namespace shflsim::report
