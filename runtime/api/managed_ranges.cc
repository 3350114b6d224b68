// SPDX-License-Identifier: Apache-2.0
// Advice for managed memory, and queries of it. The location of the memory has no effect here.
#include <cstring>
#include <map>

#include "runtime/api/call.h"
#include "runtime/api/version.h"

namespace shflsim::runtime {
namespace {

/// As in the binary interface.
struct RangeLocation {
  int type;
  int id;
};
constexpr int kNoType = 0, kDeviceType = 1, kHostType = 2;  // of cudaMemLocationType
constexpr int kHostDevice = -1, kNoDeviceId = -2;           // cudaCpuDeviceId, cudaInvalidDeviceId

/// Advice for an allocation as a whole.
struct RangeHints {
  int is_read_mostly = 0;
  RangeLocation preferred{kNoType, kNoDeviceId};
  RangeLocation prefetched{kNoType, kNoDeviceId};
  RangeLocation accessed_by{kNoType, kNoDeviceId};
};

int device_in(const RangeLocation& location) {
  if (location.type == kDeviceType) return location.id;
  return location.type == kNoType ? kNoDeviceId : kHostDevice;
}

/// A location in the form of CUDA 12: the number of a device.
RangeLocation location_of(int device) {
  return device == kHostDevice ? RangeLocation{kHostType, 0} : RangeLocation{kDeviceType, device};
}

std::map<uint64_t, RangeHints>& all_hints() {
  static auto* const all = new std::map<uint64_t, RangeHints>;
  return *all;
}

/// Calls use(hints) with the advice for a managed allocation.
template <class F>
Error with_range(const void* pointer, F use) {
  return call([&](Context& context) {
    const Allocation* const found = context.heap().find(reinterpret_cast<uint64_t>(pointer));
    if (found == nullptr || found->kind != MemoryKind::kManaged) return kInvalidValue;
    return use(&all_hints()[found->address]);
  });
}

Error advise(RangeHints* hints, int advice, const RangeLocation& location) {
  constexpr RangeLocation kNowhere{kNoType, kNoDeviceId};
  switch (advice) {
    case 1:
    case 2: hints->is_read_mostly = advice == 1 ? 1 : 0; return kSuccess;
    case 3: hints->preferred = location; return kSuccess;
    case 4: hints->preferred = kNowhere; return kSuccess;
    case 5: hints->accessed_by = location; return kSuccess;
    case 6: hints->accessed_by = kNowhere; return kSuccess;
    default: return kInvalidValue;
  }
}

/// The value of an attribute, by the numbers of cudaMemRangeAttribute.
Error value_of(const RangeHints& hints, int attribute, int* value) {
  switch (attribute) {
    case 1: *value = hints.is_read_mostly; return kSuccess;
    case 2: *value = device_in(hints.preferred); return kSuccess;
    case 3: *value = device_in(hints.accessed_by); return kSuccess;
    case 4: *value = device_in(hints.prefetched); return kSuccess;
    case 5: *value = hints.preferred.type; return kSuccess;
    case 6: *value = hints.preferred.id; return kSuccess;
    case 7: *value = hints.prefetched.type; return kSuccess;
    case 8: *value = hints.prefetched.id; return kSuccess;
    default: return kInvalidValue;
  }
}

}  // namespace

SHFLSIM_API Error cudaMemAdvise_v2(const void* pointer, size_t, int advice,
                                   RangeLocation location) {
  return with_range(pointer, [&](RangeHints* hints) { return advise(hints, advice, location); });
}
SHFLSIM_API Error cudaMemAdvise(const void* pointer, size_t size, int advice,
                                RangeLocation location) {
  const bool is_location = cudart_version() >= 13000;
  return cudaMemAdvise_v2(pointer, size, advice,
                          is_location ? location : location_of(location.type));
}

SHFLSIM_API Error cudaMemPrefetchAsync_v2(const void* pointer, size_t, RangeLocation location) {
  return with_range(pointer, [&](RangeHints* hints) {
    hints->prefetched = location;
    return kSuccess;
  });
}
SHFLSIM_API Error cudaMemPrefetchAsync(const void* pointer, size_t size, RangeLocation location) {
  const bool is_location = cudart_version() >= 13000;
  return cudaMemPrefetchAsync_v2(pointer, size,
                                 is_location ? location : location_of(location.type));
}

/// Returns one number, or a list of devices of which only the first is set.
SHFLSIM_API Error cudaMemRangeGetAttribute(int* data, size_t size, int attribute,
                                           const void* pointer, size_t /*count*/) {
  return with_range(pointer, [&](RangeHints* hints) {
    if (data == nullptr || size < sizeof *data) return kInvalidValue;
    const Error error = value_of(*hints, attribute, data);
    for (size_t i = 1; error == kSuccess && i < size / sizeof *data; ++i) data[i] = kNoDeviceId;
    return error;
  });
}
SHFLSIM_API Error cudaMemRangeGetAttributes(void** data, const size_t* sizes, const int* attributes,
                                            size_t count, const void* pointer, size_t size) {
  for (size_t i = 0; i < count; ++i) {
    const Error error = cudaMemRangeGetAttribute(static_cast<int*>(data[i]), sizes[i],
                                                 attributes[i], pointer, size);
    if (error != kSuccess) return error;
  }
  return kSuccess;
}

}  // namespace shflsim::runtime
