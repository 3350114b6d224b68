// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "isa/machine/block.h"
#include "isa/machine/marks.h"
#include "isa/machine/prepare.h"
#include "isa/machine/stepped_launch.h"

namespace shflsim::isa {

/// Executes a grid: the steps of its warps.
class GridRun {
 public:
  /// `observer`: of blocks that are executed without time.
  GridRun(const Grid& grid, StepObserver& observer)
      : untimed{observer}, grid_(grid), code_(prepare(grid)) {}

  /// Runs all blocks to their end; the warps of a block take turns.
  Outcome run();

  // For a caller that decides which warp runs next (SteppedLaunch).
  /// Adds all blocks of the cluster with this number, which run on this SM or with it.
  void add_cluster(uint32_t number, SmState& sm, std::map<uint32_t, Block>* blocks);
  /// Runs these blocks to their end, and removes them.
  void run_together(std::map<uint32_t, Block>* blocks);
  void run_ahead(Block& block, uint32_t warp, unsigned most);
  SteppedLaunch::Next next(Block& block, uint32_t warp) const;
  void step_once(Block& block, uint32_t warp);

  /// True if any warp of the block can execute an instruction.
  static bool is_ready(const Block& block);
  /// Throws LaunchError if a warp of the block waits.
  void fail_if_stuck(const Block& block) const;
  [[noreturn]] void fail_at_barrier(const Block& block, const Warp& stuck) const;
  /// Throws LaunchError at this warp, before the instruction with this index: all warps together
  /// have executed too many.
  [[noreturn]] void fail_as_endless(const Block& block, uint32_t w, uint32_t index) const;
  /// Adds the results of an ended block to the outcome. May be called by several threads.
  void note_outcome(const Block& block);
  /// Without the instructions of timed blocks.
  Outcome outcome() const;

  SmState untimed;  ///< of blocks that are executed without time

 private:
  void report_untold(const Block& block) const;
  void run_clusters(uint32_t first, uint32_t count);
  void set_registers(Block& block) const;
  bool take_turns(Block& block);
  void take_turn(Block& block, uint32_t w);
  void tell_progress(const Block& block) const;
  template <class Flow>
  void take_steps(Block& block, uint32_t w, Flow& flow);
  template <class Flow>
  void take_private_steps(Block& block, uint32_t w, Flow& flow, unsigned most);
  template <class Flow>
  void step(Block& block, uint32_t w, Flow& flow);
  template <class Flow>
  void settle(Block& block, uint32_t w, Flow& flow);
  template <class Flow>
  SteppedLaunch::Next next_of(const Warp& warp, const Flow& flow) const;
  bool is_private(uint32_t index) const { return index < code_.size() && code_[index].is_private; }
  static void resume(const Block&, uint32_t, Divergence&) {}
  void resume(Block& block, uint32_t w, Convergence& flow);
  [[noreturn]] void fail_stuck(const Block& block, uint32_t w, const Convergence& flow) const;
  const Footprint& footprint_of(uint32_t index);
  void check_progress(const Block& block, uint32_t w, uint32_t index) const;

  const Grid& grid_;
  std::vector<Prepared> code_;
  std::once_flag footprints_made_;
  std::vector<Footprint> footprints_;
  std::mutex mutex_;  ///< of outcome_
  Outcome outcome_;   ///< of ended blocks, without the instructions
};

}  // namespace shflsim::isa
