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
/// issue. All warps of a group are in the same state. Its cycles are counted once for the group,
/// and charged to a warp when it leaves.
class Candidates {
 public:
  explicit Candidates(Warps& warps) : warps_(warps) {}

  SlotMask all() const { return all_; }
  SlotMask of(unsigned resource) const { return slots_[resource]; }
  /// Bit n: a warp needs resource n.
  uint32_t wanted() const { return wanted_; }
  Hindrance hindrance(unsigned resource) const { return hindrance_[resource]; }
  /// True where a warp waits for room in a queue to the shared units.
  bool wait_for_queue() const {
    return wait_for(Resource::kQueue) || wait_for(Resource::kGlobalQueue);
  }

  /// From `now` on the warp has nothing of its own in its way but this.
  void add(unsigned slot, Hindrance hindrance, Cycle now) {
    const auto resource = static_cast<unsigned>(warps_.record[slot]->resource);
    enter(resource, hindrance, now);
    warps_.charge(slot, now);
    all_ |= slot_bit(slot);
    slots_[resource] |= slot_bit(slot);
    ledgers_[resource].unchanged |= slot_bit(slot);
    wanted_ |= 1u << resource;
  }
  /// From `now` on the warp issues or has something in its way.
  void remove(unsigned slot, Cycle now) {
    const auto resource = static_cast<unsigned>(warps_.record[slot]->resource);
    charge(slot, now);
    ledgers_[resource].unchanged &= ~slot_bit(slot);
    all_ &= ~slot_bit(slot);
    slots_[resource] &= ~slot_bit(slot);
    if (slots_[resource] == 0) wanted_ &= ~(1u << resource);
  }
  /// The same for a warp that may be none of these.
  void drop(unsigned slot, Cycle now) {
    if (has_slot(all_, slot)) remove(slot, now);
  }
  /// From `now` on this keeps the warps that need the resource from issuing.
  void enter(unsigned resource, Hindrance hindrance, Cycle now) {
    if (hindrance_[resource] == hindrance) return;
    Ledger& ledger = ledgers_[resource];
    const auto before = static_cast<size_t>(hindrance_[resource]);
    if (ledger.unchanged != 0) note_came(&ledger, before);
    ledger.spent[before] += now - ledger.since;
    ledger.since = now;
    hindrance_[resource] = hindrance;
  }
  /// From `now` on issue stands still.
  void freeze(Cycle now) {
    for_each_slot(wanted_, [=](unsigned resource) { enter(resource, Hindrance::kFrozen, now); });
  }
  /// Enters the state of each warp, for an observer.
  void show(Cycle now);
  /// The run ends: charges all warps their cycles before `now`.
  void stop(Cycle now) {
    for_each_slot(all_, [this, now](unsigned slot) { remove(slot, now); });
  }

 private:
  static constexpr size_t kHindrances = 3;
  using Spent = std::array<Cycle, kHindrances>;  ///< cycles by Hindrance
  struct Ledger {
    SlotMask unchanged = 0;  ///< warps that came since the last change of its hindrance
    Cycle since = 0;         ///< cycle of this change
    Spent spent{};           ///< cycles up to this change
  };

  bool wait_for(Resource resource) const {
    const auto wanted = static_cast<unsigned>(resource);
    return slots_[wanted] != 0 && hindrance_[wanted] == Hindrance::kClosed;
  }
  void note_came(Ledger* ledger, size_t hindrance);
  void charge(unsigned slot, Cycle now);

  Warps& warps_;
  SlotMask all_ = 0;
  uint32_t wanted_ = 0;
  std::array<SlotMask, kResources> slots_{};
  std::array<Hindrance, kResources> hindrance_{};
  std::array<Ledger, kResources> ledgers_{};
  std::array<Spent, kMostSlots> came_{};  ///< what its group had spent when the warp came
};

}  // namespace shflsim::model
