// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "report/terminal/text_table.h"
#include "report/time/critical_path.h"

namespace shflsim::report {

using model::Cycle;
using model::WarpState;

namespace {

constexpr size_t kMostLinks = 12;  ///< rows of the table; one more sums up the others

std::string place_of(const isa::Code& code, uint32_t index) {
  return fmt::format("{:04x}", code.lines[index].address);
}

double share_of(Cycle cycles, const Run& run) {  // in percent
  return 100.0 * static_cast<double>(cycles) / static_cast<double>(run.result.cycles);
}

std::string name_of(const PathLink& link) {
  const char* const edge = link.is_of_another_warp ? "start" : "end";
  if (link.state == WarpState::kSelected) return link.on ? "issue" : edge;
  return model::warp_state_name(link.state);
}

/// True if the table names the awaited instruction beside the state.
bool names_producer(const PathLink& link) {
  return link.on && (link.state == WarpState::kShortScoreboard ||
                     link.state == WarpState::kLongScoreboard || link.state == WarpState::kDrain);
}

/// The cycles by reason: "short_scoreboard of SHFL 145 (89.0%), wait 16 (9.8%)", most first.
std::string by_reason(const Run& run, const std::vector<PathLink>& links) {
  std::map<std::string, Cycle> sums;
  for (const PathLink& link : links) {
    const std::string on = names_producer(link) ? " of " + run.trace.code.lines[*link.on].name : "";
    sums[name_of(link) + on] += link.cycles;
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

/// Writes the stages of the awaited instructions: "SHFL 145 = issue 5 + operands 20 + unit 5 + way
/// back 115".
void write_ways(std::ostream& out, const Run& run, const std::vector<PathLink>& links) {
  constexpr const char* kNames[kStageKinds] = {"queue",        "operands", "before its unit",
                                               "unit's queue", "unit",     "way back"};
  struct Way {
    Cycle cycles = 0;
    Cycle issues = 0;  // one cycle each
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
      {"waits_for", "",
       "Its state as it waited last; `issue`: for its turn; `start`: of its block; "
       "`end`: the run's end.",
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
