// SPDX-License-Identifier: Apache-2.0
// Pools of stream-ordered memory, and the memory of graphs.
#include "runtime/api/pools.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "runtime/api/call.h"

namespace shflsim::runtime {
namespace {

/// Attributes with the runtime's numbers.
enum PoolAttribute : int {
  kFirstReuse = 1,
  kLastReuse = 3,
  kReleaseThreshold = 4,
  kReserved = 5,
  kMostReserved = 6,
  kUsed = 7,
  kMostUsed = 8,
};

constexpr uint64_t kReserveUnit = uint64_t{32} << 20;  // bytes, as an H100 reserves
constexpr int kOnDevice = 1;                           // cudaMemLocationTypeDevice
constexpr int kReadWrite = 3;                          // cudaMemAccessFlagsProtReadWrite

/// As in the binary interface.
struct Location {
  int type;
  int id;
};
struct PoolProperties {
  int allocation_type;
  int handle_types;
  Location location;
};
struct AccessDescription {
  Location location;
  int flags;
};

MemoryPool& default_pool() {
  static auto* const pool = new MemoryPool;
  return *pool;
}

std::set<MemoryPool*>& made_pools() {
  static auto* const all = new std::set<MemoryPool*>;
  return *all;
}

MemoryPool*& chosen_pool() {
  static MemoryPool* pool = &default_pool();
  return pool;
}

bool is_pool(MemoryPool* pool) { return pool == &default_pool() || made_pools().count(pool) != 0; }

using Taken = std::map<uint64_t, std::pair<MemoryPool*, size_t>>;
Taken& taken() {
  static auto* const all = new Taken;
  return *all;
}

uint64_t reserved(uint64_t used) { return (used + kReserveUnit - 1) / kReserveUnit * kReserveUnit; }

/// Bytes that a pool reserves: those in use, and freed bytes up to its threshold.
uint64_t reserved_now(const MemoryPool& pool) {
  return reserved(std::max(pool.used, std::min(pool.most_used, pool.release_threshold)));
}

Error get_attribute(const MemoryPool& pool, int attribute, void* value) {
  if (attribute >= kFirstReuse && attribute <= kLastReuse) {
    std::memcpy(value, &pool.reuse[attribute - kFirstReuse], sizeof pool.reuse[0]);
    return kSuccess;
  }
  uint64_t bytes = 0;
  switch (attribute) {
    case kReleaseThreshold: bytes = pool.release_threshold; break;
    case kReserved: bytes = reserved_now(pool); break;
    case kMostReserved: bytes = reserved(pool.most_used); break;
    case kUsed: bytes = pool.used; break;
    case kMostUsed: bytes = pool.most_used; break;
    default: return kInvalidValue;
  }
  std::memcpy(value, &bytes, sizeof bytes);
  return kSuccess;
}

/// The greatest values can only be set to 0, which restarts the counting.
Error set_attribute(MemoryPool* pool, int attribute, const void* value) {
  if (attribute >= kFirstReuse && attribute <= kLastReuse) {
    std::memcpy(&pool->reuse[attribute - kFirstReuse], value, sizeof pool->reuse[0]);
    return kSuccess;
  }
  uint64_t bytes = 0;
  std::memcpy(&bytes, value, sizeof bytes);
  if (attribute == kReleaseThreshold) {
    pool->release_threshold = bytes;
    return kSuccess;
  }
  if ((attribute != kMostReserved && attribute != kMostUsed) || bytes != 0) return kInvalidValue;
  pool->most_used = pool->used;
  return kSuccess;
}

/// Calls f if the pool exists and `other` is not nullptr.
template <class F>
Error with_pool(MemoryPool* pool, const void* other, F f) {
  return call([&](Context&) { return is_pool(pool) && other != nullptr ? f() : kInvalidValue; });
}

Error give_pool(MemoryPool** pool, int device, MemoryPool* which) {
  return call([&](Context&) {
    if (pool == nullptr) return kInvalidValue;
    if (device != 0) return kInvalidDevice;
    *pool = which;
    return kSuccess;
  });
}

}  // namespace

MemoryPool& current_pool() { return *chosen_pool(); }

void take_from(MemoryPool& pool, uint64_t address, size_t size) {
  constexpr size_t kUnit = 512;  // bytes, as on an H100
  const size_t counted = (size + kUnit - 1) / kUnit * kUnit;
  taken()[address] = {&pool, counted};
  pool.used += counted;
  pool.most_used = std::max(pool.most_used, pool.used);
}

void give_back(uint64_t address) {
  const auto found = taken().find(address);
  if (found == taken().end()) return;
  found->second.first->used -= found->second.second;
  taken().erase(found);
}

SHFLSIM_API Error cudaDeviceGetDefaultMemPool(MemoryPool** pool, int device) {
  return give_pool(pool, device, &default_pool());
}
SHFLSIM_API Error cudaDeviceGetMemPool(MemoryPool** pool, int device) {
  return give_pool(pool, device, &current_pool());
}
SHFLSIM_API Error cudaDeviceSetMemPool(int device, MemoryPool* pool) {
  return call([&](Context&) {
    if (device != 0) return kInvalidDevice;
    if (!is_pool(pool)) return kInvalidValue;
    chosen_pool() = pool;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaMemPoolCreate(MemoryPool** pool, const PoolProperties* properties) {
  return call([&](Context&) {
    if (pool == nullptr || properties == nullptr) return kInvalidValue;
    if (properties->location.type != kOnDevice || properties->location.id != 0)
      return kInvalidValue;
    *pool = new MemoryPool;
    made_pools().insert(*pool);
    return kSuccess;
  });
}
/// The memory of a destroyed pool stays until it is freed.
SHFLSIM_API Error cudaMemPoolDestroy(MemoryPool* pool) {
  return call([&](Context&) {
    if (made_pools().erase(pool) == 0) return kInvalidValue;
    if (chosen_pool() == pool) chosen_pool() = &default_pool();
    for (auto& [address, from] : taken()) {
      if (from.first == pool) from.first = &default_pool();
    }
    delete pool;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaMemPoolTrimTo(MemoryPool* pool, size_t /*keep*/) {
  return with_pool(pool, pool, [&] {
    pool->most_used = pool->used;
    return kSuccess;
  });
}
SHFLSIM_API Error cudaMemPoolSetAttribute(MemoryPool* pool, int attribute, void* value) {
  return with_pool(pool, value, [&] { return set_attribute(pool, attribute, value); });
}
SHFLSIM_API Error cudaMemPoolGetAttribute(MemoryPool* pool, int attribute, void* value) {
  return with_pool(pool, value, [&] { return get_attribute(*pool, attribute, value); });
}

/// Only the device itself has access, always to read and write; there is no other device.
SHFLSIM_API Error cudaMemPoolSetAccess(MemoryPool* pool, const AccessDescription* descriptions,
                                       size_t count) {
  return with_pool(pool, descriptions, [&] {
    for (size_t i = 0; i < count; ++i) {
      const AccessDescription& each = descriptions[i];
      if (each.location.type != kOnDevice || each.location.id != 0) return kInvalidDevice;
      if (each.flags != kReadWrite) return kInvalidValue;
    }
    return kSuccess;
  });
}
SHFLSIM_API Error cudaMemPoolGetAccess(int* flags, MemoryPool* pool, const Location* location) {
  return with_pool(pool, location, [&] {
    if (flags == nullptr) return kInvalidValue;
    *flags = location->type == kOnDevice && location->id == 0 ? kReadWrite : 0;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaDeviceSetGraphMemAttribute(int device, int /*attribute*/, void* /*value*/) {
  return call([&](Context&) { return device == 0 ? kSuccess : kInvalidDevice; });
}
SHFLSIM_API Error cudaDeviceGraphMemTrim(int device) {
  return call([&](Context&) { return device == 0 ? kSuccess : kInvalidDevice; });
}

}  // namespace shflsim::runtime
