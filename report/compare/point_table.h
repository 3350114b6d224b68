// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "report/run/document.h"
#include "report/run/field.h"

namespace shflsim::report {

/// Rows under keys.
struct Sheet {
  std::vector<std::string> keys;
  std::vector<std::vector<Value>> rows;
};

/// The points of a sweep, a row each: input, kernel, config, the axes, the metrics, state. What is
/// made of several points is their geometric mean, or where one is 0 the arithmetic mean.
struct PointTable : Sheet {
  std::vector<std::string> axes;     ///< keys of the parameters that were varied
  std::vector<std::string> metrics;  ///< keys of what was kept

  /// The column of a key. Throws InputError, with the nearest one; `option` begins it.
  size_t column(const std::string& key, const std::string& option) const;
  /// The same for one of the metrics, and for input, kernel, config or one of the axes.
  size_t metric(const std::string& key, const std::string& option) const;
  size_t coordinate(const std::string& key, const std::string& option) const;
  /// Keys that identify a point: input, kernel, config and the axes.
  std::vector<std::string> coordinates() const;
};
/// The points that are done.
PointTable done_points(const PointTable& table);

/// The best point of each launch, and the best design (a config and values of the axes) among
/// designs that are done on all launches.
Sheet best_points(const PointTable& table, const std::string& metric);
/// The designs to which no other design is equal in both metrics and better in one, by the first.
/// `metrics`: two, with a comma. Throws InputError.
Sheet pareto_points(const PointTable& table, const std::string& metrics);
/// A row for each value of one coordinate, a column for each of another. `text`:
/// ROWS,COLUMNS,METRIC. Throws InputError.
Sheet pivot_points(const PointTable& table, const std::string& text);
/// For each value of each axis, how many times the metric is what it is with the axis' first value,
/// all else equal; the axis that changes most first.
Sheet sensitive_axes(const PointTable& table, const std::string& metric);
/// Axes whose values make no difference to anything that was measured on the points, the hardware's
/// own figures (report/run/metrics.h) aside.
std::vector<std::string> axes_without_effect(const PointTable& table);

/// For reading.
void write_sheet(std::ostream& out, const Sheet& sheet);
/// As JSON and CSV: {"schema": "shflsim-results/1", "view": "points", "rows": [...]}.
Document document_of(const Sheet& sheet, const std::string& view);

}  // namespace shflsim::report
