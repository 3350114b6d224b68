// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace shflsim::runtime {

/// A pool of stream-ordered memory. Its memory is in the device's heap; the pool counts its use.
struct MemoryPool {
  uint64_t release_threshold = 0;  ///< bytes
  int reuse[3] = {1, 1, 1};        ///< when memory may be reused; has no effect here
  uint64_t used = 0;               ///< bytes
  uint64_t most_used = 0;
};

/// The pool that cudaMallocAsync uses.
MemoryPool& current_pool();

/// Count an allocation from a pool, and a release; memory that belongs to no pool is not counted.
void take_from(MemoryPool& pool, uint64_t address, size_t size);
void give_back(uint64_t address);

}  // namespace shflsim::runtime
