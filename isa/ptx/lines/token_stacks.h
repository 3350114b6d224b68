// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace shflsim::isa::ptx {

/// Stacks of tokens of a warp, identified by numbers; 0 is the empty stack. Equal stacks have equal
/// numbers, so that comparison is cheap, and stacks share their common part.
class TokenStacks {
 public:
  bool empty(int stack) const { return stack == 0; }
  int top(int stack) const { return entry(stack).join; }
  int popped(int stack) const { return entry(stack).below; }
  bool holds(int stack, int join) const {
    while (stack != 0 && top(stack) != join) stack = popped(stack);
    return stack != 0;
  }
  int pushed(int stack, int join) {
    const auto [known, is_new] =
        numbers_.emplace(std::pair(stack, join), static_cast<int>(entries_.size()));
    if (is_new) entries_.push_back({join, stack});
    return known->second;
  }

 private:
  struct Entry {
    int join = -1;
    int below = 0;
  };
  const Entry& entry(int stack) const { return entries_[static_cast<size_t>(stack)]; }

  std::vector<Entry> entries_ = {{}};
  std::map<std::pair<int, int>, int> numbers_;
};

}  // namespace shflsim::isa::ptx
