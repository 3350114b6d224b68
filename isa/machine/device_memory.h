// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/machine/kernel_heap.h"
#include "isa/machine/storage.h"

namespace shflsim::isa {

/// Global memory: buffers at 64-bit virtual addresses above 4 GiB. allocate() aligns a buffer to
/// 1 KiB and leaves at least 1 MiB unused before it, so that an access out of bounds is outside all
/// buffers. SPA 5.0's windows of generic addresses are below 4 GiB.
class DeviceMemory {
 public:
  static constexpr uint64_t kMostBytes = uint64_t{1} << 30;  ///< limit of all buffers together

  /// Makes a buffer of these bytes; returns its address. Throws InputError beyond kMostBytes.
  uint64_t allocate(std::vector<uint8_t> bytes);
  /// Makes a buffer of these bytes at `address`. Throws InputError if that is below 4 GiB or
  /// overlaps another buffer, and beyond kMostBytes.
  void place(uint64_t address, std::vector<uint8_t> bytes);

  /// Makes memory of the process a buffer at `address`, which must be free, until unmap(). It does
  /// not count towards kMostBytes.
  void map(uint64_t address, uint8_t* data, size_t size);
  void unmap(uint64_t address);
  /// True if any buffer is memory of the process.
  bool is_mapped() const;

  /// malloc in a kernel: returns an address in the device's heap, or 0 if the heap has no room.
  /// The heap is a buffer that the first call makes.
  uint64_t take_in_kernel(uint64_t bytes);
  /// free in a kernel; false if malloc has not returned the address.
  bool give_back_in_kernel(uint64_t address);
  /// Sets the heap's size; has no effect after the first take_in_kernel().
  void set_kernel_heap(uint64_t bytes) { kernel_heap_bytes_ = bytes; }

  /// Counts no buffer as used until it is accessed again.
  void forget_uses();
  /// True if the buffer that starts at `address` has been accessed since forget_uses().
  bool is_used(uint64_t address) const { return buffer_at(address).is_used; }

  /// The contents of the buffer that starts at `address`, which allocate returned.
  const std::vector<uint8_t>& bytes(uint64_t address) const;

  /// The buffer that holds all `size` bytes from `address` on, and their offset in it; nullptr if
  /// there is none.
  Storage* find(uint64_t address, size_t size, uint64_t* offset);
  /// The address as a byte of the nearest buffer: " (byte 1048 of the buffer of 1024 bytes at
  /// 0x700000000)"; "" if no buffer is within 1 GiB.
  std::string nearest(uint64_t address) const;

 private:
  struct Buffer {
    uint64_t address;
    Storage storage;
    bool is_used = false;
  };
  const Buffer& buffer_at(uint64_t address) const;
  std::vector<Buffer>::iterator first_above(uint64_t address);
  void count(size_t bytes);

  std::vector<Buffer> buffers_;  ///< by ascending address
  std::optional<KernelHeap> kernel_heap_;
  uint64_t kernel_heap_bytes_ = KernelHeap::kUsualBytes;
  uint64_t bytes_ = 0;  ///< size of all buffers together
  size_t last_ = 0;  ///< index of the buffer found last: most accesses of a warp go to one buffer
};

}  // namespace shflsim::isa
