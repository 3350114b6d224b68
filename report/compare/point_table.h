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
  std::vector<std::string> remarks = {};  ///< what a reader has to know of the rows
};

/// The points of a sweep, a row each: input, kernel, config, the axes, the metrics, state. What is
/// made of several points is their geometric mean, or where a point has 0 the arithmetic mean of
/// all that are compared. Means are rounded to 12 digits before they are compared, so that equal
/// ones are equal (docs/sweeps.md, "Means, ties and fronts").
struct PointTable : Sheet {
  std::vector<std::string> axes;            ///< keys of the parameters that were varied
  std::vector<std::string> metrics;         ///< keys of what was kept
  std::vector<std::string> arguments = {};  ///< options of the launches, each once

  /// The column of a key. Throws InputError, with the nearest one; `option` begins it.
  size_t column(const std::string& key, const std::string& option) const;
  /// The column of a metric, and of a coordinate: input, kernel, config or an axis.
  size_t metric(const std::string& key, const std::string& option) const;
  size_t coordinate(const std::string& key, const std::string& option) const;
  /// Keys that identify a point: input, kernel, config and the axes.
  std::vector<std::string> coordinates() const;
};
/// The points that are done.
PointTable done_points(const PointTable& table);

/// Designs (a config and values of the axes) with a mean of each of some metrics, over the launches
/// on which any design has them all. A design that lacks one on a launch is left out.
struct DesignMeans {
  struct Design {
    std::vector<Value> key;     ///< config, values of the axes
    std::vector<double> means;  ///< by metric
  };
  std::vector<Design> designs;           ///< in the order of the grid
  std::vector<std::string> left_out_by;  ///< by design that was left out: its config
  size_t without_figure = 0;             ///< done on all launches, but one metric is not known
  std::vector<bool> are_geometric;       ///< by metric
  size_t launches = 0;
};
/// `columns`: of metrics, of points that are done.
DesignMeans design_means(const PointTable& table, const std::vector<size_t>& columns);
/// With it, less of a metric is better.
double sign_of(const std::string& metric);
/// What a reader has to know of the means of these metrics.
std::vector<std::string> remarks_on(const DesignMeans& means,
                                    const std::vector<std::string>& metrics);

/// The best point of each launch, and the best design among those that are done on all launches:
/// the first of the grid where several are as good. `as_good`: the number of the others.
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

/// Which design of a sweep is fastest, at which price, who is as fast, who is cheaper and close by,
/// and what the cycles depend on: at most five sentences, for points that are done and have cycles.
std::vector<std::string> verdict_on(const PointTable& table);

/// For reading.
void write_sheet(std::ostream& out, const Sheet& sheet);
/// As JSON and CSV: {"schema": "shflsim-results/1", "view": "points", "rows": [...]}.
Document document_of(const Sheet& sheet, const std::string& view);
/// The document of all points, with the verdict on those that are done.
Document points_document(const PointTable& table);

}  // namespace shflsim::report
