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
  /// Sets the lanes. The barrier is then no longer of one BSSY.
  void set(unsigned number, LaneMask members) {
    if (number >= members_.size()) members_.resize(number + 1);
    members_[number] = members;
    of_one_bssy_ &= ~(1u << number);
  }
  /// BSSY.
  void add(unsigned number, LaneMask lanes) {
    const LaneMask before = (*this)[number];
    set(number, before | lanes);
    of_one_bssy_ |= before == 0 ? 1u << number : 0;
  }
  /// BREAK.
  void remove(unsigned number, LaneMask lanes) {
    if (number < members_.size()) members_[number] &= ~lanes;
  }
  /// True if one BSSY has set all lanes of the barrier.
  bool is_of_one_bssy(unsigned number) const { return (of_one_bssy_ >> number & 1u) != 0; }

 private:
  std::vector<LaneMask> members_;  ///< up to the highest in use; most code uses few
  uint32_t of_one_bssy_ = 0;       ///< set of barriers
};

/// Which lanes of a warp run, at which instruction, and which lanes wait, on sm_70 and later: every
/// lane has its own program counter. The warp issues for one group of lanes at one instruction;
/// other groups are ready, or wait at a convergence barrier, for a WARPSYNC or at a barrier of the
/// block.
///
/// The rules are those of an H200, whose barrier registers, stack of groups and states of lanes can
/// be read (docs/sources.md, "Convergence"; scripts/lab/hw/barriers.py). A convergence barrier is
/// one register of the warp, the set of lanes that it waits for. Ready groups are on a stack: those
/// that a branch leaves or that a barrier releases. When the running group waits, ends or yields,
/// the group on top continues. When the stack is empty, the lanes get their turn from a pointer on,
/// and the first that can run continues with the lanes at its place:
/// - lanes that have yielded, or that others have left behind at a BSYNC,
/// - lanes that wait for a WARPSYNC whose members are all there,
/// - lanes that wait at a convergence barrier, whichever lanes it still waits for. This dissolves
///   the barrier. So a lane that holds a lock makes progress while the other lanes of its BSSY
///   spin.
/// The pointer then moves to the next lane that does not run.
///
/// Assumed: A group that has jumped back kPatience times while others were ready lets these run. On
/// an H200 only YIELD does so; the code that PTX is lowered to here has none.
class Convergence {
 public:
  static constexpr unsigned kPatience = 4096;

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
  /// A jump to an address in a register: `lanes` go to their targets, one place after another; the
  /// other running lanes continue here.
  void scatter(LaneMask lanes, const std::array<uint32_t, kLanes>& targets);
  /// `lanes`, not all of the running lanes, continue at `target` as a group.
  void part(LaneMask lanes, uint32_t target);
  void exit(LaneMask lanes);
  /// YIELD, NANOSLEEP: another group runs, if there is one that can.
  void yield();

  /// BSSY adds lanes, BMOV moves sets.
  BarrierRegisters barriers;
  /// BREAK: the barrier does not wait for `lanes`. Of these and the lanes that it releases the
  /// smaller group runs first.
  void leave_barrier(unsigned number, LaneMask lanes);
  /// BSYNC: if all members wait at the barrier, have yielded or are held by a WARPSYNC, the lanes
  /// that wait continue here. Those that wait at another place continue there, and later, unless
  /// the barrier is of one BSSY. If members are missing, the lanes wait.
  void wait_at_barrier(unsigned number, LaneMask lanes);

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

  /// Lets a group run if none runs. False if none can.
  bool resume();
  /// The lanes that do not run.
  const LaneGroups& others() const { return others_; }

 private:
  using Wait = LaneGroup::Wait;
  static constexpr uint32_t kNowhere = 0xFFFFFFFFu;
  void go_to_targets();
  void stop(const LaneGroup& group);
  std::vector<LaneMask> stop_sets(const std::vector<LaneSet>& sets, Wait wait);
  bool is_complete(const LaneGroup& group) const;
  void release_complete();
  bool run_from_pointer();
  bool run_turn_of(const LaneGroup& group);
  void release_warpsync(const LaneGroup& first);
  void run(const LaneGroup& group);
  void move_pointer(LaneMask running);

  LaneMask active_;
  uint32_t pc_ = 0;
  unsigned pointer_ = 0;  ///< lane whose turn it is when the stack is empty
  unsigned jumps_back_ = 0;
  LaneGroups others_;
  std::array<uint32_t, kLanes> targets_{};  ///< of lanes at a jump to an address in a register
  std::array<uint32_t, kLanes> ends_;       ///< end of each lane's collective operation
  LaneMask came_last_ = 0;                  ///< lanes that completed their collective operation
};

}  // namespace shflsim::isa
