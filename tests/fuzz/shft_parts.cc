// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/shft_parts.h"

#include "tests/fuzz/harness.h"
#include "traces/shft/program_section.h"
#include "traces/shft/section.h"

namespace shflsim::fuzz {
namespace {

using traces::ByteReader;
using traces::ByteWriter;

constexpr size_t kIdentityBytes = 8;

/// Skips the part of the index before the sections.
void skip_head(ByteReader* in) {
  in->number();
  for (uint64_t left = in->number(); left > 0; --left) {
    for (unsigned i = 0; i < 4; ++i) in->number();
    in->text();
  }
  for (uint64_t left = in->number(); left > 0; --left) {
    for (unsigned i = 0; i < 3; ++i) in->number();
  }
}

ShftParts::Steps read_steps(const traces::PieceFile& file, ByteReader* index, uint64_t* offset) {
  ShftParts::Steps steps;
  index->number();
  for (uint64_t left = index->number(); left > 0; --left) {
    ShftParts::Segment segment;
    segment.warp = index->number();
    segment.steps = index->number();
    segment.bytes = index->number();
    steps.segments.push_back(segment);
  }
  steps.raw = traces::read_section(file, *offset, traces::SectionKind::kSteps, offset);
  return steps;
}

ShftParts read_parts(std::string_view bytes) {
  const MemoryFile memory(bytes);
  const traces::PieceFile file(memory.path());
  ShftParts parts;
  traces::read_preamble(file);
  parts.preamble = file.read(0, traces::kPreambleBytes);
  uint64_t offset = 0;
  parts.program =
      traces::read_section(file, traces::kPreambleBytes, traces::SectionKind::kProgram, &offset);
  uint64_t end = 0;
  const std::string index =
      traces::read_section(file, traces::index_offset(file), traces::SectionKind::kIndex, &end);
  ByteReader in(index.data(), index.size(), file.place(0));
  ByteReader behind_head = in;
  skip_head(&behind_head);
  ByteReader rest = behind_head;
  size_t left = 0;
  for (; !rest.at_end(); rest.byte()) ++left;
  parts.head = index.substr(0, index.size() - left);
  for (uint64_t sections = behind_head.number(); sections > 0; --sections)
    parts.sections.push_back(read_steps(file, &behind_head, &offset));
  return parts;
}

/// The program with the hash of its code, as far as it can be read.
std::string with_identity(const ShftParts& parts) {
  if (parts.program.size() < kIdentityBytes) return parts.program;
  const std::string file = "input";
  traces::Trace trace;
  traces::LaunchShape shape;
  const ByteReader in(parts.program.data(), parts.program.size(), {&file, 0});
  try_input([&] { traces::read_program(in, &trace, &shape); });
  ByteWriter out;
  out.word64(traces::code_identity(trace.code));
  out.append(parts.program.substr(kIdentityBytes));
  return out.bytes();
}

}  // namespace

std::optional<ShftParts> parts_of(std::string_view file) {
  try {
    return read_parts(file);
  } catch (const InputError&) {
    return {};
  }
}

std::string file_of(const ShftParts& parts) {
  std::string file =
      parts.preamble + traces::section_bytes(traces::SectionKind::kProgram, with_identity(parts));
  ByteWriter index;
  index.append(parts.head);
  index.number(parts.sections.size());
  for (const ShftParts::Steps& steps : parts.sections) {
    const std::string bytes = traces::section_bytes(traces::SectionKind::kSteps, steps.raw);
    index.number(bytes.size());
    index.number(steps.segments.size());
    uint64_t left = steps.raw.size();  // the last segment has the remaining bytes
    for (size_t i = 0; i < steps.segments.size(); ++i) {
      const uint64_t own = i + 1 < steps.segments.size() ? steps.segments[i].bytes : left;
      index.number(steps.segments[i].warp);
      index.number(steps.segments[i].steps);
      index.number(own);
      left -= own;
    }
    file += bytes;
  }
  const size_t index_offset = file.size();
  return file + traces::section_bytes(traces::SectionKind::kIndex, index.bytes()) +
         traces::tail_bytes(index_offset);
}

}  // namespace shflsim::fuzz
