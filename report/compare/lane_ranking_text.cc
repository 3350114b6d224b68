// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "report/compare/choice.h"
#include "report/compare/lane_ranking.h"
#include "report/run/field_table.h"
#include "report/run/json_fields.h"
#include "report/run/report.h"
#include "report/run/rows.h"

namespace shflsim::report {
namespace {

constexpr const char* kAreaOfCells = "cell_area";
constexpr size_t kFamilyDesigns = 12;  // designs in a table of families

double figure_of(const TrafficRow& row, const std::string& key) {
  for (const Field<TrafficRow>& column : traffic_columns()) {
    if (column.key == key) return number_of(column.get(row));
  }
  return NAN;
}

std::string head_of(const RankedProfile& ranked) {
  const traces::LaneProfile& profile = ranked.profile;
  return fmt::format("{}: {} lane moves of {} lanes, {}, in {} {}", ranked.file, profile.count(),
                     profile.lanes, profile.is_static ? "static counts" : "executed",
                     profile.families.size(), profile.families.size() == 1 ? "family" : "families");
}

void write_whole(std::ostream& out, const std::vector<TrafficRow>& rows, size_t most) {
  const std::vector<TrafficRow> shown(rows.begin(),
                                      rows.begin() + static_cast<std::ptrdiff_t>(most));
  write_columns(out, text_columns(traffic_columns(), shown));
  if (most < rows.size()) write_wrapped(out, fmt::format("{} more designs", rows.size() - most));
}

/// The name in two lines, such as "half" and "outputs".
std::string design_heading(std::string name) {
  const size_t middle = name.find_first_of("_ ");
  if (middle != std::string::npos) name[middle] = '\n';
  return name;
}

/// Writes the mean passes of each family on the best designs of all moves.
void write_families(std::ostream& out, const LaneRanking& ranking, size_t profile, size_t most) {
  const RankedProfile& its = ranking.profiles[profile];
  if (its.profile.families.size() < 2) return;
  TextColumn names{"passes a move, by family", true, true};
  TextColumn moves{"moves"};
  TextColumn shares{"share"};
  const auto all = static_cast<double>(std::max<uint64_t>(1, its.profile.count()));
  for (const traces::MoveFamily& family : its.profile.families) {
    names.cells.push_back(family.name);
    moves.cells.push_back(fmt::format("{}", family.count()));
    shares.cells.push_back(fmt::format("{:.1f}%", 100 * static_cast<double>(family.count()) / all));
  }
  std::vector<TextColumn> columns = {names, moves, shares};
  const std::vector<TrafficRow> whole = ranking.whole(profile);
  for (size_t i = 0; i < std::min({most, kFamilyDesigns, whole.size()}); ++i) {
    columns.push_back({design_heading(whole[i].design->name)});
    columns.back().rank = i + 1;
    for (const TrafficRow& row : ranking.rows) {
      if (row.profile == &its && !row.family.empty() && row.design == whole[i].design)
        columns.back().cells.push_back(fmt::format("{:.2f}", figure_of(row, "passes")));
    }
  }
  out << '\n';
  write_columns(out, columns);
}

/// Writes the rank of each design on each profile, in the order of the first profile.
void write_ranks(std::ostream& out, const LaneRanking& ranking) {
  if (ranking.profiles.size() < 2) return;
  TextColumn names{"rank by cycles", true};
  for (const TrafficRow& row : ranking.whole(0)) names.cells.push_back(row.design->name);
  std::vector<TextColumn> columns = {names};
  for (size_t profile = 0; profile < ranking.profiles.size(); ++profile) {
    columns.push_back({ranking.profiles[profile].file});
    const std::vector<TrafficRow> whole = ranking.whole(profile);
    for (const TrafficRow& first : ranking.whole(0)) {
      const auto same = std::find_if(whole.begin(), whole.end(), [&](const TrafficRow& row) {
        return row.design == first.design;
      });
      columns.back().cells.push_back(fmt::format("{}", same->rank));
    }
  }
  out << '\n';
  write_columns(out, columns);
}

}  // namespace

std::vector<std::string> verdict_on(const LaneRanking& ranking) {
  std::vector<std::string> all;
  for (size_t profile = 0; profile < ranking.profiles.size(); ++profile) {
    std::vector<Candidate> candidates;
    for (const TrafficRow& row : ranking.whole(profile))
      candidates.push_back(
          {row.design->name, figure_of(row, "cycles"), figure_of(row, kAreaOfCells)});
    for (const std::string& line : choice_lines(candidates, kAreaOfCells, "a move"))
      all.push_back(ranking.profiles.size() == 1 ? line
                                                 : ranking.profiles[profile].file + ": " + line);
  }
  return all;
}

Document ranking_document(const LaneRanking& ranking) {
  Document document =
      document_of("shflsim-compare-lanes/1", "rows", traffic_columns(), ranking.rows);
  document.json()["version"] = tool_version();
  document.json()["verdict"] = verdict_on(ranking);
  Json profiles = Json::array();
  for (const RankedProfile& each : ranking.profiles) {
    const traces::LaneProfile& profile = each.profile;
    profiles.push_back(Json{{"file", each.file},
                            {"source", profile.source},
                            {"hashes", profile.hashes},
                            {"arch", profile.arch ? isa::name_of(*profile.arch) : ""},
                            {"counted", profile.is_static ? "static" : "executed"},
                            {"lanes", profile.lanes},
                            {"moves", profile.count()},
                            {"families", profile.families.size()}});
  }
  document.json()["profiles"] = profiles;
  return document;
}

void write_ranking(std::ostream& out, const LaneRanking& ranking, size_t most) {
  for (size_t profile = 0; profile < ranking.profiles.size(); ++profile) {
    if (profile != 0) out << '\n';
    write_wrapped(out, head_of(ranking.profiles[profile]));
    if (!ranking.profiles[profile].profile.source.empty())
      write_wrapped(out, "source: " + ranking.profiles[profile].profile.source);
    const std::vector<TrafficRow> whole = ranking.whole(profile);
    write_whole(out, whole, std::min(most, whole.size()));
    write_families(out, ranking, profile, most);
  }
  write_ranks(out, ranking);
  const std::vector<std::string> verdict = verdict_on(ranking);
  if (!verdict.empty()) out << '\n';
  for (const std::string& line : verdict) write_wrapped(out, line);
}

}  // namespace shflsim::report
