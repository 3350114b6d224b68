// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <vector>

#include "model/core/cycle.h"
#include "model/global_memory/warp_access.h"

namespace shflsim::model {

/// The tags of a fully associative cache of 128-byte lines, whose four sectors are present or not:
/// on an H200 the L1 holds the same number of lines at any stride from 128 bytes to 256 KiB. The
/// least recently used of `candidates` randomly drawn entries is replaced: one candidate means
/// random replacement, many mean LRU. Draws are the same in each run.
class TagStore {
 public:
  struct Entry {
    uint64_t line = 0;
    unsigned sectors = 0;  ///< one bit per sector that is there or on its way
    Cycle ready = 0;       ///< when all sectors are there
    uint64_t used = 0;     ///< number of the last use
  };

  /// If `lines` is 0, the cache holds no line.
  TagStore(uint32_t lines, uint32_t candidates) : lines_(lines), candidates_(candidates) {}

  /// The line's entry, marked as used last; nullptr if the line is not there.
  Entry* find(uint64_t line);
  /// Makes an entry without sectors for a line that is not there; nullptr if the cache holds no
  /// line.
  Entry* insert(uint64_t line);
  /// Removes the line if it is there.
  void drop(uint64_t line);
  void clear() {
    entries_.clear();
    where_.clear();
  }

 private:
  size_t victim();

  const uint32_t lines_;
  const uint32_t candidates_;
  std::vector<Entry> entries_;
  std::unordered_map<uint64_t, size_t> where_;
  uint64_t uses_ = 0;
  uint64_t draw_ = 1;
};

}  // namespace shflsim::model
