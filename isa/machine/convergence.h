// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/lanes/lane_map.h"
#include "isa/machine/lane_groups.h"

namespace shflsim::isa {

/// Which lanes of a warp run, at which instruction, and which lanes wait, on sm_70 and later: every
/// lane has its own program counter. The warp issues for one group of lanes at one instruction;
/// other groups are ready, or wait at a convergence barrier, for a WARPSYNC or at a barrier of the
/// block (docs/sources.md, "Convergence").
///
/// NVIDIA does not document which ready group runs next. Here, when the running group waits, ends
/// or yields, the group that stopped running last continues. A group that has jumped back kPatience
/// times while others were ready yields, so that lanes that wait for each other's stores make
/// progress. When all groups that can run have yielded kPatience times, lanes that wait for these
/// groups at a convergence barrier are released: an H200 lets a lane through that holds a lock for
/// which the other lanes of its BSSY spin. When nothing else runs, a convergence barrier that waits
/// for lanes held by a WARPSYNC dissolves. So does a RELIABLE one of sm_100 and later (assumed: in
/// ptxas' code for a switch, lanes may come to the BSYNC around it without a BREAK).
class Convergence {
 public:
  static constexpr unsigned kPatience = 64;

  explicit Convergence(LaneMask lanes) : active_(lanes) { ends_.fill(kNowhere); }

  LaneMask active() const { return active_; }
  uint32_t pc() const { return pc_; }  ///< index into Program::code
  void go_to(uint32_t index) { pc_ = index; }
  /// Lanes that have not ended, whether they run or wait.
  LaneMask alive() const { return active_ | others_.lanes(); }
  bool done() const { return alive() == 0; }

  /// The lanes `taken` go to `target`, the other running lanes to `next`. As on an H200 the smaller
  /// group runs first; of two equal ones that at `next` (docs/sources.md, "Convergence").
  void branch(LaneMask taken, uint32_t target, uint32_t next);
  /// `lanes`, not all of the running lanes, continue at `target` as a group.
  void part(LaneMask lanes, uint32_t target);
  void exit(LaneMask lanes);
  /// Lets another ready group run, if there is one.
  void yield();
  /// YIELD, NANOSLEEP: the running lanes yield and are counted as having yielded.
  void stand_back();

  /// BSSY: sets the members of the barrier of `lanes`, which are these lanes.
  void set_barrier(unsigned barrier, LaneMask lanes, LaneMask members);
  LaneMask barrier(unsigned barrier, unsigned lane) const {
    return barrier < barriers_.size() ? barriers_[barrier][lane] : 0;
  }
  /// BREAK: no lane waits for `lanes` at the barrier any more.
  void leave_barrier(unsigned barrier, LaneMask lanes);
  /// BSYNC: the lanes wait for the members of their barrier.
  void wait_at_barrier(unsigned barrier, LaneMask lanes, bool is_reliable);
  /// WARPSYNC: the lanes wait until all `members` that have not ended wait at this place.
  void wait_for_lanes(LaneMask members, LaneMask lanes);
  /// WARPSYNC.COLLECTIVE: the lanes may wait at any place, with the same members. All continue
  /// together at the place of the last lanes, up to end_collective(); from there the lanes of this
  /// call continue at `end`.
  void wait_for_collective(LaneMask members, LaneMask lanes, uint32_t end);
  void end_collective();

  /// BAR: the lanes wait at a barrier of the block.
  void wait_for_block(uint8_t barrier, LaneMask lanes);
  /// Releases the lanes that wait at the block's barrier; false if there are none.
  bool release_block(uint8_t barrier);
  /// Lets the lanes run before the block releases them, if all lanes of the warp wait together.
  bool pass_block_barrier();

  /// Lets a ready group run if no group runs. False if none is ready.
  bool resume();
  /// The lanes that do not run.
  const LaneGroups& others() const { return others_; }

 private:
  using Wait = LaneGroup::Wait;
  using Barrier = std::array<LaneMask, kLanes>;  ///< members by lane
  static constexpr uint32_t kNowhere = 0xFFFFFFFFu;
  void stop(const LaneGroup& group);
  void release(const LaneGroup& like, LaneMask lanes);
  void release_complete();
  bool release_one_without(LaneMask absent, bool dissolves, uint32_t barriers = ~0u);
  bool dissolve_one_barrier();
  LaneMask waiting_with(const LaneGroup& group) const;
  LaneMask awaited(const LaneGroup& group) const;

  LaneMask active_;
  uint32_t pc_ = 0;
  unsigned jumps_back_ = 0;
  LaneMask stood_back_ = 0;
  unsigned rounds_stood_back_ = 0;  ///< rounds in which all groups that can run have yielded
  LaneGroups others_;
  std::vector<Barrier> barriers_;      ///< B0 to the highest in use; most code uses few
  uint32_t reliable_ = 0;              ///< set of barriers whose last BSYNC is RELIABLE
  std::array<uint32_t, kLanes> ends_;  ///< end of each lane's collective operation
};

}  // namespace shflsim::isa
