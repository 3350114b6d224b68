// SPDX-License-Identifier: Apache-2.0
#include "traces/warp_reader.h"

#include "isa/base/input_error.h"

namespace shflsim::traces {

WarpReader::WarpReader(const Trace& trace, size_t warp) {
  if (trace.source == nullptr) {
    look_at(trace.warps[warp]);
  } else {
    cursor_ = trace.source->open(warp);
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

void WarpReader::look_at(const WarpTrace& part) {
  step_ = part.steps.data();
  end_ = step_ + part.steps.size();
  addresses_ = part.addresses.data();
}

}  // namespace shflsim::traces
