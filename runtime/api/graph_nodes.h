// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/api/launch.h"

namespace shflsim::runtime {

using Nodes = GraphNode* const*;

/// What nodes are made of, as the binary interface has it.
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

/// What a kernel node keeps of its parameters.
struct KernelNodeCopy {
  KernelNodeParams params;
  std::vector<uint8_t> area;
  std::vector<void*> arguments;  ///< in the area
};

/// What a node does with its parameters as they are now.
struct NodeContent {
  Work work;
  std::shared_ptr<const void> parameters;
};
Error content_of(Context& context, const KernelNodeParams& params, NodeContent* content);
NodeContent content_of(const MemsetParams& params);
NodeContent content_of(const HostNodeParams& params);
/// A child is taken as it is now.
NodeContent content_of_child(const Graph& child);

Error add_node(GraphNode** node, Graph* graph, Nodes after, size_t count, NodeKind kind,
               const NodeContent& content);
/// The graph's work in order; fewer steps than nodes where it has a circle.
GraphExec instantiated(const Graph& graph);

}  // namespace shflsim::runtime
