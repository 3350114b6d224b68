// SPDX-License-Identifier: Apache-2.0
// Graphs: captured or made node by node, instantiated and launched.
#include <map>

#include "runtime/api/graph_memory.h"
#include "runtime/api/graph_nodes.h"
#include "runtime/api/version.h"
#include "runtime/api/volumes.h"
#include "runtime/device/copy.h"

namespace shflsim::runtime {
namespace {

Error instantiate(GraphExec** exec, const Graph* graph, uint64_t flags) {
  return call([&](Context&) {
    if (exec == nullptr || graph == nullptr) return kInvalidValue;
    GraphExec made = instantiated(*graph);
    if (made.steps.size() != graph->nodes.size()) return kInvalidValue;
    made.flags = flags;
    *exec = new GraphExec(std::move(made));
    return kSuccess;
  });
}

/// As in the binary interface.
struct InstantiateParams {
  uint64_t flags;
  Stream* upload_stream;
  const GraphNode* failed;
  int result;
};

Work copying_bytes(void* to, const void* from, size_t size, int kind) {
  return [=](Context& context) {
    return copy(context.heap(), reinterpret_cast<uint64_t>(to), reinterpret_cast<uint64_t>(from),
                size, static_cast<CopyKind>(kind));
  };
}

Work doing(const std::vector<GraphExec::Step>& steps) {
  return [steps](Context& context) {
    Error error = kSuccess;
    for (const GraphExec::Step& step : steps) {
      if (error == kSuccess && step.is_enabled) error = step.work(context);
    }
    return error;
  };
}

/// Replaces the content of a step of a graph by the result of which().
template <class F>
Error change_step(GraphExec* exec, const GraphNode* node, F which) {
  return call([&](Context& context) {
    if (exec == nullptr) return kInvalidValue;
    for (GraphExec::Step& step : exec->steps) {
      if (step.node == node) return which(context, &step.work);
    }
    return kInvalidValue;
  });
}

}  // namespace

GraphExec instantiated(const Graph& graph) {
  GraphExec exec;
  for (const GraphNode* node : graph.ordered())
    exec.steps.push_back({node, node->kind, node->work, node->parameters});
  return exec;
}

Error add_node(GraphNode** node, Graph* graph, Nodes after, size_t count, NodeKind kind,
               const NodeContent& content) {
  return call([&](Context&) {
    if (node == nullptr || graph == nullptr) return kInvalidValue;
    *node = graph->add(kind, content.work, std::vector<GraphNode*>(after, after + count));
    (*node)->parameters = content.parameters;
    return kSuccess;
  });
}

/// The launch with the current values of its arguments.
Error content_of(Context& context, const KernelNodeParams& params, NodeContent* content) {
  PreparedLaunch made;
  const LaunchShape shape{params.grid, params.block, params.shared_bytes, false};
  if (params.arguments == nullptr && params.extra != nullptr) return kNotSupported;
  const Error error = make_spec(context, params.function, shape, params.arguments, &made);
  if (error != kSuccess) return error;
  const auto copy = std::make_shared<KernelNodeCopy>();
  copy->params = params;
  copy->area = made.spec.parameters;
  for (const isa::Program::Parameter& each : made.kernel->program->parameters)
    copy->arguments.push_back(copy->area.data() + each.offset);
  copy->params.arguments = copy->arguments.data();
  content->work = [made](Context& its) { return its.launch(*made.kernel, made.spec); };
  content->parameters = copy;
  return kSuccess;
}

NodeContent content_of(const MemsetParams& params) {
  Work work = [params](Context& context) {
    return fill_rows(context.heap(), {reinterpret_cast<uint64_t>(params.to), params.pitch},
                     {params.width * params.unit_bytes, params.height}, params.value,
                     params.unit_bytes);
  };
  return {std::move(work), std::make_shared<const MemsetParams>(params)};
}

NodeContent content_of(const HostNodeParams& params) {
  Work work = [params](Context&) {
    params.function(params.data);
    return kSuccess;
  };
  return {std::move(work), std::make_shared<const HostNodeParams>(params)};
}

NodeContent content_of_child(const Graph& child) {
  return {doing(instantiated(child).steps), nullptr};
}

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
    Graph* const captured = stream->capture;
    end_capture(captured);
    stream->begins_capture = false;
    *graph = captured->is_invalid ? nullptr : captured;
    return captured->is_invalid ? kStreamCaptureInvalidated : kSuccess;
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
/// The nodes of the copy have the order of the graph's nodes.
SHFLSIM_API Error cudaGraphClone(Graph** clone, const Graph* graph) {
  return call([&](Context&) {
    if (clone == nullptr || graph == nullptr) return kInvalidValue;
    for (const auto& node : graph->nodes) {  // as on an H100
      if (node->kind == NodeKind::kMemAlloc || node->kind == NodeKind::kMemFree)
        return kNotSupported;
    }
    *clone = new Graph;
    std::map<const GraphNode*, GraphNode*> copies;
    for (const auto& node : graph->nodes) {
      GraphNode* const copy = (*clone)->add(node->kind, node->work);
      copy->parameters = node->parameters;
      copy->original = node.get();
      copy->attributes = node->attributes;
      copies[node.get()] = copy;
    }
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

SHFLSIM_API Error cudaGraphInstantiate(GraphExec** exec, Graph* graph, unsigned long long flags) {
  return instantiate(exec, graph, flags);
}
SHFLSIM_API Error cudaGraphInstantiateWithFlags(GraphExec** exec, Graph* graph,
                                                unsigned long long flags) {
  return instantiate(exec, graph, flags);
}
SHFLSIM_API Error cudaGraphInstantiateWithParams(GraphExec** exec, Graph* graph,
                                                 InstantiateParams* params) {
  constexpr int kInvalidStructure = 2;  // cudaGraphInstantiateInvalidStructure
  if (params == nullptr) return noted(kInvalidValue);
  const Error error = instantiate(exec, graph, params->flags);
  params->failed = nullptr;
  params->result = error == kSuccess ? 0 : kInvalidStructure;
  return error;
}
SHFLSIM_API Error cudaGraphExecGetFlags(const GraphExec* exec, unsigned long long* flags) {
  return call([&](Context&) {
    if (exec == nullptr || flags == nullptr) return kInvalidValue;
    *flags = exec->flags;
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGraphUpload(GraphExec* /*exec*/, Stream* /*stream*/) { return kSuccess; }

SHFLSIM_API Error cudaGraphLaunch(GraphExec* exec, Stream* stream) {
  return call([&](Context& context) {
    if (exec == nullptr) return kInvalidValue;
    Stream* const found = stream_of(stream);
    if (found == nullptr) return kInvalidResourceHandle;
    if (found->capture != nullptr) {  // as on an H100
      found->capture->is_invalid = true;
      return kStreamCaptureUnsupported;
    }
    const Error error = free_before_launch(*exec);
    return error == kSuccess ? doing(exec->steps)(context) : error;
  });
}

SHFLSIM_API Error cudaGraphAddKernelNode(GraphNode** node, Graph* graph, Nodes after, size_t count,
                                         const KernelNodeParams* params) {
  NodeContent content;
  const Error error =
      call([&](Context& context) { return content_of(context, *params, &content); });
  if (error != kSuccess) return error;
  return add_node(node, graph, after, count, NodeKind::kKernel, content);
}

SHFLSIM_API Error cudaGraphExecKernelNodeSetParams(GraphExec* exec, GraphNode* node,
                                                   const KernelNodeParams* params) {
  return change_step(exec, node, [&](Context& context, Work* work) {
    NodeContent content;
    const Error error = content_of(context, *params, &content);
    if (error == kSuccess) *work = content.work;
    return error;
  });
}

SHFLSIM_API Error cudaGraphAddMemcpyNode1D(GraphNode** node, Graph* graph, Nodes after,
                                           size_t count, void* to, const void* from, size_t size,
                                           int kind) {
  return add_node(node, graph, after, count, NodeKind::kMemcpy,
                  {copying_bytes(to, from, size, kind), nullptr});
}
SHFLSIM_API Error cudaGraphMemcpyNodeSetParams1D(GraphNode* node, void* to, const void* from,
                                                 size_t size, int kind) {
  return call([&](Context&) {
    node->work = copying_bytes(to, from, size, kind);
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGraphExecMemcpyNodeSetParams1D(GraphExec* exec, GraphNode* node, void* to,
                                                     const void* from, size_t size, int kind) {
  return change_step(exec, node, [&](Context&, Work* work) {
    *work = copying_bytes(to, from, size, kind);
    return kSuccess;
  });
}

SHFLSIM_API Error cudaGraphAddMemcpyNode(GraphNode** node, Graph* graph, Nodes after, size_t count,
                                         const Copy3D* copy) {
  return add_node(node, graph, after, count, NodeKind::kMemcpy,
                  {copying_volume(*copy), std::make_shared<const Copy3D>(*copy)});
}
SHFLSIM_API Error cudaGraphMemcpyNodeSetParams(GraphNode* node, const Copy3D* copy) {
  return call([&](Context&) {
    node->work = copying_volume(*copy);
    node->parameters = std::make_shared<const Copy3D>(*copy);
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGraphExecMemcpyNodeSetParams(GraphExec* exec, GraphNode* node,
                                                   const Copy3D* copy) {
  return change_step(exec, node, [&](Context&, Work* work) {
    *work = copying_volume(*copy);
    return kSuccess;
  });
}

SHFLSIM_API Error cudaGraphAddMemsetNode(GraphNode** node, Graph* graph, Nodes after, size_t count,
                                         const MemsetParams* params) {
  return add_node(node, graph, after, count, NodeKind::kMemset, content_of(*params));
}
SHFLSIM_API Error cudaGraphExecMemsetNodeSetParams(GraphExec* exec, GraphNode* node,
                                                   const MemsetParams* params) {
  return change_step(exec, node, [&](Context&, Work* work) {
    *work = content_of(*params).work;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaGraphAddHostNode(GraphNode** node, Graph* graph, Nodes after, size_t count,
                                       const HostNodeParams* params) {
  return add_node(node, graph, after, count, NodeKind::kHost, content_of(*params));
}
SHFLSIM_API Error cudaGraphExecHostNodeSetParams(GraphExec* exec, GraphNode* node,
                                                 const HostNodeParams* params) {
  return change_step(exec, node, [&](Context&, Work* work) {
    *work = content_of(*params).work;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaGraphAddEmptyNode(GraphNode** node, Graph* graph, Nodes after, size_t count) {
  return add_node(node, graph, after, count, NodeKind::kEmpty,
                  {[](Context&) { return kSuccess; }, nullptr});
}

SHFLSIM_API Error cudaGraphAddChildGraphNode(GraphNode** node, Graph* graph, Nodes after,
                                             size_t count, const Graph* child) {
  return add_node(node, graph, after, count, NodeKind::kGraph, content_of_child(*child));
}

}  // namespace shflsim::runtime
