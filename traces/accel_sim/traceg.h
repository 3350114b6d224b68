// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isa/machine/machine.h"
#include "traces/accel_sim/text_lines.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// Accel-Sim's kernel traces (.traceg, tracer versions 3, 4 and 5) as text: a header of lines
/// `-key = value`, then thread blocks of warps of instruction lines.

/// An instruction line but for what differs from one execution to the next. Equal fields mean the
/// same instruction.
struct TracegInstruction {
  uint64_t pc = 0;
  long line = 0;  ///< of the source; 0 without -enable lineinfo
  std::vector<uint8_t> destinations;
  std::string opcode;  ///< with its modifiers
  std::vector<uint8_t> sources;
  unsigned width = 0;  ///< bytes that a lane reads or writes; 0: no memory
  bool has_immediate = false;
  long long immediate = 0;  ///< the last one of the instruction

  bool operator<(const TracegInstruction& other) const;
};

/// What one execution adds.
struct TracegStep {
  isa::LaneMask mask = 0;  ///< active, guard true
  LaneAddresses addresses{};
  bool lists_addresses = false;  ///< address mode 0
};

/// Header lines by key: "kernel name", "grid dim", ...
using TracegHeader = std::map<std::string, std::string>;

/// What is told of a trace while it is read.
class TracegSink {
 public:
  virtual ~TracegSink() = default;
  virtual void begin_warp(uint32_t block, uint32_t warp) = 0;
  virtual void step(const TracegInstruction& instruction, const TracegStep& step) = 0;
  virtual void end_block() = 0;
};

/// Reads a trace from its start to its end. Throws InputError, with the line and column, for
/// anything that the format does not have.
class TracegReader {
 public:
  explicit TracegReader(const std::string& path);

  const TracegHeader& header() const { return header_; }
  const isa::Extent& grid() const { return grid_; }
  const isa::Extent& block() const { return block_; }
  unsigned version() const { return version_; }
  uint64_t header_number(const std::string& key, uint64_t most) const;

  /// The thread blocks, in the file's order. Warps without instructions are left out.
  void read(TracegSink* sink);

 private:
  void read_header();
  void add_header_line(const std::string& line);
  isa::Extent extent(const std::string& key) const;
  void read_block(TracegSink* sink);
  uint32_t block_number(const std::string& line) const;
  void read_warp(const std::string& line, uint32_t block, TracegSink* sink);
  void read_step(const std::string& line, TracegInstruction* instruction, TracegStep* step) const;
  bool next_line(std::string* line);
  [[noreturn]] void fail(const std::string& what, size_t column = 0) const;

  TextLines lines_;
  TracegHeader header_;
  isa::Extent grid_;
  isa::Extent block_;
  unsigned version_ = 0;
  bool line_info_ = false;
  uint64_t last_warp_ = 0;  ///< of the block, plus 1
};

/// True for text that begins as a .traceg does.
bool looks_like_traceg(std::string_view beginning);

}  // namespace shflsim::traces
