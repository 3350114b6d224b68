// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "model/mio/request_watch.h"
#include "model/warps/warps.h"

namespace shflsim::model {

/// Reports to the observer what the warps of a sub-partition do. It exists only in an observed run,
/// and compares the warps with their state at its last look, so that charging them costs nothing
/// more.
class WarpWatch {
 public:
  WarpWatch(RequestWatch& requests, const Warps& warps) : requests_(requests), warps_(warps) {}

  /// The warp has just started.
  void start(unsigned slot, const ResidentWarp& who);
  /// The instruction that the warp stands before issues at `now`, and goes where it has to.
  void issued(unsigned slot, const traces::Step& step, Cycle now);
  void done(const MioRequest& request, Cycle result);
  /// Behind its issue it does this for some cycles before `index`, which need not be where it
  /// stands.
  void spend(unsigned slot, uint32_t index, WarpState state, Cycle from, Cycle to);
  /// To be called when warps have moved, once a cycle that is evaluated.
  void look();
  /// The warp's last cycle is the one before `now`.
  void end(unsigned slot, Cycle now) { tell(slot, now); }
  /// The run ends before its warps do.
  void stop(Cycle now);

 private:
  /// A warp as it was when looked at.
  struct Seen {
    ResidentWarp who;
    uint32_t index = 0;
    WarpState state = WarpState::kNoInstruction;
    Cycle since = 0;
    uint32_t issued = 0;   ///< instructions
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
