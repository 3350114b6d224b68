// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "traces/shft/path_decoder.h"
#include "traces/shft/section.h"

namespace shflsim::traces {

/// A section of steps, and a warp's segment in it.
struct StepSection {
  uint64_t offset = 0;  ///< in the file
  uint64_t bytes = 0;   ///< in the file, including its head
};
struct Segment {
  uint32_t section = 0;
  uint32_t offset = 0;  ///< in the decompressed section
  uint32_t bytes = 0;
  uint64_t steps = 0;
};

/// A .shft file whose steps are read on demand: memory is needed for a section per open cursor and
/// a few bytes per warp.
class ShftFile final : public StepSource {
 public:
  /// Reads code and index into `trace`, except its source, and the launch into `shape`. Throws
  /// InputError, with the offset, if the file is not a trace, is damaged or has another version.
  ShftFile(const std::string& path, Trace* trace, LaunchShape* shape);

  std::unique_ptr<StepCursor> open(size_t warp) const override;
  const std::vector<isa::LaneMap>& lane_maps() const override { return maps_->all(); }

  uint32_t version() const { return version_; }
  uint64_t bytes() const { return file_.size(); }
  uint64_t path_bytes() const;  ///< size of the sections of steps
  const std::vector<StepSection>& sections() const { return sections_; }
  /// The segments of a warp, in order.
  const Segment* begin(size_t warp) const { return segments_.data() + first_segment_[warp]; }
  const Segment* end(size_t warp) const { return segments_.data() + first_segment_[warp + 1]; }
  uint64_t steps(size_t warp) const;

  const PathCode& code() const { return *code_; }
  ReadMaps& read_maps() const { return *maps_; }
  /// A decompressed section of steps; the last few are cached.
  std::shared_ptr<const std::string> section(uint32_t number) const;
  Place place(uint32_t section) const { return file_.place(sections_[section].offset); }

 private:
  struct WarpSegment {
    uint64_t warp = 0;
    Segment segment;
  };
  void read_index(const std::string& bytes, uint64_t offset, uint64_t first_section, Trace* trace);
  void read_warps(ByteReader* in, Trace* trace);
  std::vector<WarpSegment> read_sections(ByteReader* in, uint64_t first_section, size_t warps);
  /// Throws InputError if a warp has no steps, or too many to wait for.
  void check_warps(const Place& place) const;
  void sort_segments(const std::vector<WarpSegment>& found, size_t warps);

  PieceFile file_;
  const uint32_t version_;
  std::vector<StepSection> sections_;
  std::vector<uint64_t> section_bytes_;  ///< by section: decompressed size
  std::vector<uint32_t> numbers_;        ///< by warp: number in the block
  std::vector<Segment> segments_;        ///< warp by warp
  std::vector<size_t> first_segment_;    ///< by warp, with one entry more
  std::unique_ptr<PathCode> code_;
  std::unique_ptr<ReadMaps> maps_;  ///< grows while steps are read

  struct Kept {
    uint32_t number = Step::kNone;
    std::shared_ptr<const std::string> bytes;
  };
  mutable std::vector<std::weak_ptr<const std::string>> in_use_;  ///< by section
  mutable std::vector<Kept> kept_;
  mutable size_t next_kept_ = 0;
};

/// A trace whose steps are read from the file on demand.
Trace open_shft(const std::string& path, LaunchShape* shape);

}  // namespace shflsim::traces
