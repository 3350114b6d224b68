// SPDX-License-Identifier: Apache-2.0
// List scheduling: among the ready lines of a block, the line with the longest path to the block's
// end goes first.
#include <algorithm>
#include <array>
#include <optional>
#include <queue>
#include <set>

#include "isa/ptx/lines/definitions.h"
#include "isa/ptx/lines/operations.h"
#include "isa/ptx/lines/uses.h"
#include "isa/ptx/passes/optimise.h"
#include "isa/ptx/passes/pressure.h"

namespace shflsim::isa::ptx {
namespace {

struct Edge {
  size_t to = 0;
  unsigned cycles = 0;
};

/// The lines of a block that have read and written each slot and the carry. One object is used for
/// all blocks, since most use few of the slots.
class SlotHistory {
 public:
  using Lines = std::vector<size_t>;
  struct Slot {
    Lines writers;    ///< the last ones
    Lines readers;    ///< readers since the last writers
    int written = 0;  ///< writes so far
    bool is_used = false;
  };
  explicit SlotHistory(const Slots& slots) : all_(static_cast<size_t>(slots.count()) + 1) {}

  Slot& at(int slot) {
    Slot& found = all_[static_cast<size_t>(slot)];
    if (!found.is_used) used_.push_back(&found);
    found.is_used = true;
    return found;
  }
  int written(int slot) const { return all_[static_cast<size_t>(slot)].written; }
  void forget() {
    for (Slot* slot : used_) {
      slot->writers.clear();
      slot->readers.clear();
      slot->written = 0;
      slot->is_used = false;
    }
    used_.clear();
  }

 private:
  std::vector<Slot> all_;
  std::vector<Slot*> used_;
};

/// The dependences between the lines of a block.
class Dependences {
 public:
  Dependences(const Slots& slots, const std::vector<Line>& lines, SlotHistory* history)
      : slots_(slots), lines_(lines), edges_(lines.size()), history_(*history) {
    history_.forget();
    for (size_t i = 0; i < lines.size(); ++i) add(i);
  }

  const std::vector<Edge>& behind(size_t line) const { return edges_[line]; }

 private:
  struct Bytes {
    std::vector<int> base;  ///< slots, and how often each has been written
    int64_t first = 0;
    int64_t end = 0;
  };
  struct Access {
    size_t line;
    std::optional<Bytes> bytes;
  };
  int carry() const { return slots_.count(); }

  void add(size_t i) {
    const Line& line = lines_[i];
    for_each_slot_read(slots_, line,
                       [&](int slot, bool is_predicate) { read(i, slot, is_predicate); });
    if (reads_carry(line)) read(i, carry(), false);
    keep_effects(i);
    for_each_slot_written(slots_, line, [&](int slot) { write(i, slot); });
    if (line.sets_cc) write(i, carry());
    keep_places(i);
  }

  void keep_places(size_t i) {
    if (stays_in_place(lines_[i])) {
      for (size_t j = in_place_.value_or(0); j < i; ++j) edges_[j].push_back({i, 1});
      in_place_ = i;
    } else if (in_place_) {
      edges_[*in_place_].push_back({i, 1});
    }
  }

  void read(size_t i, int slot, bool is_predicate) {
    SlotHistory::Slot& at = history_.at(slot);
    for (const size_t w : at.writers) {
      edges_[w].push_back({i, latency_between(lines_[w], lines_[i], is_predicate)});
    }
    at.readers.push_back(i);
  }

  /// A guarded write keeps the old value in some lanes, so that readers wait for both writers.
  void write(size_t i, int slot) {
    SlotHistory::Slot& at = history_.at(slot);
    ++at.written;
    for (const size_t r : at.readers) {
      if (r != i) edges_[r].push_back({i, 1});
    }
    // Of many guarded writes in a row, the last represents those before it.
    constexpr size_t kMostWriters = 8;
    const bool stands_for_all = lines_[i].guard >= 0 && at.writers.size() >= kMostWriters;
    for (const size_t w : at.writers) {
      edges_[w].push_back({i, stands_for_all ? latency_between(lines_[w], lines_[i], false) : 1});
    }
    if (lines_[i].guard < 0 || stands_for_all) at.writers.clear();
    at.readers.clear();
    at.writers.push_back(i);
  }

  void keep_effects(size_t i) {
    const Effect effect = effect_of(lines_[i]);
    if (effect == Effect::kNone) return;
    if (effect == Effect::kFence) {
      for (const size_t j : effects_) edges_[j].push_back({i, 1});
      effects_.clear();
      for (auto& accesses : accesses_) accesses.clear();
      fence_ = i;
    } else if (fence_) {
      edges_[*fence_].push_back({i, 1});
    }
    effects_.push_back(i);
    if (effect == Effect::kLoad || effect == Effect::kStore) keep_accesses(i);
  }

  /// Loads of one space stay in order too: the second of two reads by a thread must not return the
  /// older value. Loads move past stores without common bytes. Of many accesses, the last
  /// represents those before it.
  void keep_accesses(size_t i) {
    const Space own = space_of(lines_[i].op());
    const Access access = {i, bytes_of(lines_[i])};
    for (size_t space = 0; space < kSpaces; ++space) {
      const auto other = static_cast<Space>(space);
      if (other != own && other != Space::kAny && own != Space::kAny) continue;
      for (const Access& before : accesses_[space]) {
        if (!are_apart(before, access)) edges_[before.line].push_back({i, 1});
      }
    }
    constexpr size_t kMostAccesses = 64;
    std::vector<Access>& accesses = accesses_[static_cast<size_t>(own)];
    if (accesses.size() >= kMostAccesses) {
      for (const Access& before : accesses) edges_[before.line].push_back({i, 1});
      accesses.clear();
    }
    accesses.push_back(access);
  }

  /// The bytes that a line accesses, relative to its base register; nullopt if they are unknown or
  /// if the access must keep its order.
  std::optional<Bytes> bytes_of(const Line& line) const {
    const int64_t bytes = bytes_accessed(line);
    const auto at = std::find_if(line.terms.begin(), line.terms.end(),
                                 [](const Term& term) { return term.is(Term::Kind::kMemory); });
    if (line.keeps_order || bytes == 0 || at == line.terms.end() || at->beyond) return std::nullopt;
    Bytes place;
    place.first = at->offset;
    place.end = at->offset + bytes;
    for (int k = 0; at->id >= 0 && k < Slots::width(*at); ++k) {
      const int slot = slots_.of(*at) + k;
      place.base.push_back(slot);
      place.base.push_back(history_.written(slot));
    }
    return place;
  }

  bool are_apart(const Access& a, const Access& b) const {
    const bool a_loads = effect_of(lines_[a.line]) == Effect::kLoad;
    const bool b_loads = effect_of(lines_[b.line]) == Effect::kLoad;
    if (a_loads == b_loads || !a.bytes || !b.bytes || a.bytes->base != b.bytes->base) return false;
    return space_of(lines_[a.line].op()) == space_of(lines_[b.line].op()) &&
           (a.bytes->end <= b.bytes->first || b.bytes->end <= a.bytes->first);
  }

  const Slots& slots_;
  const std::vector<Line>& lines_;
  std::vector<std::vector<Edge>> edges_;
  SlotHistory& history_;
  SlotHistory::Lines effects_;  ///< lines with effects since the last fence, the fence included
  std::optional<size_t> fence_;
  std::array<std::vector<Access>, kSpaces> accesses_;  ///< by space, since the last fence
  std::optional<size_t> in_place_;                     ///< last line that no other line moves past
};

class BlockOrder {
 public:
  BlockOrder(const std::vector<Line>& lines, const Dependences& dependences, Pressure* pressure)
      : lines_(lines),
        pressure_(*pressure),
        dependences_(dependences),
        ahead_(lines.size()),
        open_(lines.size()),
        start_(lines.size()) {
    for (const Line& line : lines) sides_.push_back(pair_side_of(line));
    for (size_t i = lines.size(); i-- > 0;) {
      for (const Edge& edge : dependences_.behind(i)) {
        ahead_[i] = std::max(ahead_[i], ahead_[edge.to] + edge.cycles);
        ++open_[edge.to];
      }
    }
  }

  std::vector<size_t> run() {
    for (size_t i = 0; i < open_.size(); ++i) {
      if (open_[i] == 0) waiting_.push({0, i});
    }
    std::vector<size_t> order;
    for (uint64_t now = 0; order.size() < open_.size(); ++now) {
      admit(now);
      const std::optional<size_t> chosen = choose();
      if (!chosen) continue;
      const std::optional<size_t> partner = partner_of(*chosen);
      const bool is_second = sides_[*chosen] == PairSide::kSecond;
      if (partner && is_second) order.push_back(*partner);
      order.push_back(*chosen);
      if (partner && !is_second) order.push_back(*partner);
      issue(*chosen, now);
      if (partner) issue(*partner, now);
    }
    return order;
  }

 private:
  using Start = std::pair<uint64_t, size_t>;

  /// Makes the lines ready whose operands are available now; if none is ready, advances the time.
  void admit(uint64_t& now) {
    if (ready_.empty()) now = std::max(now, waiting_.top().first);
    while (!waiting_.empty() && waiting_.top().first <= now) {
      const size_t i = waiting_.top().second;
      waiting_.pop();
      ready_.insert({-static_cast<int64_t>(ahead_[i]), i});
      early_.insert(i);
    }
  }

  /// The most urgent line that there are registers for. If there is none and no line is waiting,
  /// the first line in the text, whose order needs no more registers than the source code does.
  std::optional<size_t> choose() {
    size_t looks = 0;
    std::optional<size_t> chosen =
        most_urgent([this](size_t i) { return !pressure_.is_too_much(lines_[i]); }, &looks);
    for (auto each = early_.begin(); each != early_.end() && !chosen && looks > 0;
         ++each, --looks) {
      if (!pressure_.is_too_much(lines_[*each])) chosen = *each;
    }
    if (!chosen && !waiting_.empty()) return std::nullopt;
    if (!chosen) chosen = *early_.begin();
    take(*chosen);
    return chosen;
  }

  /// The most urgent line that can issue in the same cycle as `chosen`.
  std::optional<size_t> partner_of(size_t chosen) {
    if (sides_[chosen] == PairSide::kNone) return std::nullopt;
    const PairSide other =
        sides_[chosen] == PairSide::kFirst ? PairSide::kSecond : PairSide::kFirst;
    const auto goes_along = [&](size_t i) {
      return sides_[i] == other && !pressure_.is_too_much(lines_[i]);
    };
    size_t looks = 0;
    const std::optional<size_t> partner = most_urgent(goes_along, &looks);
    if (partner) take(*partner);
    return partner;
  }

  template <class Suits>
  std::optional<size_t> most_urgent(Suits suits, size_t* looks) const {
    constexpr size_t kMostLooks = 64;
    for (auto each = ready_.begin(); each != ready_.end() && *looks < kMostLooks; ++each) {
      ++*looks;
      if (suits(each->second)) return each->second;
    }
    return std::nullopt;
  }

  void take(size_t i) {
    ready_.erase({-static_cast<int64_t>(ahead_[i]), i});
    early_.erase(i);
    pressure_.place(lines_[i]);
  }

  void issue(size_t i, uint64_t now) {
    for (const Edge& edge : dependences_.behind(i)) {
      start_[edge.to] = std::max(start_[edge.to], now + edge.cycles);
      if (--open_[edge.to] == 0) waiting_.push({start_[edge.to], edge.to});
    }
  }

  const std::vector<Line>& lines_;
  Pressure& pressure_;
  const Dependences& dependences_;
  std::vector<PairSide> sides_;  ///< by line
  std::vector<uint64_t> ahead_;  ///< by line: cycles from it to the end of the block
  std::vector<unsigned> open_;   ///< by line: dependences on lines not yet placed
  std::vector<uint64_t> start_;
  std::priority_queue<Start, std::vector<Start>, std::greater<>> waiting_;
  std::set<std::pair<int64_t, size_t>> ready_;  ///< by longest path to the end, then in text order
  std::set<size_t> early_;                      ///< the lines of ready_ in text order
};

}  // namespace

void schedule_lines(Code* code, const Position& where) {
  const Slots slots(*code);
  const std::vector<Ids> live = live_on_entry(*code, where);
  SlotHistory history(slots);
  Pressure pressure(*code);
  for (size_t b = 0; b < live.size(); ++b) {
    Block& block = code->blocks[b];
    if (block.lines.empty()) continue;
    pressure.start(block.lines, live[b], live_behind(block, live));
    const Dependences dependences(slots, block.lines, &history);
    std::vector<Line> ordered;
    for (const size_t i : BlockOrder(block.lines, dependences, &pressure).run()) {
      ordered.push_back(std::move(block.lines[i]));
    }
    block.lines = std::move(ordered);
  }
}

}  // namespace shflsim::isa::ptx
