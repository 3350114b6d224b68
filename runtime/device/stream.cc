// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/stream.h"

#include <algorithm>
#include <set>

namespace shflsim::runtime {

GraphNode* Graph::add(NodeKind kind, Work work, std::vector<GraphNode*> after) {
  nodes.push_back(std::make_unique<GraphNode>(
      GraphNode{kind, std::move(work), std::move(after), nullptr, this}));
  return nodes.back().get();
}

std::vector<const GraphNode*> Graph::ordered() const {
  std::vector<const GraphNode*> order;
  std::set<const GraphNode*> done;
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& node : nodes) {
      const bool is_ready = std::all_of(node->after.begin(), node->after.end(),
                                        [&](GraphNode* each) { return done.count(each) != 0; });
      if (!is_ready || !done.insert(node.get()).second) continue;
      order.push_back(node.get());
      grew = true;
    }
  }
  return order;
}

}  // namespace shflsim::runtime
