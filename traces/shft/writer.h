// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "isa/base/out_file.h"
#include "traces/shft/path_encoder.h"
#include "traces/shft/program_section.h"
#include "traces/shft/section.h"

namespace shflsim::traces {

/// Writes a .shft file while its steps arrive: memory is needed for a segment per open warp and a
/// few bytes per warp. The file appears when finish() returns.
class ShftWriter {
 public:
  /// `code`: a trace with everything known before execution. All functions throw InputError if the
  /// file cannot be written.
  ShftWriter(const std::string& path, const Trace& code, const LaunchShape& shape);

  /// Opens the next warp and returns its number in the file. Warps are opened block by block, in
  /// ascending order; `start` as in WarpTrace::start.
  size_t begin_warp(uint32_t block, uint32_t warp, uint64_t start);
  /// Adds a step of an open warp; `map` and `addresses` as in PathEncoder::add.
  void add(size_t warp, uint32_t index, isa::LaneMask lanes, const isa::LaneMap* map,
           const LaneAddresses* addresses);
  void end_warp(size_t warp);

  void finish(uint32_t shared_bytes, const std::vector<Finding>& findings);

 private:
  struct OpenWarp {
    uint32_t warp = 0;
    std::unique_ptr<PathEncoder> path;
  };
  void close_segment(size_t warp);
  void write_steps();
  std::string index_bytes(uint32_t shared_bytes, const std::vector<Finding>& findings) const;

  isa::OutFile file_;
  const PathCode code_;
  ImmediateMaps immediate_maps_;
  std::unordered_map<size_t, OpenWarp> open_;  ///< by number in the file
  std::vector<std::unique_ptr<PathEncoder>> spare_;
  size_t begun_ = 0;  ///< warps opened so far

  std::string pending_;       ///< segments of the next section
  ByteWriter pending_index_;  ///< index entries of these segments
  uint64_t pending_count_ = 0;
  uint64_t last_warp_ = 0;  ///< warp of the last segment
  ByteWriter warps_;        ///< index entries of the warps
  uint32_t last_block_ = 0;
  uint32_t last_number_ = 0;
  ByteWriter sections_;  ///< index entries of the sections
  uint64_t section_count_ = 0;
};

/// Writes a whole trace, wherever its steps are.
void write_shft(const std::string& path, const Trace& trace, const LaunchShape& shape);

}  // namespace shflsim::traces
