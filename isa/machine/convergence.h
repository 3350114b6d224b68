// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/lanes/lane_map.h"
#include "isa/machine/lane_groups.h"

namespace shflsim::isa {

/// Lanes that reach a WARPSYNC with one membermask.
struct LaneSet {
  LaneMask members;
  LaneMask lanes;
};

/// The convergence barriers of a warp, B0 to B15: each is the set of lanes that it waits for.
class BarrierRegisters {
 public:
  LaneMask operator[](unsigned number) const {
    return number < members_.size() ? members_[number] : 0;
  }
  void set(unsigned number, LaneMask members) {
    if (number >= members_.size()) members_.resize(number + 1);
    members_[number] = members;
  }

 private:
  std::vector<LaneMask> members_;  ///< up to the highest in use; most code uses few
};

/// Which lanes of a warp run, at which instruction, and which lanes wait, on sm_70 and later: every
/// lane has its own program counter. The warp issues for one group of lanes at one instruction;
/// other groups are ready, or wait at a convergence barrier, for a WARPSYNC or at a barrier of the
/// block.
///
/// The rules are those of an H200, whose barrier registers can be read (docs/sources.md,
/// "Convergence"; scripts/lab/hw/barriers.py). A convergence barrier is one register of the warp,
/// the set of lanes that it waits for. When the running group waits, ends or yields, the group that
/// stopped running last, or was released last, continues. Lanes that wait for a plain or EXCLUSIVE
/// WARPSYNC continue when no other group is ready, and a convergence barrier then lets its lanes go
/// if it waits only for lanes that a WARPSYNC holds. What an H200 does when lanes reach one barrier
/// by BSYNCs at two places is not known; here each side continues at its own place.
///
/// Assumed: A group that has jumped back kPatience times while others were ready yields, so that
/// lanes that wait for each other's stores make progress. When all groups that can run have yielded
/// kPatience times, lanes that wait for these groups at a convergence barrier are released: an H200
/// lets a lane through that holds a lock for which the other lanes of its BSSY spin. A RELIABLE
/// barrier of sm_100 and later that waits for lanes that cannot come releases its lanes: in ptxas'
/// code for a switch, lanes may come to the BSYNC around it without a BREAK.
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

  /// BSSY adds lanes, BMOV moves sets.
  BarrierRegisters barriers;
  /// BREAK: the barrier does not wait for `lanes`. Lanes that it releases run first.
  void leave_barrier(unsigned number, LaneMask lanes);
  /// BSYNC: if the barrier waits only for lanes that are here or held by a WARPSYNC, all lanes that
  /// are here continue together. Otherwise its members wait, and the other lanes continue.
  void wait_at_barrier(unsigned number, LaneMask lanes, bool is_reliable);

  /// WARPSYNC: lanes wait until all members that have not ended wait at this place. Sets of which
  /// lanes have waited continue together; a set that comes complete continues by itself.
  void wait_for_lanes(const std::vector<LaneSet>& sets);
  /// WARPSYNC.EXCLUSIVE: likewise, but each set continues without the others.
  void wait_exclusively(const std::vector<LaneSet>& sets);
  /// WARPSYNC.COLLECTIVE: the members may wait at any place. All continue together at the place of
  /// the last lanes, up to end_collective(); from there the lanes of this call continue at `end`.
  void wait_for_collective(const std::vector<LaneSet>& sets, uint32_t end);
  /// The lanes that came last continue first, then the other lanes.
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
  static constexpr uint32_t kNowhere = 0xFFFFFFFFu;
  void stop(const LaneGroup& group);
  std::vector<LaneMask> stop_sets(const std::vector<LaneSet>& sets, Wait wait);
  bool is_complete(const LaneGroup& group, LaneMask absent) const;
  void release_complete();
  bool release_barrier(LaneMask absent, bool dissolves, uint32_t numbers = ~0u);
  bool release_warpsync();
  bool release_any();

  LaneMask active_;
  uint32_t pc_ = 0;
  unsigned jumps_back_ = 0;
  LaneMask stood_back_ = 0;
  unsigned rounds_stood_back_ = 0;  ///< rounds in which all groups that can run have yielded
  LaneGroups others_;
  uint32_t reliable_ = 0;              ///< set of barriers whose last BSYNC is RELIABLE
  std::array<uint32_t, kLanes> ends_;  ///< end of each lane's collective operation
  LaneMask came_last_ = 0;             ///< lanes that completed their collective operation
};

}  // namespace shflsim::isa
