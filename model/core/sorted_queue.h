// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

#include "model/core/cycle.h"

namespace shflsim::model {

/// A queue of entries with a `cycle`, earliest first. An entry that is later than all others, as
/// from any source that returns in order, goes straight to the end.
template <class Entry>
class SortedQueue {
 public:
  bool empty() const { return first_ == entries_.size(); }
  const Entry& front() const {
    assert(!empty() && "an empty queue has no front");
    return entries_[first_];
  }
  /// Cycle of the first; the greatest Cycle if there is none.
  Cycle next() const { return next_; }

  void push(const Entry& entry) {
    entries_.push_back(entry);
    next_ = std::min(next_, entry.cycle);
    for (size_t i = entries_.size() - 1; i > first_ && entries_[i - 1].cycle > entry.cycle; --i) {
      entries_[i] = entries_[i - 1];
      entries_[i - 1] = entry;
    }
  }

  void pop() {
    assert(!empty() && "there is something to take");
    ++first_;
    assert((empty() || entries_[first_ - 1].cycle <= front().cycle) && "the earliest comes first");
    if (empty()) {
      entries_.clear();
      first_ = 0;
    } else if (first_ >= kSpare) {
      drop_taken();
    }
    note_next();
  }

  /// Takes out, wherever they are, the entries for which `goes` is true.
  template <class Goes>
  void remove_if(Goes goes) {
    drop_taken();
    entries_.erase(std::remove_if(entries_.begin(), entries_.end(), goes), entries_.end());
    note_next();
  }

 private:
  static constexpr size_t kSpare = 64;  ///< taken entries that stay in front of the others

  void drop_taken() {
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

  void note_next() { next_ = empty() ? kNever : front().cycle; }

  std::vector<Entry> entries_;
  size_t first_ = 0;
  Cycle next_ = kNever;  ///< cycle of the first entry, cached because it is read often
};

}  // namespace shflsim::model
