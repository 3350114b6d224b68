// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "model/warps/warps.h"

namespace shflsim::model {

/// The reasons why a warp that is ready itself does not issue.
enum class Hindrance : uint8_t {
  kClosed,  ///< the resource that it needs is not free
  kFrozen,  ///< issue is frozen
  kOthers,  ///< another warp is chosen
};

/// The warps that are ready themselves, grouped by the resource that they need to issue. All warps
/// of a group are in the same state. The cycles in which its resource was closed are counted once
/// for the group, those in which issue was frozen once for all, and charged to a warp when it
/// leaves; in its other cycles it was not selected. While issue is frozen, no resource counts as
/// closed.
class Candidates {
 public:
  explicit Candidates(Warps& warps) : warps_(warps) {}

  SlotMask all() const { return all_; }
  SlotMask of(unsigned resource) const { return slots_[resource]; }
  /// Bit n: a warp needs resource n.
  uint32_t wanted() const { return wanted_; }
  /// Bit n: a warp needs resource n, which is closed.
  uint32_t closed() const { return closed_ & wanted_; }
  bool is_frozen() const { return (closed_ & kFrozen) != 0; }
  Hindrance hindrance(unsigned resource) const {
    if (is_frozen()) return Hindrance::kFrozen;
    return (closed_ >> resource & 1u) != 0 ? Hindrance::kClosed : Hindrance::kOthers;
  }
  /// True if a warp waits for room in a queue to the shared units.
  bool wait_for_queue() const {
    constexpr uint32_t kQueues = 1u << static_cast<unsigned>(Resource::kQueue) |
                                 1u << static_cast<unsigned>(Resource::kGlobalQueue);
    return !is_frozen() && (closed_ & wanted_ & kQueues) != 0;
  }

  /// From `now` on, the warp is ready itself. `is_open`: its resource is free.
  void add(unsigned slot, bool is_open, Cycle now) {
    Warps::Warp& warp = warps_.warp[slot];
    const auto resource = static_cast<unsigned>(warp.record->resource);
    if (!is_open && !is_frozen()) close(closed_ | 1u << resource, now);
    warp.charge(now);
    note_came(slot, resource, now);
    all_ |= slot_bit(slot);
    slots_[resource] |= slot_bit(slot);
    wanted_ |= 1u << resource;
  }
  /// Adds several warps. `open`: the warps whose resource is free.
  void add_all(SlotMask slots, SlotMask open, Cycle now);
  /// From `now` on, the warp issues or is not ready itself.
  void remove(unsigned slot, Cycle now) {
    const auto resource = static_cast<unsigned>(warps_.warp[slot].record->resource);
    charge(slot, now);
    all_ &= ~slot_bit(slot);
    slots_[resource] &= ~slot_bit(slot);
    if (slots_[resource] == 0) wanted_ &= ~(1u << resource);
  }
  /// Removes a warp if it is a candidate.
  void drop(unsigned slot, Cycle now) {
    if (has_slot(all_, slot)) remove(slot, now);
  }
  /// From `now` on, exactly these resources are closed.
  void close(uint32_t resources, Cycle now) {
    if (resources == closed_) return;
    if (is_frozen()) thaw(now);
    if (resources != closed_) change(resources, now);
  }
  /// From `now` on, issue is frozen until the next close().
  void freeze(Cycle now) {
    if (is_frozen()) return;
    closed_ |= kFrozen;
    frozen_from_ = now;
  }
  /// Updates the state of each warp, for an observer.
  void show(Cycle now);
  /// The run ends: charges all warps for their cycles before `now`.
  void stop(Cycle now) {
    for_each_slot(all_, [this, now](unsigned slot) { remove(slot, now); });
  }

 private:
  static constexpr uint32_t kFrozen = 1u << kResources;  ///< after the resources: issue itself

  /// Cycles before `now` in which issue was not frozen.
  Cycle clock(Cycle now) const { return std::min(now, frozen_from_) - frozen_; }
  /// The number of these cycles in which the resource was closed.
  Cycle closed_before(unsigned resource, Cycle clock) const {
    return spent_[resource] + ((closed_ >> resource & 1u) != 0 ? clock : 0);
  }
  void note_came(unsigned slot, unsigned resource, Cycle now) {
    const Cycle then = clock(now);
    came_[slot] = {closed_before(resource, then), then};
  }
  void thaw(Cycle now) {
    frozen_ += now - std::exchange(frozen_from_, kNever);
    closed_ &= ~kFrozen;
  }
  void change(uint32_t closed, Cycle now);
  void charge(unsigned slot, Cycle now);

  /// The counts when a warp was added.
  struct Came {
    Cycle closed = 0;
    Cycle clock = 0;
  };

  Warps& warps_;
  SlotMask all_ = 0;
  uint32_t wanted_ = 0;
  uint32_t closed_ = 0;  ///< bit n: resource n keeps its group from issuing
  std::array<SlotMask, kResources> slots_{};
  /// Cycles by clock() in which each was closed, minus the start of a current closure.
  std::array<Cycle, kResources> spent_{};
  Cycle frozen_ = 0;            ///< cycles in which issue was frozen...
  Cycle frozen_from_ = kNever;  ///< ...and the start of the current freeze
  std::array<Came, kMostSlots> came_{};
};

}  // namespace shflsim::model
