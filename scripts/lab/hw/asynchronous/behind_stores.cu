// SPDX-License-Identifier: Apache-2.0
// What waits for stores: copies, loads and atomics behind them; atomics by kind, also on other blocks' memory.
#include "probe.cuh"

struct Two { TensorMap a, b; };
HERE void bulk_reduce(void* to, const void* from, uint32_t bytes) {
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(to), "r"(shared_at(from)), "r"(bytes) : "memory");
}
HERE void reduce_tensor(const TensorMap* map, uint32_t from) {
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%2, %2}], [%1];" ::"l"(map), "r"(from), "r"(0) : "memory");
}
/// first: 1 bulk store, 2 box stored, 3 bulk sum, 4 box summed, 5 bulk load, 6 box loaded, 0 none; then, `delay` cycles later, second: the same
// kinds. Cycles of the second from its issue until it is there (loads), or until it is read and until it is over.
extern "C" __global__ void order(const uint32_t* in, uint32_t* out, uint32_t first, uint32_t bytes, uint32_t delay, uint32_t second, uint32_t size, const __grid_constant__ Two maps) {
  extern __shared__ __align__(1024) uint32_t data[];
  __shared__ alignas(8) uint64_t b[2];
  const uint32_t t = threadIdx.x;
  uint8_t* const room = reinterpret_cast<uint8_t*>(data);
  if (t == 0) begin_barrier(b, 1), begin_barrier(b + 1, 1), publish_barriers();
  __syncthreads();
  for (uint32_t i = 0; i < 4; ++i) {
    if (t == 0) {
      if (first == 1) bulk_store(out + 16384, room, bytes);
      if (first == 2) store_tensor(&maps.b, shared_at(room), 0, 0);
      if (first == 3) bulk_reduce(out + 16384, room, bytes);
      if (first == 4) reduce_tensor(&maps.b, shared_at(room));
      if (first == 5) expect(b + 1, bytes), bulk_load(shared_at(room), in, bytes, shared_at(b + 1));
      if (first == 6) expect(b + 1, bytes), load_tensor(shared_at(room), &maps.a, shared_at(b + 1), 0, 0);
      if (first >= 1 && first <= 4) commit();
    }
    __syncwarp();
    const uint32_t from = now();
    while (now() - from < delay) {}
    __syncwarp();
    const uint32_t t0 = now();
    uint32_t t1 = t0, t2 = t0;
    if (t == 0) {
      if (second == 1) bulk_store(out + 65536, room + 65536, size);
      if (second == 3) bulk_reduce(out + 65536, room + 65536, size);
      if (second == 5) expect(b, size), bulk_load(shared_at(room + 65536), in + 65536, size, shared_at(b));
      if (second == 6) expect(b, 8192), load_tensor(shared_at(room + 65536), &maps.a, shared_at(b), 0, 64);
      if (second <= 4) commit();
    }
    __syncwarp();
    t1 = now();
    if (second <= 4) {
      if (t == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      __syncwarp();
    } else {
      wait(b, i & 1);
    }
    t2 = now();
    if (first >= 5) wait(b + 1, i & 1);
    if (t == 0) wait_groups<0>();
    __syncwarp();
    const uint32_t t3 = now();
    if (t == 0) out[3 * i] = t1 - t0, out[3 * i + 1] = t2 - t0, out[3 * i + 2] = t3 - t0;
    while (now() - t3 < 2000) {}
    __syncwarp();
  }
}

// Loads and compare-and-swaps of words of `targets` blocks of four by the lanes of a warp, a chain of them; pattern: words of the lanes.
extern "C" __global__ void __cluster_dims__(4, 1, 1) apart(uint32_t* out, uint32_t kind, uint32_t targets, uint32_t pattern, uint32_t blocks) {
  __shared__ __align__(16) uint32_t room[256];
  const uint32_t t = threadIdx.x % 32, rank = cluster_rank();
  for (uint32_t i = threadIdx.x; i < 256; i += blockDim.x) room[i] = 0;
  const uint32_t target = (rank + 1 + (t * 5 / 3) % targets) % 4;
  const uint32_t to = mapped(shared_at(room), target) + 4 * (pattern == 0 ? t : pattern == 1 ? t % 16 : t * 5 % 8);
  cluster_sync();
  const uint32_t t0 = now();
  uint32_t v = 0;
  if (rank < blocks)
    for (uint32_t i = 0; i < 16; ++i) {
      if (kind == 0) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(to + (v & 4096)) : "memory");
      if (kind == 1) asm volatile("atom.shared::cluster.cas.b32 %0, [%1], %2, %3;" : "=r"(v) : "r"(to + (v & 4096)), "r"(0), "r"(i & 1) : "memory");
      if (kind == 2) asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(v) : "r"(to + (v & 4096)), "r"(1) : "memory");
      if (kind == 3) asm volatile("atom.shared::cluster.exch.b32 %0, [%1], %2;" : "=r"(v) : "r"(to + (v & 4096)), "r"(1) : "memory");
    }
  asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 0x12345; @p trap;}" ::"r"(v));
  const uint32_t t1 = now();
  if (t == 0) out[rank * 16 + threadIdx.x / 32] = t1 - t0;
  cluster_sync();
}

// A load behind a store of 4 bytes a lane, `stride` apart, or an atomic. kind: 0 past the L1, 1 of the L1, 2 an atomic. before: 0 none, 1 a
// store, 2 four stores, 3 an atomic without result, 4 a compare-and-swap of 16 bytes. Elsewhere, unless `same`.
extern "C" __global__ void behind(uint32_t* out, uint8_t* place, uint32_t kind, uint32_t before, uint32_t stride, uint32_t same) {
  const uint32_t t = threadIdx.x;
  uint8_t* const at = place + t * stride;
  uint8_t* const from = same ? at : place + 131072 + t * 4;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 6; ++i) {
    __syncwarp();
    const uint32_t t0 = now();
    if (before == 1 || before == 2)
      for (uint32_t r = 0; r < (before == 1 ? 1 : 4); ++r) *reinterpret_cast<volatile uint32_t*>(at + r * 16384) = i;
    if (before == 3) atomicAdd(reinterpret_cast<uint32_t*>(at), 1u);
    if (before == 4) asm volatile("{.reg .b128 a, d; mov.b128 a, {%1, %1}; atom.global.cas.b128 d, [%0], a, a;}" ::"l"(at), "l"(uint64_t(3)) : "memory");
    uint32_t v = 0;
    if (kind == 0) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(from) : "memory");
    if (kind == 1) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(from) : "memory");
    if (kind == 2) v = atomicAdd(reinterpret_cast<uint32_t*>(from), 1u);
    asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 0x1234567; @p trap;}" ::"r"(v));
    const uint32_t t1 = now();
    sum += v;
    if (t == 0) out[i] = t1 - t0;
    while (now() - t1 < 1500) {}
  }
  if (sum == 0x7777777) out[9] = sum;
}

// One atomic of each kind after another by `lanes`, `stride` bytes apart, `before`: 0 nothing, 1 a store to the same place, 2 four
// vector reductions elsewhere, 3 an atomic just before without a need of its result.
template <int kKind>
__device__ uint32_t atomic_of(uint8_t* at, uint32_t v) {
  uint64_t lo = 0, hi = 0;
  uint32_t r = 0;
  float a = 0, b = 0;
  if constexpr (kKind == 0) r = atomicAdd(reinterpret_cast<uint32_t*>(at), v);
  if constexpr (kKind == 1) r = uint32_t(atomicAdd(reinterpret_cast<unsigned long long*>(at), v));
  if constexpr (kKind == 2) asm volatile("atom.global.add.v2.f32 {%0, %1}, [%2], {%3, %4};" : "=f"(a), "=f"(b) : "l"(at), "f"(1.f), "f"(float(v)) : "memory");
  if constexpr (kKind == 3) asm volatile("{.reg .b128 a, b, d; mov.b128 a, {%2, %3}; mov.b128 b, {%3, %2}; atom.global.cas.b128 d, [%4], a, b; mov.b128 {%0, %1}, d;}" : "=l"(lo), "=l"(hi) : "l"(uint64_t(0)), "l"(uint64_t(v)), "l"(at) : "memory");
  if constexpr (kKind == 4) asm volatile("{.reg .b128 b, d; mov.b128 b, {%2, %3}; atom.global.exch.b128 d, [%4], b; mov.b128 {%0, %1}, d;}" : "=l"(lo), "=l"(hi) : "l"(uint64_t(v)), "l"(uint64_t(0)), "l"(at) : "memory");
  if constexpr (kKind == 5) r = atomicCAS(reinterpret_cast<uint32_t*>(at), 0u, v);
  if constexpr (kKind == 6) r = __float_as_uint(atomicAdd(reinterpret_cast<float*>(at), float(v)));
  return r + uint32_t(lo) + uint32_t(hi >> 32) + __float_as_uint(a) + __float_as_uint(b);
}
template <int kKind>
__device__ void atomics(uint32_t* out, uint8_t* place, uint32_t lanes, uint32_t stride, uint32_t before) {
  const uint32_t t = threadIdx.x;
  uint8_t* const at = place + t * stride;
  uint32_t sum = 0, t0 = 0, t1 = 0;
  for (uint32_t i = 0; i < 6; ++i) {
    __syncthreads();
    if (t < lanes) {
      t0 = now();
      if (before == 1) reinterpret_cast<volatile uint4*>(at)->x = 0;
      if (before == 2)
        for (uint32_t r = 0; r < 4; ++r) asm volatile("red.global.add.v4.f32 [%0], {%1, %1, %1, %1};" ::"l"(place + 65536 + t * 16 + r * 8192), "f"(1.f) : "memory");
      if (before == 3) asm volatile("{.reg .b128 b, d; mov.b128 b, {%1, %1}; atom.global.exch.b128 d, [%0], b;}" ::"l"(at), "l"(uint64_t(3)) : "memory");
      const uint32_t r = atomic_of<kKind>(at, i);
      asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 0x12345; @p trap;}" ::"r"(r));
      t1 = now();
      sum += r;
    }
    if (t == 0) out[i] = t1 - t0;
  }
  if (sum == 0x7777) out[9] = sum;
}
#define ATOMICS(K) extern "C" __global__ void atomics_##K(uint32_t* out, uint8_t* place, uint32_t lanes, uint32_t stride, uint32_t before) { atomics<K>(out, place, lanes, stride, before); }
ATOMICS(0) ATOMICS(1) ATOMICS(2) ATOMICS(3) ATOMICS(4) ATOMICS(5) ATOMICS(6)
