// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "model/barrier/block_barrier.h"
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
  SubPartition::Params sub_partition;
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
/// blocks of a trace, as many at a time as fit, and fills in a RunResult.
///
///   sub_partition[0..3] -> MIO arbiter -> shuffle unit, shared memory, special functions,
///                                         special registers, global memory -> back
class Sm : public sc_core::sc_module, public WarpEvents {
 public:
  Sm(const sc_core::sc_module_name& name, const SmParams& params, const traces::Trace& trace,
     RunResult& result);

  // WarpEvents
  void arrived_at_barrier(unsigned sub_partition, unsigned slot, Cycle now) override;
  void exited(unsigned sub_partition, unsigned slot, Cycle now) override;
  void finished(unsigned sub_partition, unsigned slot, Cycle now) override;

  /// False where not even one block has room.
  bool fits() const { return !blocks_.empty(); }
  /// Fills in what is known only at the end: units, totals.
  void collect();
  /// Not empty where the run stopped because nothing moved: who waits for what.
  const std::string& deadlock() const { return deadlock_; }

 private:
  static constexpr unsigned kSubPartitions = MioArbiter::kSubPartitions;

  struct Resident {
    unsigned block_slot = 0;
  };
  struct Block {
    bool resident = false;
    unsigned warps = 0;  ///< not yet finished
    Cycle ready = 0;     ///< a new block may start here
  };

  void cycles();
  bool cycle();
  void connect();
  bool step();
  void launch_blocks();
  void launch(unsigned block_slot);
  std::vector<unsigned> free_slots() const;
  void release_barriers();
  Cycle next_change() const;
  bool done() const { return next_warp_ == trace_.warps.size() && running_warps_ == 0; }
  unsigned blocks_that_fit() const;

  const SmParams& params_;
  const traces::Trace& trace_;
  RunResult& result_;
  const std::vector<Facts> facts_;

  InOrderPipe shared_pipe_;
  InOrderPipe shuffle_pipe_;
  std::array<std::unique_ptr<SubPartition>, kSubPartitions> sub_partitions_;
  std::unique_ptr<MioArbiter> arbiter_;
  ShuffleUnit shuffle_;
  SharedMemory shared_memory_;
  PipelinedUnit special_function_;
  PipelinedUnit special_register_;
  GlobalMemory global_memory_;
  BlockBarrier barrier_;

  std::vector<Resident> residents_;  ///< by SM slot = slot * 4 + sub-partition
  std::vector<Block> blocks_;
  size_t next_warp_ = 0;  ///< of the trace: first warp of the next block
  unsigned running_warps_ = 0;
  Cycle now_ = 0;
  Cycle last_progress_ = 0;
  std::string deadlock_;
};

}  // namespace shflsim::model
