// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "isa/lanes/lane_map.h"
#include "isa/machine/lane_groups.h"

namespace shflsim::isa {

/// Which of a warp's lanes run, where, and which lanes wait for which, from sm_70 on: every lane
/// has its own program counter. The warp issues for one group of lanes at one instruction; other
/// groups are ready, or wait at a convergence barrier, for a WARPSYNC or at a barrier of the block
/// (docs/sources.md, "Convergence").
///
/// NVIDIA does not document which ready group runs next; here it is the group that was left last,
/// once the running group waits, ends or yields. A group that has jumped back kPatience times while
/// others were ready yields, so that lanes that wait for each other's stores make progress. Once
/// all groups that could run have yielded kPatience times, lanes that wait for these groups at a
/// convergence barrier are released: an H200 lets a lane through that holds a lock for which the
/// others of its BSSY spin. Lanes do not wait there for others that a WARPSYNC holds either, once
/// nothing else runs: their barrier dissolves.
class Convergence {
 public:
  static constexpr unsigned kBarriers = 16;  ///< B0 to B15
  static constexpr unsigned kPatience = 64;

  explicit Convergence(LaneMask lanes) : active_(lanes) { ends_.fill(kNowhere); }

  LaneMask active() const { return active_; }
  uint32_t pc() const { return pc_; }  ///< index into Program::code
  void go_to(uint32_t index) { pc_ = index; }
  /// Lanes that have not ended, running or waiting.
  LaneMask alive() const { return active_ | others_.lanes(); }
  bool done() const { return alive() == 0; }

  /// `taken` of the running lanes want to go to `target`, the others to `next`. As on an H200 the
  /// smaller group goes first, and `next` of two equal ones (docs/sources.md, "Convergence").
  void branch(LaneMask taken, uint32_t target, uint32_t next);
  /// `lanes`, not all of the running lanes, continue at `target` as a group.
  void part(LaneMask lanes, uint32_t target);
  void exit(LaneMask lanes);
  /// Another ready group runs, if there is one.
  void yield();
  /// YIELD, NANOSLEEP: the running lanes give way to others, until some lane waits or continues.
  void stand_back();

  /// BSSY: barrier `barrier` of each of these lanes waits for `members`, themselves.
  void set_barrier(unsigned barrier, LaneMask lanes, LaneMask members);
  LaneMask barrier(unsigned barrier, unsigned lane) const { return barriers_[barrier][lane]; }
  /// BREAK: no lane waits for these at the barrier any more.
  void leave_barrier(unsigned barrier, LaneMask lanes);
  /// BSYNC: the lanes wait for those that their barrier names.
  void wait_at_barrier(unsigned barrier, LaneMask lanes);
  /// WARPSYNC: the lanes wait until all of `members` that have not ended do so at this place, too.
  void wait_for_lanes(LaneMask members, LaneMask lanes);
  /// WARPSYNC.COLLECTIVE: the lanes may wait at any place, with the same members. All continue
  /// together at the place of the last lanes, up to end_collective(); from there the lanes of this
  /// call continue at `end`.
  void wait_for_collective(LaneMask members, LaneMask lanes, uint32_t end);
  void end_collective();

  /// BAR: the lanes wait for the block.
  void wait_for_block(uint8_t barrier, LaneMask lanes);
  /// False if no lane waits there.
  bool release_block(uint8_t barrier);
  /// Lets the lanes run on before the block releases them, where all of the warp wait together.
  bool pass_block_barrier();

  /// Lets a ready group run where none does. False if none is ready.
  bool resume();
  /// The lanes that do not run.
  const LaneGroups& others() const { return others_; }

 private:
  using Wait = LaneGroup::Wait;
  static constexpr uint32_t kNowhere = 0xFFFFFFFFu;
  void stop(const LaneGroup& group);
  void release(const LaneGroup& like, LaneMask lanes);
  void release_complete();
  bool release_one_without(LaneMask absent, bool dissolves);
  bool dissolve_one_barrier();
  LaneMask waiting_with(const LaneGroup& group) const;
  LaneMask awaited(const LaneGroup& group) const;

  LaneMask active_;
  uint32_t pc_ = 0;
  unsigned jumps_back_ = 0;
  LaneMask stood_back_ = 0;
  unsigned rounds_stood_back_ = 0;  ///< rounds in which all groups that could run have stood back
  LaneGroups others_;
  std::array<std::array<LaneMask, kLanes>, kBarriers> barriers_{};  ///< by barrier and lane
  std::array<uint32_t, kLanes> ends_;  ///< end of each lane's collective operation
};

}  // namespace shflsim::isa
