// SPDX-License-Identifier: Apache-2.0
#include "model/chip/work_distributor.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace shflsim::model {

WorkDistributor::WorkDistributor(const traces::Trace& trace, const BlockParams& params,
                                 const std::vector<std::unique_ptr<Sm>>& sms,
                                 const std::vector<SmClock>& clocks,
                                 const std::vector<Cycle>& rooms)
    : trace_(trace),
      sms_(sms),
      clocks_(clocks),
      rooms_(rooms),
      is_clustered_(!trace.by_cluster.empty()),
      refill_interval_(params.refill_interval),
      refilled_(params.gpcs),
      order_(order_of(is_clustered_ ? rooms.size()
                                    : trace.warps.size() / std::max(1u, trace.warps_per_block()))) {
}

/// The SMs that get a block of so many first, GPC by GPC, and then the others.
std::vector<unsigned> WorkDistributor::order_of(size_t blocks) const {
  std::vector<unsigned> order(rooms_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [](unsigned one, unsigned other) {
    return one % kSmsOfTpc < other % kSmsOfTpc;
  });
  const auto others = order.begin() + static_cast<std::ptrdiff_t>(std::min(blocks, order.size()));
  const auto is_before = [this](unsigned one, unsigned other) {
    return std::pair(gpc_of(one), one) < std::pair(gpc_of(other), other);
  };
  std::sort(order.begin(), others, is_before);
  std::sort(others, order.end(), is_before);
  return order;
}

std::vector<unsigned> WorkDistributor::start_blocks(Cycle now) {
  if (!has_blocks()) return {};
  if (is_clustered_) return start_clusters(now);
  std::vector<unsigned> started;
  for (bool any = true; any;) {
    any = false;
    for (size_t place = 0; place < order_.size() && has_blocks();) {
      const unsigned sm = order_[place];
      const bool starts = next_start(sm, now) <= now;
      const bool moves = starts && start_block(place, now);
      if (starts) started.push_back(sm);
      any = any || starts;
      if (!moves) ++place;
    }
  }
  return started;
}

/// True if the block replaces another; then its SM moves to the end of the order.
bool WorkDistributor::start_block(size_t place, Cycle now) {
  const unsigned sm = order_[place];
  const bool replaces = refill_interval_ != 0 && sms_[sm]->blocks().replaces(now);
  next_warp_ = sms_[sm]->launch(next_warp_, now);
  if (!replaces) return false;
  refilled_[gpc_of(sm)] = now + refill_interval_;
  order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(place));
  order_.push_back(sm);
  return true;
}

/// Starts blocks that have places, one after another on an SM; then places the next cluster.
std::vector<unsigned> WorkDistributor::start_clusters(Cycle now) {
  std::vector<unsigned> started;
  do {
    for (size_t i = 0; i < placed_.size();) {
      const Placed& each = placed_[i];
      if (sms_[each.sm]->blocks().room_from(now) > now) {
        ++i;
        continue;
      }
      sms_[each.sm]->launch(size_t{each.block} * trace_.warps_per_block(), now, each.rank,
                            each.cluster);
      started.push_back(each.sm);
      placed_.erase(placed_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  } while (placed_.empty() && place_cluster(now));
  return started;
}

/// The places of a GPC's SMs that the next cluster may take, those with the most room first.
/// Without a GPC of so many SMs, the chip is one.
std::vector<unsigned> WorkDistributor::places_in(size_t gpc, Cycle now) const {
  const size_t gpcs = clustered_gpcs();
  std::vector<std::pair<uint32_t, unsigned>> free;  // free places of each SM
  for (const unsigned sm : order_)
    if (gpc_of(sm) % gpcs == gpc) free.emplace_back(sms_[sm]->blocks().free_places(now), sm);
  const auto count = static_cast<uint32_t>(free.size());
  const uint32_t most = (trace_.cluster_blocks + count - 1) / count;  // most blocks per SM
  std::stable_sort(free.begin(), free.end(),
                   [](const auto& one, const auto& other) { return one.first > other.first; });
  std::vector<unsigned> places;
  for (const auto& [room, sm] : free) places.insert(places.end(), std::min(most, room), sm);
  return places;
}

/// Places the blocks of the next cluster in the next GPC that has room for them.
bool WorkDistributor::place_cluster(Cycle now) {
  if (next_warp_ == trace_.warps.size()) return false;
  const size_t gpcs = clustered_gpcs();
  std::vector<unsigned> places;
  for (size_t tried = 0; tried < gpcs && places.size() < trace_.cluster_blocks; ++tried)
    places = places_in(next_gpc_++ % gpcs, now);
  if (places.size() < trace_.cluster_blocks) return false;
  const size_t first = next_warp_ / trace_.warps_per_block();
  for (uint32_t rank = 0; rank < trace_.cluster_blocks; ++rank)
    placed_.push_back(
        {trace_.by_cluster[first + rank], rank, places[rank], static_cast<uint32_t>(first)});
  next_warp_ += size_t{trace_.cluster_blocks} * trace_.warps_per_block();
  return true;
}

Cycle WorkDistributor::next_start(Cycle from) const {
  if (!has_blocks()) return kNever;
  Cycle next = kNever;
  for (unsigned sm = 0; sm < sms(); ++sm) {
    if (!is_clustered_) next = std::min(next, next_start(sm, from));
    if (is_clustered_ && placed_.empty())
      next = std::min(next, sms_[sm]->blocks().next_place(from - 1));
  }
  for (const Placed& each : placed_) next = std::min(next, sms_[each.sm]->blocks().room_from(from));
  return next;
}

Cycle WorkDistributor::next_start(unsigned sm, Cycle from) const {
  if (clocks_[sm].is_running) return kNever;
  const Cycle room = std::max(rooms_[sm], from);
  if (room == kNever || refill_interval_ == 0 || !sms_[sm]->blocks().replaces(room)) return room;
  return std::max(room, refilled_[gpc_of(sm)]);
}

}  // namespace shflsim::model
