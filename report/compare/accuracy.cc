// SPDX-License-Identifier: Apache-2.0
#include "report/compare/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/run/report.h"
#include "report/run/rows.h"
#include "report/terminal/text_table.h"

namespace shflsim::report {
namespace {

/// Mean absolute errors of one group of points, in percent.
struct Group {
  size_t points = 0;
  double span = 0;
  double warp = 0;

  double worse() const { return std::max(span, warp); }
};

Group group_of(const Accuracy& accuracy, bool of_thin) {
  Group group;
  for (const AccuracyPoint& point : accuracy.points) {
    if (point.is_thin != of_thin) continue;
    group.span += std::abs(point.span.error);
    group.warp += std::abs(point.warp.error);
    ++group.points;
  }
  if (group.points == 0) return group;
  group.span /= static_cast<double>(group.points);
  group.warp /= static_cast<double>(group.points);
  return group;
}

const char* placement_of(const AccuracyPoint& point) {
  return point.one_sub_partition ? "one" : "spread";
}

/// On a narrow screen the errors are left out last, and before them the modelled times.
void add_columns(const char* name, ModelledTime AccuracyPoint::*time, size_t rank,
                 const std::vector<AccuracyPoint>& points, std::vector<TextColumn>* columns) {
  TextColumn measured{fmt::format("{}\nmeas.", name), false, false, {}, rank + 4};
  TextColumn modelled{fmt::format("{}\nmodel", name), false, false, {}, rank + 2};
  TextColumn error{fmt::format("{}\nerror", name), false, false, {}, rank};
  for (const AccuracyPoint& point : points) {
    measured.cells.push_back(fmt::format("{}", (point.*time).measured));
    modelled.cells.push_back(fmt::format("{}", (point.*time).modelled));
    error.cells.push_back(fmt::format("{:.1f}%", (point.*time).error));
  }
  columns->insert(columns->end(), {measured, modelled, error});
}

void write_points(std::ostream& out, const std::vector<AccuracyPoint>& points) {
  std::vector<TextColumn> columns = {{"kernel", true, true}, {"placed", true}, {"warps"}};
  for (const AccuracyPoint& point : points) {
    columns[0].cells.push_back(point.kernel);
    columns[1].cells.emplace_back(placement_of(point));
    columns[2].cells.push_back(std::to_string(point.warps));
  }
  add_columns("span", &AccuracyPoint::span, 1, points, &columns);
  add_columns("warp", &AccuracyPoint::warp, 2, points, &columns);
  write_columns(out, columns);
}

void write_group(std::ostream& out, const char* name, const Group& group) {
  write_line(out,
             fmt::format("{}: mean absolute error of warp_median {:.2f} %, span_median {:.2f} % "
                         "({} points)",
                         name, group.warp, group.span, group.points));
}

}  // namespace

double mean_error(const Accuracy& accuracy, bool of_thin) {
  return group_of(accuracy, of_thin).worse();
}

const Fields<Accuracy>& accuracy_header() {
  using Row = Accuracy;
  static const Fields<Row> fields = {
      {"schema", "", "Name and version of this layout; the version changes when a key goes.",
       [](const Row&) { return "shflsim-accuracy/1"; }},
      {"version", "", "Version of shflsim.", [](const Row&) { return tool_version(); }},
      {"input", "", "The listing.", [](const Row& row) { return row.origin.input; }},
      {"timing", "", "The timing file.", [](const Row& row) { return row.timing; }},
      {"arguments", "", "Options of the runs that were given.",
       [](const Row& row) { return row.origin.arguments; }},
      {"mape_1_4_warps", "percent",
       "Mean absolute error with at most one warp a sub-partition; the worse of span and warp.",
       [](const Row& row) { return mean_error(row, true); }},
      {"mape_8_32_warps", "percent",
       "Mean absolute error with more warps than sub-partitions; the worse of span and warp.",
       [](const Row& row) { return mean_error(row, false); }},
  };
  return fields;
}

const Fields<AccuracyPoint>& accuracy_columns() {
  using Row = AccuracyPoint;
  static const Fields<Row> fields = {
      {"kernel", "", "Name of the kernel.", [](const Row& row) { return row.kernel; }},
      {"placement", "", "Its warps are spread over the sub-partitions, or all on one.",
       [](const Row& row) { return placement_of(row); }},
      {"warps", "warps", "Warps of its block.", [](const Row& row) { return uint64_t{row.warps}; }},
      {"span_measured", "cycles", "First clock read of any warp to the last of any, measured.",
       [](const Row& row) { return row.span.measured; }},
      {"span_modelled", "cycles", "First clock read of any warp to the last of any, on the model.",
       [](const Row& row) { return row.span.modelled; }},
      {"span_error", "percent", "Its error; 0 within what repeated measurements gave.",
       [](const Row& row) { return row.span.error; }},
      {"warp_measured", "cycles", "Median over the warps of a warp's own time, measured.",
       [](const Row& row) { return row.warp.measured; }},
      {"warp_modelled", "cycles", "Median over the warps of a warp's own time, on the model.",
       [](const Row& row) { return row.warp.modelled; }},
      {"warp_error", "percent", "Its error; 0 within what repeated measurements gave.",
       [](const Row& row) { return row.warp.error; }},
  };
  return fields;
}

Document accuracy_document(const Accuracy& accuracy) {
  Document document = document_of("", "points", accuracy_columns(), accuracy.points);
  const Json points = std::move(document.json()["points"]);
  document.json() = object_of(accuracy_header(), accuracy);
  document.json()["machine"] = object_of(machine_columns(), accuracy.machine);
  document.json()["remarks"] = remarks_on(accuracy.machine);
  document.json()["points"] = points;
  return document;
}

void write_accuracy(std::ostream& out, const Accuracy& accuracy) {
  out << fmt::format("accuracy: {} points\n", accuracy.points.size());
  write_input(out, accuracy.origin);
  write_wrapped(out, "timing: " + accuracy.timing);
  write_machine(out, accuracy.machine);
  write_remarks(out, remarks_on(accuracy.machine));
  out << '\n';
  write_points(out, accuracy.points);
  const Group thin = group_of(accuracy, true);
  const Group more = group_of(accuracy, false);
  write_group(out, "1-4 warps", thin);
  write_group(out, "8-32 warps", more);
  write_line(out, fmt::format("MAPE 1-4 warps: {:.2f} %, 8-32 warps: {:.2f} % ({} points)",
                              thin.worse(), more.worse(), accuracy.points.size()));
}

}  // namespace shflsim::report
