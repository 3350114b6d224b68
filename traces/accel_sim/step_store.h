// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "traces/shft/path_decoder.h"
#include "traces/shft/path_encoder.h"
#include "traces/spill_file.h"

namespace shflsim::traces {

/// Stores the steps of a trace that is read once and replayed later, as segments of a .shft file.
/// Instructions are numbered in the order of their first occurrence, since their indices in the
/// code are known only at the end.
class StepStore final : public StepSource {
 public:
  /// `name`: name of the trace in errors.
  StepStore(const std::string& name, uint32_t threads_per_block);

  /// Adds the instruction with the next number.
  void add_instruction(bool shuffles) { code_.lines.emplace_back().shuffles = shuffles; }
  /// Ends the previous warp and begins another; `warp` is its number in the block.
  void begin_warp(uint32_t warp);
  /// Adds a step of the warp; `map` and `addresses` as in PathEncoder::add.
  void add(uint32_t instruction, isa::LaneMask lanes, const isa::LaneMap* map,
           const LaneAddresses* addresses) {
    path_.add(instruction, lanes, map, addresses);
    if (path_.bytes().size() >= kSegmentBytes) close_segment();
  }
  /// Ends the steps. `indices`: the index into Code::lines of each instruction number.
  void finish(std::vector<uint32_t> indices);

  std::unique_ptr<StepCursor> open(size_t warp) const override;
  const std::vector<isa::LaneMap>& lane_maps() const override { return maps_->all(); }

 private:
  friend class StoredSteps;
  static constexpr size_t kSegmentBytes = 32 << 10;  // memory of each warp that is replayed
  struct Segment {
    uint64_t offset = 0;
    uint64_t bytes = 0;
    uint64_t steps = 0;
  };
  struct Warp {
    uint32_t number = 0;  ///< number of the warp in its block
    size_t first_segment = 0;
  };
  void close_segment();
  size_t end_of(size_t warp) const {
    return warp + 1 == warps_.size() ? segments_.size() : warps_[warp + 1].first_segment;
  }

  const std::string name_;
  PathCode code_;
  ImmediateMaps immediate_maps_;
  PathEncoder path_;
  SpillFile bytes_;
  std::vector<Warp> warps_;
  std::vector<Segment> segments_;
  std::vector<uint32_t> indices_;
  std::unique_ptr<ReadMaps> maps_;  ///< grows while steps are read
};

}  // namespace shflsim::traces
