// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "isa/code/program.h"

namespace shflsim::isa {

/// The control flow of SPA 5.0 code.
class CodeFlow {
 public:
  explicit CodeFlow(const Program& program);

  /// True if a jump can reach the instruction, or the previous one may jump, or it is the end.
  bool starts_block(size_t index) const { return starts_[index]; }
  bool ends_block(size_t index) const { return starts_[index + 1]; }
  /// For the last instruction of a block: the instructions that may be executed next. SYNC may
  /// continue at the target of any SSY.
  const std::vector<size_t>& next(size_t index) const { return next_[index]; }
  /// True if the next instruction is unknown: it depends on a register or a stack.
  bool is_open(size_t index) const { return open_[index]; }

 private:
  void follow(const Program& program, size_t index);
  void follow_tokens(size_t index, const std::set<size_t>& targets);

  std::set<size_t> joins_;   ///< instructions at which SYNC continues, as set by an SSY
  std::set<size_t> breaks_;  ///< instructions at which BRK continues, as set by a PBK
  std::vector<bool> starts_;
  std::vector<bool> open_;
  std::vector<std::vector<size_t>> next_;
};

/// True for an unconditional EXIT: no instruction follows it.
bool is_final_exit(const Instruction& instruction);

}  // namespace shflsim::isa
