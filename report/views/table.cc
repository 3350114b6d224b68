// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

#include "isa/base/input_error.h"
#include "report/run/columns.h"
#include "report/run/energy_columns.h"
#include "report/run/occupancy.h"
#include "report/run/report.h"
#include "report/run/source_lines.h"
#include "report/run/view.h"
#include "report/terminal/text_table.h"

namespace shflsim::report {
namespace {

using model::WarpState;

// The thresholds of Nsight Compute's stall rules.
constexpr double kBusyIssue = 0.8;  // from this share of cycles with an issue on, no rule applies
constexpr double kBigStall = 0.3;   // share of a stall in all warp-cycles, or in a line's
constexpr double kHotLine = 0.1;    // share of a line in all warp-cycles

void write_title(std::ostream& out, const std::string& title) {
  out << '\n' << painted(out, Paint::kHeading, title) << '\n';
}

double share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

struct ToText {
  bool is_share;
  int decimals;

  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(uint64_t number) const { return fmt::format("{}", number); }
  std::string operator()(int64_t number) const { return fmt::format("{}", number); }
  std::string operator()(double number) const {
    return is_share ? fmt::format("{:.{}f}%", 100 * number, decimals - 1)
                    : fmt::format("{:.{}f}", number, decimals);
  }
  template <class Item>
  std::string operator()(const std::vector<Item>& list) const {
    return fmt::format("{}", fmt::join(list, " "));
  }
};

template <class Row>
std::string text_of(const Field<Row>& field, const Row& row, int decimals) {
  return std::visit(ToText{field.unit == "fraction", decimals}, field.get(row));
}

template <class Row>
TextColumn text_column(const Field<Row>& field, const std::vector<Row>& rows, int decimals) {
  TextColumn column{field.heading.empty() ? field.key : field.heading, field.unit.empty(),
                    field.key == "text"};
  column.rank = rank_of(field.key);
  if (field.key == "state" || field.key == "top_stall") column.paint = Paint::kStall;
  for (const Row& row : rows) column.cells.push_back(text_of(field, row, decimals));
  return column;
}

template <class Row>
void write_rows(std::ostream& out, const Fields<Row>& fields, const std::vector<Row>& rows) {
  std::vector<TextColumn> columns;
  for (const Field<Row>& field : fields) columns.push_back(text_column(field, rows, 2));
  write_columns(out, columns);
}

void write_totals(std::ostream& out, const Run& run) {
  TextColumn keys{"", true};
  TextColumn values;
  TextColumn units{"", true};
  for (const Field<Run>& field : totals()) {
    const std::string text = text_of(field, run, 2);
    if (text.empty()) continue;
    keys.cells.push_back(field.key);
    values.cells.push_back(text);
    units.cells.push_back(field.unit == "fraction" ? "" : field.unit);
  }
  write_title(out, "Totals");
  write_columns(out, {keys, values, units});
}

uint64_t cycles_in(const Run& run, WarpState state) {
  return run.result.states[static_cast<size_t>(state)];
}

/// States with any cycles, the longest first.
std::vector<WarpState> states_by_time(const Run& run) {
  std::vector<WarpState> states;
  for (const WarpState state : all_states()) {
    if (cycles_in(run, state) != 0) states.push_back(state);
  }
  std::stable_sort(states.begin(), states.end(), [&run](WarpState a, WarpState b) {
    return cycles_in(run, a) > cycles_in(run, b);
  });
  return states;
}

void write_big_stall(std::ostream& out, const Run& run, WarpState state) {
  const uint64_t issues = cycles_in(run, WarpState::kSelected);
  write_wrapped(
      out, fmt::format("{}: on average, each warp spends {:.2f} cycles being stalled because it "
                       "{}. This stall type represents about {:.1f}% of the total average of "
                       "{:.2f} cycles between issuing two instructions.",
                       model::warp_state_name(state), share(cycles_in(run, state), issues),
                       model::warp_state_help(state),
                       100 * share(cycles_in(run, state), run.result.warp_cycles),
                       share(run.result.warp_cycles, issues)));
}

void write_states(std::ostream& out, const Run& run) {
  std::vector<StateRow> rows;
  for (const WarpState state : states_by_time(run)) rows.push_back({run, state});
  write_title(out, "Warp states");
  write_rows(out, state_columns(), rows);
  const uint64_t issues = cycles_in(run, WarpState::kSelected);
  if (share(issues, run.result.cycles * model::kSubPartitions * run.result.sms) >= kBusyIssue)
    return;
  for (const StateRow& row : rows) {
    const bool is_big = share(cycles_in(run, row.state), run.result.warp_cycles) > kBigStall;
    if (is_big && row.state != WarpState::kSelected) write_big_stall(out, run, row.state);
  }
}

void write_units(std::ostream& out, const Run& run) {
  std::vector<UnitRow> rows;
  for (const model::UnitStats& unit : run.result.units) {
    if (unit.operations != 0) rows.push_back({run, unit});
  }
  if (rows.empty()) return;
  write_title(out, "Units");
  write_rows(out, unit_columns(), rows);
}

/// Writes the kinds of work of the launch; nothing if the chip's energies are unknown.
void write_energy(std::ostream& out, const Run& run) {
  std::vector<EnergyRow> rows;
  for (const model::EnergyStats& energy : run.result.energy) {
    if (energy.picojoules != 0) rows.push_back({run, energy});
  }
  if (rows.empty()) return;
  write_title(out, "Energy");
  write_rows(out, energy_columns(), rows);
}

bool is_hot(const InstructionRow& row) {
  const model::StateCycles& states = row.run.result.instructions[row.index].states;
  const uint64_t cycles = sum_of(states);
  const WarpState top = top_stall(states);
  return share(cycles, row.run.result.warp_cycles) > kHotLine && top != WarpState::kSelected &&
         share(states[static_cast<size_t>(top)], cycles) > kBigStall;
}

/// Explains `>`, behind the title or below it.
void write_hot_key(std::ostream& out, const std::string& key) {
  const size_t width = screen_of(out).width;
  const bool fits = width == 0 || std::string("Instructions").size() + key.size() <= width;
  if (!fits) out << '\n';
  write_line(out, fits ? key : " " + key);
}

void write_instructions(std::ostream& out, const Run& run) {
  std::vector<InstructionRow> rows;
  for (size_t i = 0; i < run.result.instructions.size(); ++i) rows.push_back({run, i});
  TextColumn marks{"", true};
  std::vector<bool> hot;
  for (const InstructionRow& row : rows) {
    hot.push_back(is_hot(row));
    marks.cells.emplace_back(hot.back() ? ">" : "");
  }
  std::vector<TextColumn> columns = {marks};
  for (const Field<InstructionRow>& field : instruction_columns()) {
    if (!field.heading.empty()) columns.push_back(text_column(field, rows, 1));
  }
  out << '\n' << painted(out, Paint::kHeading, "Instructions");
  const bool has_hot = std::find(hot.begin(), hot.end(), true) != hot.end();
  write_hot_key(out, has_hot ? fmt::format(" (>: over {:.0f}% of all warp-cycles, over {:.0f}% of "
                                           "them in one stall)",
                                           100 * kHotLine, 100 * kBigStall)
                             : "");
  write_columns(out, columns, hot);
}

/// Findings of several warps that are otherwise equal are one line.
void write_findings(std::ostream& out, const Run& run) {
  std::map<std::tuple<uint32_t, std::string, isa::LaneMask>, std::vector<const traces::Finding*>>
      groups;
  for (const traces::Finding& finding : run.trace.findings) {
    groups[{finding.index, finding.what, finding.lanes}].push_back(&finding);
  }
  if (groups.empty() && run.trace.code.warnings.empty()) return;
  write_title(out, "Findings");
  for (const auto& [key, group] : groups) {
    const traces::Finding& first = *group.front();
    const isa::Code& code = run.trace.code;
    const std::string place = source_place(code.lines[first.index].source, code.source_files);
    const std::string warps = group.size() == 1 ? "" : fmt::format("in {} warps, ", group.size());
    write_wrapped(out, fmt::format("0x{:04x} {}: {}{} in lanes {}; {}first in block {} warp {}",
                                   code.lines[first.index].address, code.lines[first.index].text,
                                   place.empty() ? "" : place + ": ", first.what,
                                   lane_ranges(first.lanes), warps, first.block, first.warp));
  }
  for (const std::string& warning : run.trace.code.warnings) write_wrapped(out, warning);
}

/// Writes the input of the run, and what a reader must know about its figures.
void write_head(std::ostream& out, const Run& run) {
  const Machine machine = machine_of(run);
  write_input(out, run.origin);
  write_machine(out, machine);
  write_remarks(out, remarks_on(run.trace));
  write_remarks(out, remarks_on(machine));
  write_remarks(out, remarks_on(run.trace, machine));
}

}  // namespace

std::string partial_text(const model::RunResult& result) {
  return fmt::format("partial: stopped by {} after {} cycles", result.stopped_by, result.cycles);
}

void write_table(std::ostream& out, const traces::Trace& trace, const model::RunResult& result,
                 const Origin& origin, const Verdict* verdict) {
  const Run run{trace, result, origin};
  const std::string& name = trace.code.name;
  if (!result.stopped_by.empty()) out << partial_text(result) << "\n";
  out << fmt::format("{}: grid {}, block {}, {} warps", name.empty() ? "program" : printable(name),
                     trace.blocks, trace.threads_per_block, result.warps.size());
  if (result.sms > 1) out << fmt::format(" on {} SMs", result.sms);
  out << "\n";
  if (verdict != nullptr) write_verdict(out, *verdict);
  write_head(out, run);
  write_totals(out, run);
  write_occupancy(out, run);
  write_states(out, run);
  write_units(out, run);
  write_energy(out, run);
  write_instructions(out, run);
  write_findings(out, run);
}

namespace {

class Table final : public View {
 public:
  std::string content(const Run& run) override {
    std::ostringstream out;
    write_table(out, run.trace, run.result, run.origin, run.verdict);
    return out.str();
  }
};

const bool table_registered = Views::add<Table>("table", "for reading: what standard output shows");

}  // namespace
}  // namespace shflsim::report
