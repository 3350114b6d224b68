// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/traceg.h"

#include <algorithm>
#include <cctype>

#include "isa/base/input_error.h"

namespace shflsim::traces {
namespace {

constexpr size_t kShown = 40;  // letters of a line that an error shows

bool starts_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

}  // namespace

bool looks_like_traceg(std::string_view beginning) {
  return starts_with(beginning, "-kernel name") || starts_with(beginning, "-kernel id");
}

TracegReader::TracegReader(const std::string& path)
    : lines_(path), header_(&lines_), instructions_(&lines_, header_.form()) {}

void TracegReader::fail(const std::string& what, unsigned column) const {
  throw InputError({lines_.path(), lines_.number(), column}, what);
}

void TracegReader::fail_at(std::string_view line, const std::string& what) const {
  fail("'" + std::string(line.substr(0, kShown)) + "' is " + what, 1);
}

/// Reads the next non-blank line.
bool TracegReader::next_line(std::string_view* line) {
  while (lines_.next(line)) {
    if (line->find_first_not_of(" \t") != std::string_view::npos) return true;
  }
  return false;
}

void TracegReader::read(TracegSink* sink) {
  std::string_view line;
  while (next_line(&line)) {
    if (starts_with(line, "#BEGIN_TB")) {
      read_block(sink);
    } else if (std::isdigit(static_cast<unsigned char>(line[0])) != 0) {
      fail_at(
          line,
          "in no thread block; expected #BEGIN_TB: post-traces-processing sorts what the tracer "
          "writes by thread block");
    } else if (line[0] != '#') {
      fail_at(line, "in no thread block; expected #BEGIN_TB");
    }
  }
}

void TracegReader::read_block(TracegSink* sink) {
  std::string_view line;
  uint32_t block = 0;
  bool named = false;
  last_warp_ = 0;
  while (next_line(&line)) {
    if (starts_with(line, "#END_TB")) return sink->end_block();
    if (starts_with(line, "thread block =")) {
      block = block_number(line);
      if (!blocks_.insert(block).second) fail("the block is there a second time; expected it once");
      named = true;
    } else if (named && starts_with(line, "warp =")) {
      read_warp(line, block, sink);
    } else if (!named ||
               !starts_with(line, "cluster ")) {  // the block's place in its cluster is not needed
      fail_at(line, "out of place; expected 'thread block = ', 'warp = ' or #END_TB");
    }
  }
  fail("the file ends in a thread block; expected #END_TB");
}

uint32_t TracegReader::block_number(std::string_view line) const {
  const isa::Extent& grid = header_.grid();
  const size_t value = line.find('=') + 1;
  std::string text(line.substr(value));
  std::replace(text.begin(), text.end(), ',', ' ');
  Words words(text, {lines_.path(), lines_.number(), static_cast<unsigned>(value + 1)});
  const uint64_t x = words.number_upto(grid.x - 1, "a block of the grid: x,y,z");
  const uint64_t y = words.number_upto(grid.y - 1, "a block of the grid: x,y,z");
  const uint64_t z = words.number_upto(grid.z - 1, "a block of the grid: x,y,z");
  return static_cast<uint32_t>(x + grid.x * (y + grid.y * z));
}

uint64_t TracegReader::value_of(std::string_view line, uint64_t most, const char* what) const {
  const size_t value = line.find('=') + 1;
  Words words(line.substr(value),
              {lines_.path(), lines_.number(), static_cast<unsigned>(value + 1)});
  return words.number_upto(most, what);
}

void TracegReader::read_warp(std::string_view line, uint32_t block, TracegSink* sink) {
  const uint64_t warps = (header_.block().count() + isa::kLanes - 1) / isa::kLanes;
  const uint64_t warp = value_of(line, warps - 1, "a warp of the block");
  if (warp < last_warp_) fail("warp " + std::to_string(warp) + " is not in ascending order");
  last_warp_ = warp + 1;
  std::string_view next;
  if (!next_line(&next) || !starts_with(next, "insts ="))
    fail("no 'insts = '; expected the number of the warp's instructions");
  const uint64_t count = value_of(next, ~uint64_t{0}, "the number of instructions");
  if (count != 0) sink->begin_warp(block, static_cast<uint32_t>(warp));
  instructions_.start();
  for (uint64_t i = 0; i < count; ++i) {
    if (!instructions_.next())
      fail("the warp ends after " + std::to_string(i) + " instructions; expected " +
           std::to_string(count));
    if (instructions_.is_new()) sink->add_instruction(instructions_.last_new());
    sink->step(instructions_.step());
  }
}

}  // namespace shflsim::traces
