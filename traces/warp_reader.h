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
  /// until the reader is gone. Throws InputError where the trace cannot be read.
  WarpReader(const Trace& trace, size_t warp);

  const Step& step() const { return *step_; }
  /// Of a memory instruction, whose step has a payload.
  const LaneAddresses& addresses() const { return addresses_[step_->payload]; }
  /// Moves to the next step; false at the end, where there is no step.
  bool next() { return ++step_ != end_ || refill(); }

 private:
  bool refill();
  void look_at(const WarpTrace& part);

  std::unique_ptr<StepCursor> cursor_;  ///< nullptr: the steps are in memory
  std::unique_ptr<WarpTrace> part_;
  const Step* step_ = nullptr;
  const Step* end_ = nullptr;
  const LaneAddresses* addresses_ = nullptr;
};

}  // namespace shflsim::traces
