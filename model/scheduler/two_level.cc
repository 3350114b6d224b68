// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/scheduler/scheduling_policy.h"

namespace shflsim::model {
namespace {

/// Takes the `pool` active warps in turn; where none of them can issue, one that can takes the
/// place of the active warp that has not issued for longest (after Narasiman et al., MICRO 2011).
class TwoLevel final : public SchedulingPolicy {
 public:
  explicit TwoLevel(const PolicyParams& params) : pool_(std::max(1u, params.pool)) {}

  unsigned choose(const IssueCandidates& candidates) override {
    const auto can = [&candidates](unsigned slot) {
      return (candidates.eligible >> slot & 1u) != 0;
    };
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

const bool registered = SchedulingPolicies::add<TwoLevel>(
    "two_level", "takes scheduler.pool active warps in turn, others as these stall");

}  // namespace
}  // namespace shflsim::model
