// SPDX-License-Identifier: Apache-2.0
// Queries of graphs and their nodes, and changes of them.
#include <algorithm>
#include <cstring>

#include "runtime/api/graph_nodes.h"
#include "runtime/api/version.h"

namespace shflsim::runtime {
namespace {

constexpr Error kUpdateFailure = static_cast<Error>(910);  // cudaErrorGraphExecUpdateFailure

/// As in the binary interface.
struct UpdateResult {
  enum Kind : int { kSuccess = 0, kTopologyChanged = 2, kTypeChanged = 3 };
  int kind;
  const GraphNode* node;
  const GraphNode* from;
};

/// Copies nodes to a list with room for `*count`; without a list, only returns their number.
Error give_nodes(const std::vector<GraphNode*>& all, GraphNode** nodes, size_t* count) {
  if (count == nullptr) return kInvalidValue;
  for (size_t i = 0; nodes != nullptr && i < std::min(all.size(), *count); ++i) nodes[i] = all[i];
  *count = nodes == nullptr ? all.size() : std::min(all.size(), *count);
  return kSuccess;
}

/// CUDA 13 has a pointer to the edges' data before the count.
size_t* count_of(void* third, size_t* fourth) {
  return cudart_version() >= 13000 ? fourth : static_cast<size_t*>(third);
}

/// Copies the parameters of a node, if it is of this kind.
template <class Params>
Error give_parameters(const GraphNode* node, NodeKind kind, Params* params) {
  return call([&](Context&) {
    if (node == nullptr || params == nullptr || node->kind != kind || node->parameters == nullptr)
      return kInvalidValue;
    std::memcpy(params, node->parameters.get(), sizeof *params);
    return kSuccess;
  });
}

Error set_content(GraphNode* node, NodeKind kind, const NodeContent& content) {
  return call([&](Context&) {
    if (node == nullptr || node->kind != kind) return kInvalidValue;
    node->work = content.work;
    node->parameters = content.parameters;
    return kSuccess;
  });
}

}  // namespace

SHFLSIM_API Error cudaGraphNodeGetType(GraphNode* node, int* kind) {
  return call([&](Context&) {
    if (node == nullptr || kind == nullptr) return kInvalidValue;
    *kind = static_cast<int>(node->kind);
    return kSuccess;
  });
}

SHFLSIM_API Error cudaGraphGetNodes(Graph* graph, GraphNode** nodes, size_t* count) {
  return call([&](Context&) {
    if (graph == nullptr) return kInvalidValue;
    std::vector<GraphNode*> all;
    for (const auto& each : graph->nodes) all.push_back(each.get());
    return give_nodes(all, nodes, count);
  });
}

SHFLSIM_API Error cudaGraphGetRootNodes(Graph* graph, GraphNode** nodes, size_t* count) {
  return call([&](Context&) {
    if (graph == nullptr) return kInvalidValue;
    std::vector<GraphNode*> roots;
    for (const auto& each : graph->nodes) {
      if (each->after.empty()) roots.push_back(each.get());
    }
    return give_nodes(roots, nodes, count);
  });
}

// Functions with two forms: in CUDA 13, and in the functions of CUDA 12 named _v2, a pointer to the
// edges' data precedes the count.

SHFLSIM_API Error cudaGraphGetEdges_v2(Graph* graph, GraphNode** from, GraphNode** to,
                                       void* /*data*/, size_t* count) {
  return call([&](Context&) {
    if (graph == nullptr || count == nullptr) return kInvalidValue;
    size_t edges = 0;
    for (const auto& each : graph->nodes) {
      for (GraphNode* before : each->after) {
        if (from != nullptr && to != nullptr && edges < *count) {
          from[edges] = before;
          to[edges] = each.get();
        }
        ++edges;
      }
    }
    *count = from == nullptr ? edges : std::min(edges, *count);
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGraphGetEdges(Graph* graph, GraphNode** from, GraphNode** to, void* third,
                                    size_t* fourth) {
  return cudaGraphGetEdges_v2(graph, from, to, nullptr, count_of(third, fourth));
}

SHFLSIM_API Error cudaGraphNodeGetDependencies_v2(GraphNode* node, GraphNode** nodes,
                                                  void* /*data*/, size_t* count) {
  return call([&](Context&) {
    return node == nullptr ? kInvalidValue : give_nodes(node->after, nodes, count);
  });
}
SHFLSIM_API Error cudaGraphNodeGetDependencies(GraphNode* node, GraphNode** nodes, void* third,
                                               size_t* fourth) {
  return cudaGraphNodeGetDependencies_v2(node, nodes, nullptr, count_of(third, fourth));
}

SHFLSIM_API Error cudaGraphAddDependencies_v2(Graph* /*graph*/, Nodes from, Nodes to,
                                              const void* /*data*/, size_t count) {
  return call([&](Context&) {
    for (size_t i = 0; i < count; ++i) to[i]->after.push_back(from[i]);
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGraphAddDependencies(Graph* graph, Nodes from, Nodes to, size_t edges,
                                           size_t count_behind) {
  const size_t count = cudart_version() >= 13000 ? count_behind : edges;
  return cudaGraphAddDependencies_v2(graph, from, to, nullptr, count);
}

SHFLSIM_API Error cudaGraphRemoveDependencies_v2(Graph* /*graph*/, Nodes from, Nodes to,
                                                 const void* /*data*/, size_t count) {
  return call([&](Context&) {
    for (size_t i = 0; i < count; ++i) {
      std::vector<GraphNode*>& after = to[i]->after;
      const auto found = std::find(after.begin(), after.end(), from[i]);
      if (found == after.end()) return kInvalidValue;
      after.erase(found);
    }
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGraphRemoveDependencies(Graph* graph, Nodes from, Nodes to, size_t edges,
                                              size_t count_behind) {
  const size_t count = cudart_version() >= 13000 ? count_behind : edges;
  return cudaGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}

/// The graph into which a stream is captured, and the nodes that its next node follows.
SHFLSIM_API Error cudaStreamGetCaptureInfo_v2(Stream* handle, int* status, unsigned long long* id,
                                              Graph** graph, Nodes* last, size_t* count) {
  return call([&](Context&) {
    Stream* const stream = stream_of(handle);
    if (stream == nullptr) return kInvalidResourceHandle;
    if (status == nullptr) return kInvalidValue;
    *status = stream->capture != nullptr ? 1 : 0;
    if (stream->capture == nullptr) return kSuccess;
    if (id != nullptr) *id = reinterpret_cast<uintptr_t>(stream->capture);
    if (graph != nullptr) *graph = stream->capture;
    if (last != nullptr) *last = stream->last.data();
    if (count != nullptr) *count = stream->last.size();
    return kSuccess;
  });
}
SHFLSIM_API Error cudaStreamGetCaptureInfo_v3(Stream* stream, int* status, unsigned long long* id,
                                              Graph** graph, Nodes* last, const void** data,
                                              size_t* count) {
  if (data != nullptr) *data = nullptr;
  return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, last, count);
}

SHFLSIM_API Error cudaGraphNodeGetDependentNodes_v2(GraphNode* node, GraphNode** nodes,
                                                    void* /*data*/, size_t* count) {
  return call([&](Context&) {
    if (node == nullptr) return kInvalidValue;
    std::vector<GraphNode*> behind;
    for (const auto& each : node->graph->nodes) {
      if (std::count(each->after.begin(), each->after.end(), node) != 0)
        behind.push_back(each.get());
    }
    return give_nodes(behind, nodes, count);
  });
}
SHFLSIM_API Error cudaGraphNodeGetDependentNodes(GraphNode* node, GraphNode** nodes, void* third,
                                                 size_t* fourth) {
  return cudaGraphNodeGetDependentNodes_v2(node, nodes, nullptr, count_of(third, fourth));
}

SHFLSIM_API Error cudaGraphKernelNodeGetParams(const GraphNode* node, KernelNodeParams* params) {
  return give_parameters(node, NodeKind::kKernel, params);
}
SHFLSIM_API Error cudaGraphKernelNodeSetParams(GraphNode* node, const KernelNodeParams* params) {
  NodeContent content;
  const Error error =
      call([&](Context& context) { return content_of(context, *params, &content); });
  return error == kSuccess ? set_content(node, NodeKind::kKernel, content) : error;
}
SHFLSIM_API Error cudaGraphMemsetNodeGetParams(const GraphNode* node, MemsetParams* params) {
  return give_parameters(node, NodeKind::kMemset, params);
}
SHFLSIM_API Error cudaGraphMemsetNodeSetParams(GraphNode* node, const MemsetParams* params) {
  return set_content(node, NodeKind::kMemset, content_of(*params));
}
SHFLSIM_API Error cudaGraphHostNodeGetParams(const GraphNode* node, HostNodeParams* params) {
  return give_parameters(node, NodeKind::kHost, params);
}
SHFLSIM_API Error cudaGraphHostNodeSetParams(GraphNode* node, const HostNodeParams* params) {
  return set_content(node, NodeKind::kHost, content_of(*params));
}

/// Replaces the work of `exec` by that of the graph, whose nodes must be those that it was made
/// from, or copies of them in the same order.
SHFLSIM_API Error cudaGraphExecUpdate(GraphExec* exec, Graph* graph, UpdateResult* result) {
  return call([&](Context&) {
    if (exec == nullptr || graph == nullptr || result == nullptr) return kInvalidValue;
    const GraphExec now = instantiated(*graph);
    *result = {UpdateResult::kSuccess, nullptr, nullptr};
    if (now.steps.size() != exec->steps.size()) result->kind = UpdateResult::kTopologyChanged;
    for (size_t i = 0; result->kind == UpdateResult::kSuccess && i < now.steps.size(); ++i) {
      if (now.steps[i].kind == exec->steps[i].kind) continue;
      *result = {UpdateResult::kTypeChanged, now.steps[i].node, nullptr};
    }
    if (result->kind != UpdateResult::kSuccess) return kUpdateFailure;
    for (size_t i = 0; i < now.steps.size(); ++i) exec->steps[i].work = now.steps[i].work;
    return kSuccess;
  });
}

}  // namespace shflsim::runtime
