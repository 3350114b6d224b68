// SPDX-License-Identifier: Apache-2.0
#include "report/run/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/run/head.h"
#include "report/terminal/text_table.h"

namespace shflsim::report {
namespace {

constexpr size_t kMostBounds = 3;     // most parts of the critical path in a sentence
constexpr double kLeastBound = 0.05;  // parts below this fraction of the run are not named
constexpr size_t kMostUnits = 2;      // most units in a sentence besides the shuffle unit

std::string percent(double fraction) { return fmt::format("{:.1f}%", 100 * fraction); }

/// "+24.6%"; "0.0%" for a change that rounds to zero.
std::string change_text(double fraction) {
  const bool is_none = std::abs(fraction) < 0.0005;
  return is_none ? "0.0%" : fmt::format("{:+.1f}%", 100 * fraction);
}

std::string bounds_text(const Verdict& verdict) {
  if (verdict.bounds.empty()) return "nothing: no cycle passed";
  std::string text;
  for (size_t i = 0; i < std::min(kMostBounds, verdict.bounds.size()); ++i) {
    const BoundShare& bound = verdict.bounds[i];
    if (i > 0 && bound.share < kLeastBound) break;
    const std::string of = bound.of.empty() ? "" : " (" + joined(bound.of, ", ") + ")";
    text += fmt::format("{}{}{} {}{}", i == 0 ? "" : ", ", bound.bound, of, percent(bound.share),
                        i == 0 ? " of the critical path" : "");
  }
  if (verdict.cut) text += fmt::format("; the path of the first {} cycles", *verdict.cut);
  return text;
}

std::string unit_text(const BusiestTenth& unit) {
  return fmt::format("{} {} in cycles {} to {}, {} of the run", unit.unit, percent(unit.share),
                     unit.from, unit.to, percent(unit.utilization));
}

std::string units_text(const Verdict& verdict) {
  std::string text;
  for (size_t i = 0; i < verdict.units.size(); ++i) {
    const BusiestTenth& unit = verdict.units[i];
    if (i >= kMostUnits && unit.unit != "shuffle") continue;
    text += (text.empty() ? "" : "; ") + unit_text(unit);
  }
  return text;
}

std::string what_if_text(const Verdict& verdict, const WhatIf& what_if) {
  const std::string settings = joined(what_if.settings, ", ");
  const std::optional<double> change = verdict.change_of(what_if);
  const std::string outcome = change ? change_text(*change) : "cannot run (" + what_if.error + ")";
  if (what_if.name.empty()) return settings + " " + outcome;
  return fmt::format("{} {} ({})", what_if.name, outcome, settings);
}

/// The what-ifs of the shuffle unit, or the user's if `are_own`, joined.
std::string what_ifs_text(const Verdict& verdict, bool are_own) {
  std::string text;
  for (const WhatIf& what_if : verdict.what_ifs) {
    if (what_if.name.empty() != are_own) continue;
    text += (text.empty() ? "" : ", ") + what_if_text(verdict, what_if);
  }
  return text;
}

/// Whether a what-if of the unit changes the cycles, and the greatest gain of one.
struct Effect {
  bool matters = false;
  double gain = 0;
};
Effect effect_of(const Verdict& verdict) {
  Effect effect;
  for (const WhatIf& what_if : verdict.what_ifs) {
    const std::optional<double> change = verdict.change_of(what_if);
    if (what_if.name.empty() || !change) continue;
    effect.matters |= std::abs(*change) >= kMatters;
    effect.gain = std::max(effect.gain, -*change);
  }
  return effect;
}

std::string shuffle_text(const Verdict& verdict) {
  if (verdict.shuffles == 0) return "does not matter: no SHFL issued";
  const std::string tried = what_ifs_text(verdict, false);
  if (tried.empty())
    return fmt::format("{} SHFLs issued; --what-if tries a change", verdict.shuffles);
  const Effect effect = effect_of(verdict);
  const std::string gain =
      effect.gain < kMatters ? "gains nothing" : "gains up to " + percent(effect.gain);
  return fmt::format("{}: {}; a better unit {}", effect.matters ? "matters" : "does not matter",
                     tried, gain);
}

}  // namespace

std::optional<double> Verdict::change_of(const WhatIf& what_if) const {
  if (!what_if.cycles || cycles == 0) return {};
  return static_cast<double>(*what_if.cycles) / static_cast<double>(cycles) - 1;
}

const Fields<BoundShare>& bound_columns() {
  using Row = BoundShare;
  static const Fields<Row> fields = {
      {"bound", "", "What this part of the critical path was spent on.",
       [](const Row& row) { return row.bound; }},
      {"of", "", "Operations that it was for, the most cycles first.",
       [](const Row& row) { return row.of; }},
      {"cycles", "cycles",
       "Cycles of the critical path; over all parts, the run's, or those of `cut`.",
       [](const Row& row) { return row.cycles; }},
      {"share", "fraction", "Their part of the path's cycles.",
       [](const Row& row) { return row.share; }},
  };
  return fields;
}

const Fields<BusiestTenth>& busiest_columns() {
  using Row = BusiestTenth;
  static const Fields<Row> fields = {
      {"unit", "", "Name of the unit, or an issue slot.", [](const Row& row) { return row.unit; }},
      {"share", "fraction", "Busy cycles in the tenth of the run in which it is busiest.",
       [](const Row& row) { return row.share; }},
      {"from", "cycles", "Where that tenth begins.", [](const Row& row) { return row.from; }},
      {"to", "cycles", "Where it ends.", [](const Row& row) { return row.to; }},
      {"utilization", "fraction", "Busy cycles as a part of the run's.",
       [](const Row& row) { return row.utilization; }},
  };
  return fields;
}

const Fields<WhatIfRow>& what_if_columns() {
  using Row = WhatIfRow;
  static const Fields<Row> fields = {
      {"name", "", "What changes of the shuffle unit; empty where --what-if asked for it.",
       [](const Row& row) { return row.what_if.name; }},
      {"settings", "", "KEY=VALUE set over the run's machine.",
       [](const Row& row) { return row.what_if.settings; }},
      {"cycles", "cycles", "Cycles of a run on that machine; null where it cannot run.",
       [](const Row& row) { return row.what_if.cycles; }},
      {"change", "fraction", "What these cycles are more than the run's, as a part of them.",
       [](const Row& row) -> Value {
         const std::optional<double> change = row.verdict.change_of(row.what_if);
         return change ? Value(*change) : Value();
       }},
      {"error", "", "Why the machine cannot run; null where it can.",
       [](const Row& row) -> Value {
         return row.what_if.error.empty() ? Value() : Value(row.what_if.error);
       }},
  };
  return fields;
}

std::vector<std::string> verdict_lines(const Verdict& verdict) {
  std::vector<std::string> lines = {"bound by: " + bounds_text(verdict)};
  const std::string units = units_text(verdict);
  if (!units.empty()) lines.push_back("busiest: " + units);
  lines.push_back("shuffle unit: " + shuffle_text(verdict));
  const std::string own = what_ifs_text(verdict, true);
  if (!own.empty()) lines.push_back("what if: " + own);
  return lines;
}

void write_verdict(std::ostream& out, const Verdict& verdict) {
  for (const std::string& line : verdict_lines(verdict)) write_wrapped(out, line);
}

}  // namespace shflsim::report
