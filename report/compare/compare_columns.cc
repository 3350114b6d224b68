// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/compare/compare.h"
#include "report/run/columns.h"
#include "report/run/report.h"
#include "report/run/shuffle_latency.h"

namespace shflsim::report {
namespace {

const DesignCost& cost_of(const DesignRow& row) { return row.comparison.costs[row.design]; }

int64_t whole(uint64_t value) { return static_cast<int64_t>(value); }

uint64_t passes_of(const PointRow& row) { return total_of(result_of(row), "passes"); }
uint64_t port_conflicts_of(const PointRow& row) {
  return total_of(result_of(row), "port_conflicts");
}

uint64_t shuffles_of(const PointRow& row) {
  return report::shuffles_of(row.comparison.workloads[row.workload].trace, result_of(row));
}

/// The energy of the SHFLs, picojoules.
double energy_of(const PointRow& row) {
  return report::energy_of(row.comparison.workloads[row.workload].trace, result_of(row),
                           row.comparison.costs[row.design]);
}

double speedup_of(const PointRow& row) {
  const model::Cycle cycles = result_of(row).cycles;
  return cycles == 0 ? 1 : static_cast<double>(first_of(row).cycles) / static_cast<double>(cycles);
}

template <class Number>
Number over_workloads(const DesignRow& row, Number (*value_of)(const PointRow&)) {
  Number sum = 0;
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
  return whole(stalls_of(result_of(row))) - whole(stalls_of(first_of(row)));
}

/// The line that differs most: "0x0010 SHFL.UP ...".
Value most_different_line(const PointRow& row) {
  const std::vector<LineDifference> differences = line_differences(row);
  if (differences.empty()) return {};
  const isa::Code& code = row.comparison.workloads[row.workload].trace.code;
  const isa::CodeLine& line = code.lines[differences.front().index];
  return fmt::format("0x{:04x} {}", line.address, line.text);
}

Value most_different_state(const PointRow& row) {
  const std::vector<LineDifference> differences = line_differences(row);
  if (differences.empty()) return {};
  return std::string(model::warp_state_name(differences.front().state));
}

uint64_t point_cycles(const PointRow& row) { return result_of(row).cycles; }

/// The SHFLs of all workloads by latency.
std::vector<uint64_t> latencies_of(const DesignRow& row) {
  std::vector<uint64_t> sum;
  for (size_t workload = 0; workload < row.comparison.workloads.size(); ++workload)
    add_latencies(shuffles_by_latency(row.comparison.workloads[workload].trace,
                                      result_of({row.comparison, workload, row.design})),
                  &sum);
  return sum;
}

Fields<DesignRow> speed_of_designs() {
  using Row = const DesignRow&;
  return {
      {"design", "", "Name of the design.",
       [](Row r) { return r.comparison.designs[r.design].name; }, "design"},
      {"network", "", "Its shuffle network.", [](Row r) { return cost_of(r).network; }},
      {"cycles", "cycles", "Of all workloads.",
       [](Row r) { return over_workloads(r, point_cycles); }, "cycles"},
      {"speedup", "", "Against the first design, geometric mean over the workloads.",
       [](Row r) { return mean_speedup(r); }, "speed\nup"},
      {"shuffles", "warp instructions", "SHFLs issued.",
       [](Row r) { return over_workloads<uint64_t>(r, shuffles_of); }},
      {"passes", "passes", "SHFL: passes through the network.",
       [](Row r) { return over_workloads(r, passes_of); }, "SHFL\npasses"},
      {"port_conflicts", "lanes", "SHFL: lanes that waited for a later pass, summed over passes.",
       [](Row r) { return over_workloads(r, port_conflicts_of); }, "port\nconfl"},
      {"stall_difference", "warp-cycles", "Stalled warp-cycles beyond the first design's.",
       [](Row r) { return over_workloads(r, stall_difference); }, "stalls\ncaused"},
      {"energy_nj", "nJ", "Energy of all SHFLs: their passes, operand reads and result writes.",
       [](Row r) -> Value {
         if (!cost_of(r).has_wires) return {};
         return over_workloads<double>(r, energy_of) / 1000;
       },
       "energy\nnJ"},
      {"shfl_energy_pj", "pJ", "Energy of a SHFL: its passes, operand read and result write; mean.",
       [](Row r) {
         return mean_energy(cost_of(r), over_workloads<uint64_t>(r, shuffles_of),
                            over_workloads<double>(r, energy_of));
       },
       "pJ per\nSHFL"},
      {"pass_energy_pj", "pJ", "Energy of a pass of the network that serves all lanes.",
       [](Row r) -> Value {
         return cost_of(r).has_wires ? Value(cost_of(r).pass_energy) : Value();
       }},
      {"shfl_latency_mean", "cycles", "SHFL: measured latency, mean over all SHFLs.",
       [](Row r) { return mean_latency(latencies_of(r)); }},
      {"shfl_latency_p95", "cycles", "SHFL: measured latency that 95 % of all SHFLs do not exceed.",
       [](Row r) { return latency_percentile(latencies_of(r), 95); }},
  };
}

/// The latency and its range: "25 (24-26)".
Value latency_range(const DesignRow& row) {
  const DesignCost& cost = cost_of(row);
  if (!cost.has_depth) return {};
  const auto [least, most] = std::minmax(cost.latency_least, cost.latency_most);
  if (least == most) return std::to_string(cost.latency);
  return fmt::format("{} ({}-{})", cost.latency, least, most);
}

/// A column of the hardware as a column of the design.
Field<DesignRow> of_design(const Field<DesignCost>& column) {
  Field<DesignRow> field{column.key, column.unit, column.help,
                         [&column](const DesignRow& row) { return column.get(cost_of(row)); },
                         column.heading};
  field.kind = column.kind;
  return field;
}

Fields<DesignRow> relations_of_designs() {
  using Row = const DesignRow&;
  return {
      {"latency_range", "",
       "With shuffle.depth: the latency, and in brackets at the least and the most lane pitch.",
       latency_range, "latency"},
      {"equal_to", "", "The first design, where every cycle, pass and stall is as there.",
       [](Row r) {
         const bool equal = r.design != 0 && changes_nothing(r);
         return equal ? r.comparison.designs.front().name : std::string();
       },
       "equal to"},
      {"dominated_by", "", "--pareto: a design as good in both figures and better in one.",
       [](Row r) { return r.comparison.dominated_by[r.design]; }, "dominated by"},
  };
}

Fields<PointRow> differences_of_points() {
  using Row = const PointRow&;
  return {
      {"workload", "", "Name of the kernel.",
       [](Row r) { return r.comparison.workloads[r.workload].name; }},
      {"design", "", "Name of the design.",
       [](Row r) { return r.comparison.designs[r.design].name; }, "design"},
      {"cycles", "cycles", "From the first cycle to the last warp's end.", point_cycles, "cycles"},
      {"cycles_difference", "cycles", "More than on the first design.",
       [](Row r) { return whole(result_of(r).cycles) - whole(first_of(r).cycles); }, "more"},
      {"speedup", "", "Against the first design.", speedup_of, "speed\nup"},
      {"shuffles", "warp instructions", "SHFLs issued.", shuffles_of},
      {"passes", "passes", "SHFL: passes through the network.", passes_of, "SHFL\npasses"},
      {"port_conflicts", "lanes", "SHFL: lanes that waited for a later pass, summed over passes.",
       port_conflicts_of, "port\nconfl"},
      {"stall_cycles", "warp-cycles", "Warp-cycles in any state but `selected`.",
       [](Row r) { return stalls_of(result_of(r)); }},
      {"stall_difference", "warp-cycles", "Stalled warp-cycles beyond the first design's.",
       stall_difference, "stalls\ncaused"},
      {"energy_nj", "nJ", "Energy of all SHFLs: their passes, operand reads and result writes.",
       [](Row r) -> Value {
         if (!r.comparison.costs[r.design].has_wires) return {};
         return energy_of(r) / 1000;
       },
       "energy\nnJ"},
      {"shfl_energy_pj", "pJ", "Energy of a SHFL: its passes, operand read and result write; mean.",
       [](Row r) {
         return mean_energy(r.comparison.costs[r.design], shuffles_of(r), energy_of(r));
       }},
      {"most_at", "", "The instruction whose warp-cycles differ most from the first design's.",
       most_different_line},
      {"most_by", "", "The state in which they do.", most_different_state},
  };
}

/// Adds the totals of a run that `fields` does not have.
void add_totals(Fields<PointRow>* fields) {
  std::set<std::string> known;
  for (const Field<PointRow>& field : *fields) known.insert(field.key);
  for (const Field<Run>& total : totals()) {
    if (known.count(total.key) != 0) continue;
    fields->push_back({total.key, total.unit, total.help, [&total](const PointRow& row) {
                         const Workload& workload = row.comparison.workloads[row.workload];
                         return total.get({workload.trace, result_of(row)});
                       }});
  }
}

/// Adds the watched figures, which are empty if the runs were not watched.
void add_watched(Fields<PointRow>* fields) {
  for (const Field<WatchedFigures>& field : watched_columns()) {
    fields->push_back({field.key, field.unit, field.help, [&field](const PointRow& row) {
                         const auto& all = row.comparison.watched;
                         return all.empty() ? Value() : field.get(all[row.workload][row.design]);
                       }});
  }
}

/// A watched figure of all workloads: the sum of warp-cycles, else the mean weighted by cycles.
Field<DesignRow> of_watched_design(const Field<WatchedFigures>& field) {
  return {field.key, field.unit, field.help, [&field](const DesignRow& row) -> Value {
            const auto& all = row.comparison.watched;
            double sum = 0;
            double cycles = 0;
            uint64_t count = 0;
            for (size_t workload = 0; workload < all.size(); ++workload) {
              const Value value = field.get(all[workload][row.design]);
              if (is_empty(value)) continue;
              if (const auto* its = std::get_if<uint64_t>(&value)) count += *its;
              const auto weight =
                  static_cast<double>(point_cycles({row.comparison, workload, row.design}));
              sum += number_of(value) * weight;
              cycles += weight;
            }
            if (cycles == 0) return {};
            return field.unit == "warp-cycles" ? Value(count) : Value(sum / cycles);
          }};
}

}  // namespace

const Fields<Comparison>& comparison_header() {
  static const Fields<Comparison> fields = {
      {"schema", "", "Name and version of this layout; the version changes when a key goes.",
       [](const Comparison&) { return "shflsim-compare/1"; }},
      {"version", "", "Version of shflsim.", [](const Comparison&) { return tool_version(); }},
  };
  return fields;
}

const Fields<DesignRow>& design_columns() {
  static const Fields<DesignRow> fields = [] {
    Fields<DesignRow> all = speed_of_designs();
    for (const Field<WatchedFigures>& field : watched_columns())
      all.push_back(of_watched_design(field));
    for (const Field<DesignCost>& column : hardware_columns()) all.push_back(of_design(column));
    for (const Field<DesignRow>& field : relations_of_designs()) all.push_back(field);
    return all;
  }();
  return fields;
}

const Fields<PointRow>& point_columns() {
  static const Fields<PointRow> fields = [] {
    Fields<PointRow> all = differences_of_points();
    add_totals(&all);
    add_watched(&all);
    all.push_back({"stopped_by", "",
                   "What ended the run before its warps did; empty where it is complete.",
                   [](const PointRow& row) -> Value {
                     const std::string& by = result_of(row).stopped_by;
                     return by.empty() ? Value() : Value(by);
                   }});
    return all;
  }();
  return fields;
}

}  // namespace shflsim::report
