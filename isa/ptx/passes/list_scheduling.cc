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

namespace shflsim::isa::ptx {
namespace {

struct Edge {
  size_t to = 0;
  unsigned cycles = 0;
};

/// What has to wait for what within a block.
class Dependences {
 public:
  Dependences(const Slots& slots, const std::vector<Line>& lines)
      : slots_(slots),
        lines_(lines),
        edges_(lines.size()),
        writers_(static_cast<size_t>(slots.count()) + 1),
        readers_(writers_.size()),
        written_(writers_.size()) {
    for (size_t i = 0; i < lines.size(); ++i) add(i);
  }

  const std::vector<Edge>& behind(size_t line) const { return edges_[line]; }

 private:
  using Lines = std::vector<size_t>;
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
    const auto at = static_cast<size_t>(slot);
    for (const size_t w : writers_[at]) {
      edges_[w].push_back({i, latency_between(lines_[w], lines_[i], is_predicate)});
    }
    readers_[at].push_back(i);
  }

  /// A guarded write leaves what was there before in some lanes: both are waited for.
  void write(size_t i, int slot) {
    const auto at = static_cast<size_t>(slot);
    ++written_[at];
    for (const size_t r : readers_[at]) {
      if (r != i) edges_[r].push_back({i, 1});
    }
    // Of many guarded writes in a row, the last stands for those before it.
    constexpr size_t kMostWriters = 8;
    const bool stands_for_all = lines_[i].guard >= 0 && writers_[at].size() >= kMostWriters;
    for (const size_t w : writers_[at]) {
      edges_[w].push_back({i, stands_for_all ? latency_between(lines_[w], lines_[i], false) : 1});
    }
    if (lines_[i].guard < 0 || stands_for_all) writers_[at].clear();
    readers_[at].clear();
    writers_[at].push_back(i);
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

  /// The bytes that a line accesses, counted from what its base holds there; none where others may
  /// be meant by that.
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
      place.base.push_back(written_[static_cast<size_t>(slot)]);
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
  std::vector<Lines> writers_;  ///< last writers, by slot and of the carry
  std::vector<Lines> readers_;  ///< readers since the last writers
  Lines effects_;               ///< lines with effects since the last fence, the fence included
  std::optional<size_t> fence_;
  std::array<std::vector<Access>, kSpaces> accesses_;  ///< by space, since the last fence
  std::vector<int> written_;                           ///< by slot: writes so far
  std::optional<size_t> in_place_;                     ///< last line that no other line moves past
};

/// How many registers and predicates are in use while lines are placed.
class Pressure {
 public:
  Pressure(const Code& code, const std::vector<Line>& lines, const Ids& before, const Ids& behind)
      : code_(code), reads_(code.registers.size()), is_live_(code.registers.size()) {
    for (const int id : behind) ++reads_[static_cast<size_t>(id)];
    for (const Line& line : lines) {
      for_each_use(
          line, [this](int id) { ++reads_[static_cast<size_t>(id)]; }, [](int) {});
    }
    for (const int id : before) begin(id);
  }

  void place(const Line& line) {
    for_each_use(
        line, [this](int id) { end_read(id); }, [this](int id) { begin(id); });
  }

  /// Whether the line would take one more of what is nearly used up.
  bool is_too_much(const Line& line) const {
    int predicates = 0;
    int registers = 0;
    for_each_use(
        line, [](int) {},
        [&](int id) {
          if (is_live_[static_cast<size_t>(id)] || reads_[static_cast<size_t>(id)] == 0) return;
          (width(id) == 0 ? predicates : registers) += std::max(width(id), 1);
        });
    return (predicates > 0 && predicates_ + predicates > kMostPredicates) ||
           (registers > 0 && registers_ + registers > kMostRegisters);
  }

 private:
  // Pairs leave gaps, and what is placed last has to find room as well.
  static constexpr int kMostPredicates = 6;
  static constexpr int kMostRegisters = 160;

  int width(int id) const { return code_.registers[static_cast<size_t>(id)].width; }
  int& in_use(int id) { return width(id) == 0 ? predicates_ : registers_; }

  void begin(int id) {
    const auto at = static_cast<size_t>(id);
    if (is_live_[at] || reads_[at] == 0) return;
    is_live_[at] = true;
    in_use(id) += std::max(width(id), 1);
  }

  void end_read(int id) {
    const auto at = static_cast<size_t>(id);
    if (--reads_[at] > 0 || !is_live_[at]) return;
    is_live_[at] = false;
    in_use(id) -= std::max(width(id), 1);
  }

  const Code& code_;
  std::vector<int>
      reads_;  ///< by register: those still to come, and one more if the next blocks do
  std::vector<bool> is_live_;
  int predicates_ = 0;
  int registers_ = 0;
};

class BlockOrder {
 public:
  BlockOrder(const Slots& slots, const std::vector<Line>& lines, const Pressure& pressure)
      : lines_(lines),
        pressure_(pressure),
        dependences_(slots, lines),
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

  /// Lines whose operands are there by now; where nothing could be placed before, the next ones.
  void admit(uint64_t& now) {
    if (ready_.empty()) now = std::max(now, waiting_.top().first);
    while (!waiting_.empty() && waiting_.top().first <= now) {
      const size_t i = waiting_.top().second;
      waiting_.pop();
      ready_.insert({-static_cast<int64_t>(ahead_[i]), i});
      early_.insert(i);
    }
  }

  /// The most urgent that there is room for. Where there is none, and nothing else to come, the
  /// first in the text, whose order leaves the room that its author left.
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

  /// The most urgent that can issue in the same cycle.
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
  Pressure pressure_;
  Dependences dependences_;
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
  for (size_t b = 0; b < live.size(); ++b) {
    Block& block = code->blocks[b];
    if (block.lines.empty()) continue;
    const Pressure pressure(*code, block.lines, live[b], live_behind(block, live));
    std::vector<Line> ordered;
    for (const size_t i : BlockOrder(slots, block.lines, pressure).run()) {
      ordered.push_back(std::move(block.lines[i]));
    }
    block.lines = std::move(ordered);
  }
}

}  // namespace shflsim::isa::ptx
