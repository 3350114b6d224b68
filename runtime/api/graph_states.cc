// SPDX-License-Identifier: Apache-2.0
// Nodes that are disabled, removed or looked up; objects of graphs; captures into a graph.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runtime/api/graph_nodes.h"
#include "runtime/api/version.h"
#include "runtime/api/volumes.h"

namespace shflsim::runtime {
namespace {

/// An object of the program that is destroyed when its last reference is gone.
struct UserObject {
  std::shared_ptr<void> object;
  std::vector<std::shared_ptr<void>> held;  ///< references of the program
};

/// Only kernels, copies and fills can be switched off.
bool can_be_disabled(NodeKind kind) {
  return kind == NodeKind::kKernel || kind == NodeKind::kMemcpy || kind == NodeKind::kMemset;
}

/// Calls use(step) with the step of this node.
template <class F>
Error with_step(GraphExec* exec, const GraphNode* node, F use) {
  return call([&](Context&) {
    if (exec == nullptr || node == nullptr) return kInvalidValue;
    for (GraphExec::Step& step : exec->steps) {
      if (step.node == node && can_be_disabled(step.kind)) return use(&step);
    }
    return kInvalidValue;
  });
}

/// Attributes that a launch depends on here: a launch of a node ignores them.
bool is_of_launch(int attribute) {
  constexpr int kCooperative = 2, kClusterDimension = 4;
  return attribute == kCooperative || attribute == kClusterDimension;
}

bool is_kernel(const GraphNode* node) { return node != nullptr && node->kind == NodeKind::kKernel; }

Error update_dependencies(Stream* handle, Nodes nodes, size_t count, bool is_replaced) {
  return call([&](Context&) {
    Stream* const stream = stream_of(handle);
    if (stream == nullptr) return kInvalidResourceHandle;
    if (stream->capture == nullptr) return kIllegalState;
    if (is_replaced) stream->last.clear();
    stream->last.insert(stream->last.end(), nodes, nodes + count);
    return kSuccess;
  });
}

}  // namespace

SHFLSIM_API Error cudaGraphNodeSetEnabled(GraphExec* exec, const GraphNode* node, unsigned is_on) {
  return with_step(exec, node, [is_on](GraphExec::Step* step) {
    step->is_enabled = is_on != 0;
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGraphNodeGetEnabled(GraphExec* exec, const GraphNode* node, unsigned* is_on) {
  return with_step(exec, node, [is_on](GraphExec::Step* step) {
    *is_on = step->is_enabled ? 1 : 0;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaGraphDestroyNode(GraphNode* node) {
  return call([&](Context&) {
    if (node == nullptr) return kInvalidValue;
    auto& nodes = node->graph->nodes;
    for (const auto& each : nodes) {
      auto& after = each->after;
      after.erase(std::remove(after.begin(), after.end(), node), after.end());
    }
    nodes.erase(std::find_if(nodes.begin(), nodes.end(),
                             [node](const auto& each) { return each.get() == node; }));
    return kSuccess;
  });
}

SHFLSIM_API Error cudaGraphNodeFindInClone(GraphNode** found, const GraphNode* original,
                                           const Graph* clone) {
  return call([&](Context&) {
    if (found == nullptr || clone == nullptr) return kInvalidValue;
    for (const auto& each : clone->nodes) {
      if (each->original != original) continue;
      *found = each.get();
      return kSuccess;
    }
    return kInvalidValue;
  });
}

SHFLSIM_API Error cudaGraphMemcpyNodeGetParams(const GraphNode* node, Copy3D* copy) {
  return call([&](Context&) {
    if (node == nullptr || copy == nullptr || node->kind != NodeKind::kMemcpy) return kInvalidValue;
    if (node->parameters == nullptr) return kNotSupported;  // a copy of bytes or of a variable
    std::memcpy(copy, node->parameters.get(), sizeof *copy);
    return kSuccess;
  });
}

/// Writes nodes and edges as a file for Graphviz.
SHFLSIM_API Error cudaGraphDebugDotPrint(const Graph* graph, const char* path, unsigned) {
  return call([&](Context&) {
    if (graph == nullptr || path == nullptr) return kInvalidValue;
    std::FILE* const file = std::fopen(path, "w");
    if (file == nullptr) return kInvalidValue;
    std::fprintf(file, "digraph graph_1 {\n");
    const auto number = [graph](const GraphNode* node) {
      const auto found = std::find_if(graph->nodes.begin(), graph->nodes.end(),
                                      [node](const auto& each) { return each.get() == node; });
      return static_cast<int>(found - graph->nodes.begin());
    };
    for (const auto& node : graph->nodes) {
      std::fprintf(file, "  node_%d [label=\"kind %d\"];\n", number(node.get()),
                   static_cast<int>(node->kind));
      for (const GraphNode* before : node->after)
        std::fprintf(file, "  node_%d -> node_%d;\n", number(before), number(node.get()));
    }
    std::fprintf(file, "}\n");
    return std::fclose(file) == 0 ? kSuccess : kInvalidValue;
  });
}

SHFLSIM_API Error cudaGraphKernelNodeSetAttribute(GraphNode* node, int attribute,
                                                  const void* value) {
  return call([&](Context& context) {
    if (!is_kernel(node) || value == nullptr) return kInvalidValue;
    if (is_of_launch(attribute)) {
      context.say_once("clusters and cooperative launches of graph nodes are not supported");
      return kNotSupported;
    }
    std::memcpy(node->attributes[attribute].data(), value, sizeof node->attributes[attribute]);
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGraphKernelNodeGetAttribute(GraphNode* node, int attribute, void* value) {
  return call([&](Context&) {
    if (!is_kernel(node) || value == nullptr) return kInvalidValue;
    const auto& bytes = node->attributes[attribute];
    std::memcpy(value, bytes.data(), bytes.size());
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGraphKernelNodeCopyAttributes(GraphNode* from, GraphNode* to) {
  return call([&](Context&) {
    if (!is_kernel(from) || !is_kernel(to)) return kInvalidValue;
    to->attributes = from->attributes;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaUserObjectCreate(UserObject** made, void* object, void (*destroy)(void*),
                                       unsigned count, unsigned /*flags*/) {
  return call([&](Context&) {
    if (made == nullptr || destroy == nullptr || count == 0) return kInvalidValue;
    *made = new UserObject{std::shared_ptr<void>(object, destroy), {}};
    (*made)->held.assign(count, (*made)->object);
    (*made)->object.reset();
    return kSuccess;
  });
}
SHFLSIM_API Error cudaUserObjectRetain(UserObject* object, unsigned count) {
  return call([&](Context&) {
    if (object == nullptr || object->held.empty()) return kInvalidValue;
    object->held.insert(object->held.end(), count, object->held.front());
    return kSuccess;
  });
}
SHFLSIM_API Error cudaUserObjectRelease(UserObject* object, unsigned count) {
  return call([&](Context&) {
    if (object == nullptr || object->held.size() < count) return kInvalidValue;
    object->held.resize(object->held.size() - count);
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGraphRetainUserObject(Graph* graph, UserObject* object, unsigned count,
                                            unsigned flags) {
  constexpr unsigned kMove = 1;  // cudaGraphUserObjectMove
  return call([&](Context&) {
    if (graph == nullptr || object == nullptr || object->held.empty()) return kInvalidValue;
    if ((flags & kMove) != 0 && object->held.size() < count) return kInvalidValue;
    graph->objects.insert(graph->objects.end(), count, object->held.front());
    if ((flags & kMove) != 0) object->held.resize(object->held.size() - count);
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGraphReleaseUserObject(Graph* graph, const UserObject* object,
                                             unsigned count) {
  return call([&](Context&) {
    if (graph == nullptr || object == nullptr) return kInvalidValue;
    for (unsigned i = 0; i < count && !graph->objects.empty(); ++i) graph->objects.pop_back();
    return kSuccess;
  });
}

SHFLSIM_API Error cudaStreamBeginCaptureToGraph(Stream* handle, Graph* graph, Nodes after,
                                                const void* /*data*/, size_t count, int /*mode*/) {
  return call([&](Context&) {
    Stream* const stream = stream_of(handle);
    if (stream == nullptr) return kInvalidResourceHandle;
    if (graph == nullptr) return kInvalidValue;
    if (reinterpret_cast<uintptr_t>(handle) < 2) return kStreamCaptureUnsupported;
    if (stream->capture != nullptr) return kIllegalState;
    stream->capture = graph;
    stream->last.assign(after, after + count);
    stream->begins_capture = true;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaStreamUpdateCaptureDependencies_v2(Stream* stream, Nodes nodes,
                                                         const void* /*data*/, size_t count,
                                                         unsigned flags) {
  constexpr unsigned kSet = 1;  // cudaStreamSetCaptureDependencies; 0: add
  return update_dependencies(stream, nodes, count, (flags & kSet) != 0);
}
/// CUDA 13 has a pointer to the edges' data before the count.
SHFLSIM_API Error cudaStreamUpdateCaptureDependencies(Stream* stream, Nodes nodes, size_t third,
                                                      size_t fourth, unsigned fifth) {
  const bool has_data = cudart_version() >= 13000;
  return cudaStreamUpdateCaptureDependencies_v2(stream, nodes, nullptr, has_data ? fourth : third,
                                                has_data ? fifth : static_cast<unsigned>(fourth));
}

}  // namespace shflsim::runtime
