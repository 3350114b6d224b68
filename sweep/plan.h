// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sweep/engine.h"
#include "sweep/results_file.h"
#include "sweep/shard.h"

namespace shflsim::sweep {

/// A sweep as its results file stores it: its points, and which points have a result.
class PlannedSweep {
 public:
  /// `program`: version of this program, on which the results depend.
  PlannedSweep(const Sweep& sweep, const std::string& program, const Shard& shard = {});

  size_t size() const { return numbers_.size(); }
  /// A digest of all points of the grid, what they depend on, and the program.
  const std::string& digest() const { return plan_.digest; }
  const std::string& fingerprint(size_t number) const;
  /// Makes `file` a file of this sweep, and returns the numbers of the points to run: those without
  /// a result and, with `retries`, those that failed. Equal points are run once.
  std::vector<size_t> begin(ResultsFile* file, bool retries) const;

 private:
  PlannedPoint planned(size_t number) const;
  std::string command(size_t number) const;

  const Sweep& sweep_;
  std::vector<size_t> numbers_;            ///< numbers of the shard's points
  std::vector<std::string> fingerprints_;  ///< fingerprints of all points of the grid
  Plan plan_;
};

}  // namespace shflsim::sweep
