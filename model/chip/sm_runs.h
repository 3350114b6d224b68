// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "model/chip/turn_takers.h"
#include "model/chip/work_distributor.h"
#include "model/sm/sm.h"

namespace shflsim::model {

/// The SMs of a chip that take turns, with the blocks that they get.
class SmRuns final : public TurnTakers {
 public:
  /// All must outlive this object.
  SmRuns(const std::vector<std::unique_ptr<Sm>>& sms, const std::vector<SmProgress>& progress,
         WorkDistributor& distributor)
      : sms_(sms), progress_(progress), distributor_(distributor) {}

  void run(unsigned sm, Cycle until) override { sms_[sm]->run(progress_[sm].due, until); }
  Cycle start_of(unsigned sm, Cycle from) override {
    return distributor_.has_blocks() ? distributor_.next_start(sm, from) : kNever;
  }
  Cycle first_start(Cycle from) override { return distributor_.next_start(from); }
  std::vector<unsigned> start_blocks(Cycle now) override { return distributor_.start_blocks(now); }

 private:
  const std::vector<std::unique_ptr<Sm>>& sms_;
  const std::vector<SmProgress>& progress_;
  WorkDistributor& distributor_;
};

}  // namespace shflsim::model
