// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/api/launch.h"

namespace shflsim::runtime {

using Nodes = GraphNode* const*;

/// Parameters of nodes, as the binary interface has them.
struct KernelNodeParams {
  const void* function;
  Dim3 grid;
  Dim3 block;
  unsigned shared_bytes;
  void** arguments;
  void** extra;
};
struct MemsetParams {
  void* to;
  size_t pitch;
  unsigned value;
  unsigned unit_bytes;
  size_t width;  ///< in units
  size_t height;
};
struct HostNodeParams {
  void (*function)(void*);
  void* data;
};

/// A copy of a kernel node's parameters.
struct KernelNodeCopy {
  KernelNodeParams params;
  std::vector<uint8_t> area;
  std::vector<void*> arguments;  ///< they point into `area`
};

/// The work of a node with its current parameters.
struct NodeContent {
  Work work;
  std::shared_ptr<const void> parameters;
};
Error content_of(Context& context, const KernelNodeParams& params, NodeContent* content);
NodeContent content_of(const MemsetParams& params);
NodeContent content_of(const HostNodeParams& params);
/// The content of a child node: the graph as it is now.
NodeContent content_of_child(const Graph& child);

Error add_node(GraphNode** node, Graph* graph, Nodes after, size_t count, NodeKind kind,
               const NodeContent& content);
/// The work of the graph in order; fewer steps than nodes if the graph has a cycle.
GraphExec instantiated(const Graph& graph);

}  // namespace shflsim::runtime
