// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "traces/accel_sim/traceg_header.h"
#include "traces/accel_sim/traceg_lines.h"

namespace shflsim::traces {

/// Receives the content of a trace while it is read.
class TracegSink {
 public:
  virtual ~TracegSink() = default;
  virtual void begin_warp(uint32_t block, uint32_t warp) = 0;
  /// A new instruction. The first has number 0, the next 1, and so on.
  virtual void add_instruction(const TracegInstruction& instruction) = 0;
  virtual void step(const TracegStep& step) = 0;
  virtual void end_block() = 0;
};

/// Reads Accel-Sim's kernel traces (.traceg, tracer versions 1 to 6) as text, once from start to
/// end: a header, then thread blocks of warps of instruction lines. Throws InputError, with line
/// and column, for text that violates the format.
class TracegReader {
 public:
  explicit TracegReader(const std::string& path);

  const TracegHeader& header() const { return header_; }
  /// True if a line that was read lists addresses lane by lane (mode 0).
  bool lists_addresses() const { return instructions_.lists_addresses(); }

  /// Reads the thread blocks in the order of the file, without warps that have no instructions.
  /// Never inlined, because scripts/bench counts the host instructions of this function.
  [[gnu::noinline]] void read(TracegSink* sink);

 private:
  void read_block(TracegSink* sink);
  uint32_t block_number(std::string_view line) const;
  void read_warp(std::string_view line, uint32_t block, TracegSink* sink);
  uint64_t value_of(std::string_view line, uint64_t most, const char* what) const;
  bool next_line(std::string_view* line);
  [[noreturn]] void fail(const std::string& what, unsigned column = 0) const;
  [[noreturn]] void fail_at(std::string_view line, const std::string& what) const;

  TextLines lines_;
  const TracegHeader header_;
  TracegLines instructions_;
  std::unordered_set<uint32_t> blocks_;  ///< that were read
  uint64_t last_warp_ = 0;               ///< number of the block's last warp plus 1
};

/// True for text that begins like a .traceg.
bool looks_like_traceg(std::string_view beginning);

}  // namespace shflsim::traces
