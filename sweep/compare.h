// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "report/compare.h"

namespace shflsim::sweep {

/// Runs every workload on every design, in `processes` processes, on which nothing depends but the
/// time that it takes. Throws what model::run throws, with the workload and design in front.
report::Comparison compare(std::vector<report::Workload> workloads,
                           std::vector<report::Design> designs, unsigned processes);

}  // namespace shflsim::sweep
