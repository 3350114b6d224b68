// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "isa/machine/asynchronous_row.h"
#include "isa/machine/shared_barrier.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// A trace with steps for copies, barriers in shared memory and clusters. It sends the model the
/// events of these steps, as a live launch does. It counts the barriers again, so that each warp
/// waits for what it waited for, for as long as that takes on the machine.
class ReplayedLaunch final : public StepSource {
 public:
  /// The trace must outlive this object.
  explicit ReplayedLaunch(const Trace& trace);

  /// True if a trace has such steps and its source does not send these events.
  static bool is_needed(const Trace& trace);

  bool tells_events() const override { return true; }
  void begin_run(uint32_t clock_mhz, RunEvents* events, bool asks_bits) const override;
  void end_copy(const isa::BulkCopy& copy, uint64_t now) const override;
  void give_up(size_t warp, uint64_t now) const override;
  std::unique_ptr<StepCursor> open(size_t warp) const override;
  std::unique_ptr<StepCursor> open_at(size_t warp, const WarpPlace& place) const override;
  const std::vector<isa::LaneMap>& lane_maps() const override { return trace_.maps(); }

 private:
  class Cursor;
  /// A step that takes effect when it issues.
  struct Event {
    size_t warp;  ///< into Trace::warps
    uint32_t index;
    isa::LaneMask lanes;
    const LaneAddresses* row;  ///< nullptr: the trace has none
  };
  struct Phase {
    uint32_t offset;
    bool parity;
  };
  struct WarpState {
    std::vector<Phase> phases;  ///< phases that it waits for
    bool may_give_up = false;
    bool waits_for_cluster = false;
    bool is_done = false;
    uint32_t cluster_arrivals = 0;
  };
  struct BlockState {
    std::map<uint32_t, isa::SharedBarrier> barriers;  ///< by offset
    uint32_t left;                                    ///< warps that have not left
    bool is_gone = false;
  };
  struct ClusterState {
    uint32_t arrived = 0;
    uint32_t phases = 0;  ///< completed phases
    bool is_ending = false;
  };

  void perform(const Event& event, uint64_t now);
  void perform_lanes(const Event& event, uint64_t now);
  void perform_copy(const Event& event, uint64_t now);
  void arrive(const Event& event, const isa::BarrierWord& word, unsigned lanes, uint64_t now);
  void check(const Event& event, const isa::BarrierWord& word);
  void send(const Event& event, const isa::BarrierWord& word, unsigned lanes, uint64_t now);
  void begin_copy(const Event& event, isa::BulkCopy copy, uint64_t now);
  void change(const Event& event, uint32_t block, uint32_t offset, const isa::BarrierChange& change,
              bool leaves, uint64_t now);
  void release_waiters(uint32_t block, uint64_t now);
  bool is_over(uint32_t block, const Phase& phase) const;
  void reach_cluster(const Event& event, uint64_t now);
  void end_cluster_if_complete(uint32_t block, uint64_t now);
  void warp_done(size_t warp, uint64_t now);
  void warp_left(size_t warp);
  bool is_held(size_t warp) const {
    return !warps_[warp].phases.empty() || warps_[warp].waits_for_cluster;
  }
  uint32_t cluster_of(uint32_t block) const { return place_of_[block] / trace_.cluster_blocks; }
  uint32_t block_at(uint32_t block, uint32_t rank, const Event& event) const;
  size_t first_warp(uint32_t block) const { return size_t{block} * trace_.warps_per_block(); }
  [[noreturn]] void fail(const Event& event, const std::string& what) const;

  const Trace& trace_;
  std::vector<bool> takes_effect_;  ///< by line
  std::vector<uint32_t> place_of_;  ///< place of a block in the order of the clusters
  RunEvents* events_ = nullptr;
  std::vector<WarpState> warps_;
  std::vector<BlockState> blocks_;
  std::vector<ClusterState> clusters_;
  uint64_t copies_ = 0;
};

/// The trace with a step source that sends the model these events.
Trace replayed(const Trace& trace);

}  // namespace shflsim::traces
