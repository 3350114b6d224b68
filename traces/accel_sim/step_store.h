// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "traces/shft/path_decoder.h"
#include "traces/shft/path_encoder.h"
#include "traces/spill_file.h"

namespace shflsim::traces {

/// The steps of a trace that is read once and then replayed. They are kept as segments of a .shft
/// file. Instructions are numbered in the order in which they were met, since their numbers in the
/// code are known only at the end.
class StepStore final : public StepSource {
 public:
  /// `name`: of the trace, for errors.
  StepStore(const std::string& name, uint32_t threads_per_block);

  /// The instruction with the next number.
  void add_instruction(bool shuffles) { code_.lines.emplace_back().shuffles = shuffles; }
  /// Ends the warp before; `warp` is its number in the block.
  void begin_warp(uint32_t warp);
  /// The next step of the warp; `map` and `addresses` as PathEncoder::add.
  void add(uint32_t instruction, isa::LaneMask lanes, const isa::LaneMap* map,
           const LaneAddresses* addresses) {
    path_.add(instruction, lanes, map, addresses);
    if (path_.bytes().size() >= kSegmentBytes) close_segment();
  }
  /// No more steps come. `indices`: into Code::lines, by the instructions' numbers.
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
