// SPDX-License-Identifier: Apache-2.0
// Cycles with several entries have no head before which tokens could be pushed, so that threads in
// them would diverge for good. All but one of the entries are copied to before the cycle ("node
// splitting": M. S. Hecht, "Flow Analysis of Computer Programs", 1977).
#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "isa/ptx/lines/definitions.h"
#include "isa/ptx/passes/optimise.h"

namespace shflsim::isa::ptx {
namespace {

using BlockSet = std::set<int>;

class Splitter {
 public:
  explicit Splitter(Code* code)
      : code_(*code), flow_(flow_of(code_)), dominators_(0, flow_.successors, flow_.predecessors) {}

  /// True if a cycle was found and reduced to one entry.
  bool run() {
    const int on_cycle = block_on_cycle();
    if (on_cycle < 0) return false;
    const BlockSet cycle = cycle_of(on_cycle);
    const std::optional<BlockSet> copied = smallest_copy(cycle);
    if (copied) copy(cycle, *copied);
    return copied.has_value();
  }

 private:
  static constexpr size_t kMostLines = 100;  // most lines to copy for one cycle; assumed

  const std::vector<int>& after(int b) const { return flow_.successors[static_cast<size_t>(b)]; }
  const std::vector<int>& before(int b) const { return flow_.predecessors[static_cast<size_t>(b)]; }
  bool is_back_edge(int from, int to) const { return dominators_.dominates(to, from); }

  /// A block on a cycle without an edge back to a dominator (irreducible); -1 if there is none.
  int block_on_cycle() const {
    std::vector<int> open;
    std::vector<int> waits(flow_.successors.size());
    for (int b = 0; b < static_cast<int>(waits.size()); ++b) {
      if (!dominators_.is_reached(b)) continue;
      for (const int p : before(b)) waits[static_cast<size_t>(b)] += is_forward(p, b) ? 1 : 0;
    }
    open.push_back(0);
    while (!open.empty()) {
      const int b = open.back();
      open.pop_back();
      for (const int s : after(b)) {
        if (is_forward(b, s) && --waits[static_cast<size_t>(s)] == 0) open.push_back(s);
      }
    }
    return walk_back(waits);
  }

  bool is_forward(int from, int to) const {
    return dominators_.is_reached(from) && !is_back_edge(from, to);
  }

  /// Walks back from a waiting block over waiting blocks until one repeats; -1 if none waits.
  int walk_back(const std::vector<int>& waits) const {
    const auto still_waits = [&waits](int b) { return waits[static_cast<size_t>(b)] > 0; };
    int b = 0;
    while (b < static_cast<int>(waits.size()) && !still_waits(b)) ++b;
    if (b == static_cast<int>(waits.size())) return -1;
    for (BlockSet seen; seen.insert(b).second;) {
      b = *std::find_if(before(b).begin(), before(b).end(),
                        [&](int p) { return is_forward(p, b) && still_waits(p); });
    }
    return b;
  }

  /// True if the edge leads back to the head of a loop around the block.
  bool closes_loop_around(int b, int from, int to) const {
    return to != b && is_back_edge(from, to) && dominators_.dominates(to, b);
  }

  /// The blocks reached from a block by the edges that `go_on_from` enumerates.
  template <class GoOnFrom>
  static BlockSet reached(int from, const GoOnFrom& go_on_from) {
    BlockSet found = {from};
    std::vector<int> open = {from};
    while (!open.empty()) {
      const int b = open.back();
      open.pop_back();
      go_on_from(b, [&](int other) {
        if (found.insert(other).second) open.push_back(other);
      });
    }
    return found;
  }

  /// All blocks on cycles with the block, apart from the loops around it.
  BlockSet cycle_of(int b) const {
    const BlockSet forth = reached(b, [&](int at, const auto& go_on) {
      for (const int s : after(at)) {
        if (!closes_loop_around(b, at, s)) go_on(s);
      }
    });
    const BlockSet back = reached(b, [&](int at, const auto& go_on) {
      for (const int p : before(at)) {
        if (dominators_.is_reached(p) && !closes_loop_around(b, p, at)) go_on(p);
      }
    });
    BlockSet cycle;
    std::set_intersection(forth.begin(), forth.end(), back.begin(), back.end(),
                          std::inserter(cycle, cycle.begin()));
    return cycle;
  }

  std::vector<int> entries_of(const BlockSet& cycle) const {
    std::vector<int> entries;
    for (const int b : cycle) {
      const bool is_entry = std::any_of(before(b).begin(), before(b).end(), [&](int p) {
        return dominators_.is_reached(p) && cycle.count(p) == 0;
      });
      if (is_entry) entries.push_back(b);
    }
    return entries;
  }

  size_t lines_of(const BlockSet& blocks) const {
    size_t lines = 0;
    for (const int b : blocks) lines += code_.blocks[static_cast<size_t>(b)].lines.size() + 1;
    return lines;
  }

  /// The blocks of the cycle that the entries other than `head` reach without passing `head`.
  BlockSet reached_without(int head, const std::vector<int>& entries, const BlockSet& cycle) const {
    const auto within = [&](int at, const auto& go_on) {
      for (const int s : after(at)) {
        if (s != head && cycle.count(s) != 0) go_on(s);
      }
    };
    BlockSet found;
    for (const int entry : entries) {
      if (entry == head) continue;
      const BlockSet more = reached(entry, within);
      found.insert(more.begin(), more.end());
    }
    return found;
  }

  /// The smallest set of blocks to copy so that one entry remains; nullopt if it is too large.
  std::optional<BlockSet> smallest_copy(const BlockSet& cycle) const {
    const std::vector<int> entries = entries_of(cycle);
    std::optional<BlockSet> best;
    for (const int head : entries) {
      BlockSet copied = reached_without(head, entries, cycle);
      if (!best || lines_of(copied) < lines_of(*best)) best = std::move(copied);
    }
    if (!best || best->empty() || lines_of(*best) > kMostLines) return std::nullopt;
    return best;
  }

  void copy(const BlockSet& cycle, const BlockSet& copied) {
    std::vector<int> copies(code_.blocks.size(), -1);
    for (const int b : copied) {
      copies[static_cast<size_t>(b)] = static_cast<int>(code_.blocks.size());
      Block block = code_.blocks[static_cast<size_t>(b)];
      code_.blocks.push_back(std::move(block));
    }
    const auto redirect = [&copies](int* to) {
      if (*to >= 0 && copies[static_cast<size_t>(*to)] >= 0) *to = copies[static_cast<size_t>(*to)];
    };
    for (size_t b = 0; b < code_.blocks.size(); ++b) {
      if (cycle.count(static_cast<int>(b)) != 0) continue;
      redirect(&code_.blocks[b].taken);
      redirect(&code_.blocks[b].next);
    }
  }

  Code& code_;
  Flow flow_;
  DominatorTree dominators_;
};

}  // namespace

void give_cycles_one_entry(Code* code) {
  constexpr int kMostCycles = 8;
  for (int i = 0; i < kMostCycles && Splitter(code).run(); ++i) {
  }
}

}  // namespace shflsim::isa::ptx
