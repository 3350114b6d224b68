// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/device/context.h"
#include "runtime/device/stream.h"

namespace shflsim::runtime {

/// What a node that allocates is made of, as the binary interface has it.
struct MemAllocParams {
  uint8_t pool_properties[88];
  const void* access;
  size_t access_count;
  size_t size;
  void* pointer;
};

/// Memory that a graph allocates each time it is launched, at the same address. The address stays
/// taken as long as a graph or what was instantiated of it knows the node.
struct GraphMemory {
  MemAllocParams params = {};
  mutable bool is_live = false;  ///< allocated by a launch and not freed since
  mutable bool was_launched = false;

  GraphMemory() = default;
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
  /// Memory that is live stays, until the program frees it.
  ~GraphMemory();
};

/// Frees what a graph allocated; false if no graph's memory begins at the address.
bool free_of_graph(uint64_t address);

/// Before a launch: what the launch before has left is freed where the flags ask for it, and an
/// error where they do not.
Error free_before_launch(const GraphExec& exec);

/// What allocates and frees in a stream that is captured.
Error capture_allocation(Context& context, Stream& stream, void** pointer, size_t size);
Error capture_release(Stream& stream, void* pointer);

/// Nodes that allocate and free. The first gives the pointer to the parameters.
struct NodeContent;
Error content_of(Context& context, MemAllocParams* params, NodeContent* content);
NodeContent content_of_free(void* pointer);

}  // namespace shflsim::runtime
