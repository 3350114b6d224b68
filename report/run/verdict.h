// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "model/core/cycle.h"
#include "report/run/field.h"

namespace shflsim::report {

/// What a part of the critical path was spent on.
struct BoundShare {
  std::string bound;            ///< bound_name() (report/time/path_bounds.h)
  std::vector<std::string> of;  ///< operations that it was for, the most cycles first
  model::Cycle cycles = 0;
  double share = 0;  ///< fraction of the path's cycles
};

/// A unit in the tenth of the run in which it is busiest.
struct BusiestTenth {
  std::string unit;
  double share = 0;  ///< fraction of the tenth's cycles in which it is busy, mean of its instances
  model::Cycle from = 0;
  model::Cycle to = 0;
  double utilization = 0;  ///< the same over the whole run
};

/// The run on a machine that differs in some values.
struct WhatIf {
  std::string name;                   ///< "at half rate"; "" of one that the user asked for
  std::vector<std::string> settings;  ///< "shuffle.lanes=16"
  std::optional<uint64_t> cycles;     ///< nothing if it was not run
  std::string error;                  ///< why the machine cannot run
};

/// What bounds a run, and what changes of the machine would do to it.
struct Verdict {
  uint64_t cycles = 0;              ///< of the run
  std::optional<uint64_t> cut;      ///< cycles of the part that `bounds` are of, if not of all
  uint64_t shuffles = 0;            ///< SHFLs issued
  std::vector<BoundShare> bounds;   ///< the most cycles first; none if the path was not followed
  std::vector<BusiestTenth> units;  ///< units that took operations, the busiest first
  std::vector<WhatIf> what_ifs;     ///< those of the shuffle unit, then the user's

  /// Its cycles against the run's, as a fraction: 0.25 takes a quarter longer.
  std::optional<double> change_of(const WhatIf& what_if) const;
};

/// A part of a verdict with the verdict.
struct WhatIfRow {
  const Verdict& verdict;
  const WhatIf& what_if;
};
const Fields<BoundShare>& bound_columns();
const Fields<BusiestTenth>& busiest_columns();
const Fields<WhatIfRow>& what_if_columns();

/// A change of the cycles below which a verdict says that nothing changes.
constexpr double kMatters = 0.01;

/// The verdict in sentences that follow from its figures, at most five: what bounds the run, which
/// unit is busiest, whether the shuffle unit matters, what else was tried.
std::vector<std::string> verdict_lines(const Verdict& verdict);
void write_verdict(std::ostream& out, const Verdict& verdict);

}  // namespace shflsim::report
