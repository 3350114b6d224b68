// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "isa/machine/launch_events.h"
#include "model/core/parameter.h"
#include "model/core/unit.h"
#include "model/global_memory/chip_memory.h"
#include "model/global_memory/cluster_params.h"
#include "model/global_memory/cluster_ways.h"

namespace shflsim::model {

struct CopyEngineParams {
  uint32_t issue = 0;
  uint32_t latency = 0;
  uint32_t load_cycles = 0;
  uint32_t load_row = 0;
  uint32_t across_lines = 0;
  uint32_t across_sectors = 0;
  uint32_t multicast = 0;
  uint32_t map_latency = 0;
  uint32_t memory_map_latency = 0;
  uint32_t store_latency = 0;
  uint32_t store_cycles = 0;
  uint32_t store_ahead = 0;
  struct {
    uint32_t latency = 0;
    uint32_t cycles = 0;
  } reduction;
  uint32_t after_loads = 0;
  uint32_t loads_wait = 0;
  uint32_t wake = 0;
  uint32_t woken = 0;
  uint32_t awake = 0;
  uint32_t asleep = 0;
  uint32_t first_look = 0;
  uint32_t look = 0;
  uint32_t looks = 0;
  uint32_t seen = 0;
  uint32_t looked = 0;
  struct {
    uint32_t interval = 0;
    uint32_t limit = 0;
  } wait;

  void list(ParameterList& out);
  void list_loads(ParameterList& out);
  void list_waits(ParameterList& out);
};

/// The asynchronous copies of an SM. Copies of one kind start one after another; each occupies its
/// path for the time that its bytes need, and barriers in shared memory are notified of its end.
/// A load begins when earlier stores have been read (measured: behind_stores.csv.gz of
/// tests/data/h200/2026-11-30, `order`); otherwise loads, stores and copies to other blocks do not
/// delay each other. DRAM and L2 slices delay a load like a warp's own loads; the latency is that
/// of lines in the near half of the L2.
///
///   UBLKCP -> loads, stores or cluster -> latency -> barrier in shared memory
class CopyEngine : public Unit {
 public:
  /// Further latency of a line, compared with a line in the near half of the L2.
  struct Later {
    uint32_t dram = 0;  ///< for a line from the DRAM
    uint32_t far = 0;   ///< for a line from the other half
  };
  /// `sm`: number of the SM. `warps`: warps per block.
  CopyEngine(const sc_core::sc_module_name& name, const CopyEngineParams& params,
             const ClusterParams& cluster, unsigned sm, const Later& later, uint32_t warps);

  const char* kind() const override { return "CopyEngine"; }
  const char* hardware() const override { return "copies that go on while their warps do"; }
  const char* section() const override { return "copy_engine"; }

  sc_core::sc_port<MemoryPort> chip;
  ClusterWays* ways = nullptr;  ///< nullptr: there are no clusters

  /// Starts a copy at `now`. Returns when its source has been read; the scoreboard of its group
  /// waits for this.
  Cycle begin(const isa::BulkCopy& copy, Cycle now);
  /// Ends a copy at `end`: its barriers must be notified then.
  void end_at(const isa::BulkCopy& copy, Cycle end);
  /// First cycle in which a copy ends whose barriers have not been notified yet; kNever if none.
  Cycle due() const { return ends_.empty() ? kNever : ends_.front().cycle; }
  /// Removes and returns the copy that ends first.
  isa::BulkCopy take();

 private:
  struct End {
    Cycle cycle;
    uint64_t number;  ///< order of copies that end in one cycle: the lowest number is first
    isa::BulkCopy copy;
  };
  static bool is_later(const End& a, const End& b) {
    return a.cycle != b.cycle ? a.cycle > b.cycle : a.number > b.number;
  }
  uint64_t held_from(Cycle end) const override { return cycles_behind(end, load_free_); }
  static Cycle pass(Cycle* free, Cycle now, uint64_t cycles);
  Cycle load_time(const isa::BulkCopy& copy) const;
  Cycle map_ready(uint64_t map, Cycle now);
  Cycle load(const isa::BulkCopy& copy, Cycle now);
  Cycle store(const isa::BulkCopy& copy, Cycle now);
  Cycle send(const isa::BulkCopy& copy, Cycle now);
  Cycle to_cluster(const isa::BulkCopy& copy, Cycle now);

  const CopyEngineParams params_;
  const ClusterParams cluster_;
  const unsigned sm_;
  const Later later_;
  const Cycle cluster_barrier_;  ///< from the last arrival of a cluster to the end of the phase
  std::vector<End> ends_;        ///< a heap
  uint64_t copies_ = 0;
  std::unordered_map<uint64_t, Cycle> maps_;  ///< tensor maps, and when they are in the SM
  Cycle load_free_ = 0;
  Cycle store_free_ = 0;
  Cycle cluster_free_ = 0;
};

}  // namespace shflsim::model
