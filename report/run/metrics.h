// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/run/columns.h"
#include "report/run/design_cost.h"

namespace shflsim::report {

/// A run and the shuffle units that it ran on.
struct Measured {
  const Run& run;
  const DesignCost& cost;
};

/// Every figure of a whole run: its totals(), its warp states ("stall_barrier"), the energy of its
/// SHFLs, and what hardware_columns() says.
const Fields<Measured>& metrics();
/// Whether a metric follows from the config alone.
bool is_of_hardware(const std::string& metric);

}  // namespace shflsim::report
