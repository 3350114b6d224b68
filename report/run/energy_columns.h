// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/run/columns.h"

namespace shflsim::report {

/// One kind of work, and what it took.
struct EnergyRow {
  const Run& run;
  const model::EnergyStats& energy;
};

/// Of the run as a whole, its SHFLs among it.
Fields<Run> energy_totals();
const Fields<EnergyRow>& energy_columns();

/// Joules of the run, idle power included; 0 if the chip's energies are not known.
double joules_of(const model::RunResult& result);

}  // namespace shflsim::report
