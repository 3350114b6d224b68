// SPDX-License-Identifier: Apache-2.0
#include "model/scheduler/scheduling_policy.h"

#include <algorithm>

namespace shflsim::model {

SlotMask IssueCandidates::of_oldest_block_among(SlotMask slots) const {
  SlotMask first = 0;
  uint32_t least = ~uint32_t{0};
  for_each_slot(slots, [&](unsigned slot) {
    if (block[slot] < least) first = 0;
    least = std::min(least, block[slot]);
    if (block[slot] == least) first |= slot_bit(slot);
  });
  return first;
}

std::map<std::string, SchedulingPolicies::Entry>& SchedulingPolicies::table() {
  static std::map<std::string, Entry> entries;
  return entries;
}

std::vector<std::string> SchedulingPolicies::names() {
  std::vector<std::string> names;
  for (const auto& [name, entry] : table()) names.push_back(name);
  return names;
}

PolicyChoice::PolicyChoice() {
  for (const auto& [name, entry] : SchedulingPolicies::table()) designs_[name] = entry.design();
}

void PolicyChoice::list(ParameterList& list) {
  list.choice("scheduler.policy", &policy_, SchedulingPolicies::names(),
              "which of the eligible warps issues");
  for (const auto& [name, design] : designs_) design->list(list);
}

}  // namespace shflsim::model
