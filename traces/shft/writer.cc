// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/writer.h"

#include <utility>

#include "isa/base/bounded.h"
#include "isa/base/work.h"
#include "traces/warp_reader.h"

namespace shflsim::traces {
namespace {

constexpr size_t kSegmentBytes = 32 << 10;   // memory per warp for writer and reader
constexpr size_t kSectionBytes = 128 << 10;  // bytes that are compressed together

}  // namespace

ShftWriter::ShftWriter(const std::string& path, const Trace& code, const LaunchShape& shape)
    : file_(path), code_(code), immediate_maps_(code_) {
  bounded(code.code.lines.size(), kMostLines, "a trace", {path}, "instructions");
  file_.write(preamble_bytes());
  file_.write(section_bytes(SectionKind::kProgram, program_bytes(code, shape)));
}

size_t ShftWriter::begin_warp(uint32_t block, uint32_t warp, uint64_t start) {
  bounded(begun_ + 1, kMostWarps, "a trace", {}, "warps");
  warps_.difference(uint64_t{block} - last_block_);
  warps_.difference(uint64_t{warp} - last_number_);
  warps_.number(start);
  last_block_ = block;
  last_number_ = warp;
  std::unique_ptr<PathEncoder> path;
  if (!spare_.empty()) {
    path = std::move(spare_.back());
    spare_.pop_back();
  } else {
    path = std::make_unique<PathEncoder>(code_, immediate_maps_);
  }
  path->start(warp);
  open_[begun_] = {warp, std::move(path)};
  return begun_++;
}

void ShftWriter::add(size_t warp, uint32_t index, isa::LaneMask lanes, const isa::LaneMap* map,
                     const LaneAddresses* addresses) {
  OpenWarp& open = open_.at(warp);
  open.path->add(index, lanes, map, addresses);
  if (open.path->bytes().size() < kSegmentBytes) return;
  close_segment(warp);
  open.path->start(open.warp);
}

void ShftWriter::end_warp(size_t warp) {
  OpenWarp& open = open_.at(warp);
  if (open.path->steps() != 0) close_segment(warp);
  spare_.push_back(std::move(open.path));
  open_.erase(warp);
}

void ShftWriter::close_segment(size_t warp) {
  const PathEncoder& path = *open_.at(warp).path;
  pending_index_.difference(warp - last_warp_);
  pending_index_.number(path.steps());
  pending_index_.number(path.bytes().size());
  pending_ += path.bytes();
  ++pending_count_;
  last_warp_ = warp;
  if (pending_.size() >= kSectionBytes) write_steps();
}

void ShftWriter::write_steps() {
  const std::string bytes = section_bytes(SectionKind::kSteps, pending_);
  file_.write(bytes);
  sections_.number(bytes.size());
  sections_.number(pending_count_);
  sections_.append(pending_index_.bytes());
  ++section_count_;
  pending_.clear();
  pending_index_.clear();
  pending_count_ = 0;
}

std::string ShftWriter::index_bytes(uint32_t shared_bytes,
                                    const std::vector<Finding>& findings) const {
  ByteWriter out;
  out.number(shared_bytes);
  out.number(findings.size());
  for (const Finding& finding : findings) {
    out.number(finding.index);
    out.number(finding.block);
    out.number(finding.warp);
    out.number(finding.lanes);
    out.text(finding.what);
  }
  out.number(begun_);
  out.append(warps_.bytes());
  out.number(section_count_);
  out.append(sections_.bytes());
  return out.bytes();
}

void ShftWriter::finish(uint32_t shared_bytes, const std::vector<Finding>& findings) {
  if (pending_count_ != 0) write_steps();
  const uint64_t offset = file_.size();
  file_.write(section_bytes(SectionKind::kIndex, index_bytes(shared_bytes, findings)));
  file_.write(tail_bytes(offset));
  file_.commit();
}

void write_shft(const std::string& path, const Trace& trace, const LaunchShape& shape) {
  ShftWriter writer(path, trace, shape);
  for (size_t i = 0; i < trace.warps.size(); ++i) {
    tell_work(i, trace.warps.size(), "warps");
    const WarpTrace& warp = trace.warps[i];
    const size_t number = writer.begin_warp(warp.block, warp.warp, warp.start);
    WarpReader steps(trace, i);
    do {
      const Step& step = steps.step();
      const bool has_payload = step.payload != Step::kNone;
      const bool shuffles = has_payload && trace.code.lines[step.index].is_shuffle();
      writer.add(number, step.index, step.lanes, shuffles ? &trace.maps()[step.payload] : nullptr,
                 has_payload && !shuffles ? &steps.addresses() : nullptr);
    } while (steps.next());
    writer.end_warp(number);
  }
  writer.finish(trace.shared_bytes, trace.findings);
}

}  // namespace shflsim::traces
