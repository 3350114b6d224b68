// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/core/cycle.h"

namespace shflsim::model {

/// Rows of 128 bytes that hold the words of stores until they have left the SM. Some stores also
/// take a place each, of a limited number.
class StoreRows {
 public:
  /// `stores`: places; 0 for no limit but that of rows.
  StoreRows(uint32_t rows, uint32_t stores)
      : rows_{std::vector<Cycle>(rows), 0}, stores_{std::vector<Cycle>(stores), 0} {}

  /// Rows of a store of `bytes` per lane.
  static uint32_t rows_of(uint32_t bytes) {
    constexpr uint32_t kWord = 4;  // bytes per lane, 128 per warp
    return std::max(1u, bytes / kWord);
  }

  bool is_limit() const { return !rows_.left.empty(); }
  /// When there is room for a store of `bytes` per lane.
  Cycle room_for(uint32_t bytes, bool takes_place) const {
    if (!is_limit()) return 0;
    return std::max(rows_.free(rows_of(bytes)), stores_.free(takes_place ? 1 : 0));
  }
  /// Adds a store that leaves at `end`. Returns when there is room for it.
  Cycle add(uint32_t bytes, bool takes_place, Cycle end) {
    const Cycle room = room_for(bytes, takes_place);
    rows_.take(rows_of(bytes), end);
    stores_.take(takes_place ? 1 : 0, end);
    return room;
  }

 private:
  /// When each place is free; a circular buffer.
  struct Places {
    std::vector<Cycle> left;
    size_t next;
    /// When so many of them are free; 0 without a limit.
    Cycle free(uint32_t count) const {
      Cycle result = 0;
      for (uint32_t i = 0; !left.empty() && i < count; ++i)
        result = std::max(result, left[(next + i) % left.size()]);
      return result;
    }
    void take(uint32_t count, Cycle end) {
      for (; !left.empty() && count != 0; --count) {
        left[next] = end;
        next = (next + 1) % left.size();
      }
    }
  };

  Places rows_;
  Places stores_;
};

}  // namespace shflsim::model
