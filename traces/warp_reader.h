// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "traces/trace.h"

namespace shflsim::traces {

/// Iterates over the steps of one warp, wherever they are stored. Steps and addresses are valid
/// until next() is called: they may be in a part of the trace that is then replaced.
class WarpReader {
 public:
  /// Starts at the warp's first step. `warp` is an index into Trace::warps. The trace must outlive
  /// the reader. Throws InputError if the trace cannot be read.
  WarpReader(const Trace& trace, size_t warp);
  /// For a warp that becomes resident in a run of the model.
  WarpReader(const Trace& trace, size_t warp, const WarpPlace& place);

  const Step& step() const { return *step_; }
  /// Issues the step in cycle `now`: it takes effect if it is pending. False if the warp has to
  /// wait for others; then the step may have changed.
  bool perform(uint64_t now) { return !is_pending() || perform_pending(now); }
  bool is_pending() const { return step_->payload == Step::kPending; }
  /// True if the warp, after its step, waits until RunEvents::released() names it.
  bool is_held() const { return cursor_ != nullptr && cursor_->is_held(); }
  /// The addresses of a memory instruction whose step has a payload.
  const LaneAddresses& addresses() const { return addresses_[step_->payload]; }
  /// Advances to the next step; false if there is none.
  bool next() { return ++step_ != end_ || refill(); }

 private:
  bool refill();
  bool perform_pending(uint64_t now);
  void stand_on_first(const Trace& trace, size_t warp);
  void look_at(const WarpTrace& part);

  std::unique_ptr<StepCursor> cursor_;  ///< nullptr: the steps are in memory
  std::unique_ptr<WarpTrace> part_;
  const Step* step_ = nullptr;
  const Step* end_ = nullptr;
  const LaneAddresses* addresses_ = nullptr;
};

}  // namespace shflsim::traces
