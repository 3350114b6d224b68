// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/dominators.h"

#include <algorithm>

namespace shflsim::isa::ptx {
namespace {

int& slot(std::vector<int>& values, int index) { return values[static_cast<size_t>(index)]; }

/// The nodes that a search from the root reaches, numbered in the order of the search.
struct Search {
  std::vector<int> nodes;    ///< by number
  std::vector<int> numbers;  ///< by node; -1 for nodes that are not reached
  std::vector<int> parents;  ///< numbers, by number; the root's is its own
};

Search search(int root, const Edges& forth) {
  Search found;
  found.numbers.assign(forth.size(), -1);
  std::vector<std::pair<int, int>> open = {{root, 0}};  // node, number of its parent
  while (!open.empty()) {
    const auto [node, parent] = open.back();
    open.pop_back();
    if (slot(found.numbers, node) >= 0) continue;
    const int number = static_cast<int>(found.nodes.size());
    slot(found.numbers, node) = number;
    found.nodes.push_back(node);
    found.parents.push_back(parent);
    for (const int next : forth[static_cast<size_t>(node)]) open.emplace_back(next, number);
  }
  return found;
}

/// The lowest semidominators on paths up the search tree, with path compression.
class Forest {
 public:
  explicit Forest(const std::vector<int>& parents) : ancestors_(parents), labels_(parents.size()) {
    for (size_t i = 0; i < labels_.size(); ++i) labels_[i] = static_cast<int>(i);
  }

  /// The node with the lowest semidominator from `node` up to before the first one below `linked`.
  int lowest(int node, int linked, const std::vector<int>& semi) {
    if (node < linked) return node;
    path_.clear();
    for (int n = node; n >= linked; n = slot(ancestors_, n)) path_.push_back(n);
    for (size_t i = path_.size() - 1; i-- > 0;) {
      const int n = path_[i];
      const int above = path_[i + 1];
      if (semi[static_cast<size_t>(slot(labels_, above))] <
          semi[static_cast<size_t>(slot(labels_, n))])
        slot(labels_, n) = slot(labels_, above);
      slot(ancestors_, n) = slot(ancestors_, above);
    }
    return slot(labels_, node);
  }

 private:
  std::vector<int> ancestors_;
  std::vector<int> labels_;
  std::vector<int> path_;
};

/// The nearest dominators; nodes are identified by their search numbers.
std::vector<int> nearest_dominators(const Search& found, const Edges& back) {
  const int count = static_cast<int>(found.nodes.size());
  Forest forest(found.parents);
  std::vector<int> semi(found.nodes.size());
  for (int n = 0; n < count; ++n) slot(semi, n) = n;
  for (int n = count - 1; n > 0; --n) {
    int lowest = found.parents[static_cast<size_t>(n)];
    for (const int before : back[static_cast<size_t>(found.nodes[static_cast<size_t>(n)])]) {
      const int number = found.numbers[static_cast<size_t>(before)];
      if (number >= 0) lowest = std::min(lowest, slot(semi, forest.lowest(number, n + 1, semi)));
    }
    slot(semi, n) = lowest;
  }
  std::vector<int> nearest = found.parents;
  for (int n = 1; n < count; ++n) {
    while (slot(nearest, n) > slot(semi, n)) slot(nearest, n) = slot(nearest, slot(nearest, n));
  }
  return nearest;
}

}  // namespace

DominatorTree::DominatorTree(int root, const Edges& forth, const Edges& back)
    : nearest_(forth.size(), -1),
      depth_(forth.size(), 0),
      begin_(forth.size(), -1),
      end_(forth.size(), -1) {
  const Search found = search(root, forth);
  const std::vector<int> above = nearest_dominators(found, back);
  for (size_t n = 0; n < found.nodes.size(); ++n) {
    const int node = found.nodes[n];
    const int parent = found.nodes[static_cast<size_t>(above[n])];
    if (n != 0) slot(nearest_, node) = parent;
    slot(depth_, node) = n == 0 ? 1 : depth(parent) + 1;
  }
  number_intervals(found.nodes);
}

/// Numbers the subtrees. A dominator has a lower search number than the nodes that it dominates.
void DominatorTree::number_intervals(const std::vector<int>& order) {
  std::vector<int> sizes(nearest_.size(), 1);
  for (size_t n = order.size(); n-- > 1;) {
    const int node = order[n];
    sizes[static_cast<size_t>(nearest(node))] += sizes[static_cast<size_t>(node)];
  }
  std::vector<int> next(nearest_.size(), 0);  // the first number for a node's next child
  for (const int node : order) {
    const size_t i = static_cast<size_t>(node);
    const int parent = nearest(node);
    begin_[i] = parent < 0 ? 0 : next[static_cast<size_t>(parent)];
    end_[i] = begin_[i] + sizes[i];
    next[i] = begin_[i] + 1;
    if (parent >= 0) next[static_cast<size_t>(parent)] = end_[i];
  }
}

}  // namespace shflsim::isa::ptx
