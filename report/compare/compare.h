// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "model/config/config.h"
#include "model/core/run_result.h"
#include "report/compare/compare_ports.h"
#include "report/run/columns.h"
#include "report/run/design_cost.h"
#include "report/run/document.h"
#include "report/run/metrics.h"
#include "traces/trace.h"

namespace shflsim::report {

/// A machine under comparison, as its config layers describe it.
struct Design {
  std::string name;
  model::ConfigLayers layers;
};

/// A kernel launch that is compared.
struct Workload {
  std::string name;
  traces::Trace trace;
  Origin origin = {};  ///< without a machine
};

/// Every workload on every design (sweep/compare.h runs them). The first design is the
/// reference.
struct Comparison {
  std::vector<Workload> workloads;
  std::vector<Design> designs;
  std::vector<Machine> machines;                      ///< by design
  std::vector<DesignCost> costs;                      ///< by design
  std::vector<std::vector<model::RunResult>> points;  ///< by workload and design; without config
  std::vector<std::vector<PortUseReport>> ports;      ///< by workload and design
  std::vector<std::vector<WatchedFigures>> watched;   ///< by both; empty if not watched
  std::vector<std::string> dominated_by;  ///< by design: what dominates it; set by pareto()
};

/// Marks the designs that another one dominates: at least as good in both figures and better in
/// one. `figures`: two keys of design_columns() with a comma, "cycles,mux2". Throws InputError.
void pareto(const std::string& figures, Comparison* comparison);

/// Sorts the designs after the first, the reference, by a figure, the best first. `key`: a number
/// of design_columns(). Throws InputError.
void sort_designs(const std::string& key, Comparison* comparison);

/// A design, over all workloads.
struct DesignRow {
  const Comparison& comparison;
  size_t design;
};
/// A design, on one workload.
struct PointRow {
  const Comparison& comparison;
  size_t workload;
  size_t design;
};
/// The result of the workload on the design.
inline const model::RunResult& result_of(const PointRow& row) {
  return row.comparison.points[row.workload][row.design];
}
/// The result of the same workload on the first design.
inline const model::RunResult& first_of(const PointRow& row) {
  return row.comparison.points[row.workload].front();
}
const Fields<Comparison>& comparison_header();
const Fields<DesignRow>& design_columns();
/// Columns that identify a point, then those of totals().
const Fields<PointRow>& point_columns();

/// The difference of the warp-cycles at one instruction to those on the first design.
struct LineDifference {
  size_t index = 0;  ///< into Code::lines
  int64_t warp_cycles = 0;
  int64_t passes = 0;
  model::WarpState state{};  ///< state whose warp-cycles differ most
};
/// Instructions that differ from the first design, the greatest difference first.
std::vector<LineDifference> line_differences(const PointRow& row);
/// True if the point has the first design's cycles, passes and warp states, line by line.
bool equals_first(const PointRow& row);
/// True if equals_first() holds for all workloads.
bool changes_nothing(const DesignRow& row);

/// The parts of a comparison that write_comparison() prints.
struct Shown {
  size_t designs = SIZE_MAX;  ///< the first N designs
  size_t lines = 1;           ///< instructions named for each design
  bool ports = false;         ///< also passes of each SHFL and a picture of the ports' use
};
/// The fastest design over all workloads and its price, designs that are as fast or cheaper and
/// close by, and on how many workloads it is fastest. Empty for a single design.
std::vector<std::string> verdict_on(const Comparison& comparison);
/// Writes the designs as text, then for each workload where each design loses how many cycles.
void write_comparison(std::ostream& out, const Comparison& comparison, const Shown& shown);
/// Writes a table for each design with the workloads side by side: totals, states, and their ratios
/// to those of the first workload.
void write_programs(std::ostream& out, const Comparison& comparison);
/// False if a run was stopped before its warps ended.
bool is_complete(const Comparison& comparison);
/// The whole comparison as one JSON object: docs/schema/compare.schema.json.
Document comparison_document(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);
/// One row for each workload and design; its last columns identify the run.
std::string comparison_csv(const Comparison& comparison);

}  // namespace shflsim::report
