// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "model/core/counts.h"
#include "model/core/unit.h"
#include "model/mio/in_order_pipe.h"
#include "model/mio/mio_ports.h"
#include "model/mio/request_watch.h"

namespace shflsim::model {

struct SharedMemoryParams {
  uint32_t banks = 0;
  uint32_t latency = 0;
  uint32_t loaded_beat = 0;
  uint32_t atomic_lane = 0;
  uint32_t swap_lane = 0;
  uint32_t arrival_latency = 0;
  uint32_t arrival_interval = 0;
  uint32_t arrival_apart = 0;
  uint32_t check_latency = 0;
  uint32_t check_interval = 0;
  uint32_t check_apart = 0;
  uint32_t exchange_latency = 0;
  uint32_t exchange_interval = 0;
  uint32_t fence_latency = 0;

  void list(ParameterList& out) {
    out.number("shared_memory.banks", &banks, 1, 32, "banks",
               "banks of 4 bytes; bank = word address mod banks");
    out.number("shared_memory.latency", &latency, 1, 256, "cycles",
               "time from the last wavefront to the use of the result");
    out.number("shared_memory.loaded_beat", &loaded_beat, 0, 256, "cycles",
               "loads: further time for each cycle in which the result is written");
    out.number("shared_memory.atomic_lane", &atomic_lane, 0, 256, "cycles",
               "ATOMS: further time for each lane on the word that most lanes have, for each half "
               "of the warp with words of 8 bytes; atomics of two sub-partitions wait for one "
               "another as long");
    out.number("shared_memory.swap_lane", &swap_lane, 0, 256, "cycles",
               "the same for ATOMS.CAS; of ATOMS.CAST.SPIN one lane takes this time");
    out.number("shared_memory.arrival_latency", &arrival_latency, 0, 256, "cycles",
               "SYNCS.ARRIVE (arrival at an mbarrier): latency beyond that of a load");
    out.number("shared_memory.arrival_interval", &arrival_interval, 1, 256, "cycles",
               "SYNCS.ARRIVE: time to the next access");
    out.number("shared_memory.arrival_apart", &arrival_apart, 0, 256, "cycles",
               "SYNCS.ARRIVE: time to the next SYNCS of the sub-partition");
    out.number("shared_memory.check_latency", &check_latency, 0, 256, "cycles",
               "SYNCS.PHASECHK (test of an mbarrier's phase): latency beyond that of a load");
    out.number("shared_memory.check_interval", &check_interval, 1, 256, "cycles",
               "SYNCS.PHASECHK: time to the next access");
    out.number("shared_memory.check_apart", &check_apart, 0, 256, "cycles",
               "SYNCS.PHASECHK: time to the next SYNCS of the sub-partition");
    out.number("shared_memory.exchange_latency", &exchange_latency, 0, 256, "cycles",
               "SYNCS.EXCH (initialization of an mbarrier): latency beyond that of a load");
    out.number("shared_memory.exchange_interval", &exchange_interval, 1, 256, "cycles",
               "SYNCS.EXCH: time to the next access");
    out.number("shared_memory.fence_latency", &fence_latency, 0, 256, "cycles",
               "MEMBAR.CTA and FENCE.VIEW.ASYNC, which go through the MIO after earlier accesses: "
               "time from there to the result; 0: they take no time");
  }
};

/// The counts of shared memory for an access.
struct SharedMemoryCounts {
  uint64_t shared_wavefronts = 0;
  uint64_t shared_conflicts = 0;

  static bool applies(const isa::CodeLine& line) { return line.accesses_shared; }
  void list(StatList& out) const {
    out.count("shared_wavefronts", shared_wavefronts, "wavefronts",
              "Shared-memory accesses: wavefronts, each one cycle of the 32 banks.",
              "shared\nwavefr");
    out.count("shared_conflicts", shared_conflicts, "wavefronts",
              "Shared-memory accesses: wavefronts beyond an access's first, for bank conflicts or "
              "width.",
              "shared\nconfl");
  }
};

/// Shared memory of an SM: 32 banks, one wavefront per cycle, returns in order.
class SharedMemory : public Unit, public MioUnit, public SharedBanks {
 public:
  SharedMemory(const sc_core::sc_module_name& name, const SharedMemoryParams& params);

  const char* kind() const override { return "SharedMemory"; }
  const char* hardware() const override { return "banks of shared memory"; }
  const char* section() const override { return "shared_memory"; }

  sc_core::sc_port<InOrderPipe> pipe;
  RequestWatch* watch = nullptr;  ///< nullptr without an observer

  Cycle free_from(unsigned sub_partition, Cycle now) const override;
  const Cycle* kept_free(unsigned /*sub_partition*/) const override { return &pipe->free(); }
  Cycle free_for(const MioRequest& request, unsigned sub_partition, Cycle now) const override;
  MioCompletion start(unsigned sub_partition, const MioRequest& request, Cycle now) override;
  uint32_t beats(const MioRequest& request) override { return request.wavefronts; }
  /// Fences and operations on barriers occupy the pipe.
  uint32_t passes(const MioRequest& request) override {
    return request.facts->accesses_shared ? request.wavefronts : 0;
  }
  /// In each wavefront, a bank delivers one 4-byte word to any number of lanes. `bytes` is the
  /// access size of a lane, 1 to 16; wide accesses are split as the CUDA guide says for compute
  /// capability 5.x: halves (up to 8 bytes) or quarters (up to 16 bytes) of the warp. Two halves of
  /// the warp, or two quarters of a half, are read together if all their lanes have the address of
  /// their neighbour, or all that of the lane after the next (measured: tests/data/h200/2026-11-28,
  /// wide.csv.gz, all patterns; neither stores nor loads of the L1 do that).
  uint32_t wavefronts(const traces::LaneAddresses& addresses, isa::LaneMask lanes, uint32_t bytes,
                      bool loads) const override;
  uint32_t turns(const traces::LaneAddresses& addresses, isa::LaneMask lanes, uint32_t bytes,
                 bool spins) const override;
  const InstructionCounts<SharedMemoryCounts>& counts() const { return counts_; }

 private:
  /// Each of two parts executes the atomics of two sub-partitions (measured: contention.csv,
  /// atoms_*: two warps do not delay each other, four do).
  static constexpr unsigned kAtomicParts = 2;

  /// Additional times of a step at a barrier, relative to a load.
  struct StepTime {
    uint32_t latency;
    uint32_t interval;
    uint32_t apart;  ///< to the next such step of the sub-partition
  };
  StepTime time_of(isa::OpKind kind) const;

  Cycle update(unsigned sub_partition, const MioRequest& request, Cycle now);

  const SharedMemoryParams params_;
  std::array<Cycle, kAtomicParts> updated_{};  ///< first cycle in which the next atomic may start
  std::array<Cycle, kSubPartitions> step_free_{};  ///< first cycle for the next step at a barrier
  InstructionCounts<SharedMemoryCounts> counts_;
};

}  // namespace shflsim::model
