// SPDX-License-Identifier: Apache-2.0
#include "report/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <utility>

#include "isa/base/input_error.h"
#include "report/compare/point_table.h"

namespace shflsim::report {
namespace {

bool is_figure(const Field<DesignRow>& column) {
  switch (column.kind) {
    case ValueKind::kText:
    case ValueKind::kTexts:
    case ValueKind::kCounts: return false;
    case ValueKind::kFigureOrNone: return !column.unit.empty();
    default: return true;
  }
}

/// A figure of every design, negated if more is better; NaN if a design has none.
std::vector<double> figures_of(const std::string& option, const std::string& key,
                               const Comparison& comparison) {
  std::vector<std::string> known;
  for (const Field<DesignRow>& column : design_columns()) {
    if (!is_figure(column)) continue;
    known.push_back(column.key);
    if (column.key != key) continue;
    std::vector<double> figures;
    const double sign = key == "speedup" ? -1 : 1;
    for (size_t design = 0; design < comparison.designs.size(); ++design) {
      figures.push_back(sign * number_of(column.get({comparison, design})));
    }
    return figures;
  }
  throw InputError(option + ": no figure '" + key + "'" + suggestion(key, known));
}

/// The items in a new order.
template <class Item>
void reorder(const std::vector<size_t>& order, std::vector<Item>* items) {
  std::vector<Item> sorted;
  for (const size_t at : order) sorted.push_back(std::move((*items)[at]));
  *items = std::move(sorted);
}

}  // namespace

void sort_designs(const std::string& key, Comparison* comparison) {
  const std::vector<double> figures = figures_of("--sort", key, *comparison);
  std::vector<size_t> order(figures.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(std::next(order.begin()), order.end(), [&](size_t a, size_t b) {
    return figures[a] < figures[b] || (!std::isnan(figures[a]) && std::isnan(figures[b]));
  });
  reorder(order, &comparison->designs);
  reorder(order, &comparison->machines);
  reorder(order, &comparison->costs);
  reorder(order, &comparison->dominated_by);
  for (auto& of_workload : comparison->points) reorder(order, &of_workload);
  for (auto& of_workload : comparison->ports) reorder(order, &of_workload);
  for (auto& of_workload : comparison->watched) reorder(order, &of_workload);
}

void pareto(const std::string& figures, Comparison* comparison) {
  const size_t comma = figures.find(',');
  if (comma == std::string::npos) {
    throw InputError("--pareto '" + figures + "': expected two figures, such as cycles,mux2");
  }
  const std::vector<double> x = figures_of("--pareto", figures.substr(0, comma), *comparison);
  const std::vector<double> y = figures_of("--pareto", figures.substr(comma + 1), *comparison);
  for (size_t design = 0; design < x.size(); ++design) {
    comparison->dominated_by[design].clear();
    if (std::isnan(x[design]) || std::isnan(y[design])) {
      comparison->dominated_by[design] = "(a figure is not known)";
      continue;
    }
    for (size_t other = 0; other < x.size(); ++other) {
      const bool as_good = x[other] <= x[design] && y[other] <= y[design];
      const bool better = x[other] < x[design] || y[other] < y[design];
      if (!as_good || !better) continue;
      comparison->dominated_by[design] = comparison->designs[other].name;
      break;
    }
  }
}

namespace {

int64_t passes_at(const model::RunResult& result, size_t index) {
  const uint64_t passes = result.count("passes", index);
  return passes == model::StatColumn::kNone ? 0 : static_cast<int64_t>(passes);
}

}  // namespace

std::vector<LineDifference> line_differences(const PointRow& row) {
  const std::vector<model::InstructionStats>& base = first_of(row).instructions;
  const std::vector<model::InstructionStats>& lines = result_of(row).instructions;
  std::vector<LineDifference> differences;
  for (size_t index = 0; index < lines.size(); ++index) {
    LineDifference difference{index, 0, 0, model::WarpState::kSelected};
    difference.passes = passes_at(result_of(row), index) - passes_at(first_of(row), index);
    int64_t most = 0;
    for (const model::WarpState state : all_states()) {
      const auto s = static_cast<size_t>(state);
      const int64_t cycles = static_cast<int64_t>(lines[index].states[s]) -
                             static_cast<int64_t>(base[index].states[s]);
      difference.warp_cycles += cycles;
      if (std::abs(cycles) > most) difference.state = state;
      most = std::max(most, std::abs(cycles));
    }
    if (most != 0 || difference.passes != 0) differences.push_back(difference);
  }
  std::stable_sort(differences.begin(), differences.end(), [](const auto& a, const auto& b) {
    return std::abs(a.warp_cycles) > std::abs(b.warp_cycles);
  });
  return differences;
}

bool is_complete(const Comparison& comparison) {
  for (const auto& points : comparison.points) {
    for (const model::RunResult& result : points) {
      if (!result.stopped_by.empty()) return false;
    }
  }
  return true;
}

bool equals_first(const PointRow& row) {
  return result_of(row).cycles == first_of(row).cycles && line_differences(row).empty();
}

bool changes_nothing(const DesignRow& row) {
  for (size_t workload = 0; workload < row.comparison.workloads.size(); ++workload) {
    if (!equals_first({row.comparison, workload, row.design})) return false;
  }
  return true;
}

}  // namespace shflsim::report
