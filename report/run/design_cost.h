// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/core/run_result.h"
#include "model/shuffle/cell_library.h"
#include "model/shuffle/pass_time.h"
#include "model/shuffle/shuffle_network.h"
#include "report/run/field.h"
#include "traces/trace.h"

namespace shflsim::report {

/// The cost of a shuffle unit in cells and wires of its technology.
struct UnitCost {
  std::optional<model::SynthesisedNetwork> cells;  ///< none if the network was not synthesised
  double channel = 0;                              ///< area of the wire tracks, square micrometres
  uint32_t pitches = 0;                            ///< length of the longest path, lane pitches
  model::PassTime time;
};

/// The hardware cost of a design's shuffle units.
struct DesignCost {
  std::string network;
  uint32_t units = 1;  ///< units in an SM
  model::NetworkCost network_cost;
  bool has_wires = true;            ///< false: it uses another unit's wires, whose price is unknown
  uint64_t pipeline_registers = 0;  ///< bits per unit between the stages of a pass
  uint64_t queue_registers = 0;     ///< bits per unit for SHFLs that wait at its input
  uint64_t control_registers = 0;   ///< bits per unit that count slices and the interval
  double flip_flop_area = 0;        ///< square micrometres per bit
  double pass_energy = 0;           ///< picojoules per pass (model/shuffle/shuffle_energy.h)
  double register_energy = 0;       ///< picojoules per SHFL, for any number of passes
  model::Technology technology;
  bool has_depth = false;      ///< shuffle.depth
  UnitCost unit;               ///< cost of one unit in its technology
  UnitCost crossbar;           ///< cost of a crossbar in the same technology
  uint32_t latency = 0;        ///< cycles, at the technology's lane pitch, and what the least and
  uint32_t latency_least = 0;  ///< the most that it may be would make of it
  uint32_t latency_most = 0;
};

/// Columns of what all units of the design need.
const Fields<DesignCost>& hardware_columns();

/// The number of SHFLs that a run issued.
uint64_t shuffles_of(const traces::Trace& trace, const model::RunResult& result);
/// The sum of a unit's stat ("passes") over all instructions of a run.
uint64_t total_of(const model::RunResult& result, const char* stat);
/// Energy of all SHFLs of a run in picojoules: passes E_pass + SHFLs N e_register
/// (model/shuffle/shuffle_energy.h), or the chip's measured energies (model/energy/energy.h).
double energy_of(const traces::Trace& trace, const model::RunResult& result,
                 const DesignCost& cost);
/// Mean energy per SHFL; empty without SHFLs, and for a network that uses another unit's
/// wires.
Value mean_energy(const DesignCost& cost, uint64_t shuffles, double energy);
/// Warp-cycles in all states other than `selected`.
uint64_t stalls_of(const model::RunResult& result);

}  // namespace shflsim::report
