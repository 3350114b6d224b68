// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "report/columns.h"
#include "report/compare.h"

namespace shflsim::report {
namespace {

const Point& point_of(const PointRow& row) {
  return row.comparison.points[row.workload][row.design];
}
const Point& first_of(const PointRow& row) { return row.comparison.points[row.workload][0]; }
const DesignCost& cost_of(const DesignRow& row) { return row.comparison.costs[row.design]; }

/// What a unit's network needs, for as many units as the SM has.
uint64_t in_all_units(const DesignRow& row, uint64_t needed) { return needed * cost_of(row).units; }

int64_t whole(uint64_t value) { return static_cast<int64_t>(value); }

uint64_t passes_of(const Point& point) {
  uint64_t sum = 0;
  for (const Point::Line& line : point.lines) sum += line.passes;
  return sum;
}

uint64_t waits_of(const Point& point) {
  uint64_t sum = 0;
  for (const Point::Line& line : point.lines) sum += line.port_conflicts;
  return sum;
}

/// Warp-cycles in any state but `selected`.
uint64_t stalls_of(const Point& point) {
  uint64_t sum = 0;
  for (const Point::Line& line : point.lines) {
    sum += sum_of(line.states) - line.states[static_cast<size_t>(model::WarpState::kSelected)];
  }
  return sum;
}

uint64_t shuffles_of(const PointRow& row) {
  const isa::Code& code = row.comparison.workloads[row.workload].trace.code;
  uint64_t sum = 0;
  for (size_t index = 0; index < code.lines.size(); ++index) {
    if (code.lines[index].is_shuffle()) sum += point_of(row).lines[index].issued;
  }
  return sum;
}

/// Picojoules of all SHFLs: passes E_pass + SHFLs N e_register (model/shuffle/shuffle_energy.h).
double energy_of(const PointRow& row) {
  const DesignCost& cost = row.comparison.costs[row.design];
  return static_cast<double>(passes_of(point_of(row))) * cost.pass_energy +
         static_cast<double>(shuffles_of(row)) * cost.register_energy;
}

double speedup_of(const PointRow& row) {
  const model::Cycle cycles = point_of(row).cycles;
  return cycles == 0 ? 1 : static_cast<double>(first_of(row).cycles) / static_cast<double>(cycles);
}

template <class Value>
Value over_workloads(const DesignRow& row, Value (*value_of)(const PointRow&)) {
  Value sum = 0;
  for (size_t workload = 0; workload < row.comparison.workloads.size(); ++workload) {
    sum += value_of({row.comparison, workload, row.design});
  }
  return sum;
}

/// Geometric mean: a design twice as fast on one workload and half as fast on another has 1.
double mean_speedup(const DesignRow& row) {
  const double logarithms = over_workloads<double>(
      row, [](const PointRow& point) { return std::log(speedup_of(point)); });
  return std::exp(logarithms / static_cast<double>(row.comparison.workloads.size()));
}

int64_t stall_difference(const PointRow& row) {
  return whole(stalls_of(point_of(row))) - whole(stalls_of(first_of(row)));
}

/// "0x0010 SHFL.UP ..." of the line that differs most.
Figure most_different_line(const PointRow& row) {
  const std::vector<LineDifference> differences = line_differences(row);
  if (differences.empty()) return {};
  const isa::Code& code = row.comparison.workloads[row.workload].trace.code;
  const isa::CodeLine& line = code.lines[differences.front().index];
  return fmt::format("0x{:04x} {}", line.address, line.text);
}

Figure most_different_state(const PointRow& row) {
  const std::vector<LineDifference> differences = line_differences(row);
  if (differences.empty()) return {};
  return std::string(model::warp_state_name(differences.front().state));
}

}  // namespace

const std::vector<Column<DesignRow>>& design_columns() {
  using Row = const DesignRow&;
  static const std::vector<Column<DesignRow>> columns = {
      {"design", "design", [](Row r) { return r.comparison.designs[r.design].name; }},
      {"network", "", [](Row r) { return cost_of(r).network; }},
      {"cycles", "cycles",
       [](Row r) {
         return over_workloads<int64_t>(
             r, [](const PointRow& p) { return whole(point_of(p).cycles); });
       }},
      {"speedup", "speed\nup", [](Row r) { return mean_speedup(r); }},
      {"shuffles", "",
       [](Row r) {
         return over_workloads<int64_t>(r, [](const PointRow& p) { return whole(shuffles_of(p)); });
       }},
      {"passes", "SHFL\npasses",
       [](Row r) {
         return over_workloads<int64_t>(
             r, [](const PointRow& p) { return whole(passes_of(point_of(p))); });
       }},
      {"port_conflicts", "lane\nwaits",
       [](Row r) {
         return over_workloads<int64_t>(
             r, [](const PointRow& p) { return whole(waits_of(point_of(p))); });
       }},
      {"stall_difference", "stalls\ncaused",
       [](Row r) { return over_workloads(r, stall_difference); }},
      {"energy_nj", "energy\nnJ", [](Row r) { return over_workloads(r, energy_of) / 1000; }},
      {"pass_energy_pj", "pJ per\npass", [](Row r) { return cost_of(r).pass_energy; }},
      {"units", "units", [](Row r) { return int64_t{cost_of(r).units}; }},
      {"mux2", "2:1\nmuxes",
       [](Row r) { return whole(in_all_units(r, cost_of(r).network_cost.mux2)); }},
      {"switches", "switches",
       [](Row r) { return whole(in_all_units(r, cost_of(r).network_cost.switches)); }},
      {"mux_levels", "mux\nlevels",
       [](Row r) { return int64_t{cost_of(r).network_cost.mux_levels}; }},
      {"wire_tracks", "wire\ntracks",
       [](Row r) { return whole(in_all_units(r, cost_of(r).network_cost.wire_tracks)); }},
      {"wire_length", "wire\nlength",
       [](Row r) { return whole(cost_of(r).network_cost.wire_length); }},
      {"configuration_bits", "conf.\nbits",
       [](Row r) { return whole(in_all_units(r, cost_of(r).network_cost.configuration_bits)); }},
      {"dominated_by", "dominated by", [](Row r) { return r.comparison.dominated_by[r.design]; }},
  };
  return columns;
}

const std::vector<Column<PointRow>>& point_columns() {
  using Row = const PointRow&;
  static const std::vector<Column<PointRow>> columns = {
      {"workload", "", [](Row r) { return r.comparison.workloads[r.workload].name; }},
      {"design", "design", [](Row r) { return r.comparison.designs[r.design].name; }},
      {"cycles", "cycles", [](Row r) { return whole(point_of(r).cycles); }},
      {"cycles_difference", "more",
       [](Row r) { return whole(point_of(r).cycles) - whole(first_of(r).cycles); }},
      {"speedup", "speed\nup", [](Row r) { return speedup_of(r); }},
      {"shuffles", "", [](Row r) { return whole(shuffles_of(r)); }},
      {"passes", "SHFL\npasses", [](Row r) { return whole(passes_of(point_of(r))); }},
      {"port_conflicts", "lane\nwaits", [](Row r) { return whole(waits_of(point_of(r))); }},
      {"stall_cycles", "", [](Row r) { return whole(stalls_of(point_of(r))); }},
      {"stall_difference", "stalls\ncaused", [](Row r) { return stall_difference(r); }},
      {"energy_nj", "energy\nnJ", [](Row r) { return energy_of(r) / 1000; }},
      {"most_at", "", most_different_line},
      {"most_by", "", most_different_state},
  };
  return columns;
}

}  // namespace shflsim::report
