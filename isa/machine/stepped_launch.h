// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "isa/machine/machine.h"
#include "isa/machine/warp.h"

namespace shflsim::isa {

/// A launch whose warps are executed one instruction at a time, in the order in which the caller
/// asks for them. The steps of a warp that no other warp can see may be executed ahead.
class SteppedLaunch {
 public:
  /// The program, the launch and the options stay until the launch is gone. Throws InputError as
  /// execute() does before anything runs.
  SteppedLaunch(const Program& program, const Launch& launch, DeviceMemory& memory,
                StepObserver& observer, const MachineOptions& options);
  ~SteppedLaunch();
  SteppedLaunch(const SteppedLaunch&) = delete;
  SteppedLaunch& operator=(const SteppedLaunch&) = delete;

  /// `block` is a linear index in the grid. A block is started once, and ended once its warps are
  /// done: its registers and shared memory are gone then.
  bool has_started(uint32_t block) const;
  void start(uint32_t block);
  void end(uint32_t block);
  /// Where the warp is resident, as its special registers say. To be called before its first step.
  void place(uint32_t block, uint32_t warp, const WarpPlace& place);

  /// Executes the warp's next steps, `most` of them, up to the first one that other warps could see
  /// or that depends on them. A warp that waits for its block as a whole runs on like that, too.
  void run_ahead(uint32_t block, uint32_t warp, unsigned most);

  /// What a warp executes next.
  struct Next {
    bool is_done = false;     ///< the warp has ended
    bool waits = false;       ///< others have to release the warp first; `index` may change then
    bool is_held = false;     ///< it waits, and LaunchEvents::released() will tell when no longer
    bool is_private = false;  ///< run_ahead() executes it
    uint32_t index = 0;       ///< into Program::code
    LaneMask lanes = 0;       ///< that will execute it, unless it is a branch
  };
  Next next(uint32_t block, uint32_t warp) const;
  /// Executes the warp's next step; the warp neither waits nor is done.
  void step(uint32_t block, uint32_t warp);

  /// A copy that LaunchClock::events was told of is over: its barriers hear of it.
  void end_copy(const BulkCopy& copy);
  /// A warp that is held for a phase has waited for as long as hardware does, and goes on.
  void give_up(uint32_t block, uint32_t warp);
  /// Throws LaunchError: nothing ends the phase that the warp is held for.
  [[noreturn]] void fail_at_phase(uint32_t block, uint32_t warp) const;
  /// All held warps go on.
  void give_up_all();

  /// Throws LaunchError if warps of started blocks wait and none can execute anything.
  void fail_if_stuck() const;
  /// Executes what is left, in an order of its own: the started blocks, then the others, or all at
  /// the same time in a cooperative launch.
  void finish();
  /// What has been executed so far; shared memory and registers are those of ended blocks.
  Outcome outcome() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shflsim::isa
