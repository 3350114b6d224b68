// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>

namespace shflsim::runtime {
namespace {

constexpr uint64_t kAlignment = 512;          // alignment of device memory, bytes
constexpr uint64_t kGap = uint64_t{1} << 16;  // unused bytes after each allocation

constexpr uint64_t kArena = uint64_t{1} << 28;  // bytes requested from the kernel at a time

uint64_t rounded(uint64_t size, uint64_t unit) { return (size + unit - 1) / unit * unit; }
uint64_t with_gap(uint64_t size) { return rounded(size, kGap) + kGap; }

}  // namespace

/// Requests memory from the operating system at the addresses of the next allocations.
bool Heap::begin_arena(uint64_t bytes) {
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries; ++i) {
    void* const wanted = reinterpret_cast<void*>(next_shared_);
    void* const got =
        mmap(wanted, bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != MAP_FAILED) {
      arena_end_ = next_shared_ + bytes;
      return true;
    }
    next_shared_ += bytes;
  }
  return false;
}

/// Takes a part of an arena, so that many allocations need one system call.
uint8_t* Heap::reserve_shared(size_t size) {
  const uint64_t bytes = with_gap(size);
  if (arena_end_ - next_shared_ < bytes) {
    next_shared_ = arena_end_;
    if (!begin_arena(std::max(bytes, kArena)) && !begin_arena(bytes)) return nullptr;
  }
  auto* const reserved = reinterpret_cast<uint8_t*>(next_shared_);
  next_shared_ += bytes;
  return reserved;
}

const Allocation* Heap::allocate(MemoryKind kind, size_t size, unsigned flags) {
  if (size == 0 || size > uint64_t{1} << 46) return nullptr;
  Allocation made{0, nullptr, size, kind, flags};
  if (kind == MemoryKind::kDevice) {
    made.bytes = static_cast<uint8_t*>(std::calloc(size, 1));
    made.address = next_device_;
    if (made.bytes != nullptr) next_device_ += rounded(size + kGap, kAlignment);
  } else {
    made.bytes = reserve_shared(size);
    made.address = reinterpret_cast<uint64_t>(made.bytes);
  }
  if (made.bytes == nullptr) return nullptr;
  memory_.map(made.address, made.bytes, size);
  if (kind != MemoryKind::kHost) device_bytes_ += size;
  return &(allocations_[made.address] = made);
}

bool Heap::add(void* bytes, size_t size) {
  const auto address = reinterpret_cast<uint64_t>(bytes);
  const auto above = allocations_.upper_bound(address);
  if (above != allocations_.end() && above->first - address < size) return false;
  if (find(address) != nullptr) return false;
  allocations_[address] = {address, static_cast<uint8_t*>(bytes), size, MemoryKind::kRegistered};
  memory_.map(address, static_cast<uint8_t*>(bytes), size);
  return true;
}

bool Heap::release(uint64_t address, MemoryKind kind) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end() || found->second.kind != kind) return false;
  const Allocation& freed = found->second;
  memory_.unmap(address);
  if (kind == MemoryKind::kDevice) std::free(freed.bytes);
  if (kind == MemoryKind::kHost || kind == MemoryKind::kManaged)
    munmap(freed.bytes, with_gap(freed.size));
  if (kind == MemoryKind::kDevice || kind == MemoryKind::kManaged) device_bytes_ -= freed.size;
  allocations_.erase(found);
  return true;
}

const Allocation* Heap::find(uint64_t address) const {
  auto above = allocations_.upper_bound(address);
  if (above == allocations_.begin()) return nullptr;
  const Allocation& below = std::prev(above)->second;
  return address - below.address < below.size ? &below : nullptr;
}

uint8_t* Heap::at(const Allocation& allocation, uint64_t address, size_t size) {
  const uint64_t offset = address - allocation.address;
  if (offset > allocation.size || size > allocation.size - offset) return nullptr;
  return allocation.bytes + offset;
}

}  // namespace shflsim::runtime
