// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

#include "model/core/cycle.h"

namespace shflsim::model {

/// A queue of entries with a `cycle`, earliest first. An entry later than all others, as from a
/// source that returns in order, is appended.
template <class Entry>
class SortedQueue {
 public:
  bool empty() const { return size_ == 0; }
  const Entry& front() const {
    assert(!empty() && "an empty queue has no front");
    return entries_[first_];
  }
  /// Cycle of the first entry; kNever if there is none.
  Cycle next() const { return next_; }

  void push(const Entry& entry) {
    if (size_ > last_place_) return grow_for(entry);
    Entry* const entries = entries_.data();
    const size_t mask = last_place_;
    const size_t first = first_;
    size_t place = first + size_++;
    for (; place != first && entries[(place - 1) & mask].cycle > entry.cycle; --place)
      entries[place & mask] = entries[(place - 1) & mask];
    entries[place & mask] = entry;
    next_ = std::min(next_, entry.cycle);
  }

  void pop() {
    assert(!empty() && "there is something to take");
    first_ = (first_ + 1) & last_place_;
    --size_;
    note_next();
  }

  /// Removes all entries for which `goes` is true.
  template <class Goes>
  void remove_if(Goes goes) {
    size_t kept = 0;
    for (size_t i = 0; i < size_; ++i) {
      if (!goes(at(i))) at(kept++) = at(i);
    }
    size_ = kept;
    note_next();
  }

 private:
  static constexpr size_t kPlaces = 16;  ///< at first; a power of two

  Entry& at(size_t i) { return entries_[(first_ + i) & last_place_]; }

  [[gnu::cold, gnu::noinline]] void grow_for(const Entry& entry) {
    std::vector<Entry> more(2 * entries_.size());
    for (size_t i = 0; i < size_; ++i) more[i] = at(i);
    entries_ = std::move(more);
    last_place_ = entries_.size() - 1;
    first_ = 0;
    push(entry);
  }

  void note_next() { next_ = empty() ? kNever : front().cycle; }

  std::vector<Entry> entries_ = std::vector<Entry>(kPlaces);  ///< a ring
  size_t last_place_ = kPlaces - 1;
  size_t first_ = 0;
  size_t size_ = 0;
  Cycle next_ = kNever;  ///< cycle of the first entry, cached because it is read often
};

}  // namespace shflsim::model
