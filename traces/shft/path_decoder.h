// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "traces/lane_map_table.h"
#include "traces/shft/path.h"

namespace shflsim::traces {

/// The lane maps of everything that is read from a file, with the numbers in Step::payload.
class ReadMaps {
 public:
  explicit ReadMaps(const PathCode& code) : code_(code), last_(code.lines.size()) {}
  /// The map of a SHFL whose operands are immediate.
  uint32_t immediate(uint32_t index, isa::LaneMask executing) {
    const Known& last = last_[index];
    return last.known && last.executing == executing ? last.map : compute(index, executing);
  }
  uint32_t number_of(const isa::LaneMap& map) { return table_.index_of(map); }
  const std::vector<isa::LaneMap>& all() const { return table_.maps(); }

 private:
  struct Known {
    bool known = false;
    isa::LaneMask executing = 0;
    uint32_t map = 0;
  };
  uint32_t compute(uint32_t index, isa::LaneMask executing);

  const PathCode& code_;
  std::vector<Known> last_;  ///< by index: the last map
  LaneMapTable table_;
};

/// Reads one segment of a warp's path in parts.
class PathDecoder {
 public:
  PathDecoder(const PathCode& code, ReadMaps& maps) : code_(code), maps_(maps) {}

  /// Begins a segment of `steps` steps; `warp` is the warp's number in its block.
  void start(ByteReader in, uint64_t steps, uint32_t warp);
  /// True once all steps of the segment have been read.
  bool done() const { return left_ == 0; }
  /// Appends steps to the part until it is full or the segment ends. Throws InputError for bytes
  /// that no writer writes.
  void read(WarpTrace* part);

  /// A part is full with this many steps or rows of addresses.
  static constexpr size_t kPartSteps = 1024;
  static constexpr size_t kPartRows = 128;

 private:
  struct Access {
    AddressExpectation expected;
    size_t row = 0;     ///< offset of the addresses in a part
    uint64_t part = 0;  ///< number of that part
  };
  static bool full(const WarpTrace& part) {
    return part.steps.size() >= kPartSteps || part.addresses.size() >= kPartRows;
  }
  void read_head();
  void read_event(WarpTrace* part);
  void read_expected(WarpTrace* part);
  uint32_t expected_payload(uint32_t index, isa::LaneMask lanes, WarpTrace* part);
  uint32_t expected_map(uint32_t index, isa::LaneMask lanes);
  uint32_t read_payload(uint32_t index, isa::LaneMask lanes, WarpTrace* part);
  uint32_t read_map(uint32_t index, isa::LaneMask lanes);
  uint32_t read_addresses(uint32_t index, isa::LaneMask lanes, WarpTrace* part);
  uint32_t row_of(Access* access, WarpTrace* part) const;

  const PathCode& code_;
  ReadMaps& maps_;
  ByteReader in_;
  uint64_t left_ = 0;   ///< steps of the segment still to be read
  uint64_t run_ = 0;    ///< expected steps before the next event
  unsigned event_ = 0;  ///< PathEvent bits of the next event; 0: no event is left
  uint64_t part_ = 0;   ///< number of the current part
  PathExpectation path_;
  std::vector<uint32_t> places_;  ///< by index: SHFL: into `segment_maps_`; else into `addresses_`
  std::vector<Access> addresses_;
  uint64_t last_base_ = 0;
  std::vector<uint32_t> segment_maps_;  ///< numbers in `maps_`
};

}  // namespace shflsim::traces
