// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/core/run_result.h"
#include "model/shuffle/shuffle_network.h"
#include "report/field.h"
#include "traces/trace.h"

namespace shflsim::report {

/// The hardware of a design's shuffle units.
struct DesignCost {
  std::string network;
  uint32_t units = 1;  ///< in an SM
  model::NetworkCost network_cost;
  double pass_energy = 0;      ///< picojoules a pass (model/shuffle/shuffle_energy.h)
  double register_energy = 0;  ///< picojoules a SHFL, whatever its passes
};

/// What all its units need.
const Fields<DesignCost>& hardware_columns();

/// SHFLs that a run issued.
uint64_t shuffles_of(const traces::Trace& trace, const model::RunResult& result);
/// A unit's stat ("passes") over all instructions of a run.
uint64_t total_of(const model::RunResult& result, const char* stat);
/// Picojoules of all SHFLs of a run: passes E_pass + SHFLs N e_register
/// (model/shuffle/shuffle_energy.h).
double energy_of(const traces::Trace& trace, const model::RunResult& result,
                 const DesignCost& cost);
/// Warp-cycles in any state but `selected`.
uint64_t stalls_of(const model::RunResult& result);

}  // namespace shflsim::report
