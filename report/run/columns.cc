// SPDX-License-Identifier: Apache-2.0
#include "report/run/columns.h"

#include <fmt/format.h>

#include <cctype>

#include "model/run.h"
#include "report/run/cells.h"
#include "report/run/chosen_network.h"
#include "report/run/energy_columns.h"
#include "report/run/metrics.h"
#include "report/run/occupancy.h"
#include "report/run/report.h"
#include "report/run/shuffle_latency.h"
#include "report/run/source_lines.h"

namespace shflsim::report {
namespace {

using model::WarpState;

/// Every number of a config is a whole number of 32 bits, and no word begins with a digit.
NumberOrWord number_or_word(const std::string& value) {
  if (value.empty() || std::isdigit(static_cast<unsigned char>(value.front())) == 0) return value;
  return uint64_t{std::stoul(value)};
}

Value sum_over_rows(const Run& run, const Field<InstructionRow>& column) {
  Value sum;
  for (size_t i = 0; i < run.result.instructions.size(); ++i) {
    const Value value = column.get({run, i});
    if (is_empty(value)) continue;
    const uint64_t before = is_empty(sum) ? 0 : std::get<uint64_t>(sum);
    sum = before + std::get<uint64_t>(value);
  }
  return sum;
}

/// Each `selected` warp-cycle is a cycle in which the warp's sub-partition issued one instruction
/// or a pair.
uint64_t issues_of(const Run& run) { return cycles_in(run.result.states, WarpState::kSelected); }

Fields<Run> whole_run() {
  return {
      {"cycles", "cycles", "From the first cycle to the last warp's end.",
       [](const Run& run) { return run.result.cycles; }},
      {"warp_instructions", "warp instructions", "Instructions issued, over all warps.",
       [](const Run& run) { return run.result.warp_instructions; }},
      {"dual_issued", "warp instructions",
       "Issued as the second of a pair, along with the first, with no warp-cycle of their own.",
       [](const Run& run) { return run.result.dual_issued; }},
      {"ipc", "warp instructions per cycle", "Instructions issued by the whole SM in a cycle.",
       [](const Run& run) { return ratio(run.result.warp_instructions, run.result.cycles); }},
      {"issue_active", "fraction", "Cycles of the sub-partitions with an issue, of all.",
       [](const Run& run) {
         return ratio(issues_of(run), run.result.cycles * model::kSubPartitions * run.result.sms);
       }},
      {"warp_cycles", "warp-cycles", "Resident warps, summed over the cycles.",
       [](const Run& run) { return run.result.warp_cycles; }},
      {"cycles_per_issue", "cycles", "Mean time of a warp from one issue to its next.",
       [](const Run& run) { return ratio(run.result.warp_cycles, issues_of(run)); }},
  };
}

/// The latencies of SHFLs, which the first sentence of the README promises.
Fields<Run> latencies_of_shuffles() {
  constexpr unsigned kPercent = 95;
  return {
      {"shfl_latency_mean", "cycles",
       "SHFL: measured issue to the first cycle in which math may use the result, mean of all.",
       [](const Run& run) { return mean_latency(shuffles_by_latency(run.trace, run.result)); }},
      {"shfl_latency_p95", "cycles", "SHFL: measured latency that 95 % of all SHFLs do not exceed.",
       [](const Run& run) {
         return latency_percentile(shuffles_by_latency(run.trace, run.result), kPercent);
       }},
  };
}

Fields<Run> make_totals() {
  Fields<Run> fields = whole_run();
  for (const Field<InstructionRow>& column : instruction_columns()) {
    if (!column.summed) continue;
    fields.push_back({column.key, column.unit, column.help,
                      [&column](const Run& run) { return sum_over_rows(run, column); }});
  }
  for (const Field<Run>& field : latencies_of_shuffles()) fields.push_back(field);
  for (const Field<Run>& field : energy_totals()) fields.push_back(field);
  return fields;
}

}  // namespace

std::string lane_ranges(isa::LaneMask mask) {
  std::string text;
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if ((mask >> lane & 1u) == 0) continue;
    const unsigned first = lane;
    while (lane + 1 < isa::kLanes && (mask >> (lane + 1) & 1u) != 0) ++lane;
    if (!text.empty()) text += ',';
    text += first == lane ? fmt::format("{}", first) : fmt::format("{}-{}", first, lane);
  }
  return text;
}

std::vector<uint64_t> lanes_of(isa::LaneMask mask) {
  std::vector<uint64_t> lanes;
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if ((mask >> lane & 1u) != 0) lanes.push_back(lane);
  }
  return lanes;
}

const Fields<Run>& header() {
  static const Fields<Run> fields = {
      {"schema", "", "Name and version of this layout; the version changes when a key goes.",
       [](const Run&) { return "shflsim-run/2"; }},
      {"version", "", "Version of shflsim.", [](const Run&) { return tool_version(); }},
      {"kernel", "", "Name of the kernel; empty in the manual's syntax, which has none.",
       [](const Run& run) { return run.trace.code.name; }},
  };
  return fields;
}

Machine machine_of(const Run& run) {
  return {run.origin.machine, run.origin.overrides, run.result.config};
}

const Fields<Run>& launch() {
  static const Fields<Run> fields = {
      {"blocks", "blocks", "Thread blocks of the grid.",
       [](const Run& run) { return uint64_t{run.trace.blocks}; }},
      {"threads_per_block", "threads", "Threads of a block.",
       [](const Run& run) { return uint64_t{run.trace.threads_per_block}; }},
      {"warps_per_block", "warps", "Warps of a block.",
       [](const Run& run) { return uint64_t{run.trace.warps_per_block()}; }},
      {"shared_bytes", "bytes", "Shared memory of a block.",
       [](const Run& run) { return uint64_t{run.trace.shared_bytes}; }},
      {"registers", "registers", "Registers of a thread.",
       [](const Run& run) { return uint64_t{run.trace.code.registers}; }},
  };
  return fields;
}

const Fields<Run>& totals() {
  static const Fields<Run> fields = make_totals();
  return fields;
}

const Fields<StateRow>& state_columns() {
  static const Fields<StateRow> fields = {
      {"state", "", "What a resident warp does in a cycle, by Nsight Compute's names.",
       [](const StateRow& row) { return model::warp_state_name(row.state); }},
      {"cycles", "warp-cycles", "Warp-cycles in this state; over all states, the warp-cycles.",
       [](const StateRow& row) { return cycles_in(row.run.result.states, row.state); }},
      {"share", "fraction", "Its part of the warp-cycles.",
       [](const StateRow& row) {
         return ratio(cycles_in(row.run.result.states, row.state), row.run.result.warp_cycles);
       }},
      {"cycles_per_issue", "cycles", "Mean time that a warp spends in it from issue to issue.",
       [](const StateRow& row) {
         return ratio(cycles_in(row.run.result.states, row.state), issues_of(row.run));
       }},
  };
  return fields;
}

const Fields<UnitRow>& unit_columns() {
  static const Fields<UnitRow> fields = {
      {"unit", "", "Name of the unit, as in its section of the configuration.",
       [](const UnitRow& row) { return row.unit.name; }},
      {"instances", "units", "How many of them the SM has.",
       [](const UnitRow& row) { return uint64_t{row.unit.instances}; }},
      {"operations", "warp instructions", "Instructions that it took.",
       [](const UnitRow& row) { return row.unit.operations; }},
      {"busy", "cycles", "Cycles in which it was busy, summed over the instances.",
       [](const UnitRow& row) { return row.unit.busy; }},
      {"utilization", "fraction", "Busy cycles as a part of the run's, mean of the instances.",
       [](const UnitRow& row) {
         return ratio(row.unit.busy, row.run.result.cycles * row.unit.instances);
       }},
  };
  return fields;
}

const Fields<model::WarpStats>& warp_columns() {
  using Row = model::WarpStats;
  static const Fields<Row> fields = {
      {"block", "", "Linear index of its block.",
       [](const Row& row) { return uint64_t{row.block}; }},
      {"warp", "", "Index of the warp in its block.",
       [](const Row& row) { return uint64_t{row.warp}; }},
      {"first_issue", "cycles", "When its first instruction issued.",
       [](const Row& row) { return row.first_issue; }},
      {"finish", "cycles", "When it had left the SM, its last memory operation done.",
       [](const Row& row) { return row.finish; }},
      {"clock_reads", "cycles", "The clock that each of its reads of SR_CLOCKLO took, in order.",
       [](const Row& row) { return row.clock_reads; }},
  };
  return fields;
}

const Fields<FindingRow>& finding_columns() {
  static const Fields<FindingRow> fields = {
      {"pc", "", "Address of the instruction.",
       [](const FindingRow& row) { return pc_of(row.run.trace, row.finding.index); }},
      {"text", "", "The instruction in SASS.",
       [](const FindingRow& row) { return row.run.trace.code.lines[row.finding.index].text; }},
      {"block", "", "Linear index of the block.",
       [](const FindingRow& row) { return uint64_t{row.finding.block}; }},
      {"warp", "", "Index of the warp in its block.",
       [](const FindingRow& row) { return uint64_t{row.finding.warp}; }},
      {"lanes", "", "Numbers of the lanes concerned.",
       [](const FindingRow& row) { return lanes_of(row.finding.lanes); }},
      {"source", "", "File and line that it was compiled from, where the code says (-lineinfo).",
       [](const FindingRow& row) -> Value {
         const isa::Code& code = row.run.trace.code;
         const std::string place =
             source_place(code.lines[row.finding.index].source, code.source_files);
         return place.empty() ? Value() : Value(place);
       }},
      {"what", "", "What the instruction does with an undefined value.",
       [](const FindingRow& row) { return row.finding.what; }},
  };
  return fields;
}

const Fields<model::ConfigValue>& config_columns() {
  using Row = model::ConfigValue;
  static const Fields<Row> fields = {
      {"key", "", "Name of the parameter.", [](const Row& row) { return row.key; }},
      {"value", "", "Its value in this run: a number, or one of the parameter's words.",
       [](const Row& row) { return number_or_word(row.value); }},
      {"unit", "", "Unit of the value.", [](const Row& row) { return row.unit; }},
      {"origin", "", "File and line, or the command line, that set it.",
       [](const Row& row) { return row.origin; }},
      {"source", "", "Where the number comes from: measured, published, assumed...",
       [](const Row& row) { return row.source; }},
      {"help", "", "What it is.", [](const Row& row) { return row.help; }},
      {"allowed", "", "The values that it may have.", [](const Row& row) { return row.allowed; }},
  };
  return fields;
}

const char* tool_version() { return SHFLSIM_VERSION; }

}  // namespace shflsim::report
