// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "model/sm/sm.h"

namespace shflsim::model {

/// Gives the blocks of a grid to the SMs of a chip: one per SM in turn, and then to the SM that has
/// room and replaced a block longest ago (measured: ends.csv.gz of tests/data/h100/slices, each SM
/// gets 12 to 18 of 2,048 blocks). Consecutive blocks go to one GPC. If there are fewer blocks than
/// SMs, the GPCs get equal numbers of them, and each TPC one before another gets two (measured:
/// blocks.csv.gz of tests/data/h100/2026-11-26, places.csv.gz of tests/data/h200/2026-11-30). SMs
/// of a GPC replace finished blocks one at a time. The blocks of a cluster are placed together in
/// one GPC, on SMs of their own if it has enough; the GPCs get clusters in turn (measured: the
/// same).
class WorkDistributor {
 public:
  /// `rooms`: by SM, BlockScheduler::room_from. All must outlive this object.
  WorkDistributor(const traces::Trace& trace, const BlockParams& params,
                  const std::vector<std::unique_ptr<Sm>>& sms, const std::vector<SmClock>& clocks,
                  const std::vector<Cycle>& rooms);

  /// True if blocks have yet to start.
  bool has_blocks() const { return next_warp_ != trace_.warps.size() || !placed_.empty(); }
  /// Starts the blocks that may start at `now`; returns their SMs.
  std::vector<unsigned> start_blocks(Cycle now);
  /// First cycle from `from` on in which a block may start or a cluster may be placed, as far as
  /// known; kNever without blocks. Leaves out SMs that a thread runs.
  Cycle next_start(Cycle from) const;
  /// The same of one SM, without clusters.
  Cycle next_start(unsigned sm, Cycle from) const;

 private:
  /// A block of a cluster that has a place but has not started.
  struct Placed {
    uint32_t block;
    uint32_t rank;
    unsigned sm;
    uint32_t cluster;  ///< first block of the cluster, among the blocks of all clusters
  };

  unsigned sms() const { return static_cast<unsigned>(sms_.size()); }
  /// GPCs that can hold a cluster; 1: the chip as a whole holds it.
  size_t clustered_gpcs() const {
    const size_t gpcs = refilled_.size();
    return sms_.size() / gpcs >= trace_.cluster_blocks ? gpcs : 1;
  }
  std::vector<unsigned> order_of(size_t blocks) const;
  size_t gpc_of(unsigned sm) const { return sm / kSmsOfTpc % refilled_.size(); }
  std::vector<unsigned> start_clusters(Cycle now);
  bool place_cluster(Cycle now);
  std::vector<unsigned> places_in(size_t gpc, Cycle now) const;
  bool start_block(size_t place, Cycle now);

  const traces::Trace& trace_;
  const std::vector<std::unique_ptr<Sm>>& sms_;
  const std::vector<SmClock>& clocks_;
  const std::vector<Cycle>& rooms_;
  const bool is_clustered_;
  const Cycle refill_interval_;
  std::vector<Cycle> refilled_;  ///< by GPC: when it may replace another finished block
  std::vector<unsigned> order_;  ///< the SMs, GPC by GPC; behind them, those that replaced a block
  size_t next_gpc_ = 0;          ///< GPC that gets the next cluster if it has room
  size_t next_warp_ = 0;         ///< first warp of the next block, index into the trace's warps
  std::deque<Placed> placed_;
};

}  // namespace shflsim::model
