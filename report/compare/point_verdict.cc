// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/compare/choice.h"
#include "report/compare/point_groups.h"
#include "report/compare/point_table.h"
#include "report/run/field_table.h"

namespace shflsim::report {
namespace {

constexpr const char* kPrices[] = {"cell_area", "mux2"};  // the first of these that is stored

bool has_metric(const PointTable& table, const std::string& metric) {
  return std::find(table.metrics.begin(), table.metrics.end(), metric) != table.metrics.end();
}

/// The parts of a design that vary: "shuffle.network=crossbar, shuffle.lanes=32".
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

/// For each part of a design's key, whether it has several values.
std::vector<bool> varying_parts(const DesignMeans& means) {
  std::vector<bool> varies;
  for (size_t i = 0; i < means.designs.front().key.size(); ++i) {
    std::set<Value> values;
    for (const DesignMeans::Design& design : means.designs) values.insert(design.key[i]);
    varies.push_back(values.size() > 1);
  }
  return varies;
}

/// `prices`: the designs whose prices are known.
std::vector<Candidate> candidates_of(const PointTable& table, const DesignMeans& means,
                                     const DesignMeans& prices) {
  const std::vector<bool> varies = varying_parts(means);
  std::map<std::vector<Value>, double> price_of;
  for (const DesignMeans::Design& design : prices.designs)
    price_of[design.key] = design.means.front();
  std::vector<Candidate> candidates;
  for (const DesignMeans::Design& design : means.designs) {
    const auto price = price_of.find(design.key);
    candidates.push_back({name_of(table, design.key, varies), design.means.front(),
                          price == price_of.end() ? NAN : price->second});
  }
  return candidates;
}

/// "shuffle.lanes, up to 1.825 times the cycles of 32", for the rows of one axis; the fastest value
/// is the reference.
std::string axis_text(const Sheet& sheet, size_t first, size_t end) {
  size_t best = first;
  double most = 1;
  const auto ratio = [&sheet](size_t row) { return number_of(sheet.rows[row][2]); };
  for (size_t row = first; row < end; ++row) {
    if (std::isnan(ratio(row))) continue;
    if (ratio(row) < ratio(best)) best = row;
    most = std::max(most, ratio(row));
  }
  return fmt::format("{}, up to {:.3f} times the cycles of {}",
                     std::get<std::string>(sheet.rows[first][0]), most / ratio(best),
                     figure_text(sheet.rows[best][1]));
}

/// Names the axes that change the cycles most.
std::string axes_text(const PointTable& table) {
  constexpr size_t kMostAxes = 2;
  std::string text;
  const Sheet sheet = sensitive_axes(table, "cycles");
  size_t end = 0;
  for (size_t axes = 0; end < sheet.rows.size() && axes < kMostAxes; ++axes) {
    const size_t first = end;
    while (end < sheet.rows.size() && sheet.rows[end][0] == sheet.rows[first][0]) ++end;
    text += (axes == 0 ? "" : "; ") + axis_text(sheet, first, end);
  }
  return text;
}

}  // namespace

std::vector<std::string> verdict_on(const PointTable& table) {
  if (!has_metric(table, "cycles")) return {};
  std::string price;
  for (const char* metric : kPrices) {
    if (price.empty() && has_metric(table, metric)) price = metric;
  }
  const DesignMeans means = design_means(table, {table.metric("cycles", "metrics")});
  DesignMeans prices;
  if (!price.empty()) prices = design_means(table, {table.metric(price, "metrics")});
  std::vector<std::string> lines;
  if (!means.designs.empty()) {
    const std::string kind = means.are_geometric[0] ? "geometric" : "arithmetic";
    lines = choice_lines(
        candidates_of(table, means, prices), price,
        means.launches == 1 ? "" : fmt::format("{} mean over {} launches", kind, means.launches));
  }
  const std::string axes = axes_text(table);
  if (!lines.empty() && !axes.empty()) lines.push_back("depends on: " + axes);
  for (const std::string& remark : remarks_on(means, {})) lines.push_back(remark);
  return lines;
}

}  // namespace shflsim::report
