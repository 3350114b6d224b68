// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "model/core/cycle.h"
#include "model/global_memory/l2_hash.h"

namespace shflsim::model {

/// The lines of the L2, in sets. A hash of the line selects its set. The set replaces its least
/// recently used line. A line may be inserted as the next one to be replaced, until it is used
/// (measured: tests/data/h200/2026-11-30, restored.csv.gz: behind copies of 24 MB half of the
/// copies that writes left in the other half are lost, and a twentieth of the lines at home).
class L2Sets {
 public:
  struct Entry {
    uint64_t line = 0;
    unsigned sectors = 0;  ///< one bit per sector that is there or on its way
    unsigned dirty = 0;    ///< one bit per sector that has yet to be written back
    unsigned awaited = 0;  ///< one bit per sector that is there from `ready` on
    Cycle ready = 0;       ///< when all sectors are there
    uint64_t used = 0;     ///< number of the last use
  };

  explicit L2Sets(uint32_t lines)
      : ways_(std::min(lines, kWays)),
        lines_(lines == 0 ? 0 : lines / ways_ * ways_, kNone),
        entries_(lines_.size()) {}

  /// The line's entry, not counted as a use; nullptr if the line is not there.
  Entry* peek(uint64_t line) {
    if (lines_.empty()) return nullptr;
    const auto set = lines_.begin() + first_of(line);
    const auto found = std::find(set, set + ways_, line);
    return found == set + ways_ ? nullptr : &entries_[static_cast<size_t>(found - lines_.begin())];
  }
  /// The line's entry, marked as used last; nullptr if the line is not there.
  Entry* find(uint64_t line) {
    Entry* const entry = peek(line);
    if (entry != nullptr) entry->used = ++uses_;
    return entry;
  }
  /// Makes an entry without sectors for a line that is not there; nullptr in an L2 without lines.
  /// An entry that was replaced is copied to `evicted`.
  Entry* insert(uint64_t line, bool goes_first, Entry* evicted) {
    if (lines_.empty()) return nullptr;
    Entry& entry = oldest(line);
    if (entry.used != kFree) *evicted = entry;
    entry = {line, 0, 0, 0, 0, goes_first ? kGoesFirst : ++uses_};
    lines_[static_cast<size_t>(&entry - entries_.data())] = line;
    return &entry;
  }
  /// Removes the line if it is there.
  void drop(uint64_t line) {
    Entry* const entry = peek(line);
    if (entry == nullptr) return;
    lines_[static_cast<size_t>(entry - entries_.data())] = kNone;
    entry->used = kFree;
  }
  /// True if the line would replace no other.
  bool has_room(uint64_t line) { return !lines_.empty() && oldest(line).used == kFree; }

 private:
  /// Measured: soft; bytes that the launches of tests/data/h100/2026-11-26, of both halves, read
  /// from the DRAM behind copies of 12 to 33 MB. With fewer, copies of 12 MB already cost many
  /// lines.
  static constexpr uint32_t kWays = 32;
  static constexpr uint64_t kNone = ~uint64_t{0};
  static constexpr uint64_t kFree = 0;       ///< Entry::used of a place without a line
  static constexpr uint64_t kGoesFirst = 1;  ///< and of a line that goes first

  std::ptrdiff_t first_of(uint64_t line) const {
    return static_cast<std::ptrdiff_t>(mixed_bits(line) % (lines_.size() / ways_) * ways_);
  }
  Entry& oldest(uint64_t line) {
    const auto set = entries_.begin() + first_of(line);
    return *std::min_element(set, set + ways_, [](const Entry& one, const Entry& other) {
      return one.used < other.used;
    });
  }
  const uint32_t ways_;
  std::vector<uint64_t> lines_;  ///< set by set; entries_[i] is of lines_[i]
  std::vector<Entry> entries_;
  uint64_t uses_ = kGoesFirst;
};

}  // namespace shflsim::model
