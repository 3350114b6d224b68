// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "isa/ptx/lines/lines.h"
#include "isa/ptx/lines/uses.h"

namespace shflsim::isa::ptx {

/// The number of registers and predicates in use while the lines of a block are placed. One object
/// is used for all blocks, since most blocks use few of the registers.
class Pressure {
 public:
  explicit Pressure(const Code& code) : code_(code), uses_(code.registers.size()) {}

  void start(const std::vector<Line>& lines, const Ids& before, const Ids& behind) {
    for (const int id : used_) use(id) = {};
    used_.clear();
    predicates_ = registers_ = 0;
    for (const int id : behind) count_read(id);
    for (const Line& line : lines) {
      for_each_use(
          line, [this](int id) { count_read(id); }, [](int) {});
    }
    for (const int id : before) begin(id);
  }

  void place(const Line& line) {
    for_each_use(
        line, [this](int id) { end_read(id); }, [this](int id) { begin(id); });
  }

  /// True if the line needs another register or predicate when few are left.
  bool is_too_much(const Line& line) const {
    int predicates = 0;
    int registers = 0;
    for_each_use(
        line, [](int) {},
        [&](int id) {
          const Use& its = uses_[static_cast<size_t>(id)];
          if (its.is_live || its.reads == 0) return;
          (width(id) == 0 ? predicates : registers) += std::max(width(id), 1);
        });
    return (predicates > 0 && predicates_ + predicates > kMostPredicates) ||
           (registers > 0 && registers_ + registers > kMostRegisters);
  }

 private:
  // Pairs leave gaps, and the last registers must find room as well.
  static constexpr int kMostPredicates = 6;
  static constexpr int kMostRegisters = 160;

  int width(int id) const { return code_.registers[static_cast<size_t>(id)].width; }
  int& in_use(int id) { return width(id) == 0 ? predicates_ : registers_; }

  struct Use {
    int reads = 0;  ///< remaining reads, plus one if later blocks read it
    bool is_live = false;
  };
  Use& use(int id) { return uses_[static_cast<size_t>(id)]; }
  void count_read(int id) {
    if (use(id).reads++ == 0) used_.push_back(id);
  }

  void begin(int id) {
    Use& its = use(id);
    if (its.is_live || its.reads == 0) return;
    its.is_live = true;
    in_use(id) += std::max(width(id), 1);
  }

  void end_read(int id) {
    Use& its = use(id);
    if (--its.reads > 0 || !its.is_live) return;
    its.is_live = false;
    in_use(id) -= std::max(width(id), 1);
  }

  const Code& code_;
  std::vector<Use> uses_;  ///< by register
  std::vector<int> used_;
  int predicates_ = 0;
  int registers_ = 0;
};

}  // namespace shflsim::isa::ptx
