// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "model/core/counts.h"
#include "model/core/parameter.h"
#include "model/core/unit.h"
#include "model/global_memory/chip_memory.h"
#include "model/global_memory/cluster_params.h"
#include "model/global_memory/cluster_ways.h"
#include "model/global_memory/fence_gate.h"
#include "model/global_memory/flushes.h"
#include "model/global_memory/hit_rate.h"
#include "model/global_memory/loads_in_flight.h"
#include "model/global_memory/outstanding.h"
#include "model/global_memory/store_merges.h"
#include "model/global_memory/store_rows.h"
#include "model/global_memory/tag_store.h"
#include "model/global_memory/warp_access.h"
#include "model/mio/mio_ports.h"

namespace shflsim::model {

/// Cycles from a fence to the next issue of its warp.
struct FenceParams {
  uint32_t chip = 0;      ///< MEMBAR.GPU
  uint32_t accessed = 0;  ///< further cycles if the SM has accessed memory since its last fence
  uint32_t far = 0;    ///< beyond these if an accessed line's home is in the other half of the L2
  uint32_t apart = 0;  ///< cycles between the ends of a fence and of those that came during it
  uint32_t wait = 0;   ///< cycles of MEMBAR in which the warp sits out a fixed latency
  uint32_t interval = 0;  ///< time between fences that leave the SM separately
  uint32_t system = 0;    ///< MEMBAR.SYS

  void list(ParameterList& out);
};

/// Stores whose addresses are known, on their way out of the SM.
struct KnownStoreParams {
  uint32_t line = 0;
  uint32_t merged = 0;
  uint32_t rows = 0;
  uint32_t stores = 0;
  uint32_t exit = 0;
  uint32_t beats = 0;
  uint32_t outstanding = 0;
  uint32_t outstanding_atomics = 0;
  uint32_t waiting = 0;

  void list(ParameterList& out);
};

/// Stores whose addresses are not known, on the shared pipe.
struct UnknownStoreParams {
  uint32_t beats = 0;
};

/// The storage that the L1 and shared memory are parts of.
struct L1StorageParams {
  uint32_t bytes = 0;
  uint32_t carveout = 0;
  uint32_t reserved = 0;
  uint32_t candidates = 0;

  void list(ParameterList& out);
  /// Number of lines of the L1 if the resident blocks together use this much shared memory.
  uint32_t lines(uint32_t shared_bytes) const;
};

struct GlobalMemoryParams {
  uint32_t latency = 0;
  uint32_t dram_latency = 0;
  uint32_t interval = 0;
  uint32_t l1_hit_rate = 0;
  uint32_t l1_assumed_rate = 0;
  uint32_t l1_latency = 0;
  uint32_t idle_latency = 0;
  uint32_t l1_interval = 0;
  std::string l1_loads;  ///< "all" or "read_only"
  L1StorageParams l1_storage;
  uint32_t l1_part = 0;
  uint32_t loads_in_flight = 0;
  uint32_t l2_bytes = 0;
  uint32_t atomic_latency = 0;
  uint32_t atomic_interval = 0;
  uint32_t store_buffer = 0;
  uint32_t store_drain = 0;
  uint32_t store_sector = 0;
  uint32_t store_latency = 0;
  KnownStoreParams known_store;
  FenceParams fence;
  UnknownStoreParams unknown_store;
  ChipMemoryParams chip;

  void list(ParameterList& out);
  void list_stores(ParameterList& out);
  /// Further latency of a load whose data the L2 does not have.
  Cycle dram_later() const { return std::max(latency, dram_latency) - latency; }
};

/// Counts of accesses to global memory whose addresses are known.
struct GlobalMemoryCounts {
  uint64_t global_wavefronts = 0;
  uint64_t global_sectors = 0;
  uint64_t l1_hits = 0;
  uint64_t l1_misses = 0;
  uint64_t l2_bytes = 0;
  uint64_t dram_bytes = 0;
  uint64_t dram_written = 0;

  static bool applies(const isa::CodeLine& line) { return line.pipe == isa::Pipe::kGlobal; }
  void list(StatList& out) const;
};

/// Global memory as one SM sees it: the L1, the path to the L2, and the buffer through which stores
/// leave. The addresses of an access determine its time in the L1. The L1's tags determine hits,
/// unless `l1_hit_rate` is a number, which then replaces the tags. The L1 is write-through and
/// allocates no lines for stores.
///
/// If a trace has no addresses, a share of the loads, evenly spread, hits in the L1. All other
/// loads take the same time after the memory of the chip has let them pass.
///
/// Writes and loads of the SM go to the L2 in order: a load waits until the L2 has accepted the
/// earlier writes. Accesses behind atomics that cannot leave wait in the L1, where they delay no
/// other unit of the SM (measured: tests/data/h200/2026-11-28; states of histogram_hot).
///
///   addresses -> wavefronts -> tags -> L1's data
///                                \--> port of l2_bytes -> L2 -> DRAM (ChipMemory)
class GlobalMemory : public Unit, public MioUnit, public AddressedMemory {
 public:
  /// `shared_bytes`: of all blocks that fit. `sm`: number that keeps the SMs' local memory apart.
  GlobalMemory(const sc_core::sc_module_name& name, const GlobalMemoryParams& params,
               const ClusterParams& cluster = {}, uint32_t shared_bytes = 0, unsigned sm = 0);

  const char* kind() const override { return "GlobalMemory"; }
  const char* hardware() const override { return "global memory: L1 and store buffer"; }
  const char* section() const override { return "global_memory"; }

  sc_core::sc_port<MemoryPort> chip;  ///< memory of the chip, after the L1
  ClusterWays* ways = nullptr;        ///< nullptr: there are no clusters
  bool loads_have_passes = false;     ///< they take their passes over the banks before they start

  Cycle free_from(unsigned sub_partition, Cycle now) const override;
  MioCompletion start(unsigned sub_partition, const MioRequest& request, Cycle now) override;
  uint32_t beats(const MioRequest& request) override;
  Cycle make_room(const MioRequest& request, Cycle now) override;
  uint32_t hold(const MioRequest& request, Cycle now) override;
  uint32_t load_passes(const MioRequest& request) override;

  uint32_t expect(const traces::LaneAddresses& addresses, isa::LaneMask lanes, const Facts& facts,
                  unsigned warp) override;
  /// Sets the rank, in its cluster, of the block whose warp is in this SM slot. `first`: index of
  /// the cluster's rank 0 among the blocks of all clusters.
  void set_rank(unsigned sm_slot, uint32_t rank, uint32_t first) {
    clusters_.ranks[sm_slot] = rank;
    clusters_.firsts[sm_slot] = first;
  }
  void drop_lines() override { l1_.clear(); }
  Cycle fence(Cycle now) override;
  Cycle lateness(const AwaitedFill& fill, Cycle now) override { return chip->lateness(fill, now); }
  const InstructionCounts<GlobalMemoryCounts>& counts() const { return counts_; }

 private:
  uint64_t held_from(Cycle end) const override { return cycles_behind(end, free_); }
  MioCompletion start_unknown(const MioRequest& request, Cycle now);
  MioCompletion start_known(const MioRequest& request, const WarpAccess& access, Cycle now);
  Cycle start_shared(const MioRequest& request, const WarpAccess& access, Cycle now);
  Cycle start_elsewhere(const MioRequest& request, const WarpAccess& access, Cycle now);
  MioCompletion load(const MioRequest& request, const WarpAccess& access, Cycle now);
  struct LineLoad {
    bool tags_decide = false;  ///< the L1's tags decide whether the load hits
    bool is_one = true;        ///< the warp accesses only this line
    bool needs_room = true;    ///< the L1 keeps a place for the line
  };
  MioCompletion load_line(const LineTouch& touch, const LineLoad& how, GlobalMemoryCounts* counts,
                          Cycle now, Cycle leaves);
  MioCompletion fetch(const LineRequest& request, bool needs_room, GlobalMemoryCounts* counts,
                      Cycle now);
  Cycle store(const MioRequest& request, const WarpAccess& access, Cycle now);
  Cycle atomic(const MioRequest& request, const WarpAccess& access, Cycle now);
  void leave(const WarpAccess& access, uint64_t hundredths, GlobalMemoryCounts* counts, Cycle now);
  void block_if_full(Cycle now);
  Cycle done(Outstanding* outstanding, Cycle taken, uint32_t count, Cycle now);
  /// Cycles until the L2 has accepted all writes before `now`.
  Cycle behind_writes(Cycle now) const { return std::max(now, taken_) - now; }

  static constexpr unsigned kWarps = 256;  ///< upper bound of an SM's warps

  const GlobalMemoryParams params_;
  const ClusterParams cluster_;
  const unsigned sm_;
  /// The clusters of the resident blocks, and the path to other blocks' shared memory.
  struct Clusters {
    std::array<uint32_t, kWarps> ranks{};   ///< of a warp's block in its cluster, by SM slot
    std::array<uint32_t, kWarps> firsts{};  ///< index of the cluster's rank 0, by SM slot
    Cycle done = 0;                         ///< when all atomics in other blocks' memory are done
    Cycle free = 0;                         ///< when the path is free
  } clusters_;
  TagStore l1_;
  std::vector<WarpAccess> expected_;  ///< accesses of requests that have not started
  std::vector<uint32_t> unused_;      ///< free places in `expected_`
  InstructionCounts<GlobalMemoryCounts> counts_;
  Cycle free_ = 0;
  Outstanding outstanding_;          ///< sectors of stores
  Outstanding outstanding_atomics_;  ///< atomics without result, and with
  BlockedAccesses blocked_;
  /// Lines that the L1 has requested, and the loads that wait for them.
  struct Coming {
    Outstanding lines;
    LoadsInFlight loads;
    Cycle room = 0;  ///< when the L1 has room for the next line
  } coming_;
  FenceGate fences_;
  Flushes flushes_;
  Cycle fenced_ = 0;   ///< time in which the slices have passed the last fence that left
  Cycle drained_ = 0;  ///< when all stores and atomics so far have left the buffer
  /// Stores that have not left.
  struct Waiting {
    StoreRows rows;
    StoreMerges merges;
  } waiting_;
  uint64_t drains_ = 0;     ///< fraction of a cycle that drained_ leaves out, in hundredths
  Cycle taken_ = 0;         ///< when the L2 has accepted all stores so far
  uint64_t port_free_ = 0;  ///< when the port to the L2 is free, in bytes that could have passed
  HitRate rate_;
};

}  // namespace shflsim::model
