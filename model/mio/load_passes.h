// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "model/core/slot_mask.h"
#include "model/mio/operations.h"

namespace shflsim::model {

/// The loads from shared memory behind the shared pipe, by sub-partition. Each pass over the banks
/// takes a cycle of all sub-partitions' way back, and keeps its own sub-partition for `interval`.
class LoadPasses {
 public:
  explicit LoadPasses(uint32_t interval) : interval_(interval) {}

  uint32_t size(unsigned sub_partition) const { return loads_[sub_partition].size; }
  /// True if a load waits for its next pass.
  bool wait() const { return waiting_ != 0; }
  /// True if the last cycle of the way back was that of a pass, not of what goes instead of one.
  bool was_pass() const { return was_pass_; }
  /// First cycle in which something of the sub-partition may go instead of a pass.
  Cycle free_from(unsigned sub_partition) const { return std::max(next_[sub_partition], free_); }
  /// Something goes instead of a pass, which takes the way back until `free`.
  void take(unsigned sub_partition, Cycle now, Cycle free) {
    next_[sub_partition] = now + interval_;
    free_ = free;
    was_pass_ = false;
  }
  /// A beat of a load is granted. The passes for one word of its lanes may go, or all passes that
  /// are left, if the beat is the last one. `unit` counts the passes of the load.
  void let_go(unsigned sub_partition, const Operation& load, MioUnit& unit, Cycle now) {
    Operations& loads = loads_[sub_partition];
    if (!load.has_begun) {
      loads.push();
      loads.back().request = load.request;
      loads.back().ready = now;
      loads.back().left = unit.beats(load.request);
    }
    Operation& last = loads.back();
    last.complete = load.beats == 0 && load.complete;
    const uint32_t more =
        last.complete ? last.left : unit.beats(load.request) / unit.requests(load.request);
    last.left -= more;
    last.beats += more;
    note(sub_partition);
  }
  /// First cycle from `now` on in which a pass may go.
  Cycle due(const MioUnit& unit, Cycle now) const {
    Cycle due = kNever;
    for_each_slot(waiting_, [&](unsigned s) { due = std::min(due, pass_from(s, unit, now)); });
    return due;
  }
  /// Grants a pass; calls `end` with the sub-partition and its load if that was the last one.
  template <class End>
  bool grant(const MioUnit& unit, Cycle now, End end) {
    for (unsigned i = 0; i < kSubPartitions; ++i) {
      const unsigned s = (first_ + i) % kSubPartitions;
      if ((waiting_ >> s & 1u) == 0 || pass_from(s, unit, now) > now) continue;
      take(s, now, now + 1);
      was_pass_ = true;
      first_ = (s + 1) % kSubPartitions;
      Operation& load = loads_[s].front();
      if (--load.beats == 0 && load.complete) {
        end(s, load.request);
        loads_[s].pop();
      }
      note(s);
      return true;
    }
    return false;
  }

 private:
  Cycle pass_from(unsigned sub_partition, const MioUnit& unit, Cycle now) const {
    const Operation& first = loads_[sub_partition].front();
    return unit.free_for(first.request, sub_partition,
                         std::max({free_from(sub_partition), first.ready, now}));
  }
  void note(unsigned sub_partition) {
    const Operations& loads = loads_[sub_partition];
    const bool waits = loads.size != 0 && loads.front().beats != 0;
    waiting_ = waits ? waiting_ | 1u << sub_partition : waiting_ & ~(1u << sub_partition);
  }

  const uint32_t interval_;
  std::array<Operations, kSubPartitions> loads_;
  std::array<Cycle, kSubPartitions> next_{};  ///< first cycle of its next pass
  uint32_t waiting_ = 0;                      ///< bit s: the first load of s may have its next pass
  unsigned first_ = 0;                        ///< the sub-partition that is asked first
  Cycle free_ = 0;
  bool was_pass_ = false;
};

}  // namespace shflsim::model
