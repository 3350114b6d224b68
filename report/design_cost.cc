// SPDX-License-Identifier: Apache-2.0
#include "report/design_cost.h"

#include "report/columns.h"

namespace shflsim::report {

const Fields<DesignCost>& hardware_columns() {
  using Cost = const DesignCost&;
  static const Fields<DesignCost> fields = {
      {"units", "units", "Shuffle units of the SM.", [](Cost c) { return uint64_t{c.units}; },
       "units"},
      {"mux2", "multiplexers", "2:1 multiplexers of one bit, in all units.",
       [](Cost c) { return c.network_cost.mux2 * c.units; }, "2:1\nmuxes"},
      {"switches", "switches", "Switching elements of a word, in all units.",
       [](Cost c) { return c.network_cost.switches * c.units; }, "switches"},
      {"mux_levels", "multiplexers", "In a row on the longest path of a pass.",
       [](Cost c) { return uint64_t{c.network_cost.mux_levels}; }, "mux\nlevels"},
      {"wire_tracks", "wires", "32-bit wires across the lane row, in all units.",
       [](Cost c) { return uint64_t{c.network_cost.wire_tracks} * c.units; }, "wire\ntracks"},
      {"wire_length", "lane pitches", "Spanned by the 32-bit wires that a pass drives.",
       [](Cost c) { return c.network_cost.wire_length; }, "wire\nlength"},
      {"configuration_bits", "bits", "Control bits of a pass, in all units.",
       [](Cost c) { return uint64_t{c.network_cost.configuration_bits} * c.units; }, "conf.\nbits"},
      {"result_registers", "bits", "Registers that results end in, of all units.",
       [](Cost c) { return c.network_cost.result_registers * c.units; }},
      {"state_registers", "bits", "Registers that hold values between passes, of all units.",
       [](Cost c) { return c.network_cost.state_registers * c.units; }},
      {"lane_enables", "bits", "Say in a pass which lanes' results are written, in all units.",
       [](Cost c) { return uint64_t{c.network_cost.lane_enables} * c.units; }},
  };
  return fields;
}

uint64_t shuffles_of(const traces::Trace& trace, const model::RunResult& result) {
  uint64_t sum = 0;
  for (size_t index = 0; index < trace.code.lines.size(); ++index) {
    if (trace.code.lines[index].is_shuffle()) sum += result.instructions[index].issued;
  }
  return sum;
}

uint64_t total_of(const model::RunResult& result, const char* stat) {
  uint64_t sum = 0;
  for (size_t index = 0; index < result.instructions.size(); ++index) {
    const uint64_t value = result.count(stat, index);
    if (value != model::StatColumn::kNone) sum += value;
  }
  return sum;
}

double energy_of(const traces::Trace& trace, const model::RunResult& result,
                 const DesignCost& cost) {
  return static_cast<double>(total_of(result, "passes")) * cost.pass_energy +
         static_cast<double>(shuffles_of(trace, result)) * cost.register_energy;
}

uint64_t stalls_of(const model::RunResult& result) {
  return sum_of(result.states) - result.states[static_cast<size_t>(model::WarpState::kSelected)];
}

}  // namespace shflsim::report
