// SPDX-License-Identifier: Apache-2.0
#include "model/scheduler/scheduling_policy.h"

namespace shflsim::model {
namespace {

/// The next warp slot behind the one that issued last, passing over those that cannot issue.
class LooseRoundRobin final : public SchedulingPolicy {
 public:
  unsigned choose(const IssueCandidates& candidates) override {
    const uint32_t behind = candidates.eligible & ~((2u << candidates.last) - 1);
    const uint32_t slots = behind != 0 ? behind : candidates.eligible;
    return static_cast<unsigned>(__builtin_ctz(slots));
  }
};

const bool registered =
    SchedulingPolicies::add<LooseRoundRobin>("loose_round_robin", "takes the warps in turn");

}  // namespace
}  // namespace shflsim::model
