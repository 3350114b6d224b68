// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "report/compare.h"
#include "report/report.h"
#include "report/text_table.h"

namespace shflsim::report {
namespace {

constexpr size_t kCollisionsShown = 4;

std::string text_of(const Value& figure) {
  if (const auto* count = std::get_if<uint64_t>(&figure)) return fmt::format("{}", *count);
  if (const auto* whole = std::get_if<int64_t>(&figure)) return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&figure)) {
    return fmt::format("{:.{}f}", *real, *real >= 100 ? 0 : *real >= 10 ? 1 : 3);
  }
  if (const auto* text = std::get_if<std::string>(&figure)) return *text;
  return "";
}

template <class Row>
std::vector<TextColumn> text_columns(const Fields<Row>& columns, const std::vector<Row>& rows) {
  std::vector<TextColumn> texts;
  for (const Field<Row>& column : columns) {
    if (column.heading.empty()) continue;
    TextColumn text{column.heading, false};
    text.rank = rank_of(column.key);
    for (const Row& row : rows) {
      const Value figure = column.get(row);
      text.left = std::holds_alternative<std::string>(figure);
      text.cells.push_back(text_of(figure));
    }
    texts.push_back(text);
  }
  return texts;
}

void write_designs(std::ostream& out, const Comparison& comparison) {
  std::vector<DesignRow> rows;
  for (size_t design = 0; design < comparison.designs.size(); ++design) {
    rows.push_back({comparison, design});
  }
  write_line(out, fmt::format("Designs over {} workloads (speedup: geometric mean against {})",
                              comparison.workloads.size(), comparison.designs.front().name));
  write_columns(out, text_columns(design_columns(), rows));
}

/// "+312 short_scoreboard, passes +24"
std::string why(const LineDifference& difference) {
  std::string text;
  if (difference.state != model::WarpState::kSelected) {
    text = fmt::format("{:+} {}", difference.warp_cycles, model::warp_state_name(difference.state));
  }
  if (difference.passes != 0) {
    text += fmt::format("{}passes {:+}", text.empty() ? "" : ", ", difference.passes);
  }
  return text;
}

void write_lines(std::ostream& out, const PointRow& row, unsigned top) {
  const isa::Code& code = row.comparison.workloads[row.workload].trace.code;
  TextColumn places{"", true, true};
  TextColumn reasons{"", true};
  for (const LineDifference& difference : line_differences(row)) {
    if (places.cells.size() == top) break;
    places.cells.push_back(fmt::format("    0x{:04x} {}", code.lines[difference.index].address,
                                       code.lines[difference.index].text));
    reasons.cells.push_back(why(difference));
  }
  write_columns(out, {places, reasons});
}

void write_differences(std::ostream& out, const std::vector<PointRow>& rows, unsigned top) {
  std::vector<TextColumn> columns = text_columns(point_columns(), rows);
  TextColumn places{"differs most in warp-cycles at", true, true};
  TextColumn reasons{"", true};
  places.rank = rank_of("");
  reasons.rank = rank_of("stall_difference");
  for (const PointRow& row : rows) {
    const std::vector<LineDifference> lines = line_differences(row);
    const isa::Code& code = row.comparison.workloads[row.workload].trace.code;
    places.cells.push_back(lines.empty() ? "" : code.lines[lines.front().index].text);
    reasons.cells.push_back(lines.empty() ? "" : why(lines.front()));
  }
  columns.push_back(reasons);
  columns.push_back(places);
  write_columns(out, columns);
  if (top < 2) return;
  for (const PointRow& row : rows) {
    if (row.design == 0) continue;
    write_line(out, fmt::format("  {}: instructions that differ most",
                                row.comparison.designs[row.design].name));
    write_lines(out, row, top);
  }
}

void write_workload(std::ostream& out, const Comparison& comparison, size_t workload,
                    unsigned top) {
  const traces::Trace& trace = comparison.workloads[workload].trace;
  std::vector<PointRow> rows;
  std::string equal;
  for (size_t design = 0; design < comparison.designs.size(); ++design) {
    const PointRow row{comparison, workload, design};
    if (design == 0 || !equals_first(row)) {
      rows.push_back(row);
    } else {
      equal += (equal.empty() ? "" : ", ") + comparison.designs[design].name;
    }
  }
  out << '\n';
  write_line(out, fmt::format("{}: grid {}, block {}", comparison.workloads[workload].name,
                              trace.blocks, trace.threads_per_block));
  write_differences(out, rows, top);
  if (!equal.empty()) {
    write_wrapped(out, "no difference, in cycles, passes or any instruction's stalls: " + equal);
  }
}

void write_shuffles(std::ostream& out, const PortUseReport& use, const isa::Code& code) {
  TextColumn places{"", true, true};
  TextColumn passes{"passes: SHFLs", true};
  TextColumn collisions{"ports waited for (lanes)", true, true};
  for (const PortUseReport::Shuffle& shuffle : use.shuffles) {
    places.cells.push_back(fmt::format("  0x{:04x} {}", code.lines[shuffle.index].address,
                                       code.lines[shuffle.index].text));
    passes.cells.push_back(distribution_text(shuffle));
    collisions.cells.push_back(collisions_text(shuffle, use.names, kCollisionsShown));
  }
  write_columns(out, {places, passes, collisions});
}

void write_ports(std::ostream& out, const Comparison& comparison) {
  out << '\n';
  write_line(out,
             "Ports: a digit each, tenths of the passes in which it carries a value (. never, # "
             "always)");
  for (size_t workload = 0; workload < comparison.workloads.size(); ++workload) {
    for (size_t design = 0; design < comparison.designs.size(); ++design) {
      const PortUseReport& use = comparison.ports[workload][design];
      if (use.passes == 0) continue;
      out << '\n';
      write_line(out, fmt::format("  {} on {}, {} passes", comparison.workloads[workload].name,
                                  comparison.designs[design].name, use.passes));
      out << utilization_picture(use);
      write_shuffles(out, use, comparison.workloads[workload].trace.code);
    }
  }
}

/// A line for each run that was stopped.
void write_partial_runs(std::ostream& out, const Comparison& comparison) {
  for (size_t workload = 0; workload < comparison.workloads.size(); ++workload) {
    for (size_t design = 0; design < comparison.designs.size(); ++design) {
      const model::RunResult& result = comparison.points[workload][design];
      if (result.stopped_by.empty()) continue;
      out << fmt::format("{}, {}: {}\n", comparison.workloads[workload].name,
                         comparison.designs[design].name, partial_text(result));
    }
  }
}

}  // namespace

void write_comparison(std::ostream& out, const Comparison& comparison, unsigned top,
                      bool with_ports) {
  write_partial_runs(out, comparison);
  write_designs(out, comparison);
  for (size_t workload = 0; workload < comparison.workloads.size(); ++workload) {
    write_workload(out, comparison, workload, top);
  }
  if (with_ports) write_ports(out, comparison);
}

}  // namespace shflsim::report
