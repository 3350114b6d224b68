// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/lanes/lane_map.h"

namespace shflsim::isa {

/// The kind of an entry of the divergence stack.
enum class TokenKind : uint8_t {
  kBranch,    ///< the other side of a divergent branch, not executed yet
  kSync,      ///< pushed by SSY, left by SYNC
  kBreak,     ///< PBK, BRK
  kContinue,  ///< PCNT, CONT
  kReturn,    ///< CAL, JCAL, PRET, RET
  kLongJump,  ///< PLONGJMP, LONGJMP
};
const char* token_name(TokenKind kind);

/// Which lanes of a warp run, at which instruction, and in which token the others wait: a stack of
/// tokens (docs/sources.md, "Divergence"). Lanes that leave by SYNC, BRK, CONT or RET wait in the
/// nearest token of that kind; when no lane runs, the topmost entry continues.
class Divergence {
 public:
  /// A deeper stack is an error: the program is considered to run away.
  static constexpr size_t kDeepest = 65536;

  explicit Divergence(LaneMask lanes) : active_(lanes) {}

  LaneMask active() const { return active_; }
  uint32_t pc() const { return pc_; }  ///< index into Program::code
  void go_to(uint32_t index) { pc_ = index; }
  bool done() const { return active_ == 0; }
  /// Lanes that have not ended, whether they run or wait.
  LaneMask alive() const;
  size_t depth() const { return stack_.size(); }

  void push(TokenKind kind, uint32_t target) { stack_.push_back({kind, target, active_}); }

  /// The lanes `taken` go to `target`, the other active lanes to `next`.
  void branch(LaneMask taken, uint32_t target, uint32_t next, bool taken_first);

  /// `lanes` leave for the nearest token of that kind; the others continue at pc. False if there is
  /// no such token.
  bool leave(LaneMask lanes, TokenKind kind);

  /// `lanes` end.
  void exit(LaneMask lanes);

 private:
  struct Entry {
    TokenKind kind;
    uint32_t target;
    LaneMask lanes;
  };
  void resume_if_empty();

  LaneMask active_;
  uint32_t pc_ = 0;
  std::vector<Entry> stack_;
};

}  // namespace shflsim::isa
