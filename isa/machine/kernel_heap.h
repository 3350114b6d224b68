// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

namespace shflsim::isa {

/// Which bytes of the device's heap are free: what malloc and free do in kernels.
class KernelHeap {
 public:
  /// cudaLimitMallocHeapSize where a program does not set it (CUDA C++ Programming Guide).
  static constexpr uint64_t kUsualBytes = uint64_t{8} << 20;

  explicit KernelHeap(uint64_t bytes) { free_[0] = bytes; }

  static constexpr uint64_t kNone = ~uint64_t{0};
  /// Allocates a multiple of 16 bytes and returns their address; kNone if there is no room.
  uint64_t take(uint64_t bytes);
  /// False if no block that is taken begins there.
  bool give_back(uint64_t place);

 private:
  std::map<uint64_t, uint64_t> free_;   ///< sizes by place
  std::map<uint64_t, uint64_t> taken_;  ///< the same
};

}  // namespace shflsim::isa
