// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "model/mio/request_watch.h"
#include "model/warps/warps.h"

namespace shflsim::model {

/// Reports the activity of a sub-partition's warps to the observer. It exists only in an observed
/// run, and compares the warps with their last known state, so that charging them costs nothing
/// more. Its functions are cold, as those of RequestWatch.
class WarpWatch {
 public:
  WarpWatch(RequestWatch& requests, const Warps& warps) : requests_(requests), warps_(warps) {}

  /// The warp has just started.
  [[gnu::cold]] void start(unsigned slot, const ResidentWarp& who);
  /// The warp's next instruction issues at `now`, and goes where it has to.
  [[gnu::cold]] void issued(unsigned slot, const traces::Step& step, Cycle now);
  [[gnu::cold]] void done(const MioRequest& request, Cycle result);
  /// After its issue the warp is in this state for some cycles before `index`, which may differ
  /// from its current instruction.
  [[gnu::cold]] void spend(unsigned slot, uint32_t index, WarpState state, Cycle from, Cycle to);
  /// Call it when warps have changed, once per evaluated cycle.
  [[gnu::cold]] void look();
  /// The last cycle of the warp was the one before `now`.
  [[gnu::cold]] void end(unsigned slot, Cycle now) { tell(slot, now); }
  /// The run ends before its warps do.
  [[gnu::cold]] void stop(Cycle now);

 private:
  /// The last known state of a warp.
  struct Seen {
    ResidentWarp who;
    uint32_t index = 0;
    WarpState state = WarpState::kNoInstruction;
    Cycle since = 0;
    uint32_t issued = 0;   ///< number of issued instructions
    Cycle last_issue = 0;  ///< if any
  };

  void tell(unsigned slot, Cycle now);
  void update(unsigned slot);
  void tell_where(unsigned slot, InstructionId id, Cycle now);

  RequestWatch& requests_;
  const Warps& warps_;
  std::array<Seen, kMostSlots> seen_{};
};

}  // namespace shflsim::model
