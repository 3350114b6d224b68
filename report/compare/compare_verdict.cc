// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "report/compare/choice.h"
#include "report/compare/compare.h"

namespace shflsim::report {
namespace {

constexpr const char* kPrice = "cell_area";

double design_figure(const Comparison& comparison, size_t design, const std::string& key) {
  for (const Field<DesignRow>& column : design_columns()) {
    if (column.key == key) return number_of(column.get({comparison, design}));
  }
  return NAN;
}

/// The number of workloads on which no other design has fewer cycles.
size_t workloads_won(const Comparison& comparison, size_t design) {
  size_t won = 0;
  for (const auto& of_workload : comparison.points) {
    const auto best = std::min_element(
        of_workload.begin(), of_workload.end(),
        [](const model::RunResult& a, const model::RunResult& b) { return a.cycles < b.cycles; });
    if (of_workload[design].cycles == best->cycles) ++won;
  }
  return won;
}

}  // namespace

std::vector<std::string> verdict_on(const Comparison& comparison) {
  std::vector<Candidate> candidates;
  for (size_t design = 0; design < comparison.designs.size(); ++design)
    candidates.push_back({comparison.designs[design].name,
                          design_figure(comparison, design, "cycles"),
                          design_figure(comparison, design, kPrice)});
  std::vector<std::string> lines =
      choice_lines(candidates, kPrice, comparison.workloads.size() == 1 ? "" : "sum");
  if (lines.empty()) return lines;
  const size_t best = fastest_of(candidates);
  const double speedup = design_figure(comparison, best, "speedup");
  if (best != 0)
    lines.front() +=
        fmt::format(", speedup {:.3f} against {}", speedup, comparison.designs.front().name);
  const DesignCost& cost = comparison.costs[best];
  const bool has_more_levels =
      cost.network_cost.mux_levels > comparison.costs.front().network_cost.mux_levels;
  if (has_more_levels && !cost.has_depth)
    lines.front() += fmt::format(", its {} levels not timed (shuffle.depth=1 times them)",
                                 cost.network_cost.mux_levels);
  if (comparison.workloads.size() > 1)
    lines.front() += fmt::format("; none is faster on {} of {} workloads",
                                 workloads_won(comparison, best), comparison.workloads.size());
  return lines;
}

}  // namespace shflsim::report
