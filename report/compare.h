// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/config/config.h"
#include "model/run_result.h"
#include "model/shuffle/shuffle_network.h"
#include "report/compare_ports.h"
#include "traces/trace.h"

namespace shflsim::report {

/// A machine under comparison, as its config layers describe it.
struct Design {
  std::string name;
  model::ConfigLayers layers;
};

/// A kernel launch under comparison.
struct Workload {
  std::string name;
  traces::Trace trace;
};

/// What a comparison keeps of one workload's run on one design.
struct Point {
  /// One static instruction, by index into Code::lines.
  struct Line {
    uint64_t issued = 0;
    uint64_t passes = 0;
    uint64_t port_conflicts = 0;
    model::StateCycles states{};
  };

  model::Cycle cycles = 0;
  std::vector<Line> lines;
};

/// The hardware of a design's shuffle units.
struct DesignCost {
  std::string network;
  uint32_t units = 1;  ///< in an SM
  model::NetworkCost network_cost;
  double pass_energy = 0;      ///< picojoules a pass (model/shuffle/shuffle_energy.h)
  double register_energy = 0;  ///< picojoules a SHFL, whatever its passes
};

/// Every workload on every design. The first design is what the others are compared with.
struct Comparison {
  std::vector<Workload> workloads;
  std::vector<Design> designs;
  std::vector<DesignCost> costs;                  ///< by design
  std::vector<std::vector<Point>> points;         ///< by workload, then by design
  std::vector<std::vector<PortUseReport>> ports;  ///< likewise
  std::vector<std::string> dominated_by;  ///< by design: who is as good and better; set by pareto()
};

/// Runs the points, `jobs` at a time, each in a process of its own since SystemC elaborates once a
/// process; the result does not depend on `jobs`. Throws what model::run throws, with the point's
/// workload and design in front.
Comparison compare(std::vector<Workload> workloads, std::vector<Design> designs, unsigned jobs);

/// Marks the designs for which another one is at least as good in both figures and better in one.
/// `figures`: two keys of design_columns() with a comma, "cycles,mux2". Throws InputError.
void pareto(const std::string& figures, Comparison* comparison);

/// A reported figure; empty where it does not apply.
using Figure = std::variant<std::monostate, int64_t, double, std::string>;

/// One key of the comparison, the same in text, JSON and CSV.
template <class Row>
struct Column {
  std::string key;
  std::string heading;  ///< in the text, one or two lines; "" = not in it
  std::function<Figure(const Row&)> get;
};

/// A design over all workloads.
struct DesignRow {
  const Comparison& comparison;
  size_t design;
};
/// A design on one workload.
struct PointRow {
  const Comparison& comparison;
  size_t workload;
  size_t design;
};
const std::vector<Column<DesignRow>>& design_columns();
const std::vector<Column<PointRow>>& point_columns();

/// How much longer than on the first design the warps stood in front of one instruction.
struct LineDifference {
  size_t index = 0;  ///< into Code::lines
  int64_t warp_cycles = 0;
  int64_t passes = 0;
  model::WarpState state{};  ///< that differs most
};
/// Instructions that differ from the first design's, the greatest difference first.
std::vector<LineDifference> line_differences(const PointRow& row);
/// True where the point has the first design's cycles, passes and warp states, line by line.
bool equals_first(const PointRow& row);

/// For reading: designs, then for each workload who loses how much and where. `top`: instructions
/// named for each. `with_ports`: also each SHFL's passes and a picture of the ports' use.
void write_comparison(std::ostream& out, const Comparison& comparison, unsigned top,
                      bool with_ports);
/// Everything, as one JSON object.
std::string comparison_json(const Comparison& comparison);
/// One row for each workload and design.
std::string comparison_csv(const Comparison& comparison);

}  // namespace shflsim::report
