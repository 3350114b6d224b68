// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace shflsim::isa::ptx {

using Edges = std::vector<std::vector<int>>;  ///< by node: the nodes that its edges lead to

/// Which nodes stand on all paths from `root` to a node. With a graph's successors these are the
/// node's dominators, with its predecessors, from the end, its postdominators.
///
/// Semi-NCA (L. Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems", 2005,
/// chapter 2): near linear in the edges, and without recursion, so that neither 100 000 branches
/// nor a path of as many blocks are too much.
class DominatorTree {
 public:
  DominatorTree(int root, const Edges& forth, const Edges& back);

  bool is_reached(int node) const { return at(begin_, node) >= 0; }
  /// The nearest other node on all paths to `node`; -1 for the root and where none lead there.
  int nearest(int node) const { return at(nearest_, node); }
  /// Of the nodes on all paths to `node`, itself included: their number. Not for unreached ones.
  int depth(int node) const { return at(depth_, node); }
  /// Whether `above` is on all paths to `node`, which is reached; each node is on those to itself.
  bool dominates(int above, int node) const {
    return is_reached(above) && at(begin_, above) <= at(begin_, node) &&
           at(end_, node) <= at(end_, above);
  }

 private:
  static int at(const std::vector<int>& values, int node) {
    return values[static_cast<size_t>(node)];
  }
  void number_intervals(const std::vector<int>& order);

  std::vector<int> nearest_;
  std::vector<int> depth_;
  std::vector<int> begin_;  ///< a node's subtree is a range of numbers, from begin_...
  std::vector<int> end_;    ///< ...to before end_
};

}  // namespace shflsim::isa::ptx
