// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "traces/trace.h"

namespace shflsim::traces {

/// Walks the steps of one warp, wherever the trace has them. Steps and addresses are valid until
/// the next call of next(): they may be in a part of the trace that then makes room.
class WarpReader {
 public:
  /// Stands on the warp's first step. `warp` is an index into Trace::warps, and the trace stays
  /// until the reader is gone. Throws InputError if the trace cannot be read.
  WarpReader(const Trace& trace, size_t warp);
  /// Reads a warp that becomes resident in a run of the model.
  WarpReader(const Trace& trace, size_t warp, const WarpPlace& place);

  const Step& step() const { return *step_; }
  /// The step is issued in cycle `now` and takes effect, if it has not yet. False if the warp
  /// has to wait for others first; the step may be another one then.
  bool perform(uint64_t now) { return step_->payload != Step::kPending || perform_pending(now); }
  /// Whether the warp, whose step has been performed, waits until RunEvents::released() names it.
  bool is_held() const { return cursor_ != nullptr && cursor_->is_held(); }
  /// Of a memory instruction, whose step has a payload.
  const LaneAddresses& addresses() const { return addresses_[step_->payload]; }
  /// Moves to the next step; false at the end, if there is no step.
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
