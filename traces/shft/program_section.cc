// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/program_section.h"

#include "isa/bounded.h"
#include "traces/shft/line_record.h"
#include "traces/shft/section.h"

namespace shflsim::traces {
namespace {

constexpr uint64_t kMostWarnings = 1u << 16;
constexpr uint64_t kMostNotes = 1u << 10;
constexpr uint64_t kMostBytes = 1u << 31;
constexpr uint64_t kMostExtent = 0x7FFFFFFF;
constexpr uint64_t kMostThreads = 1024;

enum Flags : uint8_t {
  kHasControl = 1,
  kMinLaneRule = 2,
  kNoWords = 4,
  kVolta = 8,
  kLowered = 16,
  kAllFlags = 31,
  kAllOfVersion1 = 7,  ///< in which code without words is of Volta or later
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
    if (code.has_words) write_word(line, out);
    if (!code.has_words) write_line(line, pipes, out);
  }
}

void read_code(uint32_t version, ByteReader* in, isa::Code* code) {
  const bool has_pipes = version > 1 && !code->has_words;
  const std::vector<isa::Pipe> pipes = has_pipes ? read_pipes(in) : std::vector<isa::Pipe>{};
  uint64_t address = 0;
  for (uint64_t left = in->number_upto(kMostLines, "the number of instructions"); left > 0;
       --left) {
    address += in->difference();
    if (address > kMostBytes) in->place().fail("damaged: an address beyond any code");
    const auto at = static_cast<uint32_t>(address);
    if (code->has_words) {
      code->lines.push_back(read_word(at, in));
    } else {
      code->lines.push_back(has_pipes ? read_line(at, pipes, in) : read_line_of_version_1(at, in));
    }
  }
}

/// Version 1 keeps the names of symbolic registers, which nothing asks a trace for.
void skip_symbols(ByteReader* in) {
  for (uint64_t left = in->number(); left > 0; --left) {
    in->text();
    in->byte();
  }
}

void read_flags(uint32_t version, ByteReader* in, isa::Code* code, LaunchShape* shape) {
  const uint8_t flags = in->byte();
  if (flags > (version == 1 ? kAllOfVersion1 : kAllFlags))
    in->place().fail("damaged: unknown flags of the program");
  code->has_control = (flags & kHasControl) != 0;
  code->has_words = (flags & kNoWords) == 0;
  code->is_lowered = (flags & kLowered) != 0;
  const bool is_volta = version == 1 ? !code->has_words : (flags & kVolta) != 0;
  code->family = is_volta ? isa::Family::kVolta : isa::Family::kMaxwell;
  if (is_volta && code->has_words) in->place().fail("damaged: words of SPA 5.0 on a later chip");
  shape->up_rule = (flags & kMinLaneRule) != 0 ? isa::UpRule::kMinLane : isa::UpRule::kMaxLane;
}

}  // namespace

uint64_t code_identity(const isa::Code& code) {
  uint64_t hash = 0xCBF29CE484222325u;
  const auto add = [&hash](uint64_t value) { hash = (hash ^ value) * 0x100000001B3u; };
  for (const isa::CodeLine& line : code.lines) {
    add(line.word);
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
  out.byte(static_cast<uint8_t>((code.has_control ? kHasControl : 0) |
                                (shape.up_rule == isa::UpRule::kMinLane ? kMinLaneRule : 0) |
                                (code.has_words ? 0 : kNoWords) | (code.is_lowered ? kLowered : 0) |
                                (code.family == isa::Family::kVolta ? kVolta : 0)));
  out.text(code.name);
  write_extent(shape.grid, &out);
  write_extent(shape.block, &out);
  out.number(code.registers);
  out.number(code.shared_bytes);
  out.number(code.local_bytes);
  write_code(code, &out);
  out.number(code.warnings.size());
  for (const std::string& warning : code.warnings) out.text(warning);
  out.number(shape.notes.size());
  for (const auto& [key, value] : shape.notes) {
    out.text(key);
    out.text(value);
  }
  return out.bytes();
}

void read_program(uint32_t version, ByteReader in, Trace* trace, LaunchShape* shape) {
  isa::Code& code = trace->code;
  const uint64_t identity = in.word64();
  read_flags(version, &in, &code, shape);
  code.name = in.text();
  shape->grid = read_extent(&in, kMostExtent, "the grid");
  shape->block = read_extent(&in, kMostThreads, "the block");
  code.registers = static_cast<unsigned>(in.number_upto(kMostRegisters, "the registers"));
  code.shared_bytes = static_cast<unsigned>(in.number_upto(kMostBytes, "shared memory"));
  code.local_bytes = static_cast<unsigned>(in.number_upto(kMostBytes, "local memory"));
  read_code(version, &in, &code);
  if (version == 1) skip_symbols(&in);
  for (uint64_t left = in.number_upto(kMostWarnings, "a number of warnings"); left > 0; --left)
    code.warnings.push_back(in.text());
  for (uint64_t left = in.number_upto(kMostNotes, "a number of notes"); left > 0; --left) {
    const std::string key = in.text();
    shape->notes[key] = in.text();
  }
  trace->blocks = static_cast<uint32_t>(shape->grid.count());
  trace->threads_per_block = static_cast<uint32_t>(shape->block.count());
  if (!in.at_end()) in.place().fail("damaged: bytes behind the program");
  if (identity != code_identity(code)) in.place().fail("damaged: the code is not what it was");
}

}  // namespace shflsim::traces
