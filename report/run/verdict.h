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

/// A part of the critical path and what bounds it.
struct BoundShare {
  std::string bound;            ///< bound_name() (report/time/path_bounds.h)
  std::vector<std::string> of;  ///< operations that it is about, the most cycles first
  model::Cycle cycles = 0;
  double share = 0;  ///< fraction of the path's cycles
};

/// A unit and the tenth of the run in which it is busiest.
struct BusiestTenth {
  std::string unit;
  double share = 0;  ///< fraction of the tenth's cycles in which it is busy, mean of its instances
  model::Cycle from = 0;
  model::Cycle to = 0;
  double utilization = 0;  ///< this fraction over the whole run
};

/// The run on a machine with some values changed.
struct WhatIf {
  std::string name;                   ///< "at half rate"; "" for one that the user asked for
  std::vector<std::string> settings;  ///< "shuffle.lanes=16"
  std::optional<uint64_t> cycles;     ///< nothing if it did not run
  std::string error;                  ///< why the machine cannot run it
};

/// What bounds a run, and how changes of the machine would affect it.
struct Verdict {
  uint64_t cycles = 0;              ///< of the run
  std::optional<uint64_t> cut;      ///< cycles covered by `bounds`, if not all
  uint64_t shuffles = 0;            ///< SHFLs issued
  std::vector<BoundShare> bounds;   ///< the most cycles first; empty if the path is unknown
  std::vector<BusiestTenth> units;  ///< units that took operations, the busiest first
  std::vector<WhatIf> what_ifs;     ///< the shuffle unit's, then the user's

  /// The change of the cycles as a fraction of the run's: 0.25 takes a quarter longer.
  std::optional<double> change_of(const WhatIf& what_if) const;
};

/// A what-if together with its verdict.
struct WhatIfRow {
  const Verdict& verdict;
  const WhatIf& what_if;
};
const Fields<BoundShare>& bound_columns();
const Fields<BusiestTenth>& busiest_columns();
const Fields<WhatIfRow>& what_if_columns();

/// A smaller relative change of the cycles counts as none in a verdict.
constexpr double kMatters = 0.01;

/// The verdict in at most five sentences: what bounds the run, which unit is busiest, whether the
/// shuffle unit matters, and what else was tried.
std::vector<std::string> verdict_lines(const Verdict& verdict);
void write_verdict(std::ostream& out, const Verdict& verdict);

}  // namespace shflsim::report
