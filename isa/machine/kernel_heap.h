// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

namespace shflsim::isa {

/// The allocator of the device's heap, for malloc and free in kernels.
class KernelHeap {
 public:
  /// The default of cudaLimitMallocHeapSize (CUDA C++ Programming Guide).
  static constexpr uint64_t kUsualBytes = uint64_t{8} << 20;

  explicit KernelHeap(uint64_t bytes) { free_[0] = bytes; }

  static constexpr uint64_t kNone = ~uint64_t{0};
  /// Allocates a multiple of 16 bytes and returns their offset; kNone if there is no room.
  uint64_t take(uint64_t bytes);
  /// Frees the block at this offset; false if no allocated block begins there.
  bool give_back(uint64_t place);

 private:
  std::map<uint64_t, uint64_t> free_;   ///< sizes of free blocks by offset
  std::map<uint64_t, uint64_t> taken_;  ///< sizes of allocated blocks by offset
};

}  // namespace shflsim::isa
