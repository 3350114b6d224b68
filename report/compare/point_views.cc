// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "isa/base/input_error.h"
#include "report/compare/point_groups.h"
#include "report/compare/point_table.h"
#include "report/run/metrics.h"

namespace shflsim::report {
namespace {

std::vector<std::string> parts_of(const std::string& text, size_t count,
                                  const std::string& expected) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (parts.size() != count) throw InputError("'" + text + "'; expected " + expected);
  return parts;
}

std::vector<std::string> design_keys(const PointTable& table) {
  std::vector<std::string> keys = {"config"};
  keys.insert(keys.end(), table.axes.begin(), table.axes.end());
  return keys;
}

Row joined(const Key& first, const Key& then) {
  Row row = first;
  row.insert(row.end(), then.begin(), then.end());
  return row;
}

/// The best point of a launch so far, and the number of others that are as good.
struct Best {
  const Row* row = nullptr;
  uint64_t as_good = 0;

  void try_row(const Row& its, size_t column, double sign) {
    const double value = sign * number_of(its[column]);
    const double best = row == nullptr ? value + 1 : sign * number_of((*row)[column]);
    if (value == best) ++as_good;
    if (value >= best) return;
    row = &its;
    as_good = 0;
  }
};

/// The best design over all launches, as a row; nothing if there is none.
std::vector<Row> best_of_all(const DesignMeans& means, double sign) {
  const DesignMeans::Design* best = nullptr;
  uint64_t as_good = 0;
  for (const DesignMeans::Design& design : means.designs) {
    const double its = sign * design.means.front();
    if (best != nullptr && its == sign * best->means.front()) ++as_good;
    if (best != nullptr && its >= sign * best->means.front()) continue;
    best = &design;
    as_good = 0;
  }
  if (best == nullptr) return {};
  Row row = joined({std::string("all (mean)"), std::string(), best->means.front()}, best->key);
  row.emplace_back(as_good);
  return {row};
}

}  // namespace

Sheet best_points(const PointTable& table, const std::string& metric) {
  const size_t column = table.metric(metric, "--best");
  const double sign = sign_of(metric);
  Ordered<Best> best;
  for (const Row& row : table.rows) {
    if (!std::isnan(number_of(row[column]))) best.at(launch_of(row)).try_row(row, column, sign);
  }
  Sheet sheet{{"input", "kernel", metric}, {}};
  for (const std::string& key : design_keys(table)) sheet.keys.push_back(key);
  sheet.keys.emplace_back("as_good");
  for (const auto& [launch, its] : best.items()) {
    sheet.rows.push_back(joined(joined(launch, {(*its.row)[column]}), design_of(table, *its.row)));
    sheet.rows.back().emplace_back(its.as_good);
  }
  if (sheet.rows.size() < 2) return sheet;
  const DesignMeans means = design_means(table, {column});
  sheet.remarks = remarks_on(means, {metric});
  for (Row& row : best_of_all(means, sign)) sheet.rows.push_back(std::move(row));
  return sheet;
}

namespace {

/// A design rated by two metrics, smaller being better.
struct Rated {
  double x = 0;
  double y = 0;
  Row row;
};

std::vector<Rated> rated_designs(const DesignMeans& means,
                                 const std::vector<std::string>& metrics) {
  std::vector<Rated> designs;
  for (const DesignMeans::Design& design : means.designs) {
    const double x = design.means[0];
    const double y = design.means[1];
    designs.push_back({sign_of(metrics[0]) * x, sign_of(metrics[1]) * y,
                       joined({Value(x), Value(y)}, design.key)});
  }
  return designs;
}

/// The designs that no other one dominates (as good in both, better in one), sorted by x; equal
/// ones in the order of the grid.
std::vector<Rated> frontier(std::vector<Rated> designs) {
  std::stable_sort(designs.begin(), designs.end(), [](const Rated& a, const Rated& b) {
    return std::pair(a.x, a.y) < std::pair(b.x, b.y);
  });
  std::vector<Rated> best;
  for (Rated& design : designs) {
    const bool is_better = best.empty() || design.y < best.back().y;
    const bool is_equal = !is_better && design.x == best.back().x && design.y == best.back().y;
    if (is_better || is_equal) best.push_back(std::move(design));
  }
  return best;
}

}  // namespace

Sheet pareto_points(const PointTable& table, const std::string& metrics) {
  Sheet sheet{parts_of(metrics, 2, "two metrics with a comma, such as cycles,mux2"), {}};
  const std::vector<std::string> names = sheet.keys;
  const DesignMeans means =
      design_means(table, {table.metric(names[0], "--pareto"), table.metric(names[1], "--pareto")});
  for (Rated& design : frontier(rated_designs(means, names)))
    sheet.rows.push_back(std::move(design.row));
  for (const std::string& key : design_keys(table)) sheet.keys.push_back(key);
  sheet.remarks = remarks_on(means, names);
  return sheet;
}

namespace {

/// A remark if means combine results of different chips; none for a single chip.
std::vector<std::string> remarks_on_chips(const PointTable& table, const std::string& what) {
  std::set<std::string> configs;
  for (const Row& row : table.rows) configs.insert(std::get<std::string>(row[kLaunchColumns]));
  if (configs.size() < 2) return {};
  const std::vector<std::string> names(configs.begin(), configs.end());
  return {fmt::format("{} of points on {}", what, fmt::join(names, ", "))};
}

}  // namespace

Sheet pivot_points(const PointTable& table, const std::string& text) {
  const std::vector<std::string> names =
      parts_of(text, 3, "ROWS,COLUMNS,METRIC, such as kernel,shuffle.lanes,cycles");
  const size_t down = table.coordinate(names[0], "--pivot");
  const size_t across = table.coordinate(names[1], "--pivot");
  const size_t metric = table.metric(names[2], "--pivot");
  Ordered<std::map<Key, Mean>> cells;
  Ordered<bool> columns;
  for (const Row& row : table.rows) {
    columns.at({row[across]}) = true;
    const double value = number_of(row[metric]);
    Mean& mean = cells.at({row[down]})[{row[across]}];
    if (!std::isnan(value)) mean.add(value);
  }
  bool is_geometric = true;
  for (const auto& [name, of_column] : cells.items()) {
    for (const auto& [column_key, mean] : of_column)
      is_geometric = is_geometric && mean.is_positive();
  }
  Sheet sheet{{names[0]}, {}};
  for (const auto& [column, is_there] : columns.items()) {
    const auto* word = std::get_if<std::string>(&column.front());
    sheet.keys.push_back(word != nullptr ? *word
                                         : std::to_string(std::get<uint64_t>(column.front())));
  }
  for (const auto& [name, of_column] : cells.items()) {
    Row row = name;
    for (const auto& [column, is_there] : columns.items()) {
      const auto cell = of_column.find(column);
      row.push_back(cell == of_column.end() ? Value() : cell->second.value(is_geometric));
    }
    sheet.rows.push_back(std::move(row));
  }
  if (names[0] != "config" && names[1] != "config")
    sheet.remarks = remarks_on_chips(table, names[2] + ": means");
  return sheet;
}

namespace {

/// Points that agree in all coordinates except one, by their value of that one.
Ordered<std::map<Value, const Row*>> groups_beside(const PointTable& table, size_t column) {
  const size_t coordinates = table.coordinates().size();
  Ordered<std::map<Value, const Row*>> groups;
  for (const Row& row : table.rows) {
    Key others(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(coordinates));
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(column));
    groups.at(others)[row[column]] = &row;
  }
  return groups;
}

/// The ratio of the metric to that with the first value of an axis, by value.
struct AxisEffect {
  std::string key;
  Ordered<Mean> ratios;
  double spread = 0;
};

AxisEffect effect_of(const PointTable& table, const std::string& key, size_t metric) {
  const size_t column = table.coordinate(key, "--sensitivity");
  AxisEffect effect{key, {}, 0};
  for (const Row& row : table.rows) effect.ratios.at({row[column]});
  if (effect.ratios.items().empty()) return effect;
  const Value first = effect.ratios.items().front().first.front();
  const auto groups = groups_beside(table, column);
  for (const auto& [others, rows] : groups.items()) {
    const auto base = rows.find(first);
    if (base == rows.end() || !(number_of((*base->second)[metric]) > 0)) continue;
    for (const auto& [value, row] : rows) {
      const double ratio = number_of((*row)[metric]) / number_of((*base->second)[metric]);
      if (!std::isnan(ratio)) effect.ratios.at({value}).add(ratio);
    }
  }
  double least = INFINITY;
  double most = 0;
  for (const auto& [value, mean] : effect.ratios.items()) {
    if (mean.count() == 0) continue;
    least = std::min(least, number_of(mean.value()));
    most = std::max(most, number_of(mean.value()));
  }
  effect.spread = most - least;
  return effect;
}

}  // namespace

Sheet sensitive_axes(const PointTable& table, const std::string& metric) {
  const size_t column = table.metric(metric, "--sensitivity");
  std::vector<AxisEffect> effects;
  for (const std::string& key : design_keys(table)) {
    AxisEffect effect = effect_of(table, key, column);
    if (effect.ratios.items().size() > 1) effects.push_back(std::move(effect));
  }
  std::stable_sort(effects.begin(), effects.end(),
                   [](const AxisEffect& a, const AxisEffect& b) { return a.spread > b.spread; });
  Sheet sheet{{"axis", "value", metric + "_ratio", "points"}, {}};
  for (const AxisEffect& effect : effects) {
    for (const auto& [value, mean] : effect.ratios.items())
      sheet.rows.push_back({effect.key, value.front(), mean.value(), uint64_t{mean.count()}});
  }
  return sheet;
}

namespace {

/// Columns of metrics that do not follow from the config alone.
std::vector<size_t> measured_columns(const PointTable& table) {
  std::vector<size_t> columns;
  for (const std::string& metric : table.metrics) {
    if (!is_of_hardware(metric) && metric != "energy_nj")
      columns.push_back(table.metric(metric, "metrics"));
  }
  return columns;
}

bool are_equal(const Row& a, const Row& b, const std::vector<size_t>& columns) {
  return std::all_of(columns.begin(), columns.end(), [&](size_t i) { return a[i] == b[i]; });
}

/// True if points that differ only in this column were compared, and all were equal.
bool is_without_effect(const PointTable& table, size_t column,
                       const std::vector<size_t>& measured) {
  size_t compared = 0;
  const auto groups = groups_beside(table, column);
  for (const auto& [others, rows] : groups.items()) {
    const Row& first = *rows.begin()->second;
    for (const auto& [value, row] : rows) {
      if (!are_equal(*row, first, measured)) return false;
    }
    compared += rows.size() - 1;
  }
  return compared != 0;
}

}  // namespace

std::vector<std::string> axes_without_effect(const PointTable& table) {
  const std::vector<size_t> measured = measured_columns(table);
  std::vector<std::string> idle;
  for (const std::string& key : table.axes) {
    const size_t column = table.coordinate(key, "axes");
    if (!measured.empty() && is_without_effect(table, column, measured)) idle.push_back(key);
  }
  return idle;
}

}  // namespace shflsim::report
