// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sweep/condition.h"
#include "sweep/spec.h"

namespace shflsim::sweep {

/// The names of a kernel launch in conditions and results.
struct LaunchLabel {
  std::string input;  ///< FILE or FILE:KERNEL
  std::string kernel;
  std::string machine;  ///< its machine if the sweep names none
};

/// One point of a grid: indices of its launch, its config and its axes' values.
struct GridPoint {
  size_t launch = 0;
  size_t config = 0;
  std::vector<size_t> values;  ///< by Grid::keys()
};

/// The points of a sweep: every launch on every config with every combination of the values of the
/// axes and the zip, but not the excluded ones. Numbered from 0; the last factor varies fastest.
class Grid {
 public:
  /// `configs`: names; empty for each launch's own machine. Throws InputError for an invalid
  /// condition, for too many points, and if no point is left.
  Grid(std::vector<LaunchLabel> launches, std::vector<std::string> configs, const Spec& spec);

  size_t size() const { return points_.size(); }
  GridPoint at(size_t number) const;
  const std::vector<std::string>& keys() const { return keys_; }

  const LaunchLabel& launch(const GridPoint& point) const { return launches_[point.launch]; }
  const std::string& config(const GridPoint& point) const;
  const std::string& value(const GridPoint& point, size_t key) const;

 private:
  GridPoint decoded(uint64_t code) const;
  bool is_excluded(const GridPoint& point) const;

  std::vector<LaunchLabel> launches_;
  std::vector<std::string> configs_;
  std::vector<Axis> axes_;  ///< axes, then the axes of the zip
  size_t zipped_;           ///< number of axes in the zip, the last of `axes_`
  std::vector<std::string> keys_;
  std::vector<Condition> excludes_;
  std::vector<uint64_t> points_;  ///< index in the whole product
};

}  // namespace shflsim::sweep
