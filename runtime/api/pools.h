// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace shflsim::runtime {

/// A pool of memory in stream order. Its memory is the device's heap; it counts what is used.
struct MemoryPool {
  uint64_t release_threshold = 0;  ///< bytes
  int reuse[3] = {1, 1, 1};        ///< which may reuse memory: nothing here depends on it
  uint64_t used = 0;               ///< bytes
  uint64_t most_used = 0;
};

/// The pool of cudaMallocAsync.
MemoryPool& current_pool();

/// Memory was allocated from a pool, or freed: nothing if it is of no pool.
void take_from(MemoryPool& pool, uint64_t address, size_t size);
void give_back(uint64_t address);

}  // namespace shflsim::runtime
