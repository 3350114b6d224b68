// SPDX-License-Identifier: Apache-2.0
#include "traces/findings.h"

#include <algorithm>
#include <utility>

namespace shflsim::traces {

void FindingList::add(const isa::UndefinedUse& use) {
  const auto key = std::make_tuple(use.index, use.block, use.warp, std::string(use.what));
  const auto [entry, is_new] = known_.emplace(key, all_.size());
  if (is_new) all_.push_back({use.index, use.block, use.warp, 0, use.what});
  all_[entry->second].lanes |= use.lanes;
}

std::vector<Finding> FindingList::all() const {
  std::vector<Finding> all = all_;
  std::stable_sort(all.begin(), all.end(), [](const Finding& a, const Finding& b) {
    return std::pair(a.block, a.warp) < std::pair(b.block, b.warp);
  });
  return all;
}

}  // namespace shflsim::traces
