// SPDX-License-Identifier: Apache-2.0
#include "sweep/grid.h"

#include <algorithm>
#include <utility>

#include "isa/base/bounded.h"

namespace shflsim::sweep {
namespace {

constexpr uint64_t kMostPoints = uint64_t{1} << 22;  ///< limit before points are excluded

std::vector<Axis> all_axes(const Spec& spec) {
  std::vector<Axis> all = spec.axes;
  all.insert(all.end(), spec.zip.begin(), spec.zip.end());
  return all;
}

}  // namespace

Grid::Grid(std::vector<LaunchLabel> launches, std::vector<std::string> configs, const Spec& spec)
    : launches_(std::move(launches)),
      configs_(std::move(configs)),
      axes_(all_axes(spec)),
      zipped_(spec.zip.size()),
      keys_(spec.keys()) {
  std::vector<std::string> known = {"input", "kernel", "config"};
  known.insert(known.end(), keys_.begin(), keys_.end());
  for (const model::Assignment& exclude : spec.excludes)
    excludes_.emplace_back(exclude.value, exclude.where(), known);
  uint64_t count = product_of(launches_.size(), std::max<size_t>(configs_.size(), 1));
  for (size_t i = 0; i < axes_.size() - zipped_; ++i)
    count = product_of(count, axes_[i].values.size());
  if (zipped_ != 0) count = product_of(count, axes_.back().values.size());
  bounded(count, kMostPoints, "a sweep", {spec.path}, "points");
  for (uint64_t code = 0; code < count; ++code) {
    if (excludes_.empty() || !is_excluded(decoded(code))) points_.push_back(code);
  }
  if (points_.empty())
    throw InputError({spec.path}, "has no point left; expected fewer conditions in [exclude]");
}

GridPoint Grid::at(size_t number) const { return decoded(points_[number]); }

const std::string& Grid::config(const GridPoint& point) const {
  return configs_.empty() ? launch(point).machine : configs_[point.config];
}

const std::string& Grid::value(const GridPoint& point, size_t key) const {
  return axes_[key].values[point.values[key]];
}

GridPoint Grid::decoded(uint64_t code) const {
  const auto digit = [&code](size_t radix) {
    const size_t its = code % radix;
    code /= radix;
    return its;
  };
  GridPoint point;
  point.values.resize(axes_.size());
  const size_t free = axes_.size() - zipped_;
  if (zipped_ != 0) {
    const size_t its = digit(axes_.back().values.size());
    std::fill(point.values.begin() + static_cast<std::ptrdiff_t>(free), point.values.end(), its);
  }
  for (size_t i = free; i-- > 0;) point.values[i] = digit(axes_[i].values.size());
  point.config = digit(std::max<size_t>(configs_.size(), 1));
  point.launch = digit(launches_.size());
  return point;
}

bool Grid::is_excluded(const GridPoint& point) const {
  const auto value_of = [&](const std::string& key) -> report::Value {
    if (key == "input") return launch(point).input;
    if (key == "kernel") return launch(point).kernel;
    if (key == "config") return config(point);
    const auto place = std::find(keys_.begin(), keys_.end(), key) - keys_.begin();
    return value(point, static_cast<size_t>(place));
  };
  return std::any_of(excludes_.begin(), excludes_.end(),
                     [&](const Condition& exclude) { return exclude.holds(value_of); });
}

}  // namespace shflsim::sweep
