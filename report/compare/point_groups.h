// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/compare/point_table.h"

namespace shflsim::report {

// Helpers of the views of a sweep's points (report/compare/point_table.h).

using Row = std::vector<Value>;
using Key = std::vector<Value>;

/// Rounds to 12 digits, so that equal means of equal values are equal however they were computed.
inline double rounded(double value) { return std::stod(fmt::format("{:.12g}", value)); }

/// The mean of the added values.
class Mean {
 public:
  void add(double value) {
    ++count_;
    sum_ += value;
    logarithms_ += std::log(value);
    is_positive_ = is_positive_ && value > 0;
  }
  size_t count() const { return count_; }
  /// False: there is no geometric mean.
  bool is_positive() const { return is_positive_; }
  /// The mean. The mean of a single value is that value.
  double of_kind(bool is_geometric) const {
    const auto count = static_cast<double>(count_);
    if (count_ == 1) return rounded(sum_);
    return rounded(is_geometric ? std::exp(logarithms_ / count) : sum_ / count);
  }
  Value value(bool is_geometric = true) const {
    if (count_ == 0) return {};
    return of_kind(is_geometric && is_positive_);
  }

 private:
  size_t count_ = 0;
  double sum_ = 0;
  double logarithms_ = 0;
  bool is_positive_ = true;
};

/// Items in the order in which their keys were first used.
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

inline Key launch_of(const Row& row) { return {row.begin(), row.begin() + kLaunchColumns}; }
/// The config and the values of the axes.
inline Key design_of(const PointTable& table, const Row& row) {
  return {row.begin() + kLaunchColumns,
          row.begin() + static_cast<std::ptrdiff_t>(kLaunchColumns + 1 + table.axes.size())};
}

}  // namespace shflsim::report
