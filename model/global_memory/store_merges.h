// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/core/cycle.h"
#include "model/global_memory/warp_access.h"

namespace shflsim::model {

/// Stores that leave the SM together with the warp's store before them, because they write to the
/// same sectors while that one waits (measured: tests/data/h200/2026-11-30, merges.txt.gz).
class StoreMerges {
 public:
  /// `most_lines`: of a store whose lines are all merged; 0: no store is merged.
  StoreMerges(uint32_t most_lines, size_t warps) : most_lines_(most_lines), last_(warps) {}

  /// Lines of the store, from the first one on, that leave with the warp's last store: all of them,
  /// or if there are more than most_lines, one whose sectors are all written.
  size_t add(const WarpAccess& access, Cycle now) {
    if (most_lines_ == 0) return 0;
    Last& last = last_[access.slot];
    const bool joins = now < last.leaves && has_sectors_of(last.lines, access.lines);
    last.lines = access.lines;
    if (!joins) return 0;
    if (access.lines.size() <= most_lines_) return access.lines.size();
    return access.lines.front().sectors() == kSectors ? 1 : 0;
  }
  /// When the warp's last store will have left.
  void leaves_at(uint32_t warp, Cycle cycle) {
    if (most_lines_ != 0) last_[warp].leaves = cycle;
  }

 private:
  struct Last {
    std::vector<LineTouch> lines;
    Cycle leaves = 0;
  };

  static bool has_sectors_of(const std::vector<LineTouch>& one,
                             const std::vector<LineTouch>& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](const LineTouch& a, const LineTouch& b) {
                        return a.line == b.line && a.sector_mask() == b.sector_mask();
                      });
  }

  const uint32_t most_lines_;
  std::vector<Last> last_;  ///< by SM slot of the warp
};

}  // namespace shflsim::model
