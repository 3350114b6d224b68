// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <numeric>

#include "model/run.h"
#include "report/run/cells.h"
#include "report/run/columns.h"
#include "report/run/report.h"
#include "report/run/source_lines.h"

namespace shflsim::report {
namespace {

using model::WarpState;

Value only_if(bool applies, uint64_t value) { return applies ? Value(value) : Value(); }

Value unless_zero(uint64_t value) { return only_if(value != 0, value); }

const model::InstructionStats& stats_of(const InstructionRow& row) {
  return row.run.result.instructions[row.index];
}

const isa::CodeLine& line_of(const InstructionRow& row) {
  return row.run.trace.code.lines[row.index];
}

Value latency(const InstructionRow& row, model::Cycle cycles) {
  return only_if(stats_of(row).results != 0, cycles);
}

Fields<InstructionRow> instruction_identity() {
  return {
      {"pc", "", "Byte address in the kernel, hexadecimal; control words count.",
       [](const InstructionRow& row) { return pc_of(row.run.trace, row.index); }, "\npc"},
      {"text", "", "The instruction in SASS, guard included.",
       [](const InstructionRow& row) { return line_of(row).text; }, "\ntext"},
      {"issued", "warp instructions", "Times issued, over all warps.",
       [](const InstructionRow& row) { return stats_of(row).issued; }, "\nissued"},
      {"lanes", "lanes", "Executing lanes (active, guard true): mean over its issues.",
       [](const InstructionRow& row) { return ratio(stats_of(row).lanes, stats_of(row).issued); },
       "\nlanes"},
  };
}

Fields<InstructionRow> instruction_latencies() {
  return {
      {"latency_min", "cycles",
       "Issue to the first cycle in which math that uses the result may issue: shortest. Control "
       "bits have to keep it; a scoreboard does. Empty: no result.",
       [](const InstructionRow& row) { return latency(row, stats_of(row).latency_min); },
       "lat.\nmin"},
      {"latency_mean", "cycles",
       "Mean time from issue to the first cycle in which math may use the result.",
       [](const InstructionRow& row) {
         return ratio(stats_of(row).latency_sum, stats_of(row).results);
       },
       "\nmean"},
      {"latency_max", "cycles",
       "Longest time from issue to the first cycle in which math may use the result.",
       [](const InstructionRow& row) { return latency(row, stats_of(row).latency_max); }, "\nmax"},
      {"latency_shared", "cycles",
       "Math: the same to a SHFL, shared memory or double precision that uses its register.",
       [](const InstructionRow& row) { return unless_zero(stats_of(row).latency_shared); }},
      {"latency_global", "cycles",
       "Math: the same to global memory or a special function that uses its register.",
       [](const InstructionRow& row) { return unless_zero(stats_of(row).latency_global); }},
      {"latency_predicate", "cycles", "Math: the same to any instruction that uses its predicate.",
       [](const InstructionRow& row) { return unless_zero(stats_of(row).latency_predicate); }},
  };
}

/// The counts that the units declare.
Fields<InstructionRow> instruction_counts() {
  Fields<InstructionRow> fields;
  for (const model::Stat& stat : model::instruction_stats()) {
    const std::string key = stat.key;
    fields.push_back({key, stat.unit, stat.help,
                      [key](const InstructionRow& row) -> Value {
                        const uint64_t value = row.run.result.count(key, row.index);
                        return value == model::StatColumn::kNone ? Value() : Value(value);
                      },
                      stat.heading, true});
  }
  return fields;
}

Value top_stall_name(const InstructionRow& row) {
  const WarpState top = top_stall(stats_of(row).states);
  return top == WarpState::kSelected ? Value() : Value(model::warp_state_name(top));
}

Value top_stall_share(const InstructionRow& row) {
  const model::StateCycles& states = stats_of(row).states;
  const WarpState top = top_stall(states);
  return top == WarpState::kSelected ? Value() : ratio(cycles_in(states, top), sum_of(states));
}

Fields<InstructionRow> instruction_states() {
  Fields<InstructionRow> fields = {
      {"warp_cycles", "warp-cycles", "Warp-cycles with this instruction next to issue or issuing.",
       [](const InstructionRow& row) { return sum_of(stats_of(row).states); }},
      {"warp_cycles_share", "fraction", "Its part of the run's warp-cycles.",
       [](const InstructionRow& row) {
         return ratio(sum_of(stats_of(row).states), row.run.result.warp_cycles);
       },
       "\ntime"},
      {"top_stall", "", "The state other than `selected` that takes most of its warp-cycles.",
       top_stall_name, "\ntop stall"},
      {"top_stall_share", "fraction", "The part of its warp-cycles that its top stall takes.",
       top_stall_share, "\nshare"},
  };
  for (const WarpState state : all_states()) {
    fields.push_back(
        {fmt::format("stall_{}", model::warp_state_name(state)), "warp-cycles",
         fmt::format("Warp-cycles in which the warp {}.", warp_state_help(state)),
         [state](const InstructionRow& row) { return cycles_in(stats_of(row).states, state); }});
  }
  return fields;
}

Fields<InstructionRow> make_instruction_columns() {
  Fields<InstructionRow> all = instruction_identity();
  for (const auto& part :
       {instruction_latencies(), instruction_counts(), instruction_states(), source_columns()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace

std::vector<WarpState> all_states() {
  std::vector<WarpState> states;
  for (size_t i = 0; i < model::kWarpStates; ++i) states.push_back(static_cast<WarpState>(i));
  return states;
}

WarpState top_stall(const model::StateCycles& states) {
  WarpState top = WarpState::kSelected;
  uint64_t most = 0;
  for (const WarpState state : all_states()) {
    if (state == WarpState::kSelected || cycles_in(states, state) <= most) continue;
    most = cycles_in(states, state);
    top = state;
  }
  return top;
}

uint64_t sum_of(const model::StateCycles& states) {
  return std::accumulate(states.begin(), states.end(), uint64_t{0});
}

const Fields<InstructionRow>& instruction_columns() {
  static const Fields<InstructionRow> fields = make_instruction_columns();
  return fields;
}

}  // namespace shflsim::report
