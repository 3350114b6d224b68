// SPDX-License-Identifier: Apache-2.0
// Linear scan: every virtual register gets the lowest number that is free from its first line to
// its last one, loops included.
#include <algorithm>
#include <deque>
#include <set>

#include "isa/ptx/lines.h"

namespace shflsim::isa::ptx {
namespace {

constexpr unsigned kRegisters = 255;
constexpr unsigned kPredicates = 7;

using IdSet = std::set<int>;
using Ids = std::vector<int>;  ///< in ascending order

struct Interval {
  int id = 0;
  int first = -1;
  int last = -1;
  void include(int position) {
    if (first < 0 || position < first) first = position;
    last = std::max(last, position);
  }
};

/// Calls read(id) and written(id, whether it ends what the register held before).
template <class Read, class Written>
void for_each_use(const Code& code, const Line& line, Read read, Written written) {
  if (line.guard >= 0) read(line.guard);
  for (const std::vector<Term>* terms : {&line.terms, &line.membermask}) {
    for (const Term& term : *terms) {
      if (!term.is_register()) continue;
      if (!term.written) {
        read(term.id);
      } else {
        // Lowering writes the lower part of a pair first, and reads a temporary register only under
        // the guard that it was written under.
        const bool temporary = code.registers[static_cast<size_t>(term.id)].name.empty();
        written(term.id, (line.guard < 0 || temporary) && term.part == 0);
      }
    }
  }
}

/// What is read in the block before it is written, and what is written for certain.
struct Summary {
  IdSet read_first;
  IdSet killed;
};

Summary summary_of(const Code& code, const Block& block) {
  Summary summary;
  const auto read = [&summary](int id) {
    if (summary.killed.count(id) == 0) summary.read_first.insert(id);
  };
  for (const Line& line : block.lines) {
    std::vector<int> kills;
    for_each_use(code, line, read, [&](int id, bool ends) {
      if (ends) kills.push_back(id);
    });
    summary.killed.insert(kills.begin(), kills.end());
  }
  if (block.guard >= 0) read(block.guard);
  return summary;
}

/// What is live where `block` begins, given what is where each block does.
Ids live_before(const Block& block, const Summary& summary, const std::vector<Ids>& live) {
  IdSet now = summary.read_first;
  for (const int next : {block.taken, block.next}) {
    if (next < 0) continue;
    for (const int id : live[static_cast<size_t>(next)]) {
      if (summary.killed.count(id) == 0) now.insert(id);
    }
  }
  return {now.begin(), now.end()};
}

[[noreturn]] void fail_for_room(const Position& where, bool predicates) {
  throw InputError(
      where, predicates ? "more predicates in use at once than there are; expected 7 at most"
                        : "more registers in use at once than there are; expected 255 at most");
}

/// What is live at once has to fit, which also keeps these lists short.
void check_room(const Code& code, const Ids& live, const Position& where) {
  const auto is_predicate = [&code](int id) {
    return code.registers[static_cast<size_t>(id)].width == 0;
  };
  const auto predicates =
      static_cast<size_t>(std::count_if(live.begin(), live.end(), is_predicate));
  if (predicates > kPredicates) fail_for_room(where, true);
  if (live.size() - predicates > kRegisters) fail_for_room(where, false);
}

std::vector<std::vector<size_t>> blocks_before(const Code& code) {
  std::vector<std::vector<size_t>> before(code.blocks.size());
  for (size_t b = 0; b < code.blocks.size(); ++b) {
    for (const int next : {code.blocks[b].taken, code.blocks[b].next}) {
      if (next >= 0) before[static_cast<size_t>(next)].push_back(b);
    }
  }
  return before;
}

std::vector<Ids> live_on_entry(const Code& code, const Position& where) {
  const std::vector<std::vector<size_t>> before = blocks_before(code);
  std::vector<Summary> summaries;
  std::vector<Ids> live(code.blocks.size());
  std::deque<size_t> open;  // blocks behind which something has become live, each once
  std::vector<bool> is_open(code.blocks.size(), true);
  for (size_t b = 0; b < code.blocks.size(); ++b) {
    summaries.push_back(summary_of(code, code.blocks[b]));
    open.push_front(b);
  }
  while (!open.empty()) {
    const size_t b = open.front();
    open.pop_front();
    is_open[b] = false;
    Ids now = live_before(code.blocks[b], summaries[b], live);
    if (now.size() == live[b].size()) continue;
    check_room(code, now, where);
    live[b] = std::move(now);
    for (const size_t each : before[b]) {
      if (!is_open[each]) open.push_back(each);
      is_open[each] = true;
    }
  }
  return live;
}

std::vector<Interval> intervals_of(const Code& code, const Position& where) {
  std::vector<Interval> intervals(code.registers.size());
  for (size_t i = 0; i < intervals.size(); ++i) intervals[i].id = static_cast<int>(i);
  const auto include = [&intervals](int id, int position) {
    intervals[static_cast<size_t>(id)].include(position);
  };
  const std::vector<Ids> live = live_on_entry(code, where);
  int position = 0;
  for (size_t b = 0; b < code.blocks.size(); ++b) {
    const Block& block = code.blocks[b];
    for (const int id : live[b]) include(id, position);
    for (const Line& line : block.lines) {
      // Results may take the place of sources that end here.
      for_each_use(
          code, line, [&](int id) { include(id, position); },
          [&](int id, bool) { include(id, position + 1); });
      position += 2;
    }
    if (block.guard >= 0) include(block.guard, position);
    for (const int next : {block.taken, block.next}) {
      if (next < 0) continue;
      for (const int id : live[static_cast<size_t>(next)]) include(id, position + 1);
    }
    position += 2;
  }
  for (Interval& interval : intervals) {
    if (!code.registers[static_cast<size_t>(interval.id)].keep) continue;
    interval.include(0);
    interval.include(position);
  }
  return intervals;
}

/// Registers or predicates by number: until which position each is taken.
class Places {
 public:
  explicit Places(unsigned count) : until_(count, -1) {}

  /// The lowest `width` free ones in a row, from a multiple of `width`; -1 if there are none.
  int take(unsigned width, const Interval& interval) {
    for (unsigned at = 0; at + width <= until_.size(); at += width) {
      const auto begin = until_.begin() + at;
      if (std::any_of(begin, begin + width, [&](int end) { return end >= interval.first; }))
        continue;
      std::fill(begin, begin + width, interval.last);
      return static_cast<int>(at);
    }
    return -1;
  }

 private:
  std::vector<int> until_;
};

}  // namespace

std::vector<uint8_t> allocate(const Code& code, const Position& where) {
  std::vector<Interval> intervals = intervals_of(code, where);
  std::stable_sort(intervals.begin(), intervals.end(),
                   [](const Interval& a, const Interval& b) { return a.first < b.first; });
  Places registers(kRegisters);
  Places predicates(kPredicates);
  std::vector<uint8_t> numbers(code.registers.size());
  for (const Interval& interval : intervals) {
    if (interval.first < 0) continue;
    const unsigned width = code.registers[static_cast<size_t>(interval.id)].width;
    const int number = width == 0 ? predicates.take(1, interval) : registers.take(width, interval);
    if (number < 0) fail_for_room(where, width == 0);
    numbers[static_cast<size_t>(interval.id)] = static_cast<uint8_t>(number);
  }
  return numbers;
}

}  // namespace shflsim::isa::ptx
