// SPDX-License-Identifier: Apache-2.0
#include "traces/warp_reader.h"

#include "isa/base/input_error.h"

namespace shflsim::traces {

WarpReader::WarpReader(const Trace& trace, size_t warp) {
  if (trace.source != nullptr) cursor_ = trace.source->open(warp);
  stand_on_first(trace, warp);
}

WarpReader::WarpReader(const Trace& trace, size_t warp, const WarpPlace& place) {
  if (trace.source != nullptr) cursor_ = trace.source->open_at(warp, place);
  stand_on_first(trace, warp);
}

void WarpReader::stand_on_first(const Trace& trace, size_t warp) {
  if (cursor_ == nullptr) {
    look_at(trace.warps[warp]);
  } else {
    part_ = std::make_unique<WarpTrace>();
    refill();
  }
  if (step_ == end_) {
    throw InputError("block " + std::to_string(trace.warps[warp].block) + " warp " +
                     std::to_string(trace.warps[warp].warp) + " has no instructions");
  }
}

bool WarpReader::refill() {
  if (cursor_ == nullptr || !cursor_->advance(part_.get())) return false;
  look_at(*part_);
  return step_ != end_;
}

bool WarpReader::perform_pending(uint64_t now) {
  const bool performed = cursor_->perform(now, part_.get());
  look_at(*part_);
  step_ = end_ - 1;
  return performed;
}

void WarpReader::look_at(const WarpTrace& part) {
  step_ = part.steps.data();
  end_ = step_ + part.steps.size();
  addresses_ = part.addresses.data();
}

}  // namespace shflsim::traces
