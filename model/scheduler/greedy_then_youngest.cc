// SPDX-License-Identifier: Apache-2.0
#include "model/scheduler/greedy.h"

namespace shflsim::model {
namespace {

struct ByYoungest {
  bool operator()(uint64_t a, uint64_t b) const { return a > b; }
};

const bool greedy_then_youngest_registered = SchedulingPolicies::add<Greedy<ByYoungest>>(
    "greedy_then_youngest", "stays with a warp while it can issue, then takes the youngest");

}  // namespace
}  // namespace shflsim::model
