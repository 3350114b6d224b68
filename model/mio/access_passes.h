// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <vector>

#include "model/core/slot_mask.h"
#include "model/mio/mio_ports.h"
#include "model/mio/pass_params.h"
#include "model/mio/product_reads.h"

namespace shflsim::model {

/// Operations behind the shared pipe of an SM. They wait in order for a window. From it two of
/// shared memory and of shuffles are served at a time, the oldest first, but no two of one warp. An
/// operation that no lane executes waits until all older ones have been served (measured:
/// blocks.csv of tests/data/h200/2026-11-29, rounds). The passes of an operation are `interval`
/// cycles apart; there is one pass a cycle, of the two operations in turn. Loads from global memory
/// wait behind the window and take their passes one after another, alternating with the two. Copies
/// to shared memory that bypass the L1 wait among the loads, and take their cycles in parallel with
/// the two (measured: behind.csv.gz of tests/data/h200/2026-11-30). Stores to global memory wait
/// among the loads for room in the store buffer. Other accesses to global memory leave the window
/// when global memory accepts them. While the matrix units read shared memory for a product of a
/// warp group, only such copies begin.
///
///   beat -> place, place, ... -> window -> two that have passes -> unit
///                                      |-> load, store, ... -----> global memory
///                                      \-> global memory
class AccessPasses {
 public:
  AccessPasses(const PassParams& params, uint32_t interval);

  /// Operations of a sub-partition with remaining passes.
  uint32_t size(unsigned sub_partition) const { return sizes_[sub_partition]; }
  bool wait() const { return waiting_ != 0; }
  /// True if the last cycle had a pass, not another beat instead of a pass.
  bool was_pass() const { return was_pass_; }
  /// First cycle in which another beat of the sub-partition may take the place of a pass.
  Cycle free_from(unsigned sub_partition) const { return std::max(next_[sub_partition], free_); }
  /// Another beat takes the place of a pass, until `free`.
  void take(unsigned sub_partition, Cycle now, Cycle free);

  /// First cycle from `now` on in which a place is free; kNever if none will be for now.
  Cycle place_from(Cycle now) const { return place_left_.from(now); }
  /// True if the last store to global memory waited for room in the store buffer.
  bool was_full() const { return was_full_; }
  /// An operation of `unit` takes a place. `words`: of data that a lane stores.
  void enter(unsigned sub_partition, const MioRequest& request, MioUnit& unit, uint32_t words,
             Cycle now);
  /// Lets operations without passes leave the window; calls `end` with its sub-partition and
  /// request.
  template <class End>
  bool leave(Cycle now, End end) {
    fill_window(now);
    bool any = loads_in_front_ != 0 && take_loads(now);
    if (const Access* const store = leaving_store(now); store != nullptr) {
      end(store->sub_partition, store->request);
      any = true;
    }
    if (passless_ == 0) return any;
    bool has_turn = reads_.open_from(now) == now;
    for (size_t i = 0; i < window_.size();) {
      Access& access = all_[window_[i]];
      if (access.left == 0) has_turn = access.begin(has_turn);
      if (access.left != 0 || leaves_from(access, now) > now) {
        ++i;
        continue;
      }
      let_go(window_[i]);
      remove(i, now);
      --passless_;
      end(access.sub_partition, access.request);
      any = true;
    }
    return any;
  }
  /// First cycle from `now` on in which there is room for this number of words of data.
  Cycle words_from(uint32_t words, Cycle now) const;
  void take_words(uint32_t words, Cycle now);

  /// The matrix units read shared memory from `begin` to `end`.
  void product_reads(Cycle begin, Cycle end) { reads_.add(begin, end); }

  /// First cycle from `now` on in which something may happen.
  Cycle due(Cycle now) const;
  /// Grants a pass; calls `end` with the sub-partition and its request if that was the last one.
  template <class End>
  bool grant(Cycle now, End end) {
    const Access* const access = next_pass(now);
    if (access == nullptr) return false;
    if (access->left == 0) end(access->sub_partition, access->request);
    return true;
  }

 private:
  struct Access {
    MioRequest request;
    MioUnit* unit = nullptr;
    unsigned sub_partition = 0;
    uint32_t left = 0;  ///< passes
    uint32_t words = 0;
    Cycle next = 0;       ///< first cycle of the next pass
    uint64_t number = 0;  ///< of those that have entered
    bool is_load = false;
    bool has_begun = false;
    bool is_store = false;  ///< waits among the loads, for room...
    Cycle room = 0;         ///< ...from this cycle on, if it has been in front
    /// It has its turn, if there is one, and may wait for its unit from now on. Returns whether the
    /// next one has a turn.
    bool begin(bool has_turn) {
      const bool begins = has_turn && !has_begun;
      has_begun = has_begun || has_turn;
      return has_turn && !begins;
    }
    bool is_of_warp(const Access& other) const {
      return sub_partition == other.sub_partition && request.slot == other.request.slot;
    }
  };
  /// So many places, each of which is free again some cycles after it was left.
  class Places {
   public:
    explicit Places(uint32_t count) : left_(count) {}
    Cycle from(Cycle now) const {
      const bool was_taken = entered_ >= left_.size();
      if (was_taken && entered_ - left_.size() >= gone_) return kNever;
      return was_taken ? std::max(now, left_[entered_ % left_.size()]) : now;
    }
    void enter() { ++entered_; }
    void leave(Cycle free, uint32_t count = 1) {
      for (; count != 0; --count) left_[gone_++ % left_.size()] = free;
    }

   private:
    std::vector<Cycle> left_;
    uint64_t entered_ = 0;
    uint64_t gone_ = 0;
  };

  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  /// First cycle from `now` on in which the access's unit and the products let it go on.
  Cycle leaves_from(const Access& access, Cycle now) const {
    const bool waits = !access.has_begun && !access.request.facts->copies_past_l1();
    const Cycle from = waits ? reads_.open_from(now) : now;
    return from > now ? from : access.unit->free_for(access.request, access.sub_partition, now);
  }
  size_t choice(unsigned server) const;
  void fill_window(Cycle now) {
    if (!places_.empty()) move_into_window(now);
  }
  void move_into_window(Cycle now);
  bool take_loads(Cycle now);
  void remove(size_t place, Cycle now);
  void serve(unsigned server, Cycle now);
  const Access* next_pass(Cycle now);
  const Access* pass_of_two(Cycle now);
  Cycle load_from(Cycle now) const;
  const Access* pass_of_load(Cycle now);
  const Access* leaving_store(Cycle now);
  void ended(const Access& access, Cycle now);
  void let_go(uint32_t access) {
    spare_.push_back(access);
    --waiting_;
  }
  Cycle& free_of_warp(const Access& access) {
    return warps_[access.sub_partition][access.request.slot];
  }

  const PassParams params_;
  const uint32_t interval_;
  ProductReads reads_;
  Places place_left_;
  Places window_left_;
  // Operations, as places in all_.
  std::vector<Access> all_;
  std::vector<uint32_t> spare_;  ///< places of all_ without an operation
  std::deque<uint32_t> places_;
  std::vector<uint32_t> window_;
  std::array<uint32_t, 2> serving_{kNone, kNone};
  std::deque<uint32_t> loads_;
  uint32_t waiting_ = 0;         ///< the number of all of them...
  uint32_t passless_ = 0;        ///< ...of those without passes...
  uint32_t loads_in_front_ = 0;  ///< ...and of the loads that are not yet in loads_
  unsigned turn_ = 0;            ///< which of those that are served is asked first
  /// By sub-partition and slot: cycle of the next pass.
  std::array<std::array<Cycle, kMostSlots>, kSubPartitions> warps_{};
  std::array<uint32_t, kSubPartitions> sizes_{};
  struct Words {
    uint32_t room = 0;                            ///< words that have room...
    std::deque<std::pair<Cycle, uint32_t>> back;  ///< ...and that will
  };
  Words words_;
  uint64_t entries_ = 0;
  std::array<Cycle, kSubPartitions> next_{};
  Cycle free_ = 0;
  Cycle copied_ = 0;  ///< first cycle of a load behind a copy
  bool was_full_ = false;
  bool was_pass_ = false;
  bool load_first_ = false;  ///< a load is asked first for the next pass
};

}  // namespace shflsim::model
