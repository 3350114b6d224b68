// SPDX-License-Identifier: Apache-2.0
#include "model/scheduler/scheduling_policy.h"

namespace shflsim::model {
namespace {

/// Takes the next eligible warp slot after the one that issued last.
class LooseRoundRobin final : public SchedulingPolicy {
 public:
  struct Params {
    void list(ParameterList&) {}
  };

  LooseRoundRobin(const Params&, unsigned /*sub_partition*/) {}

  unsigned choose(const IssueCandidates& candidates) override {
    const SlotMask behind = candidates.eligible & ~((2u << candidates.last) - 1);
    const SlotMask slots = behind != 0 ? behind : candidates.eligible;
    return static_cast<unsigned>(__builtin_ctz(slots));
  }
};

const bool loose_round_robin_registered =
    SchedulingPolicies::add<LooseRoundRobin>("loose_round_robin", "takes the warps in turn");

}  // namespace
}  // namespace shflsim::model
