// SPDX-License-Identifier: Apache-2.0
// Memory that graphs allocate and free.
#include "runtime/api/graph_memory.h"

#include <cstring>
#include <map>

#include "runtime/api/graph_nodes.h"

namespace shflsim::runtime {
namespace {

constexpr uint64_t kAutoFree = 1;  // cudaGraphInstantiateFlagAutoFreeOnLaunch

std::map<uint64_t, const GraphMemory*>& graph_memories() {
  static auto* const all = new std::map<uint64_t, const GraphMemory*>;
  return *all;
}

uint64_t address_in(const GraphMemory& memory) {
  return reinterpret_cast<uint64_t>(memory.params.pointer);
}

/// Bytes that the device keeps for launched graphs, in units of 32 MiB (as on an H100).
uint64_t kept_bytes() {
  constexpr uint64_t kUnit = uint64_t{32} << 20;
  uint64_t bytes = 0;
  for (const auto& [address, memory] : graph_memories()) {
    if (memory->was_launched) bytes += memory->params.size;
  }
  return (bytes + kUnit - 1) / kUnit * kUnit;
}

}  // namespace

GraphMemory::~GraphMemory() {
  if (params.pointer == nullptr) return;
  graph_memories().erase(address_in(*this));
  if (!is_live) Context::get().heap().release(address_in(*this), MemoryKind::kDevice);
}

bool free_of_graph(uint64_t address) {
  const auto found = graph_memories().find(address);
  if (found == graph_memories().end()) return false;
  found->second->is_live = false;
  return true;
}

Error free_before_launch(const GraphExec& exec) {
  for (const GraphExec::Step& step : exec.steps) {
    if (step.kind != NodeKind::kMemAlloc || step.parameters == nullptr) continue;
    const auto* const memory = static_cast<const GraphMemory*>(step.parameters.get());
    if (memory->is_live && (exec.flags & kAutoFree) == 0) return kInvalidValue;
    memory->is_live = false;
  }
  return kSuccess;
}

Error content_of(Context& context, MemAllocParams* params, NodeContent* content) {
  if (params == nullptr || params->size == 0) return kInvalidValue;
  if (context.heap().device_bytes() + params->size > context.machine().memory_bytes)
    return kMemoryAllocation;
  const Allocation* const made = context.heap().allocate(MemoryKind::kDevice, params->size);
  if (made == nullptr) return kMemoryAllocation;
  params->pointer = reinterpret_cast<void*>(made->address);
  const auto memory = std::make_shared<GraphMemory>();
  memory->params = *params;
  graph_memories()[made->address] = memory.get();
  content->work = [memory](Context&) {
    memory->is_live = memory->was_launched = true;
    return kSuccess;
  };
  content->parameters = memory;
  return kSuccess;
}

NodeContent content_of_free(void* pointer) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  Work work = [address](Context& context) {
    const bool is_freed =
        free_of_graph(address) || context.heap().release(address, MemoryKind::kDevice);
    return is_freed ? kSuccess : kInvalidValue;
  };
  return {std::move(work), std::make_shared<void* const>(pointer)};
}

Error capture_allocation(Context& context, Stream& stream, void** pointer, size_t size) {
  if (pointer == nullptr) return kInvalidValue;
  MemAllocParams params = {};
  params.size = size;
  NodeContent content;
  const Error error = content_of(context, &params, &content);
  if (error != kSuccess) return error;
  *pointer = params.pointer;
  GraphNode* const node =
      stream.capture->add(NodeKind::kMemAlloc, content.work, std::move(stream.last));
  node->parameters = content.parameters;
  stream.last = {node};
  return kSuccess;
}

Error capture_release(Stream& stream, void* pointer) {
  const NodeContent content = content_of_free(pointer);
  GraphNode* const node =
      stream.capture->add(NodeKind::kMemFree, content.work, std::move(stream.last));
  node->parameters = content.parameters;
  stream.last = {node};
  return kSuccess;
}

SHFLSIM_API Error cudaGraphAddMemAllocNode(GraphNode** node, Graph* graph, Nodes after,
                                           size_t count, MemAllocParams* params) {
  NodeContent content;
  const Error error = call([&](Context& context) { return content_of(context, params, &content); });
  if (error != kSuccess) return error;
  return add_node(node, graph, after, count, NodeKind::kMemAlloc, content);
}
SHFLSIM_API Error cudaGraphAddMemFreeNode(GraphNode** node, Graph* graph, Nodes after, size_t count,
                                          void* pointer) {
  return add_node(node, graph, after, count, NodeKind::kMemFree, content_of_free(pointer));
}

SHFLSIM_API Error cudaGraphMemAllocNodeGetParams(const GraphNode* node, MemAllocParams* params) {
  return call([&](Context&) {
    if (node == nullptr || params == nullptr || node->kind != NodeKind::kMemAlloc)
      return kInvalidValue;
    *params = static_cast<const GraphMemory*>(node->parameters.get())->params;
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGraphMemFreeNodeGetParams(const GraphNode* node, void** pointer) {
  return call([&](Context&) {
    if (node == nullptr || pointer == nullptr || node->kind != NodeKind::kMemFree)
      return kInvalidValue;
    std::memcpy(pointer, node->parameters.get(), sizeof *pointer);
    return kSuccess;
  });
}

/// Bytes in use or reserved, now or at most: nothing is reserved beyond what is in use.
SHFLSIM_API Error cudaDeviceGetGraphMemAttribute(int device, int /*attribute*/, void* value) {
  return call([&](Context&) {
    if (device != 0) return kInvalidDevice;
    const uint64_t bytes = kept_bytes();
    std::memcpy(value, &bytes, sizeof bytes);
    return kSuccess;
  });
}

}  // namespace shflsim::runtime
