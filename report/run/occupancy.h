// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "report/run/columns.h"

namespace shflsim::report {

/// The occupancy of the run's SMs, with the names of Nsight Compute: how many warps can be
/// resident, what limits this number, and how many warps were resident.
const Fields<Run>& occupancy();

/// Writes the occupancy in two sentences; nothing if the result does not have it.
void write_occupancy(std::ostream& out, const Run& run);

}  // namespace shflsim::report
