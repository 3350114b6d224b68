// SPDX-License-Identifier: Apache-2.0
// The one device: choosing it, waiting for it, its limits.
#include <map>

#include "runtime/api/call.h"

namespace shflsim::runtime {
namespace {

Error of_device(int device) {
  return call([device](Context&) { return device == 0 ? kSuccess : kInvalidDevice; });
}

constexpr int kSyncDepth = 3;  // cudaLimitDevRuntimeSyncDepth, which sm_90 lacks

/// Initial values of an H100 by the runtime's number: stack, printf's buffer, heap, and others.
std::map<int, size_t>& limits(Context& context) {
  static auto* const all =
      new std::map<int, size_t>{{0, 1024},
                                {1, size_t{7} << 20},
                                {2, size_t{8} << 20},
                                {kSyncDepth, 2},
                                {4, 2048},
                                {5, 64},
                                {6, context.machine().most_persisting() / 10 * 3}};
  return *all;
}

Error find_limit(Context& context, int limit, size_t** value) {
  const auto found = limits(context).find(limit);
  if (found == limits(context).end()) return kInvalidValue;
  if (limit == kSyncDepth && context.machine().arch >= 90) return kUnsupportedLimit;
  *value = &found->second;
  return kSuccess;
}

constexpr unsigned kMapHost = 8;  // cudaDeviceMapHost, which is always set
unsigned device_flags = 0;

}  // namespace

SHFLSIM_API Error cudaGetDeviceCount(int* count) {
  return call([&](Context&) {
    if (count == nullptr) return kInvalidValue;
    *count = 1;
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGetDevice(int* device) {
  return call([&](Context&) {
    if (device == nullptr) return kInvalidValue;
    *device = 0;
    return kSuccess;
  });
}
SHFLSIM_API Error cudaSetDevice(int device) { return of_device(device); }
SHFLSIM_API Error cudaInitDevice(int device, unsigned, unsigned) { return of_device(device); }
SHFLSIM_API Error cudaChooseDevice(int* device, const void* /*properties*/) {
  return cudaGetDevice(device);
}
SHFLSIM_API Error cudaSetValidDevices(int* /*devices*/, int /*count*/) { return of_device(0); }

SHFLSIM_API Error cudaDeviceSynchronize() {
  return call_waiting([](Context&) { return kSuccess; });
}

SHFLSIM_API Error cudaDeviceReset() {
  Context& context = Context::get();
  const std::lock_guard<std::recursive_mutex> lock(context.mutex());
  context.reset();
  last_error(false);
  return kSuccess;
}

SHFLSIM_API Error cudaGetDeviceFlags(unsigned* flags) {
  return call([&](Context&) {
    *flags = device_flags | kMapHost;
    return kSuccess;
  });
}
SHFLSIM_API Error cudaSetDeviceFlags(unsigned flags) {
  return call([&](Context&) {
    device_flags = flags;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaDeviceGetLimit(size_t* value, int limit) {
  return call([&](Context& context) {
    if (value == nullptr) return kInvalidValue;
    size_t* found = nullptr;
    const Error error = find_limit(context, limit, &found);
    if (error == kSuccess) *value = *found;
    return error;
  });
}
SHFLSIM_API Error cudaDeviceSetLimit(int limit, size_t value) {
  return call([&](Context& context) {
    size_t* found = nullptr;
    const Error error = find_limit(context, limit, &found);
    if (error != kSuccess) return error;
    *found = value;
    constexpr int kKernelHeap = 2;  // cudaLimitMallocHeapSize
    if (limit == kKernelHeap) context.set_kernel_heap(value);
    return kSuccess;
  });
}

SHFLSIM_API Error cudaDeviceGetCacheConfig(int* config) {
  return call([&](Context&) {
    *config = 0;
    return kSuccess;
  });
}
SHFLSIM_API Error cudaDeviceSetCacheConfig(int /*config*/) { return of_device(0); }
SHFLSIM_API Error cudaDeviceGetSharedMemConfig(int* config) {
  return call([&](Context&) {
    *config = 1;  // banks of four bytes
    return kSuccess;
  });
}
SHFLSIM_API Error cudaDeviceSetSharedMemConfig(int /*config*/) { return of_device(0); }

SHFLSIM_API Error cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call([&](Context&) {
    if (device != 0 || peer != 0) return kInvalidDevice;
    *can = 0;
    return kSuccess;
  });
}
SHFLSIM_API Error cudaDeviceEnablePeerAccess(int /*peer*/, unsigned /*flags*/) {
  return call([](Context&) { return kPeerAccessUnsupported; });  // there is no other device
}
SHFLSIM_API Error cudaDeviceDisablePeerAccess(int /*peer*/) {
  return call([](Context&) { return kPeerAccessNotEnabled; });
}

SHFLSIM_API Error cudaProfilerStart() { return of_device(0); }
SHFLSIM_API Error cudaProfilerStop() { return of_device(0); }

SHFLSIM_API Error cudaCtxResetPersistingL2Cache() { return of_device(0); }

}  // namespace shflsim::runtime
