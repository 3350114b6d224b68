// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "model/warps/warps.h"

namespace shflsim::model {

/// What keeps a warp from issuing that has nothing of its own in its way.
enum class Hindrance : uint8_t {
  kClosed,  ///< the resource that it needs is not free
  kFrozen,  ///< issue stands still
  kOthers,  ///< another warp is chosen
};

/// The warps that have nothing of their own in their way, grouped by the resource that they need to
/// issue. All warps of a group are in the same state. The cycles in which its resource was closed
/// are counted once for the group, those in which issue stood still once for all, and charged to a
/// warp when it leaves; in its other cycles it was not selected.
class Candidates {
 public:
  explicit Candidates(Warps& warps) : warps_(warps) {}

  SlotMask all() const { return all_; }
  SlotMask of(unsigned resource) const { return slots_[resource]; }
  /// Bit n: a warp needs resource n.
  uint32_t wanted() const { return wanted_; }
  /// The same of those that are closed, and whether issue stands still.
  uint32_t closed() const { return closed_ & wanted_; }
  bool is_frozen() const { return closed_ == kFrozen; }
  Hindrance hindrance(unsigned resource) const {
    if (is_frozen()) return Hindrance::kFrozen;
    return (closed_ >> resource & 1u) != 0 ? Hindrance::kClosed : Hindrance::kOthers;
  }
  /// True where a warp waits for room in a queue to the shared units.
  bool wait_for_queue() const {
    constexpr uint32_t kQueues = 1u << static_cast<unsigned>(Resource::kQueue) |
                                 1u << static_cast<unsigned>(Resource::kGlobalQueue);
    return (closed_ & wanted_ & kQueues) != 0;
  }

  /// From `now` on the warp has nothing of its own in its way. `is_open`: its resource is free.
  void add(unsigned slot, bool is_open, Cycle now) {
    const auto resource = static_cast<unsigned>(warps_.record[slot]->resource);
    if (!is_open && !is_frozen()) close(closed_ | 1u << resource, now);
    warps_.charge(slot, now);
    note_came(slot, resource, now);
    all_ |= slot_bit(slot);
    slots_[resource] |= slot_bit(slot);
    wanted_ |= 1u << resource;
  }
  /// From `now` on the warp issues or has something in its way.
  void remove(unsigned slot, Cycle now) {
    const auto resource = static_cast<unsigned>(warps_.record[slot]->resource);
    charge(slot, now);
    all_ &= ~slot_bit(slot);
    slots_[resource] &= ~slot_bit(slot);
    if (slots_[resource] == 0) wanted_ &= ~(1u << resource);
  }
  /// The same for a warp that may be none of these.
  void drop(unsigned slot, Cycle now) {
    if (has_slot(all_, slot)) remove(slot, now);
  }
  /// From `now` on these resources, and no other, are closed.
  void close(uint32_t resources, Cycle now) {
    if (resources != closed_) change(resources, now);
  }
  /// From `now` on issue stands still.
  void freeze(Cycle now) { close(kFrozen, now); }
  /// Enters the state of each warp, for an observer.
  void show(Cycle now);
  /// The run ends: charges all warps their cycles before `now`.
  void stop(Cycle now) {
    for_each_slot(all_, [this, now](unsigned slot) { remove(slot, now); });
  }

 private:
  /// Stands beside the resources for the issue itself. While it stands still, they are not closed.
  static constexpr unsigned kIssue = kResources;
  static constexpr uint32_t kFrozen = 1u << kIssue;

  /// Cycles so far.
  Cycle closed_before(unsigned resource, Cycle now) const {
    return spent_[resource] + ((closed_ >> resource & 1u) != 0 ? now : 0);
  }
  void note_came(unsigned slot, unsigned resource, Cycle now) {
    came_[slot] = {closed_before(resource, now), closed_before(kIssue, now)};
  }
  void change(uint32_t closed, Cycle now);
  void charge(unsigned slot, Cycle now);

  struct Came {
    Cycle closed = 0;
    Cycle frozen = 0;
  };

  Warps& warps_;
  SlotMask all_ = 0;
  uint32_t wanted_ = 0;
  uint32_t closed_ = 0;  ///< bit n: resource n keeps its group from issuing
  std::array<SlotMask, kResources> slots_{};
  /// Cycles in which each was closed; where it is, less the cycle in which that began.
  std::array<Cycle, kResources + 1> spent_{};
  std::array<Came, kMostSlots> came_{};  ///< these counts when the warp came
};

}  // namespace shflsim::model
