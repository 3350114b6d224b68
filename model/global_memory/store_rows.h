// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/core/cycle.h"

namespace shflsim::model {

/// Rows of 128 bytes that hold the words of stores until they have left the SM.
class StoreRows {
 public:
  explicit StoreRows(uint32_t rows) : left_(rows) {}

  /// Rows of a store of `bytes` per lane.
  static uint32_t rows_of(uint32_t bytes) {
    constexpr uint32_t kWord = 4;  // bytes per lane, 128 per warp
    return std::max(1u, bytes / kWord);
  }

  bool is_limit() const { return !left_.empty(); }
  /// When there is room for a store of `bytes` per lane.
  Cycle room_for(uint32_t bytes) const {
    Cycle room = 0;
    for (uint32_t i = 0; is_limit() && i < rows_of(bytes); ++i)
      room = std::max(room, left_[(oldest_ + i) % left_.size()]);
    return room;
  }
  /// Adds a store of `bytes` per lane that leaves at `end`. Returns when there is room for it.
  Cycle add(uint32_t bytes, Cycle end) {
    Cycle room = 0;
    for (uint32_t i = 0; i < rows_of(bytes); ++i) {
      room = std::max(room, left_[oldest_]);
      left_[oldest_] = end;
      oldest_ = (oldest_ + 1) % left_.size();
    }
    return room;
  }

 private:
  std::vector<Cycle> left_;  ///< when each row is free; a circular buffer
  size_t oldest_ = 0;
};

}  // namespace shflsim::model
