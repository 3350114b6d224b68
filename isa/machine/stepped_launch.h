// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "isa/machine/machine.h"
#include "isa/machine/warp.h"

namespace shflsim::isa {

/// A launch whose warps execute one instruction at a time, in the order that the caller chooses.
/// Steps of a warp that no other warp can observe may be executed ahead.
class SteppedLaunch {
 public:
  /// Program, launch and options must outlive this object. Throws InputError as execute() does
  /// before execution.
  SteppedLaunch(const Program& program, const Launch& launch, DeviceMemory& memory,
                StepObserver& observer, const MachineOptions& options);
  ~SteppedLaunch();
  SteppedLaunch(const SteppedLaunch&) = delete;
  SteppedLaunch& operator=(const SteppedLaunch&) = delete;

  /// `block` is a linear index in the grid. A block is started once, and ended when its warps are
  /// done, which frees its registers and shared memory.
  bool has_started(uint32_t block) const;
  void start(uint32_t block);
  void end(uint32_t block);
  /// Sets where the warp is resident, for special registers. To be called before its first step.
  void place(uint32_t block, uint32_t warp, const WarpPlace& place);

  /// Executes up to `most` of the warp's next steps, up to the first step that other warps could
  /// observe or that depends on them. Also for a warp whose lanes all wait together for the block.
  void run_ahead(uint32_t block, uint32_t warp, unsigned most);

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
  Next next(uint32_t block, uint32_t warp) const;
  /// Executes the warp's next step; the warp neither waits nor is done.
  void step(uint32_t block, uint32_t warp);

  /// Ends a copy of which LaunchClock::events was notified: its barriers are changed.
  void end_copy(const BulkCopy& copy);
  /// Lets a warp that is held for a phase continue, since it has waited as long as hardware does.
  void give_up(uint32_t block, uint32_t warp);
  /// Throws LaunchError: the phase for which the warp is held never ends.
  [[noreturn]] void fail_at_phase(uint32_t block, uint32_t warp) const;
  /// Lets all warps that are held for a phase continue.
  void give_up_all();

  /// Throws LaunchError if warps of started blocks wait and none can execute anything.
  void fail_if_stuck() const;
  /// Executes the remaining steps: the started blocks, then the others, or all at the same time in
  /// a cooperative launch.
  void finish();
  /// The outcome so far; shared memory and registers are those of ended blocks.
  Outcome outcome() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shflsim::isa
