// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/loops.h"

namespace shflsim::isa::ptx {
namespace {

/// Adds the blocks that lead to `latch` without passing the head, which is already in the loop.
void grow(const Flow& flow, int latch, BlockSet* loop) {
  std::vector<int> open = {latch};
  while (!open.empty()) {
    const int b = open.back();
    open.pop_back();
    if (!loop->insert(b).second) continue;
    for (const int p : flow.predecessors[static_cast<size_t>(b)]) open.push_back(p);
  }
}

}  // namespace

Loops find_loops(const Flow& flow, const DominatorTree& dominators) {
  Loops loops;
  for (int b = 0; b < flow.end(); ++b) {
    if (!dominators.is_reached(b)) continue;
    for (const int head : flow.successors[static_cast<size_t>(b)]) {
      if (!dominators.dominates(head, b)) continue;
      BlockSet& loop = loops[head];
      loop.insert(head);
      grow(flow, b, &loop);
    }
  }
  return loops;
}

}  // namespace shflsim::isa::ptx
