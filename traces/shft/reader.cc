// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/reader.h"

#include <algorithm>
#include <utility>

#include "isa/base/bounded.h"
#include "traces/trace_format.h"

namespace shflsim::traces {
namespace {

constexpr size_t kKeptSections = 8;  // small warps of later blocks are beside those of earlier ones
constexpr uint64_t kMostSegments = 2 * kMostWarps;
constexpr uint64_t kMostFindings = 1u << 20;
constexpr uint64_t kMostWarpSteps = uint64_t{1} << 32;  // minutes for one warp alone
constexpr uint64_t kMostStart = uint64_t{1} << 32;      // cycles: seconds on the SM

class ShftCursor final : public StepCursor {
 public:
  ShftCursor(const ShftFile& file, size_t warp, uint32_t number)
      : file_(file),
        next_(file.begin(warp)),
        end_(file.end(warp)),
        number_(number),
        decoder_(file.code(), file.read_maps()) {}

  bool advance(WarpTrace* part) override {
    part->steps.clear();
    part->addresses.clear();
    if (decoder_.done() && !open_segment()) return false;
    decoder_.read(part);
    if (decoder_.done() && next_ == end_) section_.reset();
    return true;
  }

 private:
  bool open_segment() {
    if (next_ == end_) return false;
    section_ = file_.section(next_->section);
    const ByteReader in(section_->data() + next_->offset, next_->bytes,
                        file_.place(next_->section));
    decoder_.start(in, next_->steps, number_);
    ++next_;
    return true;
  }

  const ShftFile& file_;
  const Segment* next_;
  const Segment* end_;
  const uint32_t number_;  ///< number of the warp in its block
  PathDecoder decoder_;
  std::shared_ptr<const std::string> section_;
};

}  // namespace

ShftFile::ShftFile(const std::string& path, Trace* trace, LaunchShape* shape)
    : file_(path), version_(read_preamble(file_)) {
  const uint64_t index = index_offset(file_);
  uint64_t behind_program = 0;
  const std::string program =
      read_section(file_, kPreambleBytes, SectionKind::kProgram, &behind_program);
  read_program({program.data(), program.size(), file_.place(kPreambleBytes)}, trace, shape);
  uint64_t behind_index = 0;
  const std::string bytes = read_section(file_, index, SectionKind::kIndex, &behind_index);
  if (behind_index + kTailBytes != file_.size())
    file_.place(behind_index).fail("damaged: bytes that belong to no section");
  read_index(bytes, index, behind_program, trace);
  code_ = std::make_unique<PathCode>(*trace);
  maps_ = std::make_unique<ReadMaps>(*code_);
  in_use_.resize(sections_.size());
  kept_.resize(kKeptSections);
}

void ShftFile::read_index(const std::string& bytes, uint64_t offset, uint64_t first_section,
                          Trace* trace) {
  ByteReader in(bytes.data(), bytes.size(), file_.place(offset));
  trace->shared_bytes = in.small("shared memory");
  for (uint64_t left = in.number_upto(kMostFindings, "a number of findings"); left > 0; --left) {
    Finding finding;
    finding.index = in.small("a finding's instruction");
    if (finding.index >= trace->code.lines.size())
      in.place().fail("damaged: a finding behind the last instruction");
    finding.block = in.small("a finding's block");
    finding.warp = in.small("a finding's warp");
    finding.lanes = in.small("a finding's lanes");
    finding.what = in.text();
    trace->findings.push_back(std::move(finding));
  }
  read_warps(&in, trace);
  const size_t warps = trace->warps.size();
  sort_segments(read_sections(&in, first_section, warps), warps);
  check_warps(in.place());
  const uint64_t end =
      sections_.empty() ? first_section : sections_.back().offset + sections_.back().bytes;
  if (!in.at_end() || end != offset) in.place().fail("damaged: the index misses bytes of the file");
}

void ShftFile::read_warps(ByteReader* in, Trace* trace) {
  uint64_t block = 0;
  uint64_t warp = 0;
  uint64_t left = in->number_upto(kMostWarps, "the number of warps");
  if (left == 0) in->place().fail("holds no warps; expected a trace of at least one");
  for (; left > 0; --left) {
    const bool first = trace->warps.empty();
    const uint64_t block_before = block;
    const uint64_t warp_before = warp;
    block += in->difference();
    warp += in->difference();
    if (block >= trace->blocks || warp >= trace->warps_per_block())
      in->place().fail("damaged: a warp outside the launch");
    if (!first && block == block_before && warp <= warp_before)
      in->place().fail("damaged: warps of a block that do not ascend");
    WarpTrace entry;
    entry.block = static_cast<uint32_t>(block);
    entry.warp = static_cast<uint32_t>(warp);
    entry.start = in->number_upto(kMostStart, "the cycle of a warp's start");
    trace->warps.push_back(std::move(entry));
    numbers_.push_back(static_cast<uint32_t>(warp));
  }
}

std::vector<ShftFile::WarpSegment> ShftFile::read_sections(ByteReader* in, uint64_t first_section,
                                                           size_t warps) {
  std::vector<WarpSegment> found;
  uint64_t offset = first_section;
  uint64_t warp = 0;
  for (uint64_t left = in->number(); left > 0; --left) {
    const uint64_t bytes = in->number_upto(file_.size() - offset, "a section's size");
    if (bytes < kSectionHeadBytes) in->place().fail("damaged: a section smaller than its head");
    uint64_t raw = 0;
    const uint64_t most = kMostSegments - found.size();
    for (uint64_t segments = in->number_upto(most, "a number of segments"); segments > 0;
         --segments) {
      warp += in->difference();
      if (warp >= warps) in->place().fail("damaged: steps of a warp that is not there");
      Segment segment;
      segment.section = static_cast<uint32_t>(sections_.size());
      segment.offset = static_cast<uint32_t>(raw);
      segment.steps = in->number_upto(kMostWarpSteps, "a number of steps");
      if (segment.steps == 0) in->place().fail("damaged: a segment of no steps");
      segment.bytes = static_cast<uint32_t>(in->number_upto(kMostSegmentBytes, "a segment"));
      raw += segment.bytes;
      found.push_back({warp, segment});
    }
    sections_.push_back({offset, bytes});
    section_bytes_.push_back(raw);
    offset += bytes;
  }
  return found;
}

void ShftFile::sort_segments(const std::vector<WarpSegment>& found, size_t warps) {
  first_segment_.assign(warps + 1, 0);
  for (const WarpSegment& each : found) ++first_segment_[each.warp + 1];
  for (size_t warp = 0; warp < warps; ++warp) first_segment_[warp + 1] += first_segment_[warp];
  std::vector<size_t> next(first_segment_.begin(), first_segment_.end() - 1);
  segments_.resize(found.size());
  for (const WarpSegment& each : found) segments_[next[each.warp]++] = each.segment;
}

void ShftFile::check_warps(const Place& place) const {
  for (size_t warp = 0; warp < numbers_.size(); ++warp) {
    if (begin(warp) == end(warp))
      place.fail("damaged: warp " + std::to_string(warp) + " of the file has no steps");
    uint64_t left = kMostWarpSteps;
    for (const Segment* each = begin(warp); each != end(warp); left -= each++->steps) {
      if (each->steps > left)
        place.fail(too_much("damaged: steps of a warp", steps(warp), kMostWarpSteps));
    }
  }
}

std::unique_ptr<StepCursor> ShftFile::open(size_t warp) const {
  return std::make_unique<ShftCursor>(*this, warp, numbers_[warp]);
}

uint64_t ShftFile::path_bytes() const {
  uint64_t bytes = 0;
  for (const StepSection& each : sections_) bytes += each.bytes;
  return bytes;
}

uint64_t ShftFile::steps(size_t warp) const {
  uint64_t steps = 0;
  for (const Segment* each = begin(warp); each != end(warp); ++each) steps += each->steps;
  return steps;
}

std::shared_ptr<const std::string> ShftFile::section(uint32_t number) const {
  std::shared_ptr<const std::string> bytes = in_use_[number].lock();
  if (bytes != nullptr) return bytes;
  uint64_t end = 0;
  bytes = std::make_shared<const std::string>(
      read_section(file_, sections_[number].offset, SectionKind::kSteps, &end));
  if (bytes->size() != section_bytes_[number] ||
      end != sections_[number].offset + sections_[number].bytes)
    place(number).fail("damaged: the section is not as the index says");
  in_use_[number] = bytes;
  kept_[next_kept_] = {number, bytes};
  next_kept_ = (next_kept_ + 1) % kept_.size();
  return bytes;
}

Trace open_shft(const std::string& path, LaunchShape* shape) {
  Trace trace;
  auto file = std::make_shared<ShftFile>(path, &trace, shape);
  trace.source = std::move(file);
  return trace;
}

namespace {

std::vector<std::string> kernels(const std::string& path) {
  LaunchShape shape;
  return {open_shft(path, &shape).code.name};
}

Trace open_shft_launch(const std::string& path, const TraceChoice& choice, LaunchShape* shape) {
  Trace trace = open_shft(path, shape);
  if (!choice.kernel.empty() && choice.kernel != trace.code.name)
    throw InputError({path},
                     "no kernel '" + choice.kernel + "'; expected '" + trace.code.name + "'");
  return trace;
}

const bool reader_registered =
    TraceFormats::add({"shft", "its own trace files, of version 3",
                       [](const std::string& path) { return looks_like_shft(beginning_of(path)); },
                       kernels, open_shft_launch});

}  // namespace
}  // namespace shflsim::traces
