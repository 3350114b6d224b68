// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/program_section.h"

#include <algorithm>
#include <map>
#include <optional>

#include "isa/base/bounded.h"
#include "traces/shft/line_record.h"
#include "traces/shft/section.h"

namespace shflsim::traces {
namespace {

constexpr uint64_t kMostWarnings = 1u << 16;
constexpr uint64_t kMostNotes = 1u << 10;
constexpr uint64_t kMostBytes = 1u << 31;
constexpr uint64_t kMostExtent = 0x7FFFFFFF;
constexpr uint64_t kMostBarriers = 16;

enum Flags : uint8_t {
  kHasControl = 1,
  kHasBarriers = 2,
  kNoWords = 4,
  kLowered = 8,
  kAllFlags = kHasControl | kHasBarriers | kNoWords | kLowered,
};

void write_extent(const isa::Extent& extent, ByteWriter* out) {
  out->number(extent.x);
  out->number(extent.y);
  out->number(extent.z);
}

isa::Extent read_extent(ByteReader* in, uint64_t most_count, const char* what) {
  isa::Extent extent;
  extent.x = static_cast<uint32_t>(in->number_upto(most_count, what));
  extent.y = static_cast<uint32_t>(in->number_upto(most_count / std::max(1u, extent.x), what));
  const uint64_t plane = std::max<uint64_t>(1, uint64_t{extent.x} * extent.y);
  extent.z = static_cast<uint32_t>(in->number_upto(most_count / plane, what));
  if (extent.count() == 0) in->place().fail("damaged: a launch of nothing");
  return extent;
}

void write_code(const isa::Code& code, ByteWriter* out) {
  const std::vector<isa::Pipe> pipes = pipes_of(code.lines);
  if (!code.has_words) write_pipes(code.lines, out);
  out->number(code.lines.size());
  uint64_t before = 0;
  for (const isa::CodeLine& line : code.lines) {
    out->difference(line.address - before);
    before = line.address;
    if (code.has_words) write_word(code.arch, line, out);
    if (!code.has_words) write_line(line, pipes, out);
  }
}

void read_code(ByteReader* in, isa::Code* code) {
  const std::vector<isa::Pipe> pipes = code->has_words ? std::vector<isa::Pipe>{} : read_pipes(in);
  uint64_t address = 0;
  for (uint64_t left = in->number_upto(kMostLines, "the number of instructions"); left > 0;
       --left) {
    address += in->difference();
    if (address > kMostBytes) in->place().fail("damaged: an address beyond any code");
    const auto at = static_cast<uint32_t>(address);
    code->lines.push_back(code->has_words ? read_word(code->arch, at, in)
                                          : read_line(code->family(), at, pipes, in));
  }
}

isa::Arch read_arch(ByteReader* in) {
  const auto number = static_cast<unsigned>(in->number_upto(999, "an architecture"));
  const std::optional<isa::Arch> arch = isa::arch_numbered(number);
  if (!arch) in->place().fail("is code of sm_" + std::to_string(number) + ", which is not known");
  return *arch;
}

void read_flags(ByteReader* in, isa::Code* code) {
  const uint8_t flags = in->byte();
  if ((flags & ~kAllFlags) != 0) in->place().fail("damaged: unknown flags of the program");
  code->has_control = (flags & kHasControl) != 0;
  code->has_words = (flags & kNoWords) == 0;
  code->barriers = (flags & kHasBarriers) != 0 ? 1 : 0;  // their number follows later
  code->is_lowered = (flags & kLowered) != 0;
}

constexpr const char* kClusterNote = "cluster";

std::string text_of(const isa::Extent& cluster) {
  return std::to_string(cluster.x) + "," + std::to_string(cluster.y) + "," +
         std::to_string(cluster.z);
}

/// A number of blocks before a comma or the end; 0 if there is none.
uint32_t next_extent(const char** at) {
  uint32_t value = 0;
  for (; **at >= '0' && **at <= '9' && value < kMostClusterBlocks; ++*at)
    value = 10 * value + static_cast<uint32_t>(**at - '0');
  if (**at == ',') ++*at;
  return value;
}

/// Clusters are a note, which versions of the program without clusters keep unchanged.
void read_cluster(const Place& place, Trace* trace, LaunchShape* shape) {
  const auto note = shape->notes.find(kClusterNote);
  if (note == shape->notes.end()) return;
  const char* at = note->second.c_str();
  isa::Extent& cluster = shape->cluster;
  cluster.x = next_extent(&at);
  cluster.y = next_extent(&at);
  cluster.z = next_extent(&at);
  const uint64_t blocks = cluster.count();
  const bool is_one = *at == '\0' && blocks > 1 && blocks <= kMostClusterBlocks;
  if (!is_one || shape->grid.x % cluster.x != 0 || shape->grid.y % cluster.y != 0 ||
      shape->grid.z % cluster.z != 0)
    place.fail("damaged: clusters of " + note->second + " blocks, which the grid is not made of");
  shape->notes.erase(note);
  bounded(shape->grid.count(), kMostWarps, "a trace of clusters", {}, "blocks");
  trace->cluster_blocks = static_cast<uint32_t>(blocks);
  trace->by_cluster = isa::blocks_by_cluster(shape->grid, cluster);
}

}  // namespace

uint64_t code_identity(const isa::Code& code) {
  uint64_t hash = 0xCBF29CE484222325u;
  const auto add = [&hash](uint64_t value) { hash = (hash ^ value) * 0x100000001B3u; };
  for (const isa::CodeLine& line : code.lines) {
    add(line.word.low);
    if (code.family() == isa::Family::kSm70) add(line.word.high);
    add(isa::control_field(line.control));
    if (code.has_words) continue;
    for (const char letter : line.text) add(static_cast<uint8_t>(letter));
  }
  return hash;
}

std::string program_bytes(const Trace& trace, const LaunchShape& shape) {
  const isa::Code& code = trace.code;
  ByteWriter out;
  out.word64(code_identity(code));
  out.byte(static_cast<uint8_t>(
      (code.has_control ? kHasControl : 0) | (code.barriers != 0 ? kHasBarriers : 0) |
      (code.has_words ? 0 : kNoWords) | (code.is_lowered ? kLowered : 0)));
  out.number(isa::number_of(code.arch));
  out.text(code.name);
  write_extent(shape.grid, &out);
  write_extent(shape.block, &out);
  out.number(code.registers);
  out.number(code.shared_bytes);
  out.number(code.local_bytes);
  if (code.barriers != 0) out.number(code.barriers);
  write_code(code, &out);
  out.number(code.warnings.size());
  for (const std::string& warning : code.warnings) out.text(warning);
  std::map<std::string, std::string> notes = shape.notes;
  if (shape.cluster.count() != 1) notes[kClusterNote] = text_of(shape.cluster);
  out.number(notes.size());
  for (const auto& [key, value] : notes) {
    out.text(key);
    out.text(value);
  }
  return out.bytes();
}

void read_program(ByteReader in, Trace* trace, LaunchShape* shape) {
  isa::Code& code = trace->code;
  const uint64_t identity = in.word64();
  read_flags(&in, &code);
  code.arch = read_arch(&in);
  code.name = in.text();
  shape->grid = read_extent(&in, kMostExtent, "the grid");
  shape->block = read_extent(&in, kMostThreads, "the block");
  code.registers = static_cast<unsigned>(in.number_upto(kMostRegisters, "the registers"));
  code.shared_bytes = static_cast<unsigned>(in.number_upto(kMostBytes, "shared memory"));
  code.local_bytes = static_cast<unsigned>(in.number_upto(kMostBytes, "local memory"));
  if (code.barriers != 0)
    code.barriers = static_cast<unsigned>(in.number_upto(kMostBarriers, "barriers"));
  read_code(&in, &code);
  for (uint64_t left = in.number_upto(kMostWarnings, "a number of warnings"); left > 0; --left)
    code.warnings.push_back(in.text());
  for (uint64_t left = in.number_upto(kMostNotes, "a number of notes"); left > 0; --left) {
    const std::string key = in.text();
    shape->notes[key] = in.text();
  }
  read_cluster(in.place(), trace, shape);
  trace->blocks = static_cast<uint32_t>(shape->grid.count());
  trace->threads_per_block = static_cast<uint32_t>(shape->block.count());
  if (!in.at_end()) in.place().fail("damaged: bytes behind the program");
  if (identity != code_identity(code)) in.place().fail("damaged: the code is not what it was");
}

}  // namespace shflsim::traces
