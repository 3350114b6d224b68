// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "isa/machine/device_memory.h"

namespace shflsim::runtime {

enum class MemoryKind : uint8_t {
  kDevice,      ///< the host cannot reach it by its address
  kHost,        ///< pinned
  kManaged,     ///< of both
  kRegistered,  ///< the program's own, made pinned
};

struct Allocation {
  uint64_t address = 0;  ///< as kernels see it; that of `bytes` for all but device memory
  uint8_t* bytes = nullptr;
  size_t size = 0;
  MemoryKind kind = MemoryKind::kDevice;
  unsigned flags = 0;  ///< that host memory was allocated with, or the following
  static constexpr unsigned kOfVariables = 0x80000000;  ///< __device__ and __managed__ ones
};

/// The memory that a program has from the CUDA runtime, which its kernels reach through
/// DeviceMemory. Addresses are never given out again, so that what uses freed memory is found.
class Heap {
 public:
  explicit Heap(isa::DeviceMemory& memory) : memory_(memory) {}

  /// Zeros; nullptr if there is no more memory.
  const Allocation* allocate(MemoryKind kind, size_t size, unsigned flags = 0);
  /// Memory of the program itself; false where some of it is there already.
  bool add(void* bytes, size_t size);
  /// Frees what starts at `address`; false if nothing of that kind does.
  bool release(uint64_t address, MemoryKind kind);

  /// What holds the byte at `address`; nullptr for none.
  const Allocation* find(uint64_t address) const;
  /// Where the process finds `size` bytes of an allocation; nullptr if they are not all in it.
  static uint8_t* at(const Allocation& allocation, uint64_t address, size_t size);
  const std::map<uint64_t, Allocation>& allocations() const { return allocations_; }
  uint64_t device_bytes() const { return device_bytes_; }

 private:
  uint8_t* reserve_shared(size_t size);
  bool begin_arena(uint64_t bytes);

  isa::DeviceMemory& memory_;
  std::map<uint64_t, Allocation> allocations_;  ///< by address
  uint64_t next_device_ = uint64_t{0x7} << 32;  ///< where no host memory is
  /// Asked of the kernel first, since the windows of generic addresses
  /// (isa/machine/address_space.h) lie where it would put it.
  uint64_t next_shared_ = uint64_t{0x20} << 32;
  uint64_t arena_end_ = next_shared_;  ///< of the process' memory that is there for the next ones
  uint64_t device_bytes_ = 0;          ///< of device and managed memory
};

}  // namespace shflsim::runtime
