// SPDX-License-Identifier: Apache-2.0
// Graph nodes that record events and copy variables, and the calls that take a node of any
// kind.
#include "runtime/api/graph_memory.h"
#include "runtime/api/graph_nodes.h"
#include "runtime/api/symbol_copies.h"
#include "runtime/api/version.h"
#include "runtime/api/volumes.h"

namespace shflsim::runtime {
namespace {

/// Parameters of nodes, as the binary interface has them.
struct MemcpyNodeParams {
  int flags[4];
  Copy3D copy;
};
struct GraphNodeParams {
  int kind;
  int reserved[3];
  union {
    char bytes[232];
    KernelNodeParams kernel;
    MemcpyNodeParams memcpy;
    MemsetParams memset;
    HostNodeParams host;
    const Graph* child;
    Event* event;
    MemAllocParams alloc;
    void* free;
  };
};

NodeContent content_of_event(Event* event, NodeKind kind) {
  Work work = [event, kind](Context& context) {
    if (!is_event(event)) return kInvalidResourceHandle;
    if (kind == NodeKind::kEventRecord) record(context, event);
    return kSuccess;
  };
  return {std::move(work), std::make_shared<Event* const>(event)};
}

/// The content of a node of any kind. A new child is a copy of the graph as it is now.
Error content_of(Context& context, GraphNodeParams* params, NodeContent* content) {
  if (params == nullptr) return kInvalidValue;
  const auto kind = static_cast<NodeKind>(params->kind);
  switch (kind) {
    case NodeKind::kKernel: return content_of(context, params->kernel, content);
    case NodeKind::kMemcpy: {
      const Copy3D& copy = params->memcpy.copy;
      *content = {copying_volume(copy), std::make_shared<const Copy3D>(copy)};
      return kSuccess;
    }
    case NodeKind::kMemset: *content = content_of(params->memset); return kSuccess;
    case NodeKind::kHost: *content = content_of(params->host); return kSuccess;
    case NodeKind::kGraph: *content = content_of_child(*params->child); return kSuccess;
    case NodeKind::kEmpty: *content = {[](Context&) { return kSuccess; }, nullptr}; return kSuccess;
    case NodeKind::kWaitEvent:
    case NodeKind::kEventRecord: *content = content_of_event(params->event, kind); return kSuccess;
    case NodeKind::kMemAlloc: return content_of(context, &params->alloc, content);
    case NodeKind::kMemFree: *content = content_of_free(params->free); return kSuccess;
  }
  context.say_once("graph nodes of kind " + std::to_string(params->kind) + " are not supported");
  return kNotSupported;
}

Error set_content(GraphNode* node, const NodeContent& content) {
  return call([&](Context&) {
    if (node == nullptr) return kInvalidValue;
    node->work = content.work;
    node->parameters = content.parameters;
    return kSuccess;
  });
}

Error set_content(GraphExec* exec, const GraphNode* node, const NodeContent& content) {
  return call([&](Context&) {
    if (exec == nullptr) return kInvalidValue;
    for (GraphExec::Step& step : exec->steps) {
      if (step.node != node) continue;
      step.work = content.work;
      step.parameters = content.parameters;
      return kSuccess;
    }
    return kInvalidValue;
  });
}

/// Makes the content of parameters of any kind, and passes it to `use`.
template <class F>
Error with_content(GraphNodeParams* params, F use) {
  NodeContent content;
  const Error error = call([&](Context& context) { return content_of(context, params, &content); });
  return error == kSuccess ? use(content) : error;
}

Error give_event(const GraphNode* node, NodeKind kind, Event** event) {
  return call([&](Context&) {
    if (node == nullptr || event == nullptr || node->kind != kind) return kInvalidValue;
    *event = *static_cast<Event* const*>(node->parameters.get());
    return kSuccess;
  });
}

}  // namespace

SHFLSIM_API Error cudaGraphAddNode_v2(GraphNode** node, Graph* graph, Nodes after,
                                      const void* /*data*/, size_t count, GraphNodeParams* params) {
  return with_content(params, [&](const NodeContent& content) {
    return add_node(node, graph, after, count, static_cast<NodeKind>(params->kind), content);
  });
}
/// CUDA 13 has a pointer to the edges' data before their number.
SHFLSIM_API Error cudaGraphAddNode(GraphNode** node, Graph* graph, Nodes after, const void* fourth,
                                   void* fifth, GraphNodeParams* sixth) {
  if (cudart_version() >= 13000)
    return cudaGraphAddNode_v2(node, graph, after, fourth, reinterpret_cast<size_t>(fifth), sixth);
  return cudaGraphAddNode_v2(node, graph, after, nullptr, reinterpret_cast<size_t>(fourth),
                             static_cast<GraphNodeParams*>(fifth));
}
SHFLSIM_API Error cudaGraphNodeSetParams(GraphNode* node, GraphNodeParams* params) {
  return with_content(params,
                      [&](const NodeContent& content) { return set_content(node, content); });
}
SHFLSIM_API Error cudaGraphExecNodeSetParams(GraphExec* exec, const GraphNode* node,
                                             GraphNodeParams* params) {
  return with_content(params,
                      [&](const NodeContent& content) { return set_content(exec, node, content); });
}

SHFLSIM_API Error cudaGraphAddEventRecordNode(GraphNode** node, Graph* graph, Nodes after,
                                              size_t count, Event* event) {
  constexpr NodeKind kKind = NodeKind::kEventRecord;
  return add_node(node, graph, after, count, kKind, content_of_event(event, kKind));
}
SHFLSIM_API Error cudaGraphAddEventWaitNode(GraphNode** node, Graph* graph, Nodes after,
                                            size_t count, Event* event) {
  constexpr NodeKind kKind = NodeKind::kWaitEvent;
  return add_node(node, graph, after, count, kKind, content_of_event(event, kKind));
}
SHFLSIM_API Error cudaGraphEventRecordNodeGetEvent(const GraphNode* node, Event** event) {
  return give_event(node, NodeKind::kEventRecord, event);
}
SHFLSIM_API Error cudaGraphEventWaitNodeGetEvent(const GraphNode* node, Event** event) {
  return give_event(node, NodeKind::kWaitEvent, event);
}
SHFLSIM_API Error cudaGraphEventRecordNodeSetEvent(GraphNode* node, Event* event) {
  return set_content(node, content_of_event(event, NodeKind::kEventRecord));
}
SHFLSIM_API Error cudaGraphEventWaitNodeSetEvent(GraphNode* node, Event* event) {
  return set_content(node, content_of_event(event, NodeKind::kWaitEvent));
}
SHFLSIM_API Error cudaGraphExecEventRecordNodeSetEvent(GraphExec* exec, const GraphNode* node,
                                                       Event* event) {
  return set_content(exec, node, content_of_event(event, NodeKind::kEventRecord));
}
SHFLSIM_API Error cudaGraphExecEventWaitNodeSetEvent(GraphExec* exec, const GraphNode* node,
                                                     Event* event) {
  return set_content(exec, node, content_of_event(event, NodeKind::kWaitEvent));
}

SHFLSIM_API Error cudaGraphAddMemcpyNodeToSymbol(GraphNode** node, Graph* graph, Nodes after,
                                                 size_t count, const void* symbol, const void* from,
                                                 size_t size, size_t offset, int kind) {
  return add_node(node, graph, after, count, NodeKind::kMemcpy,
                  {copying_to({symbol, offset, size}, from, kind), nullptr});
}
SHFLSIM_API Error cudaGraphAddMemcpyNodeFromSymbol(GraphNode** node, Graph* graph, Nodes after,
                                                   size_t count, void* to, const void* symbol,
                                                   size_t size, size_t offset, int kind) {
  return add_node(node, graph, after, count, NodeKind::kMemcpy,
                  {copying_from({symbol, offset, size}, to, kind), nullptr});
}
SHFLSIM_API Error cudaGraphMemcpyNodeSetParamsToSymbol(GraphNode* node, const void* symbol,
                                                       const void* from, size_t size, size_t offset,
                                                       int kind) {
  return set_content(node, {copying_to({symbol, offset, size}, from, kind), nullptr});
}
SHFLSIM_API Error cudaGraphMemcpyNodeSetParamsFromSymbol(GraphNode* node, void* to,
                                                         const void* symbol, size_t size,
                                                         size_t offset, int kind) {
  return set_content(node, {copying_from({symbol, offset, size}, to, kind), nullptr});
}
SHFLSIM_API Error cudaGraphExecMemcpyNodeSetParamsToSymbol(GraphExec* exec, const GraphNode* node,
                                                           const void* symbol, const void* from,
                                                           size_t size, size_t offset, int kind) {
  return set_content(exec, node, {copying_to({symbol, offset, size}, from, kind), nullptr});
}
SHFLSIM_API Error cudaGraphExecMemcpyNodeSetParamsFromSymbol(GraphExec* exec, const GraphNode* node,
                                                             void* to, const void* symbol,
                                                             size_t size, size_t offset, int kind) {
  return set_content(exec, node, {copying_from({symbol, offset, size}, to, kind), nullptr});
}

}  // namespace shflsim::runtime
