// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "model/core/slot_mask.h"
#include "model/fetch/code_memory.h"

namespace shflsim::model {

/// Instruction fetch of a sub-partition: the L0, its stream of prefetched lines, and the fill level
/// of each warp's instruction buffer. A warp waits if its code is late; otherwise fetch keeps up
/// with issue.
///
///   code memory -> L0 -> instruction buffer of each warp
class Fetch : public Module {
 public:
  Fetch(const sc_core::sc_module_name& name, const FetchParams& params, const CodeLayout& layout);

  const char* kind() const override { return "Fetch"; }
  const char* hardware() const override { return "L0 instruction cache and instruction buffers"; }
  const char* section() const override { return "fetch"; }

  sc_core::sc_port<CodeSource> code;  ///< source of the lines

  /// From a warp's start to its first instruction, and from a taken branch's issue to its target.
  Cycle latency() const { return params_.latency; }
  Cycle branch_latency() const { return params_.branch_latency; }
  /// False if all code stays in the L0; then the functions below need not be called.
  bool can_miss() const { return can_miss_; }
  /// True if advance() must be called when a warp reaches this instruction.
  bool is_point(uint32_t index) const;

  /// The warp jumps to `index` in cycle `now`. Returns the cycle in which `index` is available.
  Cycle jump(unsigned slot, uint32_t index, Cycle now);
  /// The warp reaches `index`, after the instruction that issues in cycle `now`. Returns the cycle
  /// in which `index` is available; 0 if it is not the first instruction of its line. The issue of
  /// a line's first instruction continues the stream.
  Cycle advance(unsigned slot, uint32_t index, Cycle now);

 private:
  Cycle ask(unsigned slot, uint32_t line, Cycle now);
  void stream(unsigned slot, uint32_t line, Cycle now);
  void note_quiet(uint32_t line, Cycle now);
  void leave_stream(unsigned slot);
  Cycle bring(unsigned slot, uint32_t line, Cycle now);
  Cycle& oldest_of(unsigned slot) { return on_their_way_[slot * params_.stream + place_[slot]]; }

  const FetchParams params_;
  const CodeLayout layout_;
  const uint32_t buffer_;  ///< less than a line
  const bool can_miss_;
  InstructionCache l0_;
  std::vector<uint8_t> run_into_;  ///< by line: 0 if only a stream brought it to the L0
  std::vector<uint64_t>
      whole_;  ///< by line: InstructionCache::puts() when all lines behind were there

  /// By line: puts() when a warp could run through it and into the next one without delay.
  std::vector<uint64_t> quiet_;

  // By slot.
  std::array<Cycle, kMostSlots> next_line_{};  ///< when the next line that it needs is available
  std::array<Cycle, kMostSlots>
      second_line_{};                ///< when the line after its last jump's line can issue
  std::vector<Cycle> on_their_way_;  ///< when its last requested lines are available
  std::array<uint32_t, kMostSlots> place_{};  ///< the oldest of these requests
};

}  // namespace shflsim::model
