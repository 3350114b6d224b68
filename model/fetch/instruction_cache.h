// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "model/core/cycle.h"

namespace shflsim::model {

/// The blocks of a kernel's code that a cache holds, and from which cycle on: sets of `ways`
/// blocks, replaced first in, first out. For code that runs repeatedly in one direction, this
/// equals LRU. Blocks are numbered from the kernel's start.
class InstructionCache {
 public:
  static constexpr Cycle kAbsent = kNever;

  /// `code`: the number of blocks of the kernel that may be requested.
  InstructionCache(uint32_t code, uint32_t capacity, uint32_t ways)
      : ways_(std::min(ways, capacity)),
        since_(code, kAbsent),
        held_(capacity / ways_ * ways_, kNothing),
        oldest_(capacity / ways_) {}

  /// Cycle from which on the block is available, which may be in the future; kAbsent if it is
  /// neither available nor requested.
  Cycle since(uint32_t block) const { return since_[block]; }
  /// The number of blocks put so far, of which each may have replaced another one.
  uint64_t puts() const { return puts_; }

  void put(uint32_t block, Cycle since) {
    const uint32_t set = block % static_cast<uint32_t>(oldest_.size());
    uint32_t& place = held_[set * ways_ + oldest_[set]];
    if (place != kNothing) since_[place] = kAbsent;
    ++puts_;
    place = block;
    since_[block] = since;
    if (++oldest_[set] == ways_) oldest_[set] = 0;
  }

  /// Up to `count` of the first blocks of the code are available from cycle `since` on.
  void fill(uint32_t count, Cycle since = 0) {
    const auto most = static_cast<uint32_t>(std::min(held_.size(), since_.size()));
    for (uint32_t block = 0; block < std::min(count, most); ++block) put(block, since);
  }

 private:
  static constexpr uint32_t kNothing = std::numeric_limits<uint32_t>::max();

  uint32_t ways_;
  uint64_t puts_ = 1;
  std::vector<Cycle> since_;      ///< by block of the code
  std::vector<uint32_t> held_;    ///< by set and way: block of the code
  std::vector<uint32_t> oldest_;  ///< by set: the way to replace next
};

}  // namespace shflsim::model
