// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/kernel_heap.h"

#include <algorithm>
#include <iterator>

namespace shflsim::isa {

uint64_t KernelHeap::take(uint64_t bytes) {
  constexpr uint64_t kUnit = 16;
  if (bytes > kNone - kUnit) return kNone;
  const uint64_t size = std::max(kUnit, (bytes + kUnit - 1) / kUnit * kUnit);
  const auto block = std::find_if(free_.begin(), free_.end(),
                                  [size](const auto& each) { return each.second >= size; });
  if (block == free_.end()) return kNone;
  const auto [place, room] = *block;
  free_.erase(block);
  if (room > size) free_[place + size] = room - size;
  taken_[place] = size;
  return place;
}

bool KernelHeap::give_back(uint64_t place) {
  const auto block = taken_.find(place);
  if (block == taken_.end()) return false;
  auto freed = free_.emplace(place, block->second).first;
  taken_.erase(block);
  const auto next = std::next(freed);
  if (next != free_.end() && next->first == freed->first + freed->second) {
    freed->second += next->second;
    free_.erase(next);
  }
  if (freed != free_.begin()) {
    const auto last = std::prev(freed);
    if (last->first + last->second == freed->first) {
      last->second += freed->second;
      free_.erase(freed);
    }
  }
  return true;
}

}  // namespace shflsim::isa
