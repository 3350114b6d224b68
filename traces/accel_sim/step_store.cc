// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/step_store.h"

#include <utility>

namespace shflsim::traces {
namespace {

/// Code that has no lines yet.
PathCode empty_code(uint32_t threads_per_block) {
  Trace trace;
  trace.threads_per_block = threads_per_block;
  return PathCode(trace);
}

}  // namespace

class StoredSteps final : public StepCursor {
 public:
  StoredSteps(const StepStore& store, size_t warp)
      : store_(store),
        next_(store.warps_[warp].first_segment),
        end_(store.end_of(warp)),
        number_(store.warps_[warp].number),
        decoder_(store.code_, *store.maps_) {}

  bool advance(WarpTrace* part) override {
    part->steps.clear();
    part->addresses.clear();
    if (decoder_.done() && !open_segment()) return false;
    decoder_.read(part);
    for (Step& step : part->steps) step.index = store_.indices_[step.index];
    return true;
  }

 private:
  bool open_segment() {
    if (next_ == end_) return false;
    const StepStore::Segment& segment = store_.segments_[next_++];
    bytes_ = store_.bytes_.read(segment.offset, segment.bytes);
    decoder_.start({bytes_.data(), bytes_.size(), {&store_.name_, segment.offset}}, segment.steps,
                   number_);
    return true;
  }

  const StepStore& store_;
  size_t next_;
  const size_t end_;
  const uint32_t number_;
  PathDecoder decoder_;
  std::string bytes_;
};

StepStore::StepStore(const std::string& name, uint32_t threads_per_block)
    : name_(name),
      code_(empty_code(threads_per_block)),
      immediate_maps_(code_),
      path_(code_, immediate_maps_) {}

void StepStore::begin_warp(uint32_t warp) {
  if (!warps_.empty()) close_segment();
  warps_.push_back({warp, segments_.size()});
  path_.start(warp);
}

void StepStore::close_segment() {
  if (path_.steps() == 0) return;
  const std::string& bytes = path_.bytes();
  segments_.push_back({bytes_.append(bytes), bytes.size(), path_.steps()});
  path_.start(warps_.back().number);
}

void StepStore::finish(std::vector<uint32_t> indices) {
  close_segment();
  indices_ = std::move(indices);
  maps_ = std::make_unique<ReadMaps>(code_);
}

std::unique_ptr<StepCursor> StepStore::open(size_t warp) const {
  return std::make_unique<StoredSteps>(*this, warp);
}

}  // namespace shflsim::traces
