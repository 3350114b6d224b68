// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "model/barrier/block_barrier.h"
#include "model/constant_memory/constant_memory.h"
#include "model/copy_engine/copy_engine.h"
#include "model/core/run_result.h"
#include "model/fetch/code_memory.h"
#include "model/global_memory/global_memory.h"
#include "model/mio/mio_arbiter.h"
#include "model/shared_memory/shared_memory.h"
#include "model/shuffle/shuffle_unit.h"
#include "model/sm/block_scheduler.h"
#include "model/sm/held_warps.h"
#include "model/sm/sm_params.h"
#include "model/special_function/special_function.h"
#include "model/special_register/special_register.h"
#include "model/sub_partition/sub_partition.h"

namespace shflsim::model {

/// The progress of an SM, and when its parts are due: a cache line. The chip keeps the progress of
/// all SMs side by side, because it reads it in every cycle.
struct alignas(64) SmProgress {
  Cycle due = 0;      ///< first cycle in which anything can change; kNever without warps
  Cycle arbiter = 0;  ///< of its parts: MIO arbiter, copies and held warps, sub-partitions
  Cycle held = 0;
  std::array<Cycle, kSubPartitions> sub_partition{};
  /// Cycles run since anything changed. Cycles in which nothing can change are not run; so waiting
  /// for pending work, however long, does not count as idle.
  uint32_t idle_cycles = 0;
  bool has_warps = false;
};

/// The cycle that an SM has reached, for other threads.
struct alignas(64) SmClock {
  std::atomic<Cycle> now{0};  ///< its last cycle; all that it did before is done
  bool is_running = false;    ///< a thread runs it now
};

/// The state that the SMs of a chip share in a run.
struct SharedRun {
  const traces::Trace& trace;
  IssueTable& table;
  RunResult& result;
  std::vector<InstructionStats>& instructions;  ///< of the SMs that one thread runs
  uint32_t maps;       ///< list of the lane maps of these SMs (traces::StepSource::maps_of)
  Observer* observer;  ///< nullptr: none
  std::vector<SmProgress>& progress;         ///< by SM
  std::vector<SmClock>& clocks;              ///< by SM
  std::vector<Cycle>& rooms;                 ///< by SM: BlockScheduler::room_from
  bool* is_ending_copy;                      ///< true while any of these SMs ends a copy
  std::shared_ptr<WindowOutcomes> outcomes;  ///< of the register files of these SMs
  ClusterWays* ways;                         ///< of all clusters
};

/// One streaming multiprocessor: four sub-partitions and the units that they share. It runs the
/// blocks of a trace that it receives, as many at a time as fit, and adds to a RunResult.
///
///   sub_partition[0..3] -> MIO arbiter -> shuffle unit, shared memory, special functions,
///                                         special registers, global memory -> back
class Sm : public Module, public WarpEvents {
 public:
  Sm(const sc_core::sc_module_name& name, unsigned number, const SmParams& params,
     const SharedRun& run);

  const char* kind() const override { return "Sm"; }
  const char* hardware() const override { return "streaming multiprocessor"; }
  const char* section() const override { return "sm"; }

  sc_core::sc_port<MemoryPort> memory;  ///< memory of the chip

  // WarpEvents
  void arrived_at_barrier(unsigned sub_partition, unsigned slot, const BarrierArrival& arrival,
                          Cycle now) override;
  void came_to_group(unsigned sub_partition, unsigned slot) override;
  void held(unsigned sub_partition, unsigned slot, const HeldAt& at, Cycle now) override;
  void loads_done(const isa::BulkCopy& arrival, Cycle when) override;
  void exited(unsigned sub_partition, unsigned slot, Cycle now) override;
  void finished(unsigned sub_partition, unsigned slot, Cycle now) override;

  /// Starts the block whose first warp is `warp`, an index into Trace::warps. Returns the index
  /// after its last warp. `rank`: rank of the block in its cluster. `cluster`: index of the
  /// cluster's first block among the blocks of all clusters.
  size_t launch(size_t warp, Cycle now, uint32_t rank = 0, uint32_t cluster = 0);
  /// The resident blocks, and when others may start.
  const BlockScheduler& blocks() const { return blocks_; }

  // Events of resident warps, which are indices into Trace::warps.
  /// A copy of the warp begins.
  void copy_began(size_t warp, const isa::BulkCopy& copy, Cycle now);
  /// The held warp may continue.
  void released(size_t warp, Cycle now);

  /// Runs the cycles in which anything can change, from `now`, which is due, to before `until` or
  /// the first cycle with room for another block, and notes each in its SmClock.
  void run(Cycle now, Cycle until);

  /// Adds the work of the units to the result, which has the cycles of the run.
  void collect();
  /// Adds what the register files have counted.
  void add_to(InstructionCounts<RegisterCounts>* counts) const;
  /// Adds the work of the units before cycle `end`, up to which the SM has run. Units of one name
  /// are summed.
  void add_units(Cycle end, std::vector<UnitStats>* units) const;
  /// The run ends before its warps do: accounts for their cycles before `now`, and notifies the
  /// observer.
  void stop(Cycle now);

 private:
  SubPartition::Params sub_partition_params(unsigned number) const;
  void make_parts(const SharedRun& run);
  void connect();
  void connect_units();
  unsigned free_slot(unsigned sub_partition) const;
  void start_warp(unsigned sm_slot, size_t warp, Cycle later, Cycle now);
  void name_warp(unsigned sm_slot, size_t warp, Cycle now);
  /// Returns true if anything changed; sets progress_.due to the next cycle to run.
  bool evaluate(Cycle now);
  Cycle release(Cycle now);
  void collect_counts();

  const traces::WarpPlace place_;  ///< of its warps, but for the slot
  const SmParams& params_;
  const traces::Trace& trace_;
  RunResult& result_;
  Observer* const observer_;         ///< nullptr: none
  std::vector<ResidentWarp> named_;  ///< for the observer, by SM slot

  // Used in each cycle, and therefore together.
  SmProgress& progress_;
  SmClock& clock_;
  const std::unique_ptr<RequestWatch> watch_;  ///< nullptr: none
  std::array<std::unique_ptr<SubPartition>, kSubPartitions> sub_partitions_;
  std::unique_ptr<MioArbiter> arbiter_;
  bool may_release_ = false;  ///< held_ or barrier_ may have released warps

  InOrderPipe shared_pipe_;
  std::vector<std::unique_ptr<InOrderPipe>> shuffle_pipes_;  ///< empty: shuffles use shared_pipe_
  ShuffleUnit shuffle_;
  SharedMemory shared_memory_;
  SpecialFunction special_function_;
  SpecialRegister special_register_;
  CodeMemory code_memory_;
  ConstantMemory constant_memory_;
  GlobalMemory global_memory_;
  BlockBarrier barrier_;
  BlockScheduler blocks_;
  HeldWarps held_;
};

/// The stats that the units of an SM count for each instruction, in the order of reports.
std::vector<Stat> list_counts();

}  // namespace shflsim::model
