// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/run/columns.h"

namespace shflsim::report {

/// One kind of work and its energy.
struct EnergyRow {
  const Run& run;
  const model::EnergyStats& energy;
};

/// Energy of the whole run and of its SHFLs.
Fields<Run> energy_totals();
const Fields<EnergyRow>& energy_columns();

/// Joules of the run including idle power; 0 if the chip's energies are unknown.
double joules_of(const model::RunResult& result);

}  // namespace shflsim::report
