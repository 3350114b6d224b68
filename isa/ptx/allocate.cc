// SPDX-License-Identifier: Apache-2.0
// Linear scan: every virtual register gets the lowest number that is free from its first line to
// its last one, loops included.
#include <algorithm>
#include <limits>
#include <utility>

#include "isa/ptx/banks.h"
#include "isa/ptx/optimise.h"
#include "isa/ptx/uses.h"

namespace shflsim::isa::ptx {
namespace {

struct Interval {
  int id = 0;
  int first = -1;
  int last = -1;
  void include(int position) {
    if (first < 0 || position < first) first = position;
    last = std::max(last, position);
  }
};

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
          line, [&](int id) { include(id, position); }, [&](int id) { include(id, position + 1); });
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

  /// Leaves the register to what is fixed to it.
  void reserve(int place) { until_[static_cast<size_t>(place)] = std::numeric_limits<int>::max(); }

  /// The preferred one, else `width` free ones in a row, from a multiple of `width`; -1 if there
  /// are none. Of those that cost no warp its place the ones in whose bank the fewest reads
  /// collide, and of these the ones that have been free for longest: what reads its sources late,
  /// such as a load, does not hold up who takes their place.
  int take(unsigned width, const Interval& interval, int preferred,
           const Collisions& collisions = {}) {
    if (preferred >= 0 && is_free(static_cast<unsigned>(preferred), width, interval)) {
      return occupy(static_cast<unsigned>(preferred), width, interval);
    }
    const auto cost = [&](unsigned at) {
      return std::pair(collisions[at % kBanks], end_of(at, width));
    };
    int best = -1;
    for (unsigned at = 0; at + width <= until_.size(); at += width) {
      if (at + width > kFreeOfCost && best >= 0) break;
      if (!is_free(at, width, interval)) continue;
      if (best < 0 || cost(at) < cost(static_cast<unsigned>(best))) best = static_cast<int>(at);
    }
    return best < 0 ? -1 : occupy(static_cast<unsigned>(best), width, interval);
  }

 private:
  static constexpr unsigned kFreeOfCost = 32;  // registers of a thread with all warps resident

  int end_of(unsigned at, unsigned width) const {
    return *std::max_element(until_.begin() + at, until_.begin() + at + width);
  }
  bool is_free(unsigned at, unsigned width, const Interval& interval) const {
    return end_of(at, width) < interval.first;
  }
  int occupy(unsigned at, unsigned width, const Interval& interval) {
    std::fill(until_.begin() + at, until_.begin() + at + width, interval.last);
    return static_cast<int>(at);
  }

  std::vector<int> until_;
};

bool is_copy(const Line& line) {
  const auto is_plain = [](const Term& term) {
    return term.kind == Term::Kind::kRegister && term.before.empty() && term.after.empty();
  };
  return line.operation == "MOV" && is_plain(line.terms[0]) && is_plain(line.terms[1]);
}

/// By single register: the one that it is copied from, -1 for none. Where that one ends with the
/// copy both can be one.
Ids copied_from(const Code& code) {
  Ids from(code.registers.size(), -1);
  const auto is_single = [&code](const Term& term) {
    return code.registers[static_cast<size_t>(term.id)].width == 1;
  };
  for (const Block& block : code.blocks) {
    for (const Line& line : block.lines) {
      if (!is_copy(line) || !is_single(line.terms[0]) || !is_single(line.terms[1])) continue;
      from[static_cast<size_t>(line.terms[0].id)] = line.terms[1].id;
    }
  }
  return from;
}

}  // namespace

void drop_moves_in_place(Code* code, const std::vector<uint8_t>& numbers) {
  const auto number = [&numbers](const Term& term) {
    return numbers[static_cast<size_t>(term.id)] + term.part;
  };
  for (Block& block : code->blocks) {
    const auto does_nothing = [&number](const Line& line) {
      return is_copy(line) && number(line.terms[0]) == number(line.terms[1]);
    };
    block.lines.erase(std::remove_if(block.lines.begin(), block.lines.end(), does_nothing),
                      block.lines.end());
  }
}

std::vector<uint8_t> allocate(const Code& code, const Position& where) {
  std::vector<Interval> intervals = intervals_of(code, where);
  std::stable_sort(intervals.begin(), intervals.end(),
                   [](const Interval& a, const Interval& b) { return a.first < b.first; });
  Places registers(kRegisters);
  Places predicates(kPredicates);
  SharedReads reads(code);
  std::vector<uint8_t> numbers(code.registers.size());
  for (size_t id = 0; id < numbers.size(); ++id) {
    const int fixed = code.registers[id].fixed;
    if (fixed < 0) continue;
    registers.reserve(fixed);
    numbers[id] = static_cast<uint8_t>(fixed);
    reads.place(static_cast<int>(id), numbers[id]);
  }
  const Ids sources = copied_from(code);
  for (const Interval& interval : intervals) {
    const auto id = static_cast<size_t>(interval.id);
    if (interval.first < 0 || code.registers[id].fixed >= 0) continue;
    const unsigned width = code.registers[id].width;
    const int source = sources[id];
    const int preferred = source < 0 ? -1 : numbers[static_cast<size_t>(source)];
    const int number =
        width == 0 ? predicates.take(1, interval, -1)
                   : registers.take(width, interval, preferred, reads.collisions(interval.id));
    if (number < 0) fail_for_room(where, width == 0);
    numbers[id] = static_cast<uint8_t>(number);
    if (width != 0) reads.place(interval.id, numbers[id]);
  }
  return numbers;
}

namespace {

/// Takes registers out where there are more in use than there is room for.
class Choice {
 public:
  Choice(const Code& code, const Room& room, const Position& where)
      : code_(code), room_(room), intervals_(intervals_of(code, where)), uses_(intervals_.size()) {
    for (const Block& block : code.blocks) {
      for (const Line& line : block.lines) {
        const auto count = [this](int id) { ++uses_[static_cast<size_t>(id)]; };
        for_each_use(line, count, [&count](int id) { count(id); });
      }
    }
    std::stable_sort(intervals_.begin(), intervals_.end(),
                     [](const Interval& a, const Interval& b) { return a.first < b.first; });
  }

  std::set<int> run() {
    for (const Interval& interval : intervals_) {
      if (interval.first < 0 || code_.registers[static_cast<size_t>(interval.id)].fixed >= 0)
        continue;
      const bool is_predicate = width(interval) == 0;
      std::vector<Interval>& open = is_predicate ? predicates_ : registers_;
      open.erase(std::remove_if(open.begin(), open.end(),
                                [&](const Interval& each) { return each.last < interval.first; }),
                 open.end());
      open.push_back(interval);
      while (in_use(open) > (is_predicate ? room_.predicates : room_.registers) &&
             take_out_one(&open)) {
      }
    }
    return std::move(chosen_);
  }

 private:
  unsigned width(const Interval& interval) const {
    return code_.registers[static_cast<size_t>(interval.id)].width;
  }

  unsigned in_use(const std::vector<Interval>& open) const {
    unsigned sum = 0;
    for (const Interval& each : open) sum += std::max(width(each), 1u);
    return sum;
  }

  /// The longest by how often it is used.
  bool take_out_one(std::vector<Interval>* open) {
    const auto gain = [this](const Interval& each) {
      const VirtualRegister& held = code_.registers[static_cast<size_t>(each.id)];
      if (held.keep || held.is_short) return -1.0;
      return static_cast<double>(each.last - each.first) /
             static_cast<double>(1 + uses_[static_cast<size_t>(each.id)]);
    };
    const auto best = std::max_element(
        open->begin(), open->end(),
        [&gain](const Interval& a, const Interval& b) { return gain(a) < gain(b); });
    if (best == open->end() || gain(*best) < 0) return false;
    chosen_.insert(best->id);
    open->erase(best);
    return true;
  }

  const Code& code_;
  const Room room_;
  std::vector<Interval> intervals_;
  std::vector<unsigned> uses_;       ///< by register
  std::vector<Interval> registers_;  ///< in use where the search is
  std::vector<Interval> predicates_;
  std::set<int> chosen_;
};

}  // namespace

std::set<int> too_many_for(const Code& code, const Room& room, const Position& where) {
  return Choice(code, room, where).run();
}

}  // namespace shflsim::isa::ptx
