// SPDX-License-Identifier: Apache-2.0
#include "report/time/critical_path.h"

#include <algorithm>
#include <tuple>

namespace shflsim::report {

using model::Cycle;
using model::WarpState;

namespace {

/// True for waits for something that another warp holds for a cycle or a few.
bool is_of_slot(WarpState state) {
  return state == WarpState::kNotSelected || state == WarpState::kMathPipeThrottle ||
         state == WarpState::kDispatchStall;
}

bool is_for_result(WarpState state) {
  return state == WarpState::kShortScoreboard || state == WarpState::kLongScoreboard ||
         state == WarpState::kDrain;
}

}  // namespace

std::shared_ptr<void> CriticalPath::elaborate(const traces::Trace& trace,
                                              const model::RunResult& /*result*/) {
  code_ = &trace.code;
  producers_ = std::make_unique<Producers>(trace.code);
  warps_.assign(trace.warps.size(), Warp{});
  return nullptr;
}

/// Stops recording, and drops the recorded part if it is of no use.
void CriticalPath::cut() {
  if (longer_ == Longer::kBegin) {
    cut_ = last_issue_;
    return;
  }
  producers_ = nullptr;
  warps_ = {};
}

void CriticalPath::warp_started(const model::ResidentWarp& warp, Cycle now) {
  if (!follows()) return;
  producers_->warp_started(warp);
  Warp& its = warps_[warp.index];
  its.started = its.left = now;
  its.sm = warp.sm;
  its.sub_partition = warp.sub_partition;
  const auto gone = last_to_leave_.find(warp.sm);
  if (gone != last_to_leave_.end()) its.freed_by = gone->second;
}

void CriticalPath::warp_left(const model::ResidentWarp& warp, Cycle now) {
  if (!follows()) return;
  warps_[warp.index].left = now;
  last_to_leave_[warp.sm] = warp.index;
}

void CriticalPath::stood(const model::ResidentWarp& warp, uint32_t index, WarpState state,
                         Cycle /*from*/, Cycle to) {
  if (!follows()) return;
  Warp& its = warps_[warp.index];
  its.left = to;
  if (state != WarpState::kSelected)
    its.cause = {state, index, to, producers_->of(warp, index, state)};
}

void CriticalPath::issued(const model::ResidentWarp& warp, const model::Issue& issue) {
  if (!follows()) return;
  if (kept_ == most_) return cut();
  ++kept_;
  last_issue_ = issue.cycle;
  last_warp_ = warp.index;
  Warp& its = warps_[warp.index];
  const bool has_waited = its.cause.to == issue.cycle && its.cause.state != WarpState::kSelected;
  std::optional<Issued> on = has_waited ? its.cause.on : std::nullopt;
  const std::optional<Issued> before = producers_->last_of(warp.index);
  // What held a pipe before the warp arrived there is not what the warp waited for last.
  const bool is_older =
      has_waited && is_of_slot(its.cause.state) && on && before && on->cycle < before->cycle;
  if (!on || on->cycle >= issue.cycle || is_older) on = before;
  Step step;
  step.cycle = issue.cycle;
  step.index = issue.index;
  step.state = has_waited ? its.cause.state : WarpState::kSelected;
  if (on) {
    step.on_warp = on->id.warp;
    step.on_number = on->id.number;
  }
  its.steps.push_back(step);
  its.cause = {};
  producers_->issued(warp, issue);
}

/// Called only after the instruction's issue.
CriticalPath::Way& CriticalPath::way_of(model::InstructionId id) {
  Warp& its = warps_[id.warp];
  Step& step = its.steps[id.number];
  if (step.way == kNone) {
    step.way = static_cast<uint32_t>(its.ways.size());
    its.ways.emplace_back();
  }
  return its.ways[step.way];
}

void CriticalPath::entered(model::InstructionId id, model::Stage stage, Cycle from) {
  if (!keeps(id)) return;
  const Cycle issue = warps_[id.warp].steps[id.number].cycle;
  way_of(id).entered[static_cast<size_t>(stage)] = static_cast<uint32_t>(from - issue);
}

void CriticalPath::passes(model::InstructionId id, Cycle first, uint32_t count, uint32_t interval) {
  if (!keeps(id)) return;
  Way& way = way_of(id);
  way.first_pass = static_cast<uint32_t>(first - warps_[id.warp].steps[id.number].cycle);
  way.passes = count;
  way.interval = interval;
}

void CriticalPath::left_queue(model::InstructionId id, Cycle /*now*/) {
  if (keeps(id)) producers_->left_queue(id);
}

void CriticalPath::sources_read(model::InstructionId id, Cycle cycle) {
  if (keeps(id)) producers_->sources_read(id, cycle);
}

void CriticalPath::done(model::InstructionId id, Cycle result) {
  if (!keeps(id)) return;
  producers_->done(id, result);
  const Step& step = warps_[id.warp].steps[id.number];
  if (step.way != kNone) way_of(id).result = static_cast<uint32_t>(result - step.cycle);
}

/// Follows the chain back from the end, link by link.
class CriticalPath::Walk {
 public:
  Walk(const std::vector<Warp>& warps, const PathBounds& bounds) : warps_(warps), bounds_(bounds) {}

  void from_end_of(uint32_t warp, Cycle end) {
    at_ = end;
    for (uint32_t next = warp; next != kNone;) next = through(next, start_from_end(next));
  }
  /// Starts at a warp's last issue, in cycle `at`.
  void from_issue_of(uint32_t warp, Cycle at) {
    at_ = at;
    uint32_t next = through(warp, static_cast<uint32_t>(warps_[warp].steps.size()) - 1);
    while (next != kNone) next = through(next, start_from_end(next));
  }
  std::vector<PathLink> links() const {
    std::vector<PathLink> all;
    for (const auto& [key, link] : links_) {
      if (link.cycles != 0) all.push_back(link);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const PathLink& a, const PathLink& b) { return a.cycles > b.cycles; });
    return all;
  }

 private:
  /// Follows the chain from a step of the warp to the start of the warp where it begins. Returns
  /// the warp whose end allowed that warp to start, if any.
  uint32_t through(uint32_t warp, uint32_t number) {
    while (number != kNone) {
      const Step& step = warps_[warp].steps[number];
      if (step.on_warp == kNone) {
        add({step.index, step.state, {}, false}, warp, warps_[warp].started);
        break;
      }
      const Step& on = warps_[step.on_warp].steps[step.on_number];
      add({step.index, step.state, on.index, step.on_warp != warp}, warp, on.cycle,
          way_of(step.on_warp, on));
      warp = step.on_warp;
      number = step.on_number;
    }
    const Warp& its = warps_[warp];
    const uint32_t before = its.freed_by;
    const bool goes_on = before != kNone && warps_[before].left <= its.started && at_ != 0;
    if (!goes_on && at_ != 0 && !its.steps.empty())  // its block came after the first
      add({its.steps.front().index, WarpState::kSelected, {}, true}, warp, 0);
    return goes_on ? before : kNone;
  }

  /// Adds the part between the last issue of the chain and the end.
  uint32_t start_from_end(uint32_t warp) {
    const Warp& its = warps_[warp];
    if (its.steps.empty()) {
      add({its.cause.index, its.cause.state, {}, false}, warp, its.started);
      return kNone;
    }
    uint32_t number = static_cast<uint32_t>(its.steps.size()) - 1;
    const Cause& cause = its.cause;
    const bool is_own = cause.on && cause.on->id.warp == warp;
    if (is_own) number = cause.on->id.number;
    const Step& last = its.steps[number];
    const uint32_t index = cause.state == WarpState::kSelected ? last.index : cause.index;
    std::optional<uint32_t> on;
    if (cause.state != WarpState::kSelected) on = last.index;
    add({index, cause.state, on, false}, warp, last.cycle, way_of(warp, last));
    return number;
  }

  const Way* way_of(uint32_t warp, const Step& step) const {
    return step.way == kNone ? nullptr : &warps_[warp].ways[step.way];
  }

  /// Adds the cycles from `from` to the current position of the chain, in which `warp` waited.
  /// `way`: the stages of the instruction that it waited for.
  void add(const PathLink& link, uint32_t warp, Cycle from, const Way* way = nullptr) {
    PathLink& sum =
        links_
            .try_emplace({link.index, link.state, link.on.value_or(kNone), link.is_of_another_warp},
                         link)
            .first->second;
    sum.cycles += at_ - from;
    ++sum.times;
    PathBounds::Stretch stretch{
        link.state, link.index, link.on, from, at_, warps_[warp].sm, warps_[warp].sub_partition,
        {}};
    if (way != nullptr && is_for_result(link.state)) {
      stretch.stages = stages_of(*way, from);
      // A line that waits for the read of sources goes on before the instruction ends.
      for (const StageTime& stage : stretch.stages) {
        if (stage.from < at_)
          sum.stages[static_cast<size_t>(stage.kind)] += std::min(stage.to, at_) - stage.from;
      }
    }
    bounds_.spread(stretch, &sum.bounds);
    at_ = from;
  }

  static std::vector<StageTime> stages_of(const Way& way, Cycle issue) {
    PipelineRow row;
    row.has_issued = true;
    row.issue.cycle = issue;
    for (size_t s = 0; s < way.entered.size(); ++s) {
      if (way.entered[s] != kNone) row.entered[s] = issue + way.entered[s];
    }
    row.passes = way.passes;
    row.interval = way.interval;
    row.first_pass = issue + way.first_pass;
    row.result = issue + way.result;
    return row.stages();
  }

  const std::vector<Warp>& warps_;
  const PathBounds& bounds_;
  Cycle at_ = 0;
  std::map<std::tuple<uint32_t, WarpState, uint32_t, bool>, PathLink> links_;
};

/// The bounds, with the requests that the shared units served.
PathBounds CriticalPath::bounds_of(const model::RunResult& result) const {
  constexpr auto kUnit = static_cast<size_t>(model::Stage::kUnit);
  PathBounds bounds(*code_, result);
  for (const Warp& warp : warps_) {
    for (const Step& step : warp.steps) {
      if (step.way == kNone || warp.ways[step.way].entered[kUnit] == kNone) continue;
      const Way& way = warp.ways[step.way];
      const bool has_passes = way.passes != 0;
      const uint32_t from = has_passes ? way.first_pass : way.entered[kUnit];
      bounds.served(warp.sm, warp.sub_partition, step.index, step.cycle + from,
                    has_passes ? way.passes * way.interval : 1);
    }
  }
  bounds.sort();
  return bounds;
}

std::vector<PathLink> CriticalPath::links(const model::RunResult& result) const {
  const auto last = std::max_element(warps_.begin(), warps_.end(),
                                     [](const Warp& a, const Warp& b) { return a.left < b.left; });
  if (last == warps_.end()) return {};
  const PathBounds bounds = bounds_of(result);
  Walk walk(warps_, bounds);
  if (cut_) {
    walk.from_issue_of(last_warp_, *cut_);
    return walk.links();
  }
  walk.from_end_of(static_cast<uint32_t>(last - warps_.begin()), result.cycles);
  return walk.links();
}

}  // namespace shflsim::report
