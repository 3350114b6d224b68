// SPDX-License-Identifier: Apache-2.0
// Memory that programs allocate, and queries of it.
#include <cstddef>
#include <cstring>

#include "runtime/api/graph_memory.h"
#include "runtime/api/pools.h"
#include "runtime/api/streams.h"
#include "runtime/api/version.h"
#include "runtime/api/volumes.h"
#include "runtime/device/copy.h"

namespace shflsim::runtime {
namespace {

uint64_t address_of(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

constexpr unsigned kMapped = 2;  // cudaHostAllocMapped, which is always set

Error allocate(Context& context, void** pointer, size_t size, MemoryKind kind, unsigned flags = 0) {
  if (pointer == nullptr) return kInvalidValue;
  *pointer = nullptr;
  if (size == 0) return kSuccess;
  const bool is_host = kind == MemoryKind::kHost;
  if (!is_host && context.heap().device_bytes() + size > context.machine().memory_bytes)
    return kMemoryAllocation;
  const Allocation* const made = context.heap().allocate(kind, size, flags);
  if (made == nullptr) return kMemoryAllocation;
  *pointer = reinterpret_cast<void*>(made->address);
  return kSuccess;
}

Error release(Context& context, const void* pointer, bool is_host) {
  if (pointer == nullptr) return kSuccess;
  Heap& heap = context.heap();
  const uint64_t address = address_of(pointer);
  if (!is_host && free_of_graph(address)) return kSuccess;
  const bool is_freed = is_host ? heap.release(address, MemoryKind::kHost)
                                : heap.release(address, MemoryKind::kDevice) ||
                                      heap.release(address, MemoryKind::kManaged);
  if (is_freed) give_back(address);
  return is_freed ? kSuccess : kInvalidValue;
}

size_t pitch_of(size_t width) {
  constexpr size_t kPitch = 512;  // bytes, as on an H100
  return (width + kPitch - 1) / kPitch * kPitch;
}

/// As in the binary interface.
struct PointerAttributes {
  int type;
  int device;
  void* device_pointer;
  void* host_pointer;
  long reserved[8];  ///< from CUDA 13 on
};

PointerAttributes attributes_of(const Context& context, const Allocation* allocation,
                                const void* pointer) {
  constexpr int kHost = 1, kDevice = 2, kManaged = 3, kNoDeviceNumber = -2;
  void* const itself = const_cast<void*>(pointer);
  if (allocation == nullptr) return {0, kNoDeviceNumber, nullptr, itself, {}};
  const bool is_device_variable = allocation->flags == Allocation::kOfVariables &&
                                  !context.is_in_managed_variable(address_of(pointer));
  switch (is_device_variable ? MemoryKind::kDevice : allocation->kind) {
    case MemoryKind::kDevice: return {kDevice, 0, itself, nullptr, {}};
    case MemoryKind::kManaged: return {kManaged, 0, itself, itself, {}};
    default: return {kHost, 0, itself, itself, {}};
  }
}

}  // namespace

SHFLSIM_API Error cudaMalloc(void** pointer, size_t size) {
  return call(
      [&](Context& context) { return allocate(context, pointer, size, MemoryKind::kDevice); });
}
SHFLSIM_API Error cudaMallocManaged(void** pointer, size_t size, unsigned flags) {
  constexpr unsigned kGlobal = 1, kHost = 2;  // cudaMemAttachGlobal and cudaMemAttachHost
  return call([&](Context& context) {
    if (flags != kGlobal && flags != kHost) return kInvalidValue;
    return allocate(context, pointer, size, MemoryKind::kManaged);
  });
}
SHFLSIM_API Error cudaHostAlloc(void** pointer, size_t size, unsigned flags) {
  constexpr unsigned kKnownFlags = 7;  // portable, mapped, write-combined
  return call([&](Context& context) {
    if ((flags & ~kKnownFlags) != 0) return kInvalidValue;
    return allocate(context, pointer, size, MemoryKind::kHost, flags);
  });
}
SHFLSIM_API Error cudaMallocHost(void** pointer, size_t size) {
  return cudaHostAlloc(pointer, size, 0);
}

SHFLSIM_API Error cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (pitch == nullptr) return noted(kInvalidValue);
  *pitch = pitch_of(width);
  return cudaMalloc(pointer, *pitch * height);
}

SHFLSIM_API Error cudaMalloc3D(PitchedPointer* pitched, Extent3D extent) {
  if (pitched == nullptr) return noted(kInvalidValue);
  *pitched = {nullptr, pitch_of(extent.width), extent.width, extent.height};
  return cudaMalloc(&pitched->pointer, pitched->pitch * extent.height * extent.depth);
}

/// Allocates at once, or as a node of the graph if the stream is captured.
Error allocate_from(MemoryPool* pool, void** pointer, size_t size, Stream* stream) {
  return call([&](Context& context) {
    if (stream_of(stream) == nullptr) return kInvalidResourceHandle;
    if (stream_of(stream)->capture != nullptr)
      return capture_allocation(context, *stream_of(stream), pointer, size);
    const Error error = allocate(context, pointer, size, MemoryKind::kDevice);
    if (error == kSuccess && *pointer != nullptr)
      take_from(pool == nullptr ? current_pool() : *pool, address_of(*pointer), size);
    return error;
  });
}
SHFLSIM_API Error cudaMallocAsync(void** pointer, size_t size, Stream* stream) {
  return allocate_from(nullptr, pointer, size, stream);
}
SHFLSIM_API Error cudaMallocFromPoolAsync(void** pointer, size_t size, MemoryPool* pool,
                                          Stream* stream) {
  if (pool == nullptr) return noted(kInvalidValue);
  return allocate_from(pool, pointer, size, stream);
}

SHFLSIM_API Error cudaFree(void* pointer) {
  return call_waiting([&](Context& context) { return release(context, pointer, false); });
}
SHFLSIM_API Error cudaFreeHost(void* pointer) {
  return call_waiting([&](Context& context) { return release(context, pointer, true); });
}
SHFLSIM_API Error cudaFreeAsync(void* pointer, Stream* stream) {
  return call([&](Context& context) {
    Stream* const found = stream_of(stream);
    if (found != nullptr && found->capture != nullptr) return capture_release(*found, pointer);
    return do_in(context, stream, NodeKind::kMemFree,
                 [pointer](Context& its) { return release(its, pointer, false); });
  });
}

SHFLSIM_API Error cudaHostRegister(void* pointer, size_t size, unsigned /*flags*/) {
  return call([&](Context& context) {
    if (pointer == nullptr || size == 0) return kInvalidValue;
    const Allocation* const found = context.heap().find(address_of(pointer));
    if (found != nullptr && found->kind != MemoryKind::kRegistered) return kInvalidValue;
    return context.heap().add(pointer, size) ? kSuccess : kHostMemoryAlreadyRegistered;
  });
}
SHFLSIM_API Error cudaHostUnregister(void* pointer) {
  return call_waiting([&](Context& context) {
    const bool is_known = context.heap().release(address_of(pointer), MemoryKind::kRegistered);
    return is_known ? kSuccess : kHostMemoryNotRegistered;
  });
}
SHFLSIM_API Error cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return call([&](Context& context) {
    if (device == nullptr || flags != 0) return kInvalidValue;
    const Allocation* const found = context.heap().find(address_of(host));
    if (found == nullptr || found->kind == MemoryKind::kDevice) return kInvalidValue;
    *device = host;
    return kSuccess;
  });
}
SHFLSIM_API Error cudaHostGetFlags(unsigned* flags, void* host) {
  return call([&](Context& context) {
    const Allocation* const found = context.heap().find(address_of(host));
    if (found == nullptr || found->kind == MemoryKind::kDevice) return kInvalidValue;
    *flags = found->flags | kMapped;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaMemGetInfo(size_t* free, size_t* total) {
  return call([&](Context& context) {
    const uint64_t all = context.machine().memory_bytes;
    if (free != nullptr) *free = all - context.heap().device_bytes();
    if (total != nullptr) *total = all;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaPointerGetAttributes(PointerAttributes* attributes, const void* pointer) {
  return call([&](Context& context) {
    if (attributes == nullptr) return kInvalidValue;
    const PointerAttributes all =
        attributes_of(context, context.heap().find(address_of(pointer)), pointer);
    const bool has_reserved = cudart_version() >= 13000;
    std::memcpy(attributes, &all,
                has_reserved ? sizeof all : offsetof(PointerAttributes, reserved));
    return kSuccess;
  });
}

}  // namespace shflsim::runtime
