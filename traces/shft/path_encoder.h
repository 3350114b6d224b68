// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "traces/lane_map_table.h"
#include "traces/shft/path.h"

namespace shflsim::traces {

/// Lane maps of SHFLs whose operands are immediate; the last one of each instruction is cached.
class ImmediateMaps {
 public:
  explicit ImmediateMaps(const PathCode& code) : code_(code), last_(code.lines.size()) {}
  const isa::LaneMap& of(uint32_t index, isa::LaneMask executing);

 private:
  struct Known {
    bool known = false;
    isa::LaneMap map;
  };
  const PathCode& code_;
  std::vector<Known> last_;
};

/// Writes the path of one warp, segment by segment; each segment can be read by itself.
class PathEncoder {
 public:
  PathEncoder(const PathCode& code, ImmediateMaps& immediate_maps)
      : code_(code), immediate_maps_(immediate_maps) {}

  /// Starts a segment; `warp` is the warp's number in its block.
  void start(uint32_t warp);
  /// If any lane executes, `map` is set for a SHFL and has these executing lanes, and `addresses`
  /// may be set for a memory instruction; otherwise they are nullptr.
  void add(uint32_t index, isa::LaneMask lanes, const isa::LaneMap* map,
           const LaneAddresses* addresses);

  uint64_t steps() const { return steps_; }  ///< steps in the segment so far
  const std::string& bytes() const { return out_.bytes(); }

 private:
  void grow();
  bool map_expected(uint32_t index, const isa::LaneMap& map);
  bool addresses_expected(uint32_t index, isa::LaneMask lanes, const LaneAddresses* addresses);
  void write_map(uint32_t index, const isa::LaneMap& map);
  void write_addresses(uint32_t index, isa::LaneMask lanes, const LaneAddresses* addresses);

  const PathCode& code_;
  ImmediateMaps& immediate_maps_;
  ByteWriter out_;
  uint64_t steps_ = 0;
  uint64_t run_ = 0;  ///< expected steps since the last event
  PathExpectation path_;
  std::vector<uint32_t> places_;  ///< by index: SHFL: the last map; else into `addresses_`
  std::vector<AddressExpectation> addresses_;
  uint64_t last_base_ = 0;
  LaneMapTable maps_;
};

}  // namespace shflsim::traces
