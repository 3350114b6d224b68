// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "traces/accel_sim/text_lines.h"
#include "traces/accel_sim/traceg_header.h"
#include "traces/accel_sim/traceg_instruction.h"

namespace shflsim::traces {

/// Reads the instruction lines of a trace one after the other. Nearly all repeat an earlier line
/// with other lanes and addresses. Such a line is recognised by comparing it with the line that
/// last followed the previous one, or that had the same PC; then only the differences are parsed.
class TracegLines {
 public:
  TracegLines(TextLines* lines, const TracegForm& form) : lines_(*lines), form_(form) {}

  /// Call it before the first line of a warp.
  void start() { previous_ = kNone; }
  /// Reads the next non-blank line; false if it is not an instruction, or at the end of the file.
  /// Throws InputError for text that violates the format.
  bool next() { return again(expected()) || find_next(); }
  const TracegStep& step() const { return known_[previous_].step; }
  /// True if the line's instruction is new; last_new() is that instruction.
  bool is_new() const { return is_new_; }
  const TracegInstruction& last_new() const { return *last_new_; }

  bool lists_addresses() const { return lists_addresses_; }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  /// The last line of an instruction.
  struct Known {
    uint32_t next = kNone;  ///< the instruction that followed it
    std::string text;       ///< the line with its end; "" if it cannot be recognised
    size_t mask_at = 0;     ///< offset of the eight mask digits in `text`
    size_t mode_at = 0;     ///< offset of the address mode in `text`, or its end
    size_t tail_at = 0;     ///< offset in `text` after the addresses
    TracegStep step;
  };

  uint32_t expected() const { return previous_ == kNone ? first_ : known_[previous_].next; }
  bool again(uint32_t index);
  bool has_changed_to(std::string_view text, Known* known);
  bool find_next();
  void read(std::string_view line);
  void remember(const TracegInstruction& instruction, Known* met);
  void go_on(uint32_t index);
  uint64_t pc_ahead() const;

  TextLines& lines_;
  const TracegForm form_;
  std::map<TracegInstruction, uint32_t> numbers_;
  std::vector<Known> known_;                      ///< by number
  std::unordered_map<uint64_t, uint32_t> by_pc_;  ///< the last instruction with this PC
  uint32_t previous_ = kNone;
  uint32_t first_ = kNone;  ///< first instruction of the previous warp
  bool is_new_ = false;
  const TracegInstruction* last_new_ = nullptr;
  bool lists_addresses_ = false;
};

}  // namespace shflsim::traces
