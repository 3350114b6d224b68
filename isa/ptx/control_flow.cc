// SPDX-License-Identifier: Apache-2.0
// Where threads part and where they join again (docs/sources.md, "Divergence"): a branch whose
// paths meet in a block P is preceded by SSY P, and what would go to P does SYNC instead. Tokens
// for paths out of a loop are pushed before the loop, since its back edge may not push.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "isa/ptx/lines.h"

namespace shflsim::isa::ptx {
namespace {

using BlockSet = std::set<int>;

/// Successors and predecessors, one node behind the blocks being the end.
struct Graph {
  std::vector<std::vector<int>> successors;
  std::vector<std::vector<int>> predecessors;
  int end() const { return static_cast<int>(successors.size()) - 1; }
};

Graph graph_of(const Code& code) {
  Graph graph;
  const size_t count = code.blocks.size() + 1;
  graph.successors.resize(count);
  graph.predecessors.resize(count);
  for (size_t b = 0; b + 1 < count; ++b) {
    const Block& block = code.blocks[b];
    const int next = block.next < 0 ? graph.end() : block.next;
    if (block.taken >= 0) graph.successors[b].push_back(block.taken);
    if (block.taken != next) graph.successors[b].push_back(next);
    for (const int s : graph.successors[b]) {
      graph.predecessors[static_cast<size_t>(s)].push_back(static_cast<int>(b));
    }
  }
  return graph;
}

/// For every node those that stand on all paths from `root` to it, against the edges `before`.
std::vector<BlockSet> dominators(int root, const std::vector<std::vector<int>>& before) {
  BlockSet all;
  for (size_t i = 0; i < before.size(); ++i) all.insert(static_cast<int>(i));
  std::vector<BlockSet> sets(before.size(), all);
  sets[static_cast<size_t>(root)] = {root};
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = 0; n < before.size(); ++n) {
      if (static_cast<int>(n) == root || before[n].empty()) continue;
      BlockSet common = sets[static_cast<size_t>(before[n].front())];
      for (const int p : before[n]) {
        BlockSet both;
        const BlockSet& other = sets[static_cast<size_t>(p)];
        std::set_intersection(common.begin(), common.end(), other.begin(), other.end(),
                              std::inserter(both, both.end()));
        common = std::move(both);
      }
      common.insert(static_cast<int>(n));
      if (common != sets[n]) {
        sets[n] = std::move(common);
        changed = true;
      }
    }
  }
  return sets;
}

class Placer {
 public:
  explicit Placer(Code& code) : code_(code) {}

  std::vector<int> place() {
    fold_ends();
    analyse();
    if (merge_latches()) analyse();
    for (size_t b = 0; b < code_.blocks.size(); ++b) {
      if (is_reached(static_cast<int>(b))) order_.push_back(static_cast<int>(b));
    }
    choose_joins();
    follow_tokens();
    insert_preheaders();
    finish_blocks();
    return order_;
  }

 private:
  Block& block(int b) { return code_.blocks[static_cast<size_t>(b)]; }

  /// A branch to a bare end ends the threads on the spot, so that it is no way to join.
  void fold_ends() {
    const auto is_bare_end = [this](int b) {
      return b >= 0 && block(b).lines.empty() && block(b).taken < 0 && block(b).next < 0;
    };
    for (Block& b : code_.blocks) {
      if (b.taken >= 0 && is_bare_end(b.taken)) {
        Line line;
        line.operation = "EXIT";
        line.guard = b.guard;
        line.guard_negate = b.guard_negate;
        line.where = b.where;
        b.lines.push_back(line);
        b.taken = b.guard = -1;
      }
      if (is_bare_end(b.next)) b.next = -1;
    }
  }

  void analyse() {
    graph_ = graph_of(code_);
    dominators_ = dominators(0, graph_.predecessors);
    postdominators_ = dominators(graph_.end(), graph_.successors);
    loops_.clear();
    for (size_t b = 0; b < code_.blocks.size(); ++b) {
      if (!is_reached(static_cast<int>(b))) continue;
      for (const int header : graph_.successors[b]) {
        if (dominators_[b].count(header) != 0) grow_loop(header, static_cast<int>(b));
      }
    }
  }

  bool is_reached(int b) const {
    return b == 0 || dominators_[static_cast<size_t>(b)].size() <= code_.blocks.size();
  }

  void grow_loop(int header, int latch) {
    BlockSet& loop = loops_[header];
    loop.insert(header);
    std::vector<int> open = {latch};
    while (!open.empty()) {
      const int b = open.back();
      open.pop_back();
      if (!loop.insert(b).second) continue;
      for (const int p : graph_.predecessors[static_cast<size_t>(b)]) open.push_back(p);
    }
  }

  std::vector<int> latches_of(int header, const BlockSet& loop) const {
    std::vector<int> latches;
    for (const int p : graph_.predecessors[static_cast<size_t>(header)]) {
      if (loop.count(p) != 0) latches.push_back(p);
    }
    return latches;
  }

  void redirect(int b, int from, int to) {
    if (block(b).taken == from) block(b).taken = to;
    if (block(b).next == from) block(b).next = to;
  }

  /// Paths back to a loop's head meet in one block, so that `continue` is a join like any other.
  bool merge_latches() {
    bool merged = false;
    for (const auto& [header, loop] : loops_) {
      const std::vector<int> latches = latches_of(header, loop);
      if (latches.size() < 2) continue;
      const int latch = static_cast<int>(code_.blocks.size());
      Block added;
      added.next = header;
      added.where = block(latches.front()).where;
      code_.blocks.push_back(added);
      for (const int b : latches) redirect(b, header, latch);
      merged = true;
    }
    return merged;
  }

  bool is_choice(int b) {
    return block(b).taken >= 0 && block(b).taken != block(b).next && !block(b).uniform;
  }

  /// The nearest block that all paths from `b` reach; none where some end before.
  std::optional<int> join_of(int b) const {
    const BlockSet& after = postdominators_[static_cast<size_t>(b)];
    for (const int candidate : after) {
      if (candidate == b || candidate == graph_.end()) continue;
      // The nearest one is postdominated by all the others.
      const BlockSet& behind = postdominators_[static_cast<size_t>(candidate)];
      if (behind.size() + 1 == after.size()) return candidate;
    }
    return std::nullopt;
  }

  /// The smallest loop with both blocks in it; nullptr if none.
  const std::pair<const int, BlockSet>* loop_around(int a, int b) const {
    const std::pair<const int, BlockSet>* best = nullptr;
    for (const auto& loop : loops_) {
      if (loop.second.count(a) == 0 || loop.second.count(b) == 0) continue;
      if (best == nullptr || loop.second.size() < best->second.size()) best = &loop;
    }
    return best;
  }

  bool reaches(int from, int goal, int avoided) const {
    BlockSet seen;
    std::vector<int> open = graph_.successors[static_cast<size_t>(from)];
    while (!open.empty()) {
      const int b = open.back();
      open.pop_back();
      if (b == avoided || !seen.insert(b).second) continue;
      if (b == goal) return true;
      for (const int s : graph_.successors[static_cast<size_t>(b)]) open.push_back(s);
    }
    return false;
  }

  /// Threads that would wait at the join while others come round the loop to push it again go on
  /// apart: their token would be pushed without end.
  bool comes_round(int b, int join) const {
    const auto* loop = loop_around(b, join);
    return loop != nullptr && reaches(b, loop->first, join);
  }

  void choose_joins() {
    for (size_t i = 0; i < code_.blocks.size(); ++i) {
      const int b = static_cast<int>(i);
      if (!is_reached(b) || !is_choice(b)) continue;
      const std::optional<int> join = join_of(b);
      if (!join || comes_round(b, *join)) continue;
      joins_[b] = *join;
      for (const auto& [header, loop] : loops_) {
        if (loop.count(b) != 0 && loop.count(*join) == 0) pushed_before_[header].insert(*join);
      }
    }
  }

  using Stack = std::vector<int>;

  static void push(Stack& stack, int join, std::vector<int>* pushes) {
    if (std::find(stack.begin(), stack.end(), join) != stack.end()) return;
    stack.push_back(join);
    pushes->push_back(join);
  }

  bool enters_loop(int from, int to) const {
    const auto loop = loops_.find(to);
    return loop != loops_.end() && loop->second.count(from) == 0;
  }

  /// The tokens that a loop's entry adds, outermost first.
  void push_before(int header, Stack& stack) {
    std::vector<int> joins(pushed_before_[header].begin(), pushed_before_[header].end());
    std::sort(joins.begin(), joins.end(), [this](int a, int b) {
      return postdominators_[static_cast<size_t>(a)].size() <
             postdominators_[static_cast<size_t>(b)].size();
    });
    std::vector<int> pushes;
    for (const int join : joins) push(stack, join, &pushes);
    preheader_pushes_[header] = pushes;
  }

  void follow_edge(int from, int to, Stack stack) {
    if (to < 0) return;
    if (!stack.empty() && stack.back() == to) {
      syncs_.insert({from, to});
      stack.pop_back();
    }
    if (enters_loop(from, to)) push_before(to, stack);
    const auto [known, is_new] = stacks_.emplace(to, stack);
    if (is_new) {
      open_.push_back(to);
    } else if (known->second != stack) {
      throw InputError(block(to).where,
                       "threads come here that have parted in different places and cannot be "
                       "joined; expected branches that nest");
    }
  }

  /// Carries the stack of tokens along all paths.
  void follow_tokens() {
    stacks_[0] = {};
    open_ = {0};
    while (!open_.empty()) {
      const int b = open_.back();
      open_.pop_back();
      Stack stack = stacks_[b];
      const auto join = joins_.find(b);
      if (join != joins_.end()) push(stack, join->second, &pushes_[b]);
      if (block(b).taken >= 0) follow_edge(b, block(b).taken, stack);
      follow_edge(b, block(b).next, stack);
    }
  }

  static Line control(const std::string& operation, int target, const Position& where) {
    Line line;
    line.operation = operation;
    line.target = target;
    line.where = where;
    return line;
  }

  int entry_of(int from, int to) const {
    const auto preheader = preheaders_.find(to);
    if (preheader == preheaders_.end() || preheader->second == from) return to;
    return enters_loop(from, to) ? preheader->second : to;
  }

  void insert_preheaders() {
    for (const auto& [header, pushes] : preheader_pushes_) {
      if (pushes.empty()) continue;
      const int added = static_cast<int>(code_.blocks.size());
      code_.blocks.emplace_back();
      block(added).next = header;
      block(added).where = block(header).where;
      order_.insert(std::find(order_.begin(), order_.end(), header), added);
      preheaders_[header] = added;
    }
    for (const auto& [header, added] : preheaders_) {
      for (const int join : preheader_pushes_[header]) {
        block(added).lines.push_back(control("SSY", entry_of(header, join), block(added).where));
      }
    }
  }

  void finish_blocks() {
    const std::vector<int> order = order_;
    for (size_t i = 0; i < order.size(); ++i) {
      const int following = i + 1 < order.size() ? order[i + 1] : -2;
      finish(order[i], following);
    }
  }

  void finish(int b, int following) {
    Block& ending = block(b);
    for (const int join : pushes_[b]) {
      ending.lines.push_back(control("SSY", entry_of(b, join), ending.where));
    }
    if (ending.taken >= 0) {
      Line line = way_to(b, ending.taken);
      line.guard = ending.guard;
      line.guard_negate = ending.guard_negate;
      ending.lines.push_back(line);
    }
    if (ending.next < 0) {
      ending.lines.push_back(control("EXIT", -1, ending.where));
    } else if (syncs_.count({b, ending.next}) != 0 || entry_of(b, ending.next) != following) {
      ending.lines.push_back(way_to(b, ending.next));
    }
  }

  Line way_to(int from, int to) {
    if (syncs_.count({from, to}) != 0) return control("SYNC", -1, block(from).where);
    return control("BRA", entry_of(from, to), block(from).where);
  }

  Code& code_;
  Graph graph_;
  std::vector<int> order_;
  std::vector<BlockSet> dominators_;
  std::vector<BlockSet> postdominators_;
  std::map<int, BlockSet> loops_;          ///< by head
  std::map<int, int> joins_;               ///< where the paths of a choice meet
  std::map<int, BlockSet> pushed_before_;  ///< by a loop's head: joins outside of it
  std::map<int, Stack> stacks_;            ///< tokens on entry
  std::vector<int> open_;
  std::set<std::pair<int, int>> syncs_;  ///< edges that are a SYNC
  std::map<int, std::vector<int>> pushes_;
  std::map<int, std::vector<int>> preheader_pushes_;
  std::map<int, int> preheaders_;
};

}  // namespace

std::vector<int> place_control_flow(Code& code) { return Placer(code).place(); }

}  // namespace shflsim::isa::ptx
