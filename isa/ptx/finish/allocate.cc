// SPDX-License-Identifier: Apache-2.0
// Linear scan: every virtual register gets a hardware register that is free from its first line to
// its last one, loops included.
#include <algorithm>
#include <limits>
#include <utility>

#include "isa/ptx/lines/banks.h"
#include "isa/ptx/lines/convention.h"
#include "isa/ptx/lines/intervals.h"
#include "isa/ptx/lines/operations.h"
#include "isa/ptx/lines/uses.h"
#include "isa/ptx/passes/optimise.h"

namespace shflsim::isa::ptx {
namespace {

/// For each hardware register (or predicate): the position until which it is taken.
class Places {
 public:
  explicit Places(unsigned count) : until_(count, -1) {}

  /// Reserves the register for the virtual register that is fixed to it.
  void reserve(int place) { until_[static_cast<size_t>(place)] = std::numeric_limits<int>::max(); }

  /// Takes the first preferred register that is free, else `width` free registers in a row, from a
  /// multiple of `width`; -1 if there are none. Below kFreeOfCost the cheapest are taken, and of
  /// these the ones that have been free for longest, so that a new value rarely waits for a line
  /// that reads its sources late, such as a load. `cost_of` a number that cannot be taken is -1.
  template <class CostOf>
  int take(unsigned width, const Interval& interval, const std::vector<int>& preferred,
           CostOf cost_of) {
    const auto is_taken = [&](unsigned at) {
      return end_of(at, width) >= interval.first || cost_of(at) < 0;
    };
    for (const int each : preferred) {
      const auto at = static_cast<unsigned>(each);
      const bool fits = each >= 0 && at % width == 0 && at + width <= until_.size();
      if (fits && !is_taken(at)) return occupy(at, width, interval);
    }
    const auto cost = [&](unsigned at) { return std::pair(cost_of(at), end_of(at, width)); };
    int best = -1;
    for (unsigned at = 0; at + width <= until_.size(); at += width) {
      if (at + width > kFreeOfCost && best >= 0) break;
      if (is_taken(at)) continue;
      if (best < 0 || cost(at) < cost(static_cast<unsigned>(best))) best = static_cast<int>(at);
    }
    return best < 0 ? -1 : occupy(static_cast<unsigned>(best), width, interval);
  }

 private:
  static constexpr unsigned kFreeOfCost = 32;  // registers per thread with all warps resident

  int end_of(unsigned at, unsigned width) const {
    return *std::max_element(until_.begin() + at, until_.begin() + at + width);
  }
  int occupy(unsigned at, unsigned width, const Interval& interval) {
    std::fill(until_.begin() + at, until_.begin() + at + width, interval.last);
    return static_cast<int>(at);
  }

  std::vector<int> until_;
};

bool is_copy(const Line& line) {
  const auto is_plain = [](const Term& term) {
    return term.is(Term::Kind::kRegister) && !term.has_sign() && term.is_whole();
  };
  return is_short_move(line) && is_plain(line.terms[0]) && is_plain(line.terms[1]);
}

/// Pairs of registers that should get the same number because one is copied to the other.
class Copies {
 public:
  explicit Copies(const Code& code)
      : code_(code), from_(code.registers.size()), to_(code.registers.size()) {
    for (auto block = code.blocks.rbegin(); block != code.blocks.rend(); ++block) {
      for (auto line = block->lines.rbegin(); line != block->lines.rend(); ++line) {
        if (is_copy(*line)) add(line->terms[0], line->terms[1]);
      }
    }
  }

  /// The numbers that would save a copy: that of the register's source, or of the call's register.
  std::vector<int> places(int id, const std::vector<uint8_t>& numbers) const {
    std::vector<int> places;
    for (const auto* copies : {&from_, &to_}) {
      for (const Copy& each : (*copies)[static_cast<size_t>(id)]) {
        places.push_back(numbers[static_cast<size_t>(each.other)] - each.part);
      }
    }
    return places;
  }

 private:
  struct Copy {
    int other;
    int part;  ///< part of this register that is copied from or to `other`
  };

  void add(const Term& written, const Term& read) {
    const auto at = [](const Term& term) { return static_cast<size_t>(term.id); };
    const bool is_single = code_.registers[at(written)].width == 1;
    const bool from_single = code_.registers[at(read)].width == 1;
    std::vector<Copy>& from = from_[at(written)];
    if (is_single && from_single && from.empty()) from.push_back({read.id, 0});
    if (!is_single && is_fixed(read)) from.push_back({read.id, written.part});
    if (is_fixed(written)) to_[at(read)].push_back({written.id, read.part});
    if (is_single && from_single && !to_[at(written)].empty()) {
      to_[at(read)].push_back(to_[at(written)].front());  // passed on to a call
    }
  }

  bool is_fixed(const Term& term) const {
    return code_.registers[static_cast<size_t>(term.id)].fixed >= 0;
  }

  const Code& code_;
  std::vector<std::vector<Copy>> from_;
  std::vector<std::vector<Copy>> to_;
};

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
  const Intervals intervals(code, where);
  Places registers(kRegisters);
  Places predicates(kPredicates);
  SharedReads reads(code);
  std::vector<uint8_t> numbers(code.registers.size());
  for (size_t id = 0; id < numbers.size(); ++id) {
    const int fixed = code.registers[id].fixed;
    if (fixed < 0) continue;
    if (static_cast<int>(id) == code.stack_pointer) registers.reserve(fixed);
    numbers[id] = static_cast<uint8_t>(fixed);
    reads.place(static_cast<int>(id), numbers[id]);
  }
  const Copies copies(code);
  for (const Interval& interval : intervals.in_order()) {
    const auto id = static_cast<size_t>(interval.id);
    const unsigned width = code.registers[id].width;
    const bool crosses = intervals.crosses_call(interval.id);
    const Collisions collisions = width == 0 ? Collisions{} : reads.collisions(interval.id);
    /// Values that do not live across a call should leave the preserved registers to those that do.
    const auto cost_of = [&](unsigned first) {
      bool is_kept = false;
      for (unsigned at = first; at < first + width; ++at) {
        if (intervals.meets_passed(at, interval.id) || (crosses && !is_preserved(at))) return -1;
        is_kept = is_kept || is_preserved(at);
      }
      constexpr int kMoreThanCollisions = 1 << 16;
      const bool is_spared = is_kept && !crosses && (intervals.has_calls() || code.is_called);
      return static_cast<int>(collisions[first % kBanks]) + (is_spared ? kMoreThanCollisions : 0);
    };
    const auto predicate_cost = [crosses](unsigned) { return crosses ? -1 : 0; };
    const int number =
        width == 0 ? predicates.take(1, interval, {}, predicate_cost)
                   : registers.take(width, interval, copies.places(interval.id, numbers), cost_of);
    if (number < 0) fail_for_room(where, width == 0);
    numbers[id] = static_cast<uint8_t>(number);
    if (width != 0) reads.place(interval.id, numbers[id]);
  }
  return numbers;
}

namespace {

/// Chooses registers to spill until those in use at once fit into the room.
class Choice {
 public:
  Choice(const Code& code, const Room& room, const Position& where)
      : code_(code), room_(room), intervals_(code, where), uses_(code.registers.size()) {
    for (const Block& block : code.blocks) {
      for (const Line& line : block.lines) {
        const auto count = [this](int id) { ++uses_[static_cast<size_t>(id)]; };
        for_each_use(line, count, [&count](int id) { count(id); });
      }
    }
  }

  std::set<int> run() {
    for (const Interval& interval : intervals_.in_order()) {
      const bool is_predicate = width(interval) == 0;
      if (intervals_.crosses_call(interval.id)) {
        if (is_predicate) chosen_.insert(interval.id);
        leave(room_.preserved, interval, &over_calls_);
      }
      leave(is_predicate ? room_.predicates : room_.registers, interval,
            is_predicate ? &predicates_ : &registers_);
    }
    return std::move(chosen_);
  }

 private:
  unsigned width(const Interval& interval) const {
    return code_.registers[static_cast<size_t>(interval.id)].width;
  }

  /// Adds the interval to those in use at its begin, and spills until they fit.
  void leave(unsigned room, const Interval& interval, std::vector<Interval>* open) {
    open->erase(std::remove_if(open->begin(), open->end(),
                               [&](const Interval& each) {
                                 return each.last < interval.first || chosen_.count(each.id) != 0;
                               }),
                open->end());
    if (chosen_.count(interval.id) == 0) open->push_back(interval);
    while (in_use(*open) > room && take_out_one(open)) {
    }
  }

  unsigned in_use(const std::vector<Interval>& open) const {
    unsigned sum = 0;
    for (const Interval& each : open) sum += std::max(width(each), 1u);
    return sum;
  }

  /// Spills the interval with the greatest length per use; false if none can be spilled.
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
  const Intervals intervals_;
  std::vector<unsigned> uses_;        ///< uses of each register
  std::vector<Interval> registers_;   ///< intervals in use at the current line
  std::vector<Interval> over_calls_;  ///< intervals in use at the current line that cross calls
  std::vector<Interval> predicates_;
  std::set<int> chosen_;
};

}  // namespace

std::set<int> too_many_for(const Code& code, const Room& room, const Position& where) {
  return Choice(code, room, where).run();
}

}  // namespace shflsim::isa::ptx
