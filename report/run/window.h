// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/core/cycle.h"

namespace shflsim::report {

/// The part of a run that a view over time shows.
struct Window {
  struct Warps {
    uint32_t first = 0;
    uint32_t last = 0;
  };
  std::vector<Warps> warps;  ///< indices into Trace::warps; none: all of them
  model::Cycle from = 0;
  model::Cycle to = model::kNever;  ///< end of the window, exclusive

  /// True if it names neither warps nor cycles.
  bool is_whole_run() const { return warps.empty() && from == 0 && to == model::kNever; }
  bool has_warp(uint32_t warp) const {
    return warps.empty() || std::any_of(warps.begin(), warps.end(), [warp](const Warps& each) {
             return each.first <= warp && warp <= each.last;
           });
  }
};

}  // namespace shflsim::report
