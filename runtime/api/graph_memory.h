// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/device/context.h"
#include "runtime/device/stream.h"

namespace shflsim::runtime {

/// Parameters of a node that allocates, as the binary interface has them.
struct MemAllocParams {
  uint8_t pool_properties[88];
  const void* access;
  size_t access_count;
  size_t size;
  void* pointer;
};

/// Memory that a graph allocates in each launch, at the same address. The address stays reserved
/// while a graph, or an instantiated graph, has the node.
struct GraphMemory {
  MemAllocParams params = {};
  mutable bool is_live = false;  ///< allocated by a launch and not freed since
  mutable bool was_launched = false;

  GraphMemory() = default;
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
  /// Memory that is live stays until the program frees it.
  ~GraphMemory();
};

/// Frees memory of a graph; false if no graph's memory begins at the address.
bool free_of_graph(uint64_t address);

/// Called before a launch: frees what the last launch left if the flags ask for it, and otherwise
/// returns an error if it left memory.
Error free_before_launch(const GraphExec& exec);

/// Adds nodes that allocate and free to the capture of a stream.
Error capture_allocation(Context& context, Stream& stream, void** pointer, size_t size);
Error capture_release(Stream& stream, void* pointer);

/// The contents of nodes that allocate and free. The first stores the pointer in the parameters.
struct NodeContent;
Error content_of(Context& context, MemAllocParams* params, NodeContent* content);
NodeContent content_of_free(void* pointer);

}  // namespace shflsim::runtime
