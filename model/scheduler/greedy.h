// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/scheduler/scheduling_policy.h"

namespace shflsim::model {

/// Stays with the warp that issued last, unless its control bits ask to yield; otherwise takes the
/// first eligible warp by age in the order `Before`.
template <class Before>
class Greedy final : public SchedulingPolicy {
 public:
  struct Params {
    void list(ParameterList&) {}
  };

  Greedy(const Params&, unsigned /*sub_partition*/) : SchedulingPolicy(true, true) {}

  unsigned choose(const IssueCandidates& candidates) override {
    const SlotMask last = slot_bit(candidates.last);
    const bool can_stay = (candidates.eligible & last) != 0;
    const bool others = (candidates.eligible & ~last) != 0;
    if (can_stay && !(candidates.last_yields && others)) return candidates.last;
    return first_by_age(can_stay ? candidates.eligible & ~last : candidates.eligible,
                        candidates.age);
  }

 private:
  static unsigned first_by_age(SlotMask slots, const std::array<uint64_t, kMostSlots>& age) {
    unsigned best = static_cast<unsigned>(__builtin_ctz(slots));
    for_each_slot(slots & (slots - 1), [&](unsigned slot) {
      if (Before{}(age[slot], age[best])) best = slot;
    });
    return best;
  }
};

}  // namespace shflsim::model
