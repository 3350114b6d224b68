// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "isa/code/code.h"

namespace shflsim::model {

/// A figure that a unit counts for each static instruction. It is declared once, in `list` of the
/// unit's counts, and becomes a column of every report, of the totals and of `list stats`.
struct Stat {
  const char* key;
  const char* unit;
  const char* help;     ///< help text, one sentence
  const char* heading;  ///< column heading of the table, in two lines
};

/// Collects the declarations and the values of a unit's counts for one instruction.
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

/// The values of a stat by index into Code::lines; kNone if it does not apply to an instruction.
struct StatColumn {
  static constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();

  std::string key;
  std::vector<uint64_t> values;

  template <class Self, class Member>
  static void visit(Self& self, Member&& member) {
    member(self.key), member(self.values);
  }
};

/// A unit's counts by static instruction. `Counts` has `void list(StatList&) const`, and `static
/// bool applies(const isa::CodeLine&)`: true if the unit executes the instruction.
template <class Counts>
class InstructionCounts {
 public:
  Counts& operator[](size_t index) {
    if (index >= size_) grow(index + 1);
    return counts_[index];
  }

  /// Adds the counts of another unit.
  void add(const InstructionCounts& other) {
    for (size_t index = 0; index < other.size_; ++index) (*this)[index].add(other.counts_[index]);
  }
  /// Adds the counts to the columns, one per stat; several units of one kind share columns.
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
  [[gnu::cold]] void grow(size_t size) {
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
  size_t size_ = 0;  ///< counts_.size(), stored because it is read often
};

}  // namespace shflsim::model
