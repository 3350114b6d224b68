// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "report/run/document.h"
#include "report/run/field.h"

namespace shflsim::report {

/// Rows of values with a key for each column.
struct Sheet {
  std::vector<std::string> keys;
  std::vector<std::vector<Value>> rows;
  std::vector<std::string> remarks = {};  ///< what a reader must know about the rows
};

/// The points of a sweep, one per row: input, kernel, config, the axes, the metrics, state. Values
/// of several points are combined by their geometric mean, or if any of the compared points has 0
/// by the arithmetic mean. Means are rounded to 12 digits before they are compared, so that equal
/// means compare equal (docs/sweeps.md, "Means, ties and fronts").
struct PointTable : Sheet {
  std::vector<std::string> axes;            ///< keys of the parameters that were varied
  std::vector<std::string> metrics;         ///< keys of the stored metrics
  std::vector<std::string> arguments = {};  ///< options of the launches, without duplicates

  /// The column of a key. Throws InputError that begins with `option` and names the nearest key.
  size_t column(const std::string& key, const std::string& option) const;
  /// The column of a metric, or of a coordinate: input, kernel, config or an axis.
  size_t metric(const std::string& key, const std::string& option) const;
  size_t coordinate(const std::string& key, const std::string& option) const;
  /// Keys that identify a point: input, kernel, config and the axes.
  std::vector<std::string> coordinates() const;
};
/// The points whose state is done.
PointTable done_points(const PointTable& table);

/// Designs (a config and values of the axes) with means of some metrics, over the launches for
/// which any design has all of them. A design that lacks a metric on a launch is left out.
struct DesignMeans {
  struct Design {
    std::vector<Value> key;     ///< config, values of the axes
    std::vector<double> means;  ///< by metric
  };
  std::vector<Design> designs;           ///< in the order of the grid
  std::vector<std::string> left_out_by;  ///< config of each design that was left out
  size_t without_figure = 0;             ///< designs done on all launches, with an unknown metric
  std::vector<bool> are_geometric;       ///< by metric
  size_t launches = 0;
};
/// `columns`: columns of metrics of finished points.
DesignMeans design_means(const PointTable& table, const std::vector<size_t>& columns);
/// Times this sign, less of a metric is better.
double sign_of(const std::string& metric);
/// What a reader must know about the means of these metrics.
std::vector<std::string> remarks_on(const DesignMeans& means,
                                    const std::vector<std::string>& metrics);

/// The best point of each launch, and the best design among those that are done on all launches; of
/// equally good ones the first of the grid. `as_good`: the number of the others.
Sheet best_points(const PointTable& table, const std::string& metric);
/// The designs that no other design dominates (equal in both metrics, better in one), sorted by the
/// first metric. `metrics`: two keys with a comma. Throws InputError.
Sheet pareto_points(const PointTable& table, const std::string& metrics);
/// A row for each value of one coordinate, a column for each value of another. `text`:
/// ROWS,COLUMNS,METRIC. Throws InputError.
Sheet pivot_points(const PointTable& table, const std::string& text);
/// For each value of each axis, the ratio of the metric to that with the axis' first value, all
/// else equal; the axis with the greatest effect first.
Sheet sensitive_axes(const PointTable& table, const std::string& metric);
/// Axes whose values do not change any measured metric of the points, except figures of the
/// hardware (report/run/metrics.h).
std::vector<std::string> axes_without_effect(const PointTable& table);

/// The fastest design of a sweep and its price, designs that are as fast or cheaper and close by,
/// and what the cycles depend on: at most five sentences, for finished points with cycles.
std::vector<std::string> verdict_on(const PointTable& table);

/// Writes the sheet as text.
void write_sheet(std::ostream& out, const Sheet& sheet);
/// The sheet for JSON and CSV: {"schema": "shflsim-results/1", "view": "points", "rows": [...]}.
Document document_of(const Sheet& sheet, const std::string& view);
/// The document of all points, with the verdict on the finished ones.
Document points_document(const PointTable& table);

}  // namespace shflsim::report
