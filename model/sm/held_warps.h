// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "model/barrier/group_meetings.h"
#include "model/barrier/held_at.h"
#include "model/copy_engine/copy_engine.h"
#include "model/core/kept_cycle.h"
#include "traces/trace.h"

namespace shflsim::model {

/// The asynchronous copies of an SM, and the warps that wait for a phase of a barrier in shared
/// memory or for their cluster. Warps are indices into Trace::warps.
class HeldWarps {
 public:
  /// `is_ending`: true while an SM of the chip ends a copy, which may release warps of other SMs.
  HeldWarps(const sc_core::sc_module_name& name, const CopyEngineParams& params,
            const ClusterParams& cluster, unsigned sm, const CopyEngine::Later& later,
            const traces::Trace& trace, bool* is_ending, uint32_t clock_mhz);

  CopyEngine& engine() { return engine_; }
  const CopyEngine& engine() const { return engine_; }
  /// Where groups of warps meet before their products.
  GroupMeetings& groups() { return groups_; }
  /// True if the code has copies.
  bool has_copies() const { return has_copies_; }

  void start_warp(unsigned sm_slot, size_t warp) { holds_[sm_slot].warp = warp; }
  /// The warp waits from now on.
  void hold(unsigned sm_slot, const HeldAt& at, Cycle now);
  /// The warp may continue.
  void release(size_t warp);
  /// A copy of the warp begins. Returns when its source has been read.
  Cycle begin_copy(const isa::BulkCopy& copy, Cycle now);
  /// Loads to shared memory are done at `when`; then a barrier is notified.
  void end_later(const isa::BulkCopy& arrival, Cycle when);
  unsigned slot_of(size_t warp) const;
  size_t warp_in(unsigned sm_slot) const { return holds_[sm_slot].warp; }

  /// First cycle in which a copy ends or a warp's wait reaches its limit.
  Cycle due() const { return due_.get(); }
  void keep_due_at(Cycle* place) { due_.keep_at(place); }
  /// Reports both to the launch.
  void end_copies(Cycle now);

  struct Release {
    unsigned sm_slot;
    Cycle cycle;
  };
  /// The warps released since the last call, each with its earliest cycle.
  std::vector<Release> take_releases(Cycle now);

 private:
  struct Hold {
    size_t warp = ~size_t{0};  ///< none yet
    bool is_held = false;
    HeldAt at;
    Cycle since = 0;
    Cycle limit = kNever;  ///< when it gives up
    bool is_told = false;  ///< the end of a copy, or the time limit, ended its wait
  };
  struct Limit {
    Cycle cycle;
    unsigned sm_slot;
  };
  static constexpr unsigned kSlots = 64;  ///< most warps of an SM
  Cycle goes_on(const Hold& hold, Cycle now) const;
  Cycle limit_of(const HeldAt& at, Cycle now) const;
  void add_limit(const Limit& limit);
  bool is_waiting(const Limit& limit) const;
  void set_due();

  const CopyEngineParams params_;
  const traces::Trace& trace_;
  bool& is_ending_;
  const uint32_t clock_mhz_;
  const bool has_copies_;
  CopyEngine engine_;
  std::vector<Hold> holds_;         ///< by SM slot
  GroupMeetings groups_{kSlots};    ///< a block has a slot at least
  std::deque<Limit> limits_;        ///< of waits for phases, earliest first
  std::vector<unsigned> releases_;  ///< SM slots
  KeptCycle due_;
};

}  // namespace shflsim::model
