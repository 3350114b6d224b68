// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "isa/machine/device_memory.h"

namespace shflsim::runtime {

enum class MemoryKind : uint8_t {
  kDevice,      ///< not reachable from the host by its address
  kHost,        ///< pinned
  kManaged,     ///< reachable from host and device
  kRegistered,  ///< the program's own memory, pinned later
};

struct Allocation {
  uint64_t address = 0;  ///< address for kernels; equals `bytes` except for device memory
  uint8_t* bytes = nullptr;
  size_t size = 0;
  MemoryKind kind = MemoryKind::kDevice;
  unsigned flags = 0;  ///< flags of the allocation, or kOfVariables
  static constexpr unsigned kOfVariables = 0x80000000;  ///< of __device__ and __managed__ variables
};

/// The memory that a program allocates from the CUDA runtime. Kernels access it through
/// DeviceMemory. Addresses are not used again, so that a use of freed memory is found.
class Heap {
 public:
  explicit Heap(isa::DeviceMemory& memory) : memory_(memory) {}

  /// Allocates zeroed memory; nullptr if there is no more memory.
  const Allocation* allocate(MemoryKind kind, size_t size, unsigned flags = 0);
  /// Registers memory of the program; false if a part of it is registered already.
  bool add(void* bytes, size_t size);
  /// Frees the memory that starts at `address`; false if there is none of this kind.
  bool release(uint64_t address, MemoryKind kind);

  /// The allocation that contains the byte at `address`; nullptr if there is none.
  const Allocation* find(uint64_t address) const;
  /// A pointer to `size` bytes of an allocation; nullptr if they are not all in it.
  static uint8_t* at(const Allocation& allocation, uint64_t address, size_t size);
  const std::map<uint64_t, Allocation>& allocations() const { return allocations_; }
  uint64_t device_bytes() const { return device_bytes_; }

 private:
  uint8_t* reserve_shared(size_t size);
  bool begin_arena(uint64_t bytes);

  isa::DeviceMemory& memory_;
  std::map<uint64_t, Allocation> allocations_;  ///< by address
  uint64_t next_device_ = uint64_t{0x7} << 32;  ///< a range without host memory
  /// Initial address to request from the operating system, which would by default use the windows
  /// of generic addresses (isa/machine/address_space.h).
  uint64_t next_shared_ = uint64_t{0x20} << 32;
  uint64_t arena_end_ = next_shared_;  ///< end of the memory reserved for the next allocations
  uint64_t device_bytes_ = 0;          ///< bytes of device and managed memory
};

}  // namespace shflsim::runtime
