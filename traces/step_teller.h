// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "isa/machine/machine.h"

namespace shflsim::traces {

/// Tells a recorder, if there is one, of the steps of a launch that is executed while it is timed:
/// of a wait for a phase of a barrier, and of steps behind it, once its outcome is known.
class StepTeller {
 public:
  /// nullptr: none.
  void set_recorder(isa::StepObserver* recorder) { recorder_ = recorder; }
  isa::StepObserver* recorder() const { return recorder_; }

  void tell(const isa::ExecutedStep& step);
  /// The step is a wait, which is told when it is settled.
  void keep_wait(const isa::ExecutedStep& step);
  /// The phase that this warp waited for, if it did, has ended; else the warp has given up.
  void settle(uint32_t block, uint32_t warp, bool ended);
  /// All warps that wait give up.
  void settle_all();
  /// Forgets waits.
  void clear() { waits_.clear(); }

 private:
  struct Wait {
    isa::ExecutedStep step;
    isa::LaneAddresses row;
    std::vector<isa::ExecutedStep> behind;  ///< steps of the warp while it waits: arithmetic
  };

  isa::StepObserver* recorder_ = nullptr;
  std::map<std::pair<uint32_t, uint32_t>, Wait> waits_;  ///< by block and warp
};

}  // namespace shflsim::traces
