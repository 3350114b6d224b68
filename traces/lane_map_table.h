// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "isa/lanes/lane_map.h"

namespace shflsim::traces {

/// Distinct lane maps, by index.
class LaneMapTable {
 public:
  /// The index of the map, from 0; a new map is added.
  uint32_t index_of(const isa::LaneMap& map);
  const std::vector<isa::LaneMap>& maps() const { return maps_; }
  void clear();

 private:
  uint32_t find(const isa::LaneMap& map);

  std::vector<isa::LaneMap> maps_;
  uint32_t last_ = 0;  ///< last returned index: successive SHFLs often have one map
  /// Indices by a hash of the contents.
  std::unordered_multimap<uint64_t, uint32_t> known_;
};

}  // namespace shflsim::traces
