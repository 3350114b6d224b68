// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <queue>

#include "model/core/slot_mask.h"
#include "model/run_result.h"

namespace shflsim::model {

/// Which warp slots have something due in which cycle; a cycle may be noted without any. The next
/// kWindow cycles are a ring with a bit for each that is noted; what is further away waits in a
/// heap.
class SlotCalendar {
 public:
  void add(Cycle cycle, SlotMask slots) {
    if (cycle < next_) next_ = cycle;
    if (cycle - now_ >= kWindow) return far_.push({cycle, slots});
    const unsigned place = cycle % kWindow;
    ring_[place] |= slots;
    used_[place / kWord] |= uint64_t{1} << (place % kWord);
  }

  /// Earliest cycle noted; the greatest Cycle if none is.
  Cycle next() const { return next_; }

  /// Forgets the cycles up to `now`; returns their slots.
  SlotMask take(Cycle now) {
    SlotMask due = 0;
    for (; next_ <= now; find_next()) {
      now_ = next_;
      due |= take_ring(next_ % kWindow);
      for (; !far_.empty() && far_.top().cycle == next_; far_.pop()) due |= far_.top().slots;
    }
    now_ = now;
    return due;
  }

 private:
  static constexpr unsigned kWindow = 256;
  static constexpr unsigned kWord = 64;
  static constexpr unsigned kWords = kWindow / kWord;

  struct Far {
    Cycle cycle;
    SlotMask slots;
    bool operator<(const Far& other) const { return cycle > other.cycle; }
  };

  SlotMask take_ring(unsigned place) {
    used_[place / kWord] &= ~(uint64_t{1} << (place % kWord));
    const SlotMask slots = ring_[place];
    ring_[place] = 0;
    return slots;
  }

  /// The ring holds cycles now_ ... now_ + kWindow - 1: the first bit from now_ on, around the
  /// ring.
  void find_next() {
    const unsigned start = now_ % kWindow;
    next_ = far_.empty() ? std::numeric_limits<Cycle>::max() : far_.top().cycle;
    for (unsigned i = 0; i <= kWords; ++i) {
      const unsigned word = (start / kWord + i) % kWords;
      uint64_t bits = used_[word];
      if (i == 0) bits &= ~uint64_t{0} << (start % kWord);
      if (bits == 0) continue;
      const unsigned place = word * kWord + static_cast<unsigned>(__builtin_ctzll(bits));
      next_ = std::min(next_, now_ + (place + kWindow - start) % kWindow);
      return;
    }
  }

  std::array<SlotMask, kWindow> ring_{};
  std::array<uint64_t, kWords> used_{};
  std::priority_queue<Far> far_;
  Cycle now_ = 0;
  Cycle next_ = std::numeric_limits<Cycle>::max();
};

}  // namespace shflsim::model
