// SPDX-License-Identifier: Apache-2.0
#include "report/run/design_cost.h"

#include <set>

#include "model/energy/energy.h"
#include "report/run/columns.h"

namespace shflsim::report {

namespace {

using Cost = const DesignCost&;
using Synthesised = model::SynthesisedNetwork;

/// A figure of the cells of all units; empty if the cells are unknown.
Value of_cells(Cost cost, double Synthesised::*figure) {
  if (!cost.unit.cells) return {};
  return *cost.unit.cells.*figure * cost.units;
}

/// The ratio to the crossbar's figure; empty if either is unknown or the crossbar's is 0.
Value to_crossbar(const Value& figure, const Value& crossbar) {
  const auto* own = std::get_if<double>(&figure);
  const auto* reference = std::get_if<double>(&crossbar);
  if (own == nullptr || reference == nullptr || *reference == 0) return {};
  return *own / *reference;
}

Value crossbar_cells(Cost cost) {
  if (!cost.crossbar.cells) return {};
  return cost.crossbar.cells->cells;
}

Value register_area(Cost cost) {
  const uint64_t bits = cost.network_cost.result_registers + cost.network_cost.state_registers +
                        cost.pipeline_registers + cost.queue_registers + cost.control_registers;
  return static_cast<double>(bits * cost.units) * cost.flip_flop_area;
}

/// The field, but empty for a network that uses another unit's wires.
Field<DesignCost> of_own_wires(Field<DesignCost> field) {
  field.kind = ValueKind::kFigureOrNone;
  field.get = [get = field.get](Cost cost) { return cost.has_wires ? get(cost) : Value(); };
  return field;
}

Fields<DesignCost> counted_columns() {
  return {
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
      {"pipeline_registers", "bits", "Between the clock cycles of a pass, of all units.",
       [](Cost c) { return c.pipeline_registers * c.units; }},
      {"queue_registers", "bits", "Of the SHFLs that wait at a unit's input, of all units.",
       [](Cost c) { return c.queue_registers * c.units; }},
      {"control_registers", "bits", "Count the slices of a pass and its interval, in all units.",
       [](Cost c) { return c.control_registers * c.units; }},
      {"lane_enables", "bits", "Say in a pass which lanes' results are written, in all units.",
       [](Cost c) { return uint64_t{c.network_cost.lane_enables} * c.units; }},
  };
}

/// Columns that depend on the cell library and the wires of the technology.
Fields<DesignCost> built_columns() {
  return {
      {"cells_to_crossbar", "crossbars", "Cell area of all units, in that of a crossbar.",
       [](Cost c) { return to_crossbar(of_cells(c, &Synthesised::cells), crossbar_cells(c)); },
       "cells\n/xbar"},
      {"channel_to_crossbar", "crossbars", "Wire channel of all units, in that of a crossbar.",
       [](Cost c) { return to_crossbar(c.unit.channel * c.units, c.crossbar.channel); },
       "chan.\n/xbar"},
      {"delay_to_crossbar", "crossbars", "Delay of a pass, logic and wires, in that of a crossbar.",
       [](Cost c) {
         return to_crossbar(c.unit.time.logic + c.unit.time.wire,
                            c.crossbar.time.logic + c.crossbar.time.wire);
       },
       "delay\n/xbar"},
      {"cell_area", "um2", "Of the network's cells in technology.library, in all units.",
       [](Cost c) { return of_cells(c, &Synthesised::cells); }},
      {"register_area", "um2", "Of all registers, in all units.", register_area},
      {"channel_area", "um2", "Of the wire tracks along the lanes in one layer, in all units.",
       [](Cost c) { return c.unit.channel * c.units; }},
      {"set_up_energy", "fJ", "Energy of the control nets when a pass's settings replace others.",
       [](Cost c) { return of_cells(c, &Synthesised::set_up_energy); }},
      {"path_length", "lane pitches", "Longest way between registers.",
       [](Cost c) { return uint64_t{c.unit.pitches}; }},
      {"logic_delay", "ps", "Of the cells between registers.",
       [](Cost c) { return c.unit.time.logic; }},
      {"logic_synthesised", "0 or 1", "logic_delay: 0 where it is estimated from mux_levels.",
       [](Cost c) { return uint64_t{c.unit.time.is_synthesised}; }},
      {"wire_delay", "ps", "Of the longest way, as a wire with repeaters.",
       [](Cost c) { return c.unit.time.wire; }},
      {"stages", "cycles", "Clock cycles that a pass takes through logic and wires.",
       [](Cost c) { return uint64_t{c.unit.time.stages}; }},
      {"latency", "cycles", "Last pass to the result's use, with shuffle.depth where it is set.",
       [](Cost c) { return uint64_t{c.latency}; }},
      {"latency_least", "cycles", "At technology.lane_pitch_least.",
       [](Cost c) { return uint64_t{c.latency_least}; }},
      {"latency_most", "cycles", "At technology.lane_pitch_most.",
       [](Cost c) { return uint64_t{c.latency_most}; }},
  };
}

}  // namespace

const Fields<DesignCost>& hardware_columns() {
  static const Fields<DesignCost> fields = [] {
    static const std::set<std::string> of_timing = {"units", "latency", "latency_least",
                                                    "latency_most"};
    Fields<DesignCost> all;
    for (const Fields<DesignCost>& some : {counted_columns(), built_columns()}) {
      for (const Field<DesignCost>& field : some)
        all.push_back(of_timing.count(field.key) != 0 ? field : of_own_wires(field));
    }
    return all;
  }();
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

namespace {

/// On a chip whose energies were measured: with the passes of its network instead of a crossbar's.
double measured_energy_of(const traces::Trace& trace, const model::RunResult& result) {
  uint64_t sum = 0;
  for (size_t index = 0; index < trace.code.lines.size(); ++index) {
    if (trace.code.lines[index].is_shuffle()) sum += result.count(model::kEnergyStat.key, index);
  }
  return static_cast<double>(sum);
}

}  // namespace

double energy_of(const traces::Trace& trace, const model::RunResult& result,
                 const DesignCost& cost) {
  if (!result.energy.empty()) return measured_energy_of(trace, result);
  return static_cast<double>(total_of(result, "passes")) * cost.pass_energy +
         static_cast<double>(shuffles_of(trace, result)) * cost.register_energy;
}

Value mean_energy(const DesignCost& cost, uint64_t shuffles, double energy) {
  if (shuffles == 0 || !cost.has_wires) return {};
  return energy / static_cast<double>(shuffles);
}

uint64_t stalls_of(const model::RunResult& result) {
  return sum_of(result.states) - result.states[static_cast<size_t>(model::WarpState::kSelected)];
}

}  // namespace shflsim::report
