// SPDX-License-Identifier: Apache-2.0
#include "report/time/critical_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "report/terminal/text_table.h"

namespace shflsim::report {

using model::Cycle;
using model::WarpState;

namespace {

constexpr size_t kMostLinks = 12;  ///< rows of the table, the rest is one more

std::string place_of(const isa::Code& code, uint32_t index) {
  return fmt::format("{:04x}", code.lines[index].address);
}

/// Waits for what another warp has for a cycle or a few.
bool is_of_slot(WarpState state) {
  return state == WarpState::kNotSelected || state == WarpState::kMathPipeThrottle ||
         state == WarpState::kDispatchStall;
}

bool is_for_result(WarpState state) {
  return state == WarpState::kShortScoreboard || state == WarpState::kLongScoreboard ||
         state == WarpState::kDrain;
}

double share_of(Cycle cycles, const Run& run) {  // in percent
  return 100.0 * static_cast<double>(cycles) / static_cast<double>(run.result.cycles);
}

std::string name_of(const PathLink& link) {
  if (link.state == WarpState::kSelected) return link.on ? "issue" : "end";
  return model::warp_state_name(link.state);
}

}  // namespace

std::shared_ptr<void> CriticalPath::elaborate(const traces::Trace& trace,
                                              const model::RunResult& /*result*/) {
  producers_ = std::make_unique<Producers>(trace.code);
  warps_.assign(trace.warps.size(), Warp{});
  return nullptr;
}

/// Lets go of what was kept.
void CriticalPath::give_up() {
  producers_ = nullptr;
  warps_ = {};
}

void CriticalPath::warp_started(const model::ResidentWarp& warp, Cycle now) {
  if (!is_known()) return;
  producers_->warp_started(warp);
  Warp& its = warps_[warp.index];
  its.started = its.left = now;
  const auto gone = last_to_leave_.find(warp.sm);
  if (gone != last_to_leave_.end()) its.freed_by = gone->second;
}

void CriticalPath::warp_left(const model::ResidentWarp& warp, Cycle now) {
  if (!is_known()) return;
  warps_[warp.index].left = now;
  last_to_leave_[warp.sm] = warp.index;
}

void CriticalPath::stood(const model::ResidentWarp& warp, uint32_t index, WarpState state,
                         Cycle /*from*/, Cycle to) {
  if (!is_known()) return;
  Warp& its = warps_[warp.index];
  its.left = to;
  if (state != WarpState::kSelected)
    its.cause = {state, index, to, producers_->of(warp, index, state)};
}

void CriticalPath::issued(const model::ResidentWarp& warp, const model::Issue& issue) {
  if (is_known() && ++kept_ > most_) give_up();
  if (!is_known()) return;
  Warp& its = warps_[warp.index];
  const bool has_waited = its.cause.to == issue.cycle && its.cause.state != WarpState::kSelected;
  std::optional<Issued> on = has_waited ? its.cause.on : std::nullopt;
  const std::optional<Issued> before = producers_->last_of(warp.index);
  // What held a pipe before the warp came was not what it came for last.
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

/// Hears of it only behind its issue.
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
  if (!is_known()) return;
  const Cycle issue = warps_[id.warp].steps[id.number].cycle;
  way_of(id).entered[static_cast<size_t>(stage)] = static_cast<uint32_t>(from - issue);
}

void CriticalPath::passes(model::InstructionId id, Cycle first, uint32_t count, uint32_t interval) {
  if (!is_known()) return;
  Way& way = way_of(id);
  way.first_pass = static_cast<uint32_t>(first - warps_[id.warp].steps[id.number].cycle);
  way.passes = count;
  way.interval = interval;
}

void CriticalPath::left_queue(model::InstructionId id, Cycle /*now*/) {
  if (is_known()) producers_->left_queue(id);
}

void CriticalPath::sources_read(model::InstructionId id, Cycle cycle) {
  if (is_known()) producers_->sources_read(id, cycle);
}

void CriticalPath::done(model::InstructionId id, Cycle result) {
  if (!is_known()) return;
  producers_->done(id, result);
  const Step& step = warps_[id.warp].steps[id.number];
  if (step.way != kNone) way_of(id).result = static_cast<uint32_t>(result - step.cycle);
}

/// Goes back from the end, link by link.
class CriticalPath::Walk {
 public:
  explicit Walk(const std::vector<Warp>& warps) : warps_(warps) {}

  void from_end_of(uint32_t warp, Cycle end) {
    at_ = end;
    for (uint32_t next = warp; next != kNone;) next = through(next);
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
  /// From the warp's end to the start of the one where the chain begins; returns the warp whose
  /// leaving let that one start, if any.
  uint32_t through(uint32_t warp) {
    uint32_t number = start_from_end(warp);
    while (number != kNone) {
      const Step& step = warps_[warp].steps[number];
      if (step.on_warp == kNone) {
        add({step.index, step.state, {}, false, 0, 0}, warps_[warp].started);
        break;
      }
      const Step& on = warps_[step.on_warp].steps[step.on_number];
      add({step.index, step.state, on.index, step.on_warp != warp, 0, 0}, on.cycle,
          way_of(step.on_warp, on));
      warp = step.on_warp;
      number = step.on_number;
    }
    const Warp& its = warps_[warp];
    const uint32_t before = its.freed_by;
    const bool goes_on = before != kNone && warps_[before].left <= its.started && at_ != 0;
    return goes_on ? before : kNone;
  }

  /// Between the last issue of the chain and the end.
  uint32_t start_from_end(uint32_t warp) {
    const Warp& its = warps_[warp];
    if (its.steps.empty()) {
      add({its.cause.index, its.cause.state, {}, false, 0, 0}, its.started);
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
    add({index, cause.state, on, false, 0, 0}, last.cycle, way_of(warp, last));
    return number;
  }

  const Way* way_of(uint32_t warp, const Step& step) const {
    return step.way == kNone ? nullptr : &warps_[warp].ways[step.way];
  }

  /// The cycles from `from` to where the chain stands, on the way of what was waited for.
  void add(const PathLink& link, Cycle from, const Way* way = nullptr) {
    PathLink& sum =
        links_
            .try_emplace({link.index, link.state, link.on.value_or(kNone), link.is_of_another_warp},
                         link)
            .first->second;
    sum.cycles += at_ - from;
    ++sum.times;
    if (way != nullptr && is_for_result(link.state)) add_stages(*way, from, &sum);
    at_ = from;
  }

  /// Adds stages up to `at_`: a line that waits for the read of sources continues before the end.
  void add_stages(const Way& way, Cycle issue, PathLink* sum) const {
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
    for (const StageTime& stage : row.stages()) {
      if (stage.from < at_)
        sum->stages[static_cast<size_t>(stage.kind)] += std::min(stage.to, at_) - stage.from;
    }
  }

  const std::vector<Warp>& warps_;
  Cycle at_ = 0;
  std::map<std::tuple<uint32_t, WarpState, uint32_t, bool>, PathLink> links_;
};

std::vector<PathLink> CriticalPath::links(const model::RunResult& result) const {
  const auto last = std::max_element(warps_.begin(), warps_.end(),
                                     [](const Warp& a, const Warp& b) { return a.left < b.left; });
  if (last == warps_.end()) return {};
  Walk walk(warps_);
  walk.from_end_of(static_cast<uint32_t>(last - warps_.begin()), result.cycles);
  return walk.links();
}

namespace {

/// "short_scoreboard of SHFL 145 (89.0%), wait 16 (9.8%)": the most cycles first.
std::string by_reason(const Run& run, const std::vector<PathLink>& links) {
  std::map<std::string, Cycle> sums;
  for (const PathLink& link : links) {
    const bool names = link.on && is_for_result(link.state);
    sums[name_of(link) + (names ? " of " + run.trace.code.lines[*link.on].name : "")] +=
        link.cycles;
  }
  std::vector<std::pair<Cycle, std::string>> sorted;
  for (const auto& [name, cycles] : sums) sorted.emplace_back(cycles, name);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [cycles, name] : sorted)
    text += fmt::format("{}{} {} ({:.1f}%)", text.empty() ? "" : ", ", name, cycles,
                        share_of(cycles, run));
  return text;
}

/// Where what was waited for was meanwhile: "SHFL 145 = issue 5 + operands 20 + unit 5 + way back
/// 115".
void write_ways(std::ostream& out, const Run& run, const std::vector<PathLink>& links) {
  constexpr const char* kNames[kStageKinds] = {"queue",        "operands", "before its unit",
                                               "unit's queue", "unit",     "way back"};
  struct Way {
    Cycle cycles = 0;
    Cycle issues = 0;  // a cycle each
    std::array<Cycle, kStageKinds> stages{};
  };
  std::map<std::string, Way> ways;
  for (const PathLink& link : links) {
    if (link.stages == decltype(link.stages){}) continue;
    Way& way = ways[run.trace.code.lines[*link.on].name];
    way.cycles += link.cycles;
    way.issues += link.times;
    for (size_t s = 0; s < kStageKinds; ++s) way.stages[s] += link.stages[s];
  }
  for (const auto& [operation, way] : ways) {
    std::string text;
    Cycle rest = way.cycles - way.issues;
    for (size_t s = 0; s < kStageKinds; ++s) {
      if (way.stages[s] != 0) text += fmt::format(" + {} {}", kNames[s], way.stages[s]);
      rest -= way.stages[s];
    }
    if (rest != 0) text += fmt::format(" + release {}", rest);
    write_wrapped(out, fmt::format("{} {} = issue {}{}", operation, way.cycles, way.issues, text));
  }
}

}  // namespace

const Fields<PathRow>& path_columns() {
  using Row = PathRow;
  static const auto line = [](const Row& row, uint32_t index) -> const isa::CodeLine& {
    return row.run.trace.code.lines[index];
  };
  static const Fields<PathRow> fields = {
      {"cycles", "cycles", "Cycles of the run in which the path is here; over all rows, the run's.",
       [](const Row& row) { return row.link.cycles; }},
      {"times", "times", "How often the path comes through here.",
       [](const Row& row) { return row.link.times; }},
      {"pc", "", "Address of the instruction that waited.",
       [](const Row& row) { return "0x" + place_of(row.run.trace.code, row.link.index); }},
      {"text", "", "The instruction in SASS.",
       [](const Row& row) { return line(row, row.link.index).text; }},
      {"waits_for", "", "Its state as it waited last; `issue`: for its turn; `end`: the run's end.",
       [](const Row& row) { return name_of(row.link); }},
      {"of_pc", "", "Address of the instruction that it waited for; null for none.",
       [](const Row& row) -> Value {
         if (!row.link.on) return {};
         return "0x" + place_of(row.run.trace.code, *row.link.on);
       }},
      {"of_text", "", "That instruction in SASS.",
       [](const Row& row) -> Value {
         if (!row.link.on) return {};
         return line(row, *row.link.on).text;
       }},
      {"of_warp", "", "Whose it is: `own` or `other`; null for none.",
       [](const Row& row) -> Value {
         if (!row.link.on) return {};
         return std::string(row.link.is_of_another_warp ? "other" : "own");
       }},
  };
  return fields;
}

void write_critical_path(std::ostream& out, const Run& run, const std::vector<PathLink>& links) {
  const isa::Code& code = run.trace.code;
  const size_t shown = std::min(links.size(), kMostLinks);
  TextColumn cycles{"cycles"}, share{"share"}, times{"times"};
  share.rank = 2;
  times.rank = 1;
  TextColumn reason{"waits for", true};
  reason.paint = Paint::kStall;
  TextColumn on{"of", true}, pc{"pc", true}, text{"text", true, true};
  Cycle rest = 0;
  for (size_t i = 0; i < links.size(); ++i) {
    const PathLink& link = links[i];
    if (i >= shown) {
      rest += link.cycles;
      continue;
    }
    cycles.cells.push_back(fmt::format("{}", link.cycles));
    share.cells.push_back(fmt::format("{:.1f}%", share_of(link.cycles, run)));
    times.cells.push_back(fmt::format("{}", link.times));
    reason.cells.push_back(name_of(link));
    on.cells.push_back(
        link.on ? (link.is_of_another_warp ? "other warp's " : "") + place_of(code, *link.on) : "");
    pc.cells.push_back(place_of(code, link.index));
    text.cells.push_back(code.lines[link.index].text);
  }
  out << '\n' << painted(out, Paint::kHeading, "Critical path");
  out << fmt::format(": {} cycles, by what was waited for last\n", run.result.cycles);
  write_wrapped(out, by_reason(run, links));
  write_ways(out, run, links);
  write_columns(out, {cycles, share, times, pc, text, reason, on});
  if (links.size() > shown)
    write_line(out, fmt::format("  {} cycles in {} more links", rest, links.size() - shown));
}

}  // namespace shflsim::report
