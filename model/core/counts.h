// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "isa/code/code.h"

namespace shflsim::model {

/// A figure that a unit counts for each static instruction. It is declared once, in the `list` of
/// the unit's counts, and is then a column of every report, of its totals and of `list stats`.
struct Stat {
  const char* key;
  const char* unit;
  const char* help;     ///< help text, one sentence
  const char* heading;  ///< column heading of the table, in two lines
};

/// Collects what a unit's counts say of one instruction: declarations and values side by side.
class StatList {
 public:
  void count(const char* key, uint64_t value, const char* unit, const char* help,
             const char* heading) {
    stats_.push_back({key, unit, help, heading});
    values_.push_back(value);
  }
  const std::vector<Stat>& stats() const { return stats_; }
  const std::vector<uint64_t>& values() const { return values_; }

 private:
  std::vector<Stat> stats_;
  std::vector<uint64_t> values_;
};

/// A stat's values by index into Code::lines, kNone if it says nothing of the instruction.
struct StatColumn {
  static constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();

  std::string key;
  std::vector<uint64_t> values;

  template <class Self, class Member>
  static void visit(Self& self, Member&& member) {
    member(self.key), member(self.values);
  }
};

/// A unit's counts by static instruction. `Counts` has `void list(StatList&) const`, and
/// `static bool applies(const isa::CodeLine&)`: whether the unit has to do with the instruction.
template <class Counts>
class InstructionCounts {
 public:
  Counts& operator[](size_t index) {
    if (index >= size_) grow(index + 1);
    return counts_[index];
  }

  /// Adds to the columns, one for each stat; several units of a kind are counted together.
  void add_to(const isa::Code& code, std::vector<StatColumn>* columns) const {
    for (size_t index = 0; index < code.lines.size(); ++index) {
      if (!Counts::applies(code.lines[index])) continue;
      StatList list;
      (index < counts_.size() ? counts_[index] : Counts{}).list(list);
      for (size_t i = 0; i < list.stats().size(); ++i) {
        uint64_t& value = column_of(list.stats()[i], code.lines.size(), columns).values[index];
        value = (value == StatColumn::kNone ? 0 : value) + list.values()[i];
      }
    }
  }

 private:
  [[gnu::noinline]] void grow(size_t size) {
    counts_.resize(size);
    size_ = size;
  }
  static StatColumn& column_of(const Stat& stat, size_t instructions,
                               std::vector<StatColumn>* columns) {
    for (StatColumn& column : *columns) {
      if (column.key == stat.key) return column;
    }
    columns->push_back({stat.key, std::vector<uint64_t>(instructions, StatColumn::kNone)});
    return columns->back();
  }

  std::vector<Counts> counts_;
  size_t size_ = 0;  ///< of counts_, which takes longer to ask
};

}  // namespace shflsim::model
