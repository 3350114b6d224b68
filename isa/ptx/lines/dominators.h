// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace shflsim::isa::ptx {

using Edges = std::vector<std::vector<int>>;  ///< by node: the targets of its edges

/// The nodes that are on all paths from `root` to a node. With a graph's successors these are the
/// node's dominators; with its predecessors, from the end, they are its postdominators.
///
/// Semi-NCA (L. Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems", 2005,
/// chapter 2): nearly linear in the edges, and without recursion, so that neither 100 000 branches
/// nor a path of as many blocks are a problem.
class DominatorTree {
 public:
  DominatorTree(int root, const Edges& forth, const Edges& back);

  bool is_reached(int node) const { return at(begin_, node) >= 0; }
  /// The nearest other node on all paths to `node`; -1 for the root and for unreached nodes.
  int nearest(int node) const { return at(nearest_, node); }
  /// The number of nodes on all paths to `node`, including itself. Not for unreached nodes.
  int depth(int node) const { return at(depth_, node); }
  /// True if `above` is on all paths to `node`, which is reached; each node dominates itself.
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
