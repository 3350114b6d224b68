// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/core/counts.h"
#include "model/core/run_result.h"
#include "model/energy/energy_params.h"
#include "model/shuffle/shuffle_unit.h"
#include "traces/trace.h"

namespace shflsim::model {

/// The energy column of RunResult::counts.
constexpr Stat kEnergyStat{"energy_pj", "picojoules",
                           "Energy of its issues, including their memory accesses; none of the "
                           "idle "
                           "power's. Empty: not known of the chip.",
                           "energy\npJ"};

/// The properties of the machine on which energies depend, besides the parameters.
struct EnergyMachine {
  uint32_t clock_mhz = 0;  ///< clock of the SMs
  /// Energy of a pass of the shuffle network, relative to a pass of the crossbar that was measured.
  double pass_to_crossbar = 1;
};

EnergyMachine energy_machine(const NetworkChoice& network, const ShuffleParams& shuffle);

/// Adds the energy that the run spends: RunResult::energy, and the column of RunResult::counts.
/// Bits toggle as they did while the launch was executed, or as energy.activity says if the trace
/// has no values. The idle power is that of the whole chip during the launch; for this, the launch
/// is assumed to use all SMs that its blocks can fill, even if fewer SMs were run. The energies of
/// the chip must be known.
void add_energy(const traces::Trace& trace, const EnergyParams& params,
                const EnergyMachine& machine, RunResult* result);

}  // namespace shflsim::model
