// SPDX-License-Identifier: Apache-2.0
// Divergence and reconvergence (docs/sources.md, "Divergence"): a branch whose paths meet in a
// block P is preceded by SSY P, and branches to P are replaced by SYNC. Tokens for paths out of a
// loop are pushed before the loop, since its back edge may not push.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "isa/base/bounded.h"
#include "isa/ptx/lines/break_loops.h"
#include "isa/ptx/lines/dominators.h"
#include "isa/ptx/lines/empty_blocks.h"
#include "isa/ptx/lines/lines.h"
#include "isa/ptx/lines/terms.h"
#include "isa/ptx/lines/token_stacks.h"

namespace shflsim::isa::ptx {
namespace {

Line control(const Operation& operation, int target, const Position& where) {
  Line line = line_of(operation, {}, where);
  line.target = target;
  return line;
}

/// True if the block ends in a RET of all threads.
bool leaves(const Block& block) {
  return !block.lines.empty() && block.lines.back().guard < 0 &&
         block.lines.back().op() == Op::kRET;
}

[[noreturn]] void fail_to_join(const Position& where) {
  throw InputError(where,
                   "threads come here that have parted in different places and cannot be joined; "
                   "expected branches that nest");
}

class BlockLayout {
 public:
  BlockLayout(Code& code, bool breaks) : code_(code), may_break_(breaks) {}

  std::vector<int> place() {
    pass_by_empty_blocks(&code_);
    fold_ends(&code_);
    analyse();
    if (merge_latches()) analyse();
    if (may_break_) choose_breaks();
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

  void analyse() {
    graph_ = flow_of(code_);
    dominators_.emplace(0, graph_.successors, graph_.predecessors);
    postdominators_.emplace(graph_.end(), graph_.predecessors, graph_.successors);
    loops_ = find_loops(graph_, *dominators_);
    loops_of_.assign(graph_.successors.size(), {});
    seen_.assign(graph_.successors.size(), 0);
    for (const auto& [header, loop] : loops_) {
      for (const int b : loop) note_loop(header, b);
    }
  }

  bool is_reached(int b) const { return dominators_->is_reached(b); }

  void note_loop(int header, int b) {
    std::vector<int>& around = loops_of_[static_cast<size_t>(b)];
    bounded(around.size() + 1, kMostNesting, "a nesting of loops", block(header).where);
    around.push_back(header);
  }

  std::vector<int> latches_of(int header, const BlockSet& loop) const {
    std::vector<int> latches;
    for (const int p : graph_.predecessors[static_cast<size_t>(header)]) {
      if (loop.count(p) != 0) latches.push_back(p);
    }
    return latches;
  }

  /// Gives each loop a single latch, so that `continue` is a join like any other. True if changed.
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
      for (const int b : latches) redirect(&block(b), header, latch);
      merged = true;
    }
    return merged;
  }

  void find_breaks() {
    breaks_ = find_break_loops(code_, graph_, loops_, loops_of_, *postdominators_);
  }

  /// Gives the exits of loops left by BRK a block that only the loop reaches, so that the loop's
  /// token is not mistaken for the token of a choice around the loop.
  void choose_breaks() {
    find_breaks();
    bool added = false;
    for (const auto& [header, exit] : breaks_.exits) {
      const BlockSet& loop = loops_.at(header);
      const std::vector<int>& before = graph_.predecessors[static_cast<size_t>(exit)];
      const bool is_own = std::all_of(before.begin(), before.end(),
                                      [&](int b) { return loop.count(b) != 0 || !is_reached(b); });
      if (is_own) continue;
      added = true;
      const int landing = static_cast<int>(code_.blocks.size());
      code_.blocks.emplace_back();
      block(landing).next = exit;
      block(landing).where = block(exit).where;
      for (const int b : loop) redirect(&block(b), exit, landing);
    }
    if (!added) return;
    analyse();
    find_breaks();
  }

  bool is_choice(int b) {
    return block(b).taken >= 0 && block(b).taken != block(b).next && !block(b).uniform;
  }

  /// The nearest block that all paths from `b` reach; none if some end before.
  std::optional<int> join_of(int b) const {
    const int nearest = postdominators_->nearest(b);
    if (nearest < 0 || nearest == graph_.end()) return std::nullopt;
    return nearest;
  }

  /// The smallest loop with both blocks in it; nullptr if none.
  const std::pair<const int, BlockSet>* loop_around(int a, int b) const {
    const std::pair<const int, BlockSet>* best = nullptr;
    for (const int header : loops_of_[static_cast<size_t>(a)]) {
      const auto& loop = *loops_.find(header);
      if (loop.second.count(b) == 0) continue;
      if (best == nullptr || loop.second.size() < best->second.size()) best = &loop;
    }
    return best;
  }

  /// True if a path leads from `from` to `goal` without passing through `avoided`.
  bool reaches(int from, int goal, int avoided) {
    const int search = ++searches_;
    std::vector<int> open = graph_.successors[static_cast<size_t>(from)];
    while (!open.empty()) {
      const int b = open.back();
      open.pop_back();
      if (b == avoided || std::exchange(seen_[static_cast<size_t>(b)], search) == search) continue;
      if (b == goal) return true;
      for (const int s : graph_.successors[static_cast<size_t>(b)]) open.push_back(s);
    }
    return false;
  }

  /// True if threads would wait at the join while others go round the loop and push its token
  /// again. Such a choice gets no join, since the token would be pushed without end.
  bool comes_round(int b, int join) {
    const auto* loop = loop_around(b, join);
    return loop != nullptr && reaches(b, loop->first, join);
  }

  void choose_joins() {
    for (size_t i = 0; i < code_.blocks.size(); ++i) {
      const int b = static_cast<int>(i);
      if (!is_reached(b) || !is_choice(b)) continue;
      const auto stays = breaks_.joins.find(b);
      const std::optional<int> join = stays != breaks_.joins.end() ? stays->second : join_of(b);
      if (!join || comes_round(b, *join)) continue;
      joins_[b] = *join;
      for (const int header : loops_of_[i]) {
        if (loops_.at(header).count(*join) == 0) pushed_before_[header].insert(*join);
      }
    }
    for (const auto& [header, exit] : breaks_.exits) {
      pushed_before_[header].insert(exit);
      landings_.insert(exit);
    }
  }

  int push(int stack, int join, std::vector<int>* pushes) {
    if (tokens_.holds(stack, join)) return stack;
    pushes->push_back(join);
    return tokens_.pushed(stack, join);
  }

  bool enters_loop(int from, int to) const {
    const auto loop = loops_.find(to);
    return loop != loops_.end() && loop->second.count(from) == 0;
  }

  /// Pushes the tokens that a loop's entry adds, outermost first. Threads that arrive with all of
  /// them (from a choice whose join is after the loop) bypass the block that pushes them. Threads
  /// that arrive by a token all have the same tokens, since a token has one target.
  int push_before(int from, int header, bool by_token, int stack) {
    std::vector<int> joins(pushed_before_[header].begin(), pushed_before_[header].end());
    std::stable_sort(joins.begin(), joins.end(), [this](int a, int b) {
      return postdominators_->depth(a) < postdominators_->depth(b);
    });
    std::vector<int> pushes;
    for (const int join : joins) stack = push(stack, join, &pushes);
    if (by_token && come_by_token_.emplace(header, pushes).first->second != pushes) {
      fail_to_join(block(header).where);
    }
    if (pushes.empty()) {
      passes_by_.insert({from, header});
    } else if (preheader_pushes_.emplace(header, pushes).first->second != pushes) {
      fail_to_join(block(header).where);
    }
    return stack;
  }

  /// The stack after BRK, which pops all tokens down to the loop's, the topmost PBK token.
  int broken(int stack, int to) {
    while (!tokens_.empty(stack) && tokens_.top(stack) != to) {
      if (landings_.count(tokens_.top(stack)) != 0) stack = 0;
      stack = tokens_.popped(stack);
    }
    if (tokens_.empty(stack)) fail_to_join(block(to).where);
    return tokens_.popped(stack);
  }

  void follow_edge(int from, int to, int stack) {
    if (to < 0) return;
    const bool syncs = !tokens_.empty(stack) && tokens_.top(stack) == to;
    const bool breaks = landings_.count(to) != 0;
    if (breaks) {
      stack = broken(stack, to);
    } else if (syncs) {
      syncs_.insert({from, to});
      stack = tokens_.popped(stack);
    }
    if (enters_loop(from, to)) stack = push_before(from, to, breaks || syncs, stack);
    const auto [known, is_new] = stacks_.emplace(to, stack);
    if (is_new) {
      open_.push_back(to);
    } else if (known->second != stack) {
      fail_to_join(block(to).where);
    }
  }

  /// Computes the token stack at the entry of each block, along all paths.
  void follow_tokens() {
    stacks_[0] = 0;
    open_ = {0};
    while (!open_.empty()) {
      const int b = open_.back();
      open_.pop_back();
      int stack = stacks_[b];
      const auto join = joins_.find(b);
      if (join != joins_.end()) stack = push(stack, join->second, &pushes_[b]);
      if (block(b).taken >= 0) follow_edge(b, block(b).taken, stack);
      follow_edge(b, block(b).next, stack);
    }
  }

  int entry_of(int from, int to) const {
    const auto preheader = preheaders_.find(to);
    if (preheader == preheaders_.end() || preheader->second == from) return to;
    if (passes_by_.count({from, to}) != 0) return to;
    return enters_loop(from, to) ? preheader->second : to;
  }

  /// The target block of a token that is pushed in `from`.
  int target_of_token(int from, int join) const {
    const auto pushes = come_by_token_.find(join);
    return pushes != come_by_token_.end() && pushes->second.empty() ? join : entry_of(from, join);
  }

  void insert_preheaders() {
    for (const auto& [header, pushes] : preheader_pushes_) {
      const int added = static_cast<int>(code_.blocks.size());
      code_.blocks.emplace_back();
      block(added).next = header;
      block(added).where = block(header).where;
      preheaders_[header] = added;
    }
    for (const int b : std::exchange(order_, {})) {
      const auto preheader = preheaders_.find(b);
      if (preheader != preheaders_.end()) order_.push_back(preheader->second);
      order_.push_back(b);
    }
    for (const auto& [header, added] : preheaders_) {
      for (const int join : preheader_pushes_[header]) {
        const char* token = landings_.count(join) != 0 ? "PBK" : "SSY";
        block(added).lines.push_back(
            control(token, target_of_token(header, join), block(added).where));
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
      ending.lines.push_back(control("SSY", target_of_token(b, join), ending.where));
    }
    if (ending.taken >= 0 && ending.next >= 0 && goes_on_in(b, ending.taken, following)) {
      std::swap(ending.taken, ending.next);
      ending.guard_negate = !ending.guard_negate;
    }
    if (ending.taken >= 0) {
      Line line = way_to(b, ending.taken);
      line.guard = ending.guard;
      line.guard_negate = ending.guard_negate;
      ending.lines.push_back(line);
    }
    if (ending.next < 0 && leaves(ending)) return;
    if (ending.next < 0) {
      ending.lines.push_back(control("EXIT", -1, ending.where));
    } else if (!goes_on_in(b, ending.next, following)) {
      ending.lines.push_back(way_to(b, ending.next));
    }
  }

  /// True if `to` follows `from` directly, without a branch, SYNC or BRK.
  bool goes_on_in(int from, int to, int following) const {
    return syncs_.count({from, to}) == 0 && landings_.count(to) == 0 &&
           entry_of(from, to) == following;
  }

  Line way_to(int from, int to) {
    if (landings_.count(to) != 0) return control("BRK", -1, block(from).where);
    if (syncs_.count({from, to}) != 0) return control("SYNC", -1, block(from).where);
    return control("BRA", entry_of(from, to), block(from).where);
  }

  Code& code_;
  const bool may_break_;
  BreakLoops breaks_;
  BlockSet landings_;  ///< blocks that threads reach by BRK
  Flow graph_;
  std::vector<int> order_;
  std::optional<DominatorTree> dominators_;
  std::optional<DominatorTree> postdominators_;
  Loops loops_;                             ///< by head
  std::vector<std::vector<int>> loops_of_;  ///< by block: heads of the loops that it is in
  std::vector<int> seen_;                   ///< by block: the last search that came there
  int searches_ = 0;
  std::map<int, int> joins_;               ///< blocks where the paths of a choice meet
  std::map<int, BlockSet> pushed_before_;  ///< by a loop's head: joins outside of it
  TokenStacks tokens_;
  std::map<int, int> stacks_;  ///< tokens on entry
  std::vector<int> open_;
  std::set<std::pair<int, int>> syncs_;  ///< edges that become SYNC
  std::map<int, std::vector<int>> pushes_;
  std::map<int, std::vector<int>> preheader_pushes_;
  std::map<int, std::vector<int>> come_by_token_;  ///< by a loop's head: pushes of threads by token
  std::set<std::pair<int, int>> passes_by_;        ///< edges to heads that need no preheader
  std::map<int, int> preheaders_;
};

/// Marks choices that were found to be uniform as uniform, so that they take no tokens.
Code with_uniform(Code code, bool trusts_found) {
  for (Block& block : code.blocks) block.uniform |= trusts_found && block.is_found_uniform;
  return code;
}

}  // namespace

std::vector<int> place_control_flow(Code& code) {
  const std::pair<bool, bool> kTries[] = {{true, true}, {false, true}};
  for (const auto& [trusts_found, breaks] : kTries) {
    Code tried = with_uniform(code, trusts_found);
    try {
      std::vector<int> order = BlockLayout(tried, breaks).place();
      code = std::move(tried);
      return order;
    } catch (const InputError&) {  // paths do not nest: tries with later joins
    }
  }
  return BlockLayout(code, false).place();  // without BRK: paths join after the loop
}

}  // namespace shflsim::isa::ptx
