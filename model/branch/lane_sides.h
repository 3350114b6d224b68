// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/lanes/lane_map.h"

namespace shflsim::model {

/// The sides of a warp whose lanes have diverged at branches: the running side, the sides that are
/// ready, and the lanes that wait at a convergence barrier. The side suspended last is at hand;
/// earlier sides are stored (measured: docs/sources.md, "Convergence"). The sides depend only on
/// the lanes of branches and BSYNCs, so that a recorded trace takes the same time as the run.
class LaneSides {
 public:
  static constexpr unsigned kBarriers = 17;  ///< B0 to B15, and WARPSYNC's

  void start(isa::LaneMask lanes);
  /// `taken` lanes take the branch; one side continues. True if the lanes diverge.
  bool part(isa::LaneMask taken, bool taken_first);
  /// These lanes go where their registers say; the others stay at the jump until they run.
  void part_at_jump(isa::LaneMask gone);
  /// The running side waits at a barrier or has ended; the side suspended last runs. Returns true
  /// if it was stored.
  bool resume();
  void wait(unsigned barrier) { waiting_[barrier] |= active_; }
  /// All lanes of the barrier continue. Returns true if some of them had waited.
  bool meet(unsigned barrier);

  /// The running side gives way to the side suspended last, if there is one.
  void give_way();
  /// True if other lanes are suspended or wait.
  bool has_others() const;
  /// True if lanes wait at this barrier.
  bool waits_at(unsigned barrier) const { return waiting_[barrier] != 0; }

  isa::LaneMask active() const { return active_; }
  /// True if the side that was resumed last is at a jump that other lanes have taken.
  bool stands_at_jump() const { return stands_at_jump_; }
  void set_active(isa::LaneMask lanes) { active_ = lanes; }
  /// These running lanes have ended.
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
