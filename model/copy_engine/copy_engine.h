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
  uint32_t reduction_latency = 0;
  uint32_t reduction_cycles = 0;
  uint32_t after_loads = 0;
  uint32_t loads_wait = 0;
  uint32_t wake = 0;
  uint32_t woken = 0;
  uint32_t awake = 0;
  uint32_t first_look = 0;
  uint32_t look = 0;
  uint32_t looks = 0;
  uint32_t seen = 0;
  uint32_t looked = 0;
  uint32_t wait_limit = 0;

  void list(ParameterList& out);
  void list_loads(ParameterList& out);
};

/// The asynchronous copies of an SM: they start one after the other, each takes its way for as long
/// as its bytes need, and barriers in shared memory hear of its end. Loads, stores and copies to
/// other blocks do not hinder each other. DRAM and the slices of the L2 delay a load as they do a
/// warp's own; the latency is that of lines in the near half of the L2.
///
///   UBLKCP -> loads, stores or cluster -> latency -> barrier in shared memory
class CopyEngine : public Unit {
 public:
  /// That a line comes later than one of the near half of the L2.
  struct Later {
    uint32_t dram = 0;  ///< from the DRAM
    uint32_t far = 0;   ///< from the other half
  };
  /// `sm`: its number. `warps`: of a block.
  CopyEngine(const sc_core::sc_module_name& name, const CopyEngineParams& params,
             const ClusterParams& cluster, unsigned sm, const Later& later, uint32_t warps);

  const char* kind() const override { return "CopyEngine"; }
  const char* hardware() const override { return "copies that go on while their warps do"; }
  const char* section() const override { return "copy_engine"; }

  sc_core::sc_port<MemoryPort> chip;

  /// A copy begins at `now`. Returns when its source has been read, which is what the scoreboard of
  /// its group waits for.
  Cycle begin(const isa::BulkCopy& copy, Cycle now);
  /// Barriers hear of it then.
  void end_at(const isa::BulkCopy& copy, Cycle end);
  /// First cycle in which a copy is over whose barriers have yet to hear of it.
  Cycle due() const { return ends_.empty() ? kNever : ends_.front().cycle; }
  /// That copy, which is out of the list then.
  isa::BulkCopy take();

 private:
  struct End {
    Cycle cycle;
    uint64_t number;  ///< of ends in one cycle the first copy goes first
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
