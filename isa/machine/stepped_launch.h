// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "isa/machine/machine.h"
#include "isa/machine/warp.h"

namespace shflsim::isa {

class Block;
struct SmState;

/// A launch whose warps execute one instruction at a time, in the order that the caller chooses.
/// Steps of a warp that no other warp can observe may be executed ahead.
///
/// Without clusters, several threads may execute blocks of different SMs; but only one at a time
/// may execute a step that reaches others, or start a block.
class SteppedLaunch {
 public:
  /// Program, launch and options must outlive this object. `observer`: of steps that are executed
  /// without time. Throws InputError as execute() does before execution.
  SteppedLaunch(const Program& program, const Launch& launch, DeviceMemory& memory,
                StepObserver& observer, const MachineOptions& options);
  ~SteppedLaunch();
  SteppedLaunch(const SteppedLaunch&) = delete;
  SteppedLaunch& operator=(const SteppedLaunch&) = delete;

  /// Adds an SM on which blocks may start. The state is kept as long as the launch.
  SmState& add_sm(const SmState& sm);

  /// `block` is a linear index in the grid. A block is started once, and ended when its warps are
  /// done, which frees its registers and shared memory.
  bool has_started(uint32_t block) const;
  /// Also starts the other blocks of its cluster.
  void start(uint32_t block, SmState& sm);
  void end(uint32_t block);
  /// A block that has started and not ended; nullptr if it is another one.
  Block* running(uint32_t block) const;
  /// Sets where the warp is resident, for special registers. To be called before its first step.
  static void place(Block& block, uint32_t warp, const WarpPlace& place);

  /// Executes up to `most` of the warp's next steps, up to the first step that other warps could
  /// observe or that depends on them. Also for a warp whose lanes all wait together for the block.
  void run_ahead(Block& block, uint32_t warp, unsigned most);

  /// The next step of a warp.
  struct Next {
    bool is_done = false;        ///< the warp has ended
    bool waits = false;          ///< others have to release the warp first; `index` may then change
    bool is_held = false;        ///< it waits until LaunchEvents::released() is called
    bool is_private = false;     ///< run_ahead() executes it
    bool reaches_others = true;  ///< it may affect warps of other blocks or depend on them
    uint32_t index = 0;          ///< into Program::code
    LaneMask lanes = 0;          ///< lanes that will execute it, unless it is a branch
  };
  Next next(Block& block, uint32_t warp) const;
  /// Executes the warp's next step; the warp neither waits nor is done.
  void step(Block& block, uint32_t warp);

  /// Ends a copy of which LaunchClock::events was notified: its barriers are changed.
  void end_copy(const BulkCopy& copy);
  /// Lets a warp that is held for a phase continue, since it has waited as long as hardware does.
  static void give_up(Block& block, uint32_t warp);
  /// Throws LaunchError: the phase for which the warp is held never ends.
  [[noreturn]] void fail_at_phase(Block& block, uint32_t warp) const;
  /// Lets all warps that are held for a phase continue.
  void give_up_all();

  /// Throws LaunchError if warps of the block wait and none of it, and of its cluster, can execute
  /// anything.
  void fail_if_stuck(const Block& block) const;
  /// Throws LaunchError if any started block is stuck.
  void fail_if_stuck() const;
  /// Throws LaunchError if the warps have executed more instructions than the step limit allows.
  void fail_if_endless() const;
  /// Executes the remaining steps: the started blocks, then the others, or all at the same time in
  /// a cooperative launch. Clock registers read `clock`, unless it is nullptr.
  void finish(const LaunchClock* clock = nullptr);
  /// The outcome so far; shared memory and registers are those of ended blocks.
  Outcome outcome() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shflsim::isa
