// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "model/core/cycle.h"

namespace shflsim::model {

/// Which blocks of a kernel's code one cache holds, and from when on: sets of `ways` blocks,
/// replaced first in, first out. For code that runs in one direction again and again, this equals
/// LRU. Blocks are numbered from the kernel's start.
class InstructionCache {
 public:
  static constexpr Cycle kAbsent = kNever;

  /// `code`: blocks of the kernel that will be asked for, at most.
  InstructionCache(uint32_t code, uint32_t capacity, uint32_t ways)
      : ways_(std::min(ways, capacity)),
        since_(code, kAbsent),
        held_(capacity / ways_ * ways_, kNothing),
        oldest_(capacity / ways_) {}

  /// Cycle from which on the block is there, which may lie ahead; kAbsent where it is neither there
  /// nor on its way.
  Cycle since(uint32_t block) const { return since_[block]; }

  void put(uint32_t block, Cycle since) {
    const uint32_t set = block % static_cast<uint32_t>(oldest_.size());
    uint32_t& place = held_[set * ways_ + oldest_[set]];
    if (place != kNothing) since_[place] = kAbsent;
    place = block;
    since_[block] = since;
    if (++oldest_[set] == ways_) oldest_[set] = 0;
  }

  /// The first blocks of the code, up to `count`, are there from the beginning.
  void fill(uint32_t count) {
    const auto most = static_cast<uint32_t>(std::min(held_.size(), since_.size()));
    for (uint32_t block = 0; block < std::min(count, most); ++block) put(block, 0);
  }

 private:
  static constexpr uint32_t kNothing = std::numeric_limits<uint32_t>::max();

  uint32_t ways_;
  std::vector<Cycle> since_;      ///< by block of the code
  std::vector<uint32_t> held_;    ///< by set and way: block of the code
  std::vector<uint32_t> oldest_;  ///< by set: way to be replaced next
};

}  // namespace shflsim::model
