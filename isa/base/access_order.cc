// SPDX-License-Identifier: Apache-2.0
#include "isa/base/access_order.h"

#include <algorithm>

namespace shflsim::isa {
namespace {

uint64_t key_of(const AccessOrder::Place& place) {
  return static_cast<uint64_t>(place.kind) << 56 | uint64_t{place.rank} << 32 | place.number;
}

uint64_t key_of(uint32_t rank, uint64_t piece) { return uint64_t{rank} << 32 | piece; }

void take(std::vector<uint32_t>* into, const std::vector<uint32_t>& from) {
  for (size_t i = 0; i < from.size(); ++i) (*into)[i] = std::max((*into)[i], from[i]);
}

}  // namespace

AccessOrder::AccessOrder(uint32_t blocks, uint32_t warps_per_block)
    : warps_(warps_per_block),
      all_(blocks * warps_per_block),
      known_(all_, Clock(size_t{3} * all_)),
      products_(all_),
      copies_(all_) {
  for (uint32_t w = 0; w < all_; ++w) known_[w][w] = 1;
}

void AccessOrder::note(uint32_t agent, uint32_t count, const Bytes& bytes) {
  const uint64_t last = (bytes.offset + bytes.count - 1) / kPiece;
  for (uint64_t piece = bytes.offset / kPiece; piece <= last; ++piece) {
    auto& all = pieces_[key_of(bytes.rank, piece)];
    const auto found = std::find_if(all.begin(), all.end(),
                                    [agent](const auto& each) { return each.first == agent; });
    if (found == all.end())
      all.emplace_back(agent, count);
    else
      found->second = count;
  }
}

void AccessOrder::access(Warp warp, const Bytes& bytes) {
  const uint32_t agent = number(warp);
  note(agent, known_[agent][agent], bytes);
}

void AccessOrder::access_by_product(Warp warp, const Bytes& bytes) {
  note(multiplier(warp), products_[number(warp)] + 1, bytes);
}

void AccessOrder::access_by_copy(Warp warp, const Bytes& bytes) {
  note(copier(warp), copies_[number(warp)] + 1, bytes);
}

void AccessOrder::wait_for_products(Warp warp, uint32_t most) {
  uint32_t& known = known_[number(warp)][multiplier(warp)];
  const uint32_t ended = products_[number(warp)];
  known = std::max(known, ended - std::min(ended, most));
}

void AccessOrder::wait_for_copies(Warp warp, uint32_t most) {
  uint32_t& known = known_[number(warp)][copier(warp)];
  const uint32_t ended = copies_[number(warp)];
  known = std::max(known, ended - std::min(ended, most));
}

void AccessOrder::arrive(Warp warp, const Place& place) {
  const uint32_t agent = number(warp);
  Clock& there = places_.try_emplace(key_of(place), size_t{3} * all_).first->second;
  take(&there, known_[agent]);
  ++known_[agent][agent];
}

void AccessOrder::pass(Warp warp, const Place& place) {
  const auto there = places_.find(key_of(place));
  if (there != places_.end()) take(&known_[number(warp)], there->second);
}

bool AccessOrder::is_in_use(Warp warp, const Bytes& bytes) const {
  const uint32_t own = number(warp);
  const uint64_t last = (bytes.offset + bytes.count - 1) / kPiece;
  for (uint64_t piece = bytes.offset / kPiece; piece <= last; ++piece) {
    const auto found = pieces_.find(key_of(bytes.rank, piece));
    if (found == pieces_.end()) continue;
    for (const auto& [agent, count] : found->second)
      if (agent != own && known_[own][agent] < count) return true;
  }
  return false;
}

}  // namespace shflsim::isa
