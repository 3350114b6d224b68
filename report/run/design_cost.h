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

/// A shuffle unit in cells and wires of its technology.
struct UnitCost {
  std::optional<model::SynthesisedNetwork> cells;  ///< none of what was not synthesised
  double channel = 0;                              ///< square micrometres of wire tracks
  uint32_t pitches = 0;                            ///< lane pitches of its longest way
  model::PassTime time;
};

/// The hardware of a design's shuffle units.
struct DesignCost {
  std::string network;
  uint32_t units = 1;  ///< units in an SM
  model::NetworkCost network_cost;
  bool has_wires = true;            ///< else it borrows another unit's, whose price nobody says
  uint64_t pipeline_registers = 0;  ///< bits of a unit: between the stages of a pass
  uint64_t queue_registers = 0;     ///< of SHFLs that wait at its input
  uint64_t control_registers = 0;   ///< that count slices and the interval
  double flip_flop_area = 0;        ///< square micrometres of a bit
  double pass_energy = 0;           ///< picojoules a pass (model/shuffle/shuffle_energy.h)
  double register_energy = 0;       ///< picojoules a SHFL, for any number of passes
  model::Technology technology;
  bool has_depth = false;      ///< shuffle.depth
  UnitCost unit;               ///< cost of one unit in its technology
  UnitCost crossbar;           ///< a crossbar in the same
  uint32_t latency = 0;        ///< cycles, at the technology's lane pitch, and what the least and
  uint32_t latency_least = 0;  ///< the most that it may be would make of it
  uint32_t latency_most = 0;
};

/// What all its units need.
const Fields<DesignCost>& hardware_columns();

/// SHFLs that a run issued.
uint64_t shuffles_of(const traces::Trace& trace, const model::RunResult& result);
/// A unit's stat ("passes") over all instructions of a run.
uint64_t total_of(const model::RunResult& result, const char* stat);
/// Picojoules of all SHFLs of a run: passes E_pass + SHFLs N e_register
/// (model/shuffle/shuffle_energy.h), or as measured where the chip was (model/energy/energy.h).
double energy_of(const traces::Trace& trace, const model::RunResult& result,
                 const DesignCost& cost);
/// Of a SHFL, mean of these; empty without SHFLs, and for a network that borrows another unit's
/// wires.
Value mean_energy(const DesignCost& cost, uint64_t shuffles, double energy);
/// Warp-cycles in any state but `selected`.
uint64_t stalls_of(const model::RunResult& result);

}  // namespace shflsim::report
