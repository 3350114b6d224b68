// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/scheduler/scheduling_policy.h"

namespace shflsim::model {
namespace {

/// Takes the `pool` active warps in turn. If none of them can issue, a warp that can replaces the
/// active warp that has not issued for the longest time (after Narasiman et al., MICRO 2011).
class TwoLevel final : public SchedulingPolicy {
 public:
  struct Params {
    uint32_t pool = 0;

    void list(ParameterList& list) {
      list.number("scheduler.two_level.pool", &pool, 1, kMostSlots, "warps", "active warps");
    }
  };

  TwoLevel(const Params& params, unsigned /*sub_partition*/) : pool_(params.pool) {}

  unsigned choose(const IssueCandidates& candidates) override {
    const auto can = [&candidates](unsigned slot) { return has_slot(candidates.eligible, slot); };
    auto chosen = std::find_if(active_.begin(), active_.end(), can);
    const unsigned slot = chosen != active_.end()
                              ? *chosen
                              : static_cast<unsigned>(__builtin_ctz(candidates.eligible));
    if (chosen == active_.end() && active_.size() == pool_) chosen = active_.begin();
    if (chosen != active_.end()) active_.erase(chosen);
    active_.push_back(slot);
    return slot;
  }

 private:
  const uint32_t pool_;
  std::vector<unsigned> active_;  ///< least recently issued first
};

const bool two_level_registered = SchedulingPolicies::add<TwoLevel>(
    "two_level", "takes scheduler.two_level.pool active warps in turn, others as these stall");

}  // namespace
}  // namespace shflsim::model
