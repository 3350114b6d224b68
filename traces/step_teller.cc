// SPDX-License-Identifier: Apache-2.0
#include "traces/step_teller.h"

#include "isa/machine/asynchronous_row.h"

namespace shflsim::traces {

void StepTeller::tell(const isa::ExecutedStep& step) {
  const auto wait = waits_.find({step.block, step.warp});
  if (wait == waits_.end()) return recorder_->on_step(step);
  wait->second.behind.push_back(step);
}

/// Copies the addresses of the wait, which belong to the block and are lost with its next step.
void StepTeller::keep_wait(const isa::ExecutedStep& step) {
  Wait& wait = waits_[{step.block, step.warp}];
  wait.step = step;
  wait.step.addresses = nullptr;
  wait.row.fill(0);
  for (unsigned lane = 0; lane < isa::kLanes; ++lane)
    if ((step.lanes >> lane & 1) != 0) wait.row[lane] = (*step.asynchronous)[lane];
}

void StepTeller::settle(uint32_t block, uint32_t warp, bool ended) {
  const auto found = waits_.find({block, warp});
  if (found == waits_.end()) return;
  Wait& wait = found->second;
  for (uint64_t& word : wait.row) {
    auto said = isa::BarrierWord::unpacked(word);
    if (!said.has_value()) continue;
    said->kind = ended ? isa::BarrierWord::Kind::kOver : isa::BarrierWord::Kind::kGivenUp;
    word = said->packed();
  }
  wait.step.asynchronous = &wait.row;
  recorder_->on_step(wait.step);
  for (const isa::ExecutedStep& step : wait.behind) recorder_->on_step(step);
  waits_.erase(found);
}

void StepTeller::settle_all() {
  while (!waits_.empty()) {
    const auto [block, warp] = waits_.begin()->first;
    settle(block, warp, false);
  }
}

}  // namespace shflsim::traces
