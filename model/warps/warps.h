// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <vector>

#include "model/core/slot_mask.h"
#include "model/core/stats.h"
#include "model/warps/issue_record.h"
#include "traces/warp_reader.h"

namespace shflsim::model {

class WarpWatch;

/// The warps of a sub-partition by slot: the next instruction of each, its state, and the start of
/// that state. Every cycle of a resident warp is charged to one state and one instruction, here or
/// by Candidates.
struct Warps {
  /// Cycles that were charged in advance, up to before `until`.
  struct Spent {
    InstructionStats* stats = nullptr;
    WarpState on = WarpState::kWait;
    Cycle cycles = 0;
    Cycle until = 0;
  };
  /// What waits for the loads to shared memory (LDGSTS) that a warp has begun.
  struct LoadWait {
    uint64_t loads = 0;            ///< for the first loads, this many of them
    const Facts* facts = nullptr;  ///< a scoreboard of this instruction...
    isa::BulkCopy arrival;         ///< ...or else a barrier in shared memory...
    uint32_t later = 0;            ///< ...is notified this many cycles later
  };
  /// Loads to shared memory of a warp; they complete in the order in which they begin.
  struct SharedLoads {
    uint64_t begun = 0;
    uint64_t known = 0;  ///< loads whose completion is known
    Cycle done = 0;      ///< when all these loads are complete
    std::vector<LoadWait> waits;
  };
  /// The size is a power of two, because warps are indexed by slot very often.
  struct alignas(256) Warp {
    // Of the next instruction.
    const IssueRecord* record = nullptr;
    InstructionStats* stats = nullptr;
    uint32_t index = 0;  ///< static
    WarpState state = WarpState::kNoInstruction;
    Cycle since = 0;                          ///< cycle from which `state` is not yet charged
    std::optional<traces::WarpReader> steps;  ///< position at the next step to issue

    // Rarely used.
    WarpStats* totals = nullptr;
    Cycle started = 0;
    Cycle barrier_arrival = 0;  ///< deferred barrier: a NOP that issues before then does not wait
    Cycle barrier_release = 0;  ///< deferred barrier: MIO and branch instructions wait until then
    Cycle phase_release = 0;    ///< of a phase's wait under way: when it ends; kNever: not known
    Cycle group_release = 0;    ///< products wait until then for the other warps of their group
    uint32_t in_flight = 0;     ///< instructions in the MIO queue
    Cycle drained = 0;          ///< last result of instructions that left the queue
    SharedLoads loads;

    /// True if the next instruction is a product, and other warps of the group have yet to come.
    bool waits_for_group(Cycle now) const {
      return (record->product & kOfGroup) != 0 && group_release > now;
    }
    /// True if the deferred barrier stops an instruction that would wait behind it.
    bool waits_for_barrier(Cycle now) const {
      if (barrier_release <= now) return false;
      return barrier_arrival <= now || record->facts->kind != isa::OpKind::kNop;
    }
    /// The end of a wait for a deferred barrier, or for the group.
    Cycle held_until() const {
      const bool is_product = (record->product & kOfGroup) != 0;
      return is_product ? std::max(barrier_release, group_release) : barrier_release;
    }
    /// True if the next step is of the next instruction, where nothing but the scheduler acts.
    bool goes_straight_on() const {
      return steps->step().index == index + 1 && record[1].point == Point::kNone;
    }
    /// Moves the warp to the next instruction of the code.
    void stand_before_next() {
      ++index;
      ++record;
      ++stats;
    }
    /// Charges the cycles before `now` to the warp's state and to its next
    /// instruction.
    void charge(Cycle now) {
      assert(since <= now && "no cycle is charged twice");
      stats->states[static_cast<size_t>(state)] += now - since;
      since = now;
    }
    /// Counts the issue of the next instruction.
    void count_issue() const {
      ++stats->issued;
      stats->lanes += static_cast<uint64_t>(__builtin_popcount(steps->step().lanes));
    }
    /// The warp, whose cycles so far are charged, issues at `now`. Its state from the next cycle on
    /// is set after the issue.
    void select(Cycle now) {
      assert(since == now && "the warp's cycles so far are charged");
      stats->states[static_cast<size_t>(WarpState::kSelected)] += 1;
      since = now + 1;
    }
    /// The warp is in this state from `now` on.
    void enter(WarpState next, Cycle now) {
      if (state == next) return;
      charge(now);
      state = next;
    }
  };

  /// `records` and `instructions` are by static index.
  Warps(const std::vector<IssueRecord>& all_records, std::vector<InstructionStats>* instructions)
      : records(all_records), all_stats(*instructions) {}

  void stand_before(unsigned slot, uint32_t static_index) {
    warp[slot].index = static_index;
    warp[slot].record = &records[static_index];
    warp[slot].stats = &all_stats[static_index];
  }
  /// True if the warp's next instruction is the last one of the code.
  bool is_before_last(unsigned slot) const { return warp[slot].index + 1 == records.size(); }
  /// The warp's state for the next cycles after its issue is known: charges them in advance.
  void spend(unsigned slot, WarpState on, Cycle cycles);
  /// Withdraws the cycles from `now` on that were charged in advance.
  void take_back(unsigned slot, Cycle now);
  void start(unsigned slot, traces::WarpReader steps, WarpStats* of_warp, Cycle now);
  /// Frees the slot.
  void end(unsigned slot, Cycle now);
  /// First cycle after `now` in which an exited warp has its last result, as far as known.
  Cycle next_end(Cycle now) const;

  const std::vector<IssueRecord>& records;
  std::vector<InstructionStats>& all_stats;
  WarpWatch* watch = nullptr;  ///< nullptr without an observer

  SlotMask resident = 0;
  SlotMask exited = 0;  ///< resident warps that have exited and wait for their last results
  std::array<Warp, kMostSlots> warp{};
  Cycle stored = 0;                       ///< when the bulk stores of the SM so far have been read
  static constexpr unsigned kSpends = 4;  ///< more than a jump needs
  std::array<std::array<Spent, kSpends>, kMostSlots> spent{};  ///< ring of each slot's spent cycles
  std::array<unsigned, kMostSlots> spends{};
};

}  // namespace shflsim::model
