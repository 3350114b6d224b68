// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "isa/base/input_error.h"
#include "report/compare/point_table.h"
#include "report/run/metrics.h"

namespace shflsim::report {
namespace {

using Row = std::vector<Value>;
using Key = std::vector<Value>;

/// With it, less of a metric is better.
double sign_of(const std::string& metric) {
  return metric == "ipc" || metric == "issue_active" ? -1 : 1;
}

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

/// The mean of what is put in.
class Mean {
 public:
  void add(double value) {
    ++count_;
    sum_ += value;
    logarithms_ += std::log(value);
    is_positive_ = is_positive_ && value > 0;
  }
  size_t count() const { return count_; }
  Value value() const {
    if (count_ == 0) return {};
    const auto count = static_cast<double>(count_);
    return is_positive_ ? std::exp(logarithms_ / count) : sum_ / count;
  }

 private:
  size_t count_ = 0;
  double sum_ = 0;
  double logarithms_ = 0;
  bool is_positive_ = true;
};

/// Things in the order in which their keys first come.
template <class Item>
class Ordered {
 public:
  Item& at(const Key& key) {
    const auto [place, is_new] = places_.emplace(key, items_.size());
    if (is_new) items_.emplace_back(key, Item());
    return items_[place->second].second;
  }
  const std::vector<std::pair<Key, Item>>& items() const { return items_; }

 private:
  std::map<Key, size_t> places_;
  std::vector<std::pair<Key, Item>> items_;
};

constexpr size_t kLaunchColumns = 2;  ///< input, kernel

Key launch_of(const Row& row) { return {row.begin(), row.begin() + kLaunchColumns}; }
/// Config and values of the axes.
Key design_of(const PointTable& table, const Row& row) {
  return {row.begin() + kLaunchColumns,
          row.begin() + static_cast<std::ptrdiff_t>(kLaunchColumns + 1 + table.axes.size())};
}
std::vector<std::string> design_keys(const PointTable& table) {
  std::vector<std::string> keys = {"config"};
  keys.insert(keys.end(), table.axes.begin(), table.axes.end());
  return keys;
}

/// A metric of each design that is done on every launch.
Ordered<Mean> means_of_designs(const PointTable& table, size_t metric) {
  std::set<Key> launches;
  Ordered<Mean> all;
  for (const Row& row : table.rows) {
    launches.insert(launch_of(row));
    const double value = number_of(row[metric]);
    if (!std::isnan(value)) all.at(design_of(table, row)).add(value);
  }
  Ordered<Mean> whole;
  for (const auto& [design, mean] : all.items()) {
    if (mean.count() == launches.size()) whole.at(design) = mean;
  }
  return whole;
}

Row joined(const Key& first, const Key& then) {
  Row row = first;
  row.insert(row.end(), then.begin(), then.end());
  return row;
}

}  // namespace

namespace {

/// The design that is the best over all launches, as a row; none where there is none.
std::vector<Row> best_of_all(const PointTable& table, size_t column, double sign) {
  const Ordered<Mean> means = means_of_designs(table, column);
  const auto first = std::min_element(
      means.items().begin(), means.items().end(), [sign](const auto& a, const auto& b) {
        return sign * number_of(a.second.value()) < sign * number_of(b.second.value());
      });
  if (first == means.items().end()) return {};
  return {joined({std::string("all (mean)"), std::string(), first->second.value()}, first->first)};
}

}  // namespace

Sheet best_points(const PointTable& table, const std::string& metric) {
  const size_t column = table.metric(metric, "--best");
  const double sign = sign_of(metric);
  Ordered<const Row*> best;
  for (const Row& row : table.rows) {
    const double value = number_of(row[column]);
    if (std::isnan(value)) continue;
    const Row*& so_far = best.at(launch_of(row));
    if (so_far == nullptr || sign * value < sign * number_of((*so_far)[column])) so_far = &row;
  }
  Sheet sheet{{"input", "kernel", metric}, {}};
  for (const std::string& key : design_keys(table)) sheet.keys.push_back(key);
  for (const auto& [launch, row] : best.items())
    sheet.rows.push_back(joined(joined(launch, {(*row)[column]}), design_of(table, *row)));
  if (sheet.rows.size() < 2) return sheet;
  for (Row& row : best_of_all(table, column, sign)) sheet.rows.push_back(std::move(row));
  return sheet;
}

namespace {

/// A design by two metrics, of which less is better.
struct Rated {
  double x = 0;
  double y = 0;
  Row row;
};

std::vector<Rated> rated_designs(const PointTable& table, const std::vector<std::string>& metrics) {
  const Ordered<Mean> xs = means_of_designs(table, table.metric(metrics[0], "--pareto"));
  Ordered<Mean> ys = means_of_designs(table, table.metric(metrics[1], "--pareto"));
  std::vector<Rated> designs;
  for (const auto& [design, x] : xs.items()) {
    const Value y = ys.at(design).value();
    if (is_empty(y)) continue;
    designs.push_back({sign_of(metrics[0]) * number_of(x.value()),
                       sign_of(metrics[1]) * number_of(y), joined({x.value(), y}, design)});
  }
  return designs;
}

/// Those that no other one is as good as in both and better in one, by x.
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
  for (Rated& design : frontier(rated_designs(table, sheet.keys)))
    sheet.rows.push_back(std::move(design.row));
  for (const std::string& key : design_keys(table)) sheet.keys.push_back(key);
  return sheet;
}

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
      row.push_back(cell == of_column.end() ? Value() : cell->second.value());
    }
    sheet.rows.push_back(std::move(row));
  }
  return sheet;
}

namespace {

/// Points that are alike in all coordinates but one, by their value of that one.
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

/// How many times the metric is what it is with the first value, by value.
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

/// Columns of what was measured, and does not follow from the config alone.
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

/// Whether points were compared that differ in this column alone, and all were equal.
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
