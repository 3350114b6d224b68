// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/lanes/lane_map.h"

namespace shflsim::model {

/// The sides of a warp whose lanes have diverged at branches: the running side, the sides that are
/// ready, and the lanes that wait at a convergence barrier. The side left last is at hand; earlier
/// sides are stored (measured: docs/sources.md, "Convergence"). Sides follow from the lanes of
/// branches and BSYNCs alone, so that a recorded trace takes the same time as the run.
class LaneSides {
 public:
  static constexpr unsigned kBarriers = 17;  ///< B0 to B15, WARPSYNC's

  void start(isa::LaneMask lanes);
  /// `taken` lanes take the branch; one side continues. True if the lanes diverge.
  bool part(isa::LaneMask taken, bool taken_first);
  /// These lanes continue where their registers say; the others stay at the jump until they run.
  void part_at_jump(isa::LaneMask gone);
  /// What runs waits at the barrier or has ended; the side left last runs. True if it was
  /// stored.
  bool resume();
  void wait(unsigned barrier) { waiting_[barrier] |= active_; }
  /// All lanes of the barrier continue. True where some had waited.
  bool meet(unsigned barrier);

  /// What runs gives way to the side left last, if there is one.
  void give_way();
  /// Whether other lanes are left or wait.
  bool has_others() const;

  isa::LaneMask active() const { return active_; }
  /// The side that was resumed last has a jump before it that others have taken.
  bool stands_at_jump() const { return stands_at_jump_; }
  void set_active(isa::LaneMask lanes) { active_ = lanes; }
  /// These of the running lanes have ended.
  void end(isa::LaneMask lanes) { active_ &= ~lanes; }

 private:
  struct Left {
    isa::LaneMask lanes;
    bool stands_at_jump;
  };

  isa::LaneMask active_ = 0;
  bool stands_at_jump_ = false;
  bool one_is_at_hand_ = false;
  std::vector<Left> left_;
  std::array<isa::LaneMask, kBarriers> waiting_{};
};

}  // namespace shflsim::model
