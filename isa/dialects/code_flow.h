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

  /// Whether a jump can reach the instruction, or one before it may jump. The end counts as one.
  bool starts_block(size_t index) const { return starts_[index]; }
  bool ends_block(size_t index) const { return starts_[index + 1]; }
  /// After the last instruction of a block: the instructions that may come next. SYNC may continue
  /// at the target of any SSY.
  const std::vector<size_t>& next(size_t index) const { return next_[index]; }
  /// Whether the next instruction depends on a register or a stack.
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

/// EXIT of all threads: nothing comes behind it.
bool is_final_exit(const Instruction& instruction);

}  // namespace shflsim::isa
