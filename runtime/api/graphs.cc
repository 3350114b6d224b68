// SPDX-License-Identifier: Apache-2.0
// Graphs: captured or made node by node, instantiated and launched.
#include <algorithm>
#include <map>

#include "runtime/api/launch.h"
#include "runtime/api/version.h"
#include "runtime/api/volumes.h"
#include "runtime/device/copy.h"

namespace shflsim::runtime {
namespace {

using Nodes = GraphNode* const*;

GraphExec instantiated(const Graph& graph) {
  GraphExec exec;
  for (const GraphNode* node : graph.ordered()) exec.steps.emplace_back(node, node->work);
  return exec;
}

Error add_node(GraphNode** node, Graph* graph, Nodes after, size_t count, NodeKind kind,
               const Work& work) {
  return call([&](Context&) {
    if (node == nullptr || graph == nullptr) return kInvalidValue;
    *node = graph->add(kind, work, std::vector<GraphNode*>(after, after + count));
    return kSuccess;
  });
}

Error instantiate(GraphExec** exec, Graph* graph) {
  return call([&](Context&) {
    if (exec == nullptr || graph == nullptr) return kInvalidValue;
    GraphExec made = instantiated(*graph);
    if (made.steps.size() != graph->nodes.size()) return kInvalidValue;
    *exec = new GraphExec(std::move(made));
    return kSuccess;
  });
}

/// As the binary interface has it, like the following.
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

/// The launch with its arguments as they are now.
Error launching(Context& context, const KernelNodeParams& params, Work* work) {
  PreparedLaunch made;
  const LaunchShape shape{params.grid, params.block, params.shared_bytes, false};
  if (params.arguments == nullptr && params.extra != nullptr) return kNotSupported;
  const Error error = make_spec(context, params.function, shape, params.arguments, &made);
  if (error != kSuccess) return error;
  *work = [made](Context& its) { return its.launch(*made.kernel, made.spec); };
  return kSuccess;
}

}  // namespace

SHFLSIM_API Error cudaStreamBeginCapture(Stream* handle, int /*mode*/) {
  return call([&](Context&) {
    Stream* const stream = stream_of(handle);
    if (stream == nullptr) return kInvalidResourceHandle;
    if (reinterpret_cast<uintptr_t>(handle) < 2) return kStreamCaptureUnsupported;
    if (stream->capture != nullptr) return kIllegalState;
    stream->capture = new Graph;
    stream->last.clear();
    stream->begins_capture = true;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaStreamEndCapture(Stream* handle, Graph** graph) {
  return call([&](Context&) {
    Stream* const stream = stream_of(handle);
    if (stream == nullptr) return kInvalidResourceHandle;
    if (stream->capture == nullptr) return kIllegalState;
    if (!stream->begins_capture) return kStreamCaptureUnmatched;
    *graph = stream->capture;
    end_capture(stream->capture);
    stream->begins_capture = false;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaStreamIsCapturing(Stream* handle, int* status) {
  return call([&](Context&) {
    const Stream* const stream = stream_of(handle);
    if (stream == nullptr) return kInvalidResourceHandle;
    *status = stream->capture != nullptr ? 1 : 0;
    return kSuccess;
  });
}
SHFLSIM_API Error cudaThreadExchangeStreamCaptureMode(int* /*mode*/) { return kSuccess; }

SHFLSIM_API Error cudaGraphCreate(Graph** graph, unsigned /*flags*/) {
  return call([&](Context&) {
    if (graph == nullptr) return kInvalidValue;
    *graph = new Graph;
    return kSuccess;
  });
}
/// The nodes of the copy are in the order of the graph's.
SHFLSIM_API Error cudaGraphClone(Graph** clone, const Graph* graph) {
  return call([&](Context&) {
    if (clone == nullptr || graph == nullptr) return kInvalidValue;
    *clone = new Graph;
    std::map<const GraphNode*, GraphNode*> copies;
    for (const auto& node : graph->nodes)
      copies[node.get()] = (*clone)->add(node->kind, node->work);
    for (const auto& node : graph->nodes) {
      for (const GraphNode* each : node->after) copies[node.get()]->after.push_back(copies[each]);
    }
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGraphDestroy(Graph* graph) {
  return call([&](Context&) {
    delete graph;
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGraphExecDestroy(GraphExec* exec) {
  return call([&](Context&) {
    delete exec;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaGraphInstantiate(GraphExec** exec, Graph* graph, unsigned long long) {
  return instantiate(exec, graph);
}
SHFLSIM_API Error cudaGraphInstantiateWithFlags(GraphExec** exec, Graph* graph,
                                                unsigned long long) {
  return instantiate(exec, graph);
}
SHFLSIM_API Error cudaGraphUpload(GraphExec* /*exec*/, Stream* /*stream*/) { return kSuccess; }

SHFLSIM_API Error cudaGraphLaunch(GraphExec* exec, Stream* stream) {
  return call([&](Context& context) {
    if (exec == nullptr) return kInvalidValue;
    for (const auto& [node, work] : exec->steps) {
      const Error error = do_in(context, stream, node->kind, work);
      if (error != kSuccess) return error;
    }
    return kSuccess;
  });
}

SHFLSIM_API Error cudaGraphAddKernelNode(GraphNode** node, Graph* graph, Nodes after, size_t count,
                                         const KernelNodeParams* params) {
  Work work;
  const Error error = call([&](Context& context) { return launching(context, *params, &work); });
  if (error != kSuccess) return error;
  return add_node(node, graph, after, count, NodeKind::kKernel, work);
}

SHFLSIM_API Error cudaGraphExecKernelNodeSetParams(GraphExec* exec, GraphNode* node,
                                                   const KernelNodeParams* params) {
  return call([&](Context& context) {
    for (auto& [made_of, work] : exec->steps) {
      if (made_of == node) return launching(context, *params, &work);
    }
    return kInvalidValue;
  });
}
SHFLSIM_API Error cudaGraphKernelNodeSetParams(GraphNode* node, const KernelNodeParams* params) {
  return call([&](Context& context) { return launching(context, *params, &node->work); });
}

SHFLSIM_API Error cudaGraphAddMemcpyNode1D(GraphNode** node, Graph* graph, Nodes after,
                                           size_t count, void* to, const void* from, size_t size,
                                           int kind) {
  return add_node(node, graph, after, count, NodeKind::kMemcpy, [=](Context& context) {
    return copy(context.heap(), reinterpret_cast<uint64_t>(to), reinterpret_cast<uint64_t>(from),
                size, static_cast<CopyKind>(kind));
  });
}

SHFLSIM_API Error cudaGraphAddMemcpyNode(GraphNode** node, Graph* graph, Nodes after, size_t count,
                                         const Copy3D* copy) {
  return add_node(node, graph, after, count, NodeKind::kMemcpy, copying_volume(*copy));
}

SHFLSIM_API Error cudaGraphAddMemsetNode(GraphNode** node, Graph* graph, Nodes after, size_t count,
                                         const MemsetParams* given) {
  const MemsetParams params = *given;
  return add_node(node, graph, after, count, NodeKind::kMemset, [params](Context& context) {
    return fill_rows(context.heap(), {reinterpret_cast<uint64_t>(params.to), params.pitch},
                     {params.width * params.unit_bytes, params.height}, params.value,
                     params.unit_bytes);
  });
}

SHFLSIM_API Error cudaGraphAddHostNode(GraphNode** node, Graph* graph, Nodes after, size_t count,
                                       const HostNodeParams* given) {
  const HostNodeParams params = *given;
  return add_node(node, graph, after, count, NodeKind::kHost, [params](Context&) {
    params.function(params.data);
    return kSuccess;
  });
}

SHFLSIM_API Error cudaGraphAddEmptyNode(GraphNode** node, Graph* graph, Nodes after, size_t count) {
  return add_node(node, graph, after, count, NodeKind::kEmpty, [](Context&) { return kSuccess; });
}

/// A child is taken as it is now.
SHFLSIM_API Error cudaGraphAddChildGraphNode(GraphNode** node, Graph* graph, Nodes after,
                                             size_t count, const Graph* child) {
  const GraphExec exec = instantiated(*child);
  return add_node(node, graph, after, count, NodeKind::kGraph, [exec](Context& context) {
    for (const auto& [made_of, work] : exec.steps) {
      const Error error = work(context);
      if (error != kSuccess) return error;
    }
    return kSuccess;
  });
}

SHFLSIM_API Error cudaGraphNodeGetType(GraphNode* node, int* kind) {
  return call([&](Context&) {
    if (node == nullptr || kind == nullptr) return kInvalidValue;
    *kind = static_cast<int>(node->kind);
    return kSuccess;
  });
}

SHFLSIM_API Error cudaGraphGetNodes(Graph* graph, GraphNode** nodes, size_t* count) {
  return call([&](Context&) {
    if (graph == nullptr || count == nullptr) return kInvalidValue;
    const size_t all = graph->nodes.size();
    for (size_t i = 0; nodes != nullptr && i < std::min(all, *count); ++i)
      nodes[i] = graph->nodes[i].get();
    *count = nodes == nullptr ? all : std::min(all, *count);
    return kSuccess;
  });
}

/// CUDA 13 has a pointer to the edges' data in front of the count.
SHFLSIM_API Error cudaGraphAddDependencies(Graph* /*graph*/, Nodes from, Nodes to, size_t edges,
                                           size_t count_behind) {
  return call([&](Context&) {
    const size_t count = cudart_version() >= 13000 ? count_behind : edges;
    for (size_t i = 0; i < count; ++i) to[i]->after.push_back(from[i]);
    return kSuccess;
  });
}

}  // namespace shflsim::runtime
