// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "report/run/columns.h"

namespace shflsim::report {

/// How full the run's SMs are, by the names of Nsight Compute: how many warps can be resident at a
/// time, what keeps it from being more, and how many there were.
const Fields<Run>& occupancy();

/// The occupancy in two sentences; nothing if the result does not have it.
void write_occupancy(std::ostream& out, const Run& run);

}  // namespace shflsim::report
