// SPDX-License-Identifier: Apache-2.0
#include "model/scheduler/greedy.h"

namespace shflsim::model {
namespace {

struct ByOldest {
  bool operator()(uint64_t a, uint64_t b) const { return a < b; }
};

const bool greedy_then_oldest_registered = SchedulingPolicies::add<Greedy<ByOldest>>(
    "greedy_then_oldest", "stays with a warp while it can issue, then takes the oldest");

}  // namespace
}  // namespace shflsim::model
