// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/compare/choice.h"
#include "report/compare/point_groups.h"
#include "report/compare/point_table.h"
#include "report/run/field_table.h"

namespace shflsim::report {
namespace {

constexpr const char* kPrices[] = {"cell_area", "mux2"};  // the first that was kept

bool has_metric(const PointTable& table, const std::string& metric) {
  return std::find(table.metrics.begin(), table.metrics.end(), metric) != table.metrics.end();
}

/// "shuffle.network=crossbar, shuffle.lanes=32": what tells a design from the others.
std::string name_of(const PointTable& table, const std::vector<Value>& design,
                    const std::vector<bool>& varies) {
  std::string name;
  for (size_t i = 0; i < design.size(); ++i) {
    if (!varies[i]) continue;
    name += (name.empty() ? "" : ", ") + (i == 0 ? "config" : table.axes[i - 1]) + "=" +
            figure_text(design[i]);
  }
  return name;
}

/// By part of a design's key: whether it has several values.
std::vector<bool> varying_parts(const DesignMeans& means) {
  std::vector<bool> varies;
  for (size_t i = 0; i < means.designs.front().key.size(); ++i) {
    std::set<Value> values;
    for (const DesignMeans::Design& design : means.designs) values.insert(design.key[i]);
    varies.push_back(values.size() > 1);
  }
  return varies;
}

std::vector<Candidate> candidates_of(const PointTable& table, const DesignMeans& means) {
  const std::vector<bool> varies = varying_parts(means);
  std::vector<Candidate> candidates;
  for (const DesignMeans::Design& design : means.designs)
    candidates.push_back({name_of(table, design.key, varies), design.means[0],
                          design.means.size() > 1 ? design.means[1] : NAN});
  return candidates;
}

/// The axes that change the cycles most, with the range of their ratios to the first value's.
std::string axes_text(const PointTable& table) {
  constexpr size_t kMostAxes = 2;
  std::string text;
  size_t axes = 0;
  const Sheet sheet = sensitive_axes(table, "cycles");
  for (size_t first = 0; first < sheet.rows.size() && axes < kMostAxes; ++axes) {
    double least = 1;
    double most = 1;
    size_t row = first;
    for (; row < sheet.rows.size() && sheet.rows[row][0] == sheet.rows[first][0]; ++row) {
      const double ratio = number_of(sheet.rows[row][2]);
      if (std::isnan(ratio)) continue;
      least = std::min(least, ratio);
      most = std::max(most, ratio);
    }
    text += fmt::format("{}{}, {:.3f} to {:.3f} times the cycles of {}", axes == 0 ? "" : "; ",
                        std::get<std::string>(sheet.rows[first][0]), least, most,
                        figure_text(sheet.rows[first][1]));
    first = row;
  }
  return text;
}

}  // namespace

std::vector<std::string> verdict_on(const PointTable& table) {
  if (!has_metric(table, "cycles")) return {};
  std::vector<std::string> metrics = {"cycles"};
  for (const char* price : kPrices) {
    if (metrics.size() == 1 && has_metric(table, price)) metrics.emplace_back(price);
  }
  std::vector<size_t> columns;
  for (const std::string& metric : metrics) columns.push_back(table.metric(metric, "metrics"));
  const DesignMeans means = design_means(table, columns);
  std::vector<std::string> lines;
  if (!means.designs.empty()) {
    const std::string kind = means.are_geometric[0] ? "geometric" : "arithmetic";
    lines = choice_lines(
        candidates_of(table, means), metrics.size() > 1 ? metrics[1] : "",
        means.launches == 1 ? "" : fmt::format("{} mean over {} launches", kind, means.launches));
  }
  const std::string axes = axes_text(table);
  if (!lines.empty() && !axes.empty()) lines.push_back("hangs on: " + axes);
  for (const std::string& remark : remarks_on(means, {})) lines.push_back(remark);
  return lines;
}

}  // namespace shflsim::report
