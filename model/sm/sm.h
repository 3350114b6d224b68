// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "model/barrier/block_barrier.h"
#include "model/fetch/code_memory.h"
#include "model/global_memory/global_memory.h"
#include "model/mio/mio.h"
#include "model/mio/pipelined_unit.h"
#include "model/mio/shared_pipe.h"
#include "model/shared_memory/shared_memory.h"
#include "model/shuffle/shuffle_unit.h"
#include "model/sub_partition/sub_partition.h"

namespace shflsim::model {

struct SmParams {
  uint32_t max_warps = 0;
  uint32_t max_blocks = 0;
  uint32_t registers = 0;
  uint32_t shared_bytes = 0;
  uint32_t launch_latency = 0;
  uint32_t watchdog = 0;
  IssueCodeParams control;
  FetchParams fetch;
  SchedulerParams scheduler;
  DependenceParams dependence;
  MathLatencies latencies;
  RegisterFileParams register_file;
  MathParams math;
  MioParams mio;
  NetworkChoice network;
  ShuffleParams shuffle;
  SharedMemoryParams shared_memory;
  PipelinedUnitParams special_function{"special_function"};
  PipelinedUnitParams special_register{"special_register"};
  GlobalMemoryParams global_memory;
  BarrierParams barrier;

  /// Every key that a config must set.
  void list(ParameterList& out);
};

/// One streaming multiprocessor: four sub-partitions and the units that they share. It runs the
/// blocks of a trace that it is given, as many at a time as fit, and adds to a RunResult.
///
///   sub_partition[0..3] -> MIO arbiter -> shuffle unit, shared memory, special functions,
///                                         special registers, global memory -> back
class Sm : public sc_core::sc_module, public WarpEvents {
 public:
  Sm(const sc_core::sc_module_name& name, unsigned number, const SmParams& params,
     const traces::Trace& trace, ChipMemory& memory, RunResult& result);

  // WarpEvents
  void arrived_at_barrier(unsigned sub_partition, unsigned slot, Cycle now) override;
  void exited(unsigned sub_partition, unsigned slot, Cycle now) override;
  void finished(unsigned sub_partition, unsigned slot, Cycle now) override;

  /// False where not even one block has room.
  bool fits() const { return !blocks_.empty(); }
  /// True where another block may start at `now`.
  bool has_room(Cycle now) const { return room_from(now) <= now; }
  /// First cycle from `now` on in which one may, as far as is known; else the greatest Cycle.
  Cycle room_from(Cycle now) const { return std::max(room_, now); }
  /// Starts the block whose first warp is `warp`, an index into Trace::warps; returns the index
  /// behind its last.
  size_t launch(size_t warp, Cycle now);
  bool is_empty() const { return running_warps_ == 0; }

  /// The cycles from `now` on, which is due, and before `until` in which anything can change.
  void run(Cycle now, Cycle until);
  /// First cycle behind these in which anything can change; the greatest Cycle without warps.
  Cycle due() const { return due_; }
  /// The last cycle that was run, and the last in which anything moved.
  Cycle last_cycle() const { return last_cycle_; }
  Cycle last_progress() const { return last_progress_; }

  /// Adds the units' work to the result.
  void collect();
  /// What each resident warp waits for, a line each.
  std::string describe() const;

 private:
  struct Resident {
    unsigned block_slot = 0;
  };
  struct Block {
    bool resident = false;
    unsigned warps = 0;  ///< not yet finished
    Cycle ready = 0;     ///< a new block may start here
  };

  SubPartition::Params sub_partition_params(unsigned number) const;
  void connect();
  std::vector<unsigned> free_slots() const;
  bool step(Cycle now);
  void find_room();
  void release_barriers(Cycle now);
  Cycle next_change(Cycle now) const;
  unsigned blocks_that_fit() const;
  void add_unit(size_t place, const UnitStats& unit);

  const unsigned number_;
  const SmParams& params_;
  const traces::Trace& trace_;
  RunResult& result_;
  const std::vector<Facts> facts_;
  const CodeLayout code_;

  InOrderPipe shared_pipe_;
  InOrderPipe shuffle_pipe_;
  std::array<std::unique_ptr<SubPartition>, kSubPartitions> sub_partitions_;
  std::unique_ptr<MioArbiter> arbiter_;
  ShuffleUnit shuffle_;
  SharedMemory shared_memory_;
  PipelinedUnit special_function_;
  PipelinedUnit special_register_;
  CodeMemory code_memory_;
  GlobalMemory global_memory_;
  BlockBarrier barrier_;

  std::vector<Resident> residents_;  ///< by SM slot = slot * 4 + sub-partition
  std::vector<Block> blocks_;
  Cycle room_ = 0;  ///< first cycle in which a block may start
  unsigned running_warps_ = 0;
  Cycle due_ = 0;
  Cycle last_cycle_ = 0;
  Cycle last_progress_ = 0;
};

}  // namespace shflsim::model
