// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/break_loops.h"

#include <algorithm>

namespace shflsim::isa::ptx {
namespace {

class Finder {
 public:
  Finder(const Code& code, const Flow& flow, const Loops& loops,
         const std::vector<std::vector<int>>& around, const DominatorTree& postdominators)
      : code_(code), flow_(flow), loops_(loops), around_(around), postdominators_(postdominators) {}

  BreakLoops run() {
    std::vector<int> headers;
    for (const auto& [header, loop] : loops_) headers.push_back(header);
    std::stable_sort(headers.begin(), headers.end(),
                     [this](int a, int b) { return loops_.at(a).size() < loops_.at(b).size(); });
    for (const int header : headers) look_at(header, loops_.at(header));
    return found_;
  }

 private:
  /// The loop's only exit block; -1 if there is none, or several, or if it is outside of a loop
  /// around this one. Ends of threads do not count.
  int exit_of(int header, const BlockSet& loop) const {
    BlockSet exits;
    for (const int b : loop) {
      for (const int s : flow_.successors[static_cast<size_t>(b)]) {
        if (loop.count(s) == 0 && s != flow_.end()) exits.insert(s);
      }
    }
    if (exits.size() != 1) return -1;
    const int exit = *exits.begin();
    const std::vector<int>& outer = around_[static_cast<size_t>(header)];
    const bool stays = std::all_of(outer.begin(), outer.end(), [&](int each) {
      return each == header || loops_.at(each).count(exit) != 0;
    });
    return stays ? exit : -1;
  }

  /// True if BRK in `b` would leave this loop: false within an inner loop that is left by BRK too,
  /// since the inner loop's token is above this one's.
  bool is_own(int b, int header, const BlockSet& loop) const {
    const std::vector<int>& around = around_[static_cast<size_t>(b)];
    return std::all_of(around.begin(), around.end(), [&](int each) {
      return each == header || loop.count(each) == 0 || found_.exits.count(each) == 0;
    });
  }

  int latch_of(int header, const BlockSet& loop) const {
    int latch = -1;
    for (const int p : flow_.predecessors[static_cast<size_t>(header)]) {
      if (loop.count(p) != 0) latch = latch < 0 ? p : flow_.end();
    }
    return latch == flow_.end() ? -1 : latch;
  }

  /// The edges of one iteration within the loop, without the back edges.
  Edges round(const Edges& edges, int header, const BlockSet& loop) const {
    Edges kept(edges.size());
    const bool forth = &edges == &flow_.successors;
    for (const int b : loop) {
      for (const int other : edges[static_cast<size_t>(b)]) {
        const bool comes_round = (forth ? other : b) == header;
        if (loop.count(other) != 0 && !comes_round) kept[static_cast<size_t>(b)].push_back(other);
      }
    }
    return kept;
  }

  void look_at(int header, const BlockSet& loop) {
    const int exit = exit_of(header, loop);
    const int latch = latch_of(header, loop);
    if (exit < 0 || latch < 0) return;
    const DominatorTree meets(latch, round(flow_.predecessors, header, loop),
                              round(flow_.successors, header, loop));
    std::map<int, int> joins;
    bool gains = false;
    for (const int b : loop) {
      const int join = is_own(b, header, loop) ? join_of(b, header, loop, meets) : -1;
      if (join < 0) continue;
      joins[b] = join;
      gains = gains || postdominators_.nearest(b) != join;
    }
    if (!gains) return;
    found_.exits[header] = exit;
    found_.joins.insert(joins.begin(), joins.end());
  }

  /// The block where both paths of a choice meet, if both stay in the loop; else -1.
  int join_of(int b, int header, const BlockSet& loop, const DominatorTree& meets) const {
    const Block& block = code_.blocks[static_cast<size_t>(b)];
    if (block.taken < 0 || block.taken == block.next || block.uniform) return -1;
    for (const int s : {block.taken, block.next}) {
      if (s < 0 || s == header || loop.count(s) == 0 || !meets.is_reached(s)) return -1;
    }
    return meets.nearest(b);
  }

  const Code& code_;
  const Flow& flow_;
  const Loops& loops_;
  const std::vector<std::vector<int>>& around_;
  const DominatorTree& postdominators_;
  BreakLoops found_;
};

}  // namespace

BreakLoops find_break_loops(const Code& code, const Flow& flow, const Loops& loops,
                            const std::vector<std::vector<int>>& around,
                            const DominatorTree& postdominators) {
  return Finder(code, flow, loops, around, postdominators).run();
}

}  // namespace shflsim::isa::ptx
