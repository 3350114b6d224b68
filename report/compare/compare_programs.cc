// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/compare/compare.h"
#include "report/terminal/text_table.h"

namespace shflsim::report {
namespace {

/// A figure of several runs: a total, or the warp-cycles of a state.
struct Figure {
  std::string key;
  std::string unit;
  std::vector<Value> values;  ///< by program
};

Run run_of(const PointRow& row) {
  return {row.comparison.workloads[row.workload].trace, result_of(row)};
}

std::vector<Figure> figures_of(const Comparison& comparison, size_t design) {
  std::vector<Figure> figures;
  for (const Field<Run>& total : totals()) figures.push_back({total.key, total.unit, {}});
  for (const model::WarpState state : all_states())
    figures.push_back({std::string("stall_") + model::warp_state_name(state), "warp-cycles", {}});
  for (size_t workload = 0; workload < comparison.workloads.size(); ++workload) {
    const Run run = run_of({comparison, workload, design});
    size_t at = 0;
    for (const Field<Run>& total : totals()) figures[at++].values.push_back(total.get(run));
    for (const model::WarpState state : all_states())
      figures[at++].values.emplace_back(run.result.states[static_cast<size_t>(state)]);
  }
  return figures;
}

double number_or_zero(const Value& value) {
  if (const auto* count = std::get_if<uint64_t>(&value)) return static_cast<double>(*count);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return 0;
}

std::string program_figure_text(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{:.3f}", *real);
  return is_empty(value) ? "" : fmt::format("{}", std::get<uint64_t>(value));
}

/// "0.73": the ratio to the first program's value; "" if that is 0.
std::string ratio_text(const Value& value, const Value& first) {
  if (is_empty(value) || number_or_zero(first) == 0) return "";
  return fmt::format("{:.2f}", number_or_zero(value) / number_or_zero(first));
}

bool says_something(const Figure& figure) {
  for (const Value& value : figure.values) {
    if (number_or_zero(value) != 0) return true;
  }
  return false;
}

void write_figures(std::ostream& out, const Comparison& comparison, size_t design) {
  TextColumn keys{"", true};
  TextColumn units{"", true};
  std::vector<TextColumn> columns;
  for (size_t program = 0; program < comparison.workloads.size(); ++program) {
    columns.push_back({fmt::format("{}", program + 1)});
    if (program != 0) columns.push_back({"to 1"});
  }
  for (const Figure& figure : figures_of(comparison, design)) {
    if (!says_something(figure)) continue;
    keys.cells.push_back(figure.key);
    units.cells.push_back(figure.unit);
    auto column = columns.begin();
    for (size_t program = 0; program < figure.values.size(); ++program) {
      (column++)->cells.push_back(program_figure_text(figure.values[program]));
      if (program != 0)
        (column++)->cells.push_back(ratio_text(figure.values[program], figure.values.front()));
    }
  }
  columns.insert(columns.begin(), keys);
  units.rank = 1;
  columns.push_back(units);
  write_columns(out, columns);
}

}  // namespace

void write_programs(std::ostream& out, const Comparison& comparison) {
  size_t number = 0;
  for (const Workload& program : comparison.workloads) {
    out << fmt::format("{}: {}, grid {}, block {}\n", ++number, program.name, program.trace.blocks,
                       program.trace.threads_per_block);
    write_input(out, program.origin);
    write_remarks(out, remarks_on(program.trace));
  }
  for (size_t design = 0; design < comparison.designs.size(); ++design) {
    const Machine& machine = comparison.machines[design];
    out << fmt::format("\nPrograms on {}; to 1: how many times the first one's\n",
                       comparison.designs[design].name);
    write_machine(out, machine);
    write_remarks(out, remarks_on(machine));
    std::vector<std::string> remarks;
    for (const Workload& program : comparison.workloads)
      add_new(remarks_on(program.trace, machine), &remarks);
    write_remarks(out, remarks);
    write_figures(out, comparison, design);
  }
}

}  // namespace shflsim::report
