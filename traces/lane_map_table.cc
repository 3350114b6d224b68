// SPDX-License-Identifier: Apache-2.0
#include "traces/lane_map_table.h"

#include <cstring>

namespace shflsim::traces {
namespace {

/// FNV-1a over a map's contents, eight bytes at a time.
uint64_t hash_of(const isa::LaneMap& map) {
  uint64_t hash = 0xCBF29CE484222325u;
  const auto add = [&hash](uint64_t value) {
    hash = (hash ^ value) * 0x100000001B3u;
    hash ^= hash >> 29;  // the product propagates nothing to lower bits
  };
  for (size_t i = 0; i < map.source.size(); i += sizeof(uint64_t)) {
    uint64_t eight = 0;
    std::memcpy(&eight, map.source.data() + i, sizeof eight);
    add(eight);
  }
  add(uint64_t{map.executing} << 32 | map.in_range);
  add(map.undefined);
  return hash;
}

}  // namespace

uint32_t LaneMapTable::index_of(const isa::LaneMap& map) {
  const bool is_same = last_ < maps_.size() && maps_[last_] == map;
  if (!is_same) last_ = find(map);
  return last_;
}

uint32_t LaneMapTable::find(const isa::LaneMap& map) {
  const uint64_t hash = hash_of(map);
  const auto [first, last] = known_.equal_range(hash);
  for (auto entry = first; entry != last; ++entry) {
    if (maps_[entry->second] == map) return entry->second;
  }
  const uint32_t index = static_cast<uint32_t>(maps_.size());
  maps_.push_back(map);
  known_.emplace(hash, index);
  return index;
}

void LaneMapTable::clear() {
  maps_.clear();
  known_.clear();
}

}  // namespace shflsim::traces
