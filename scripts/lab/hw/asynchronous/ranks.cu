// SPDX-License-Identifier: Apache-2.0
// Boxes of two to five dimensions; bulk copies by the lanes of a warp; reductions of several blocks.
#include "probe.cuh"

struct At {
  int c[5];
};
#define LOAD(R, C, ...) asm volatile("cp.async.bulk.tensor." #R "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" C "}], [%2];" :: "r"(to), "l"(map), "r"(b), __VA_ARGS__ : "memory")
#define STORE(R, C, ...) asm volatile("cp.async.bulk.tensor." #R "d.global.shared::cta.tile.bulk_group [%0, {" C "}], [%1];" :: "l"(map), "r"(from), __VA_ARGS__ : "memory")
#define REDUCE(R, C, ...) asm volatile("cp.reduce.async.bulk.tensor." #R "d.global.shared::cta.add.tile.bulk_group [%0, {" C "}], [%1];" :: "l"(map), "r"(from), __VA_ARGS__ : "memory")
template <uint32_t rank>
HERE void load(uint32_t to, const TensorMap* map, uint32_t b, const At& p) {
  if constexpr (rank == 2) LOAD(2, "%3, %4", "r"(p.c[0]), "r"(p.c[1]));
  if constexpr (rank == 3) LOAD(3, "%3, %4, %5", "r"(p.c[0]), "r"(p.c[1]), "r"(p.c[2]));
  if constexpr (rank == 4) LOAD(4, "%3, %4, %5, %6", "r"(p.c[0]), "r"(p.c[1]), "r"(p.c[2]), "r"(p.c[3]));
  if constexpr (rank == 5) LOAD(5, "%3, %4, %5, %6, %7", "r"(p.c[0]), "r"(p.c[1]), "r"(p.c[2]), "r"(p.c[3]), "r"(p.c[4]));
}
template <uint32_t rank>
HERE void store(const TensorMap* map, uint32_t from, const At& p) {
  if constexpr (rank == 2) STORE(2, "%2, %3", "r"(p.c[0]), "r"(p.c[1]));
  if constexpr (rank == 3) STORE(3, "%2, %3, %4", "r"(p.c[0]), "r"(p.c[1]), "r"(p.c[2]));
  if constexpr (rank == 4) STORE(4, "%2, %3, %4, %5", "r"(p.c[0]), "r"(p.c[1]), "r"(p.c[2]), "r"(p.c[3]));
  if constexpr (rank == 5) STORE(5, "%2, %3, %4, %5, %6", "r"(p.c[0]), "r"(p.c[1]), "r"(p.c[2]), "r"(p.c[3]), "r"(p.c[4]));
}
template <uint32_t rank>
HERE void reduce(const TensorMap* map, uint32_t from, const At& p) {
  if constexpr (rank == 2) REDUCE(2, "%2, %3", "r"(p.c[0]), "r"(p.c[1]));
  if constexpr (rank == 3) REDUCE(3, "%2, %3, %4", "r"(p.c[0]), "r"(p.c[1]), "r"(p.c[2]));
  if constexpr (rank == 4) REDUCE(4, "%2, %3, %4, %5", "r"(p.c[0]), "r"(p.c[1]), "r"(p.c[2]), "r"(p.c[3]));
  if constexpr (rank == 5) REDUCE(5, "%2, %3, %4, %5, %6", "r"(p.c[0]), "r"(p.c[1]), "r"(p.c[2]), "r"(p.c[3]), "r"(p.c[4]));
}
template <int kRank, bool kReduces>
HERE void writes(const TensorMap& to, const At& at, uint32_t* data, uint32_t* out) {
#pragma unroll 1
    for (int f = 0; f < 2; f++) {
      const uint32_t n = f ? 4 : 1;
      const uint32_t t = now();
#pragma unroll 1
      for (uint32_t c = 0; c < n; c++) {
        if (kReduces) reduce<kRank>(&to, shared_at(data), at);
        else store<kRank>(&to, shared_at(data), at);
      }
      commit();
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      out[f] = now() - t;
      wait_groups<0>();
      for (uint32_t f = now(); now() - f < 3000;) {}
    }
}
/// Words, three times: a load to the end of the wait; four; a store until it has been read; four; a reduction; four.
template <int kRank>
HERE void ranks(const TensorMap& from, const TensorMap& to, const At& at,
                                 uint32_t bytes, uint32_t* out) {
  extern __shared__ __align__(1024) uint32_t data[];
  __shared__ alignas(8) uint64_t b;
  if (threadIdx.x != 0) return;
  begin_barrier(&b, 1), publish_barriers();
  const uint32_t room = (bytes + 1023) / 1024 * 1024;
  uint32_t parity = 0;
#pragma unroll 1
  for (int i = 0; i < 3; i++) {
#pragma unroll 1
    for (int f = 0; f < 2; f++) {
      const uint32_t n = f ? 4 : 1;
      expect(&b, bytes * n);
      const uint32_t t = now();
#pragma unroll 1
      for (uint32_t c = 0; c < n; c++) load<kRank>(shared_at(data) + c * room, &from, shared_at(&b), at);
      wait(&b, parity);
      out[i * 6 + f] = now() - t;
      parity ^= 1;
    }
    fence_async();
    writes<kRank, false>(to, at, data, out + i * 6 + 2);
    writes<kRank, true>(to, at, data, out + i * 6 + 4);
  }
}
extern "C" __global__ void ranks_2(const __grid_constant__ TensorMap from, const __grid_constant__ TensorMap to, const __grid_constant__ At at, uint32_t bytes, uint32_t* out) { ranks<2>(from, to, at, bytes, out); }
extern "C" __global__ void ranks_3(const __grid_constant__ TensorMap from, const __grid_constant__ TensorMap to, const __grid_constant__ At at, uint32_t bytes, uint32_t* out) { ranks<3>(from, to, at, bytes, out); }
extern "C" __global__ void ranks_4(const __grid_constant__ TensorMap from, const __grid_constant__ TensorMap to, const __grid_constant__ At at, uint32_t bytes, uint32_t* out) { ranks<4>(from, to, at, bytes, out); }
extern "C" __global__ void ranks_5(const __grid_constant__ TensorMap from, const __grid_constant__ TensorMap to, const __grid_constant__ At at, uint32_t bytes, uint32_t* out) { ranks<5>(from, to, at, bytes, out); }
/// Words, three times: copies issued; the end of the wait. way 0: each of `count` lanes copies; 1: one lane, a loop; 2: each lane stores.
extern "C" __global__ void by_lanes(const uint8_t* in, uint8_t* to, uint32_t* out, uint32_t count, uint32_t bytes, uint32_t apart, uint32_t way) {
  extern __shared__ __align__(1024) uint8_t room[];
  __shared__ alignas(8) uint64_t b;
  const uint32_t lane = threadIdx.x;
  if (lane == 0) begin_barrier(&b, 1), publish_barriers();
  __syncthreads();
  uint32_t parity = 0;
#pragma unroll 1
  for (int i = 0; i < 3; i++) {
    if (lane == 0 && way != 2) expect(&b, bytes * count);
    __syncwarp();
    const uint32_t t = now();
    if (way == 0 && lane < count) bulk_load(shared_at(room) + lane * bytes, in + lane * apart, bytes, shared_at(&b));
    if (way == 1 && lane == 0) {
#pragma unroll 1
      for (uint32_t c = 0; c < count; c++) bulk_load(shared_at(room) + c * bytes, in + c * apart, bytes, shared_at(&b));
    }
    if (way == 2 && lane < count) bulk_store(to + lane * apart, room + lane * bytes, bytes);
    __syncwarp();
    const uint32_t u = now();
    if (way != 2) wait(&b, parity), parity ^= 1;
    else {
      commit();
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncwarp();
    if (lane == 0) out[2 * i] = u - t, out[2 * i + 1] = now() - t;
    for (uint32_t f = now(); now() - f < 3000;) {}
  }
}
/// Blocks add 1 KiB each to the same or to different lines, `count` times, twice. Words: until read; until the group is over; behind a fence.
extern "C" __global__ void together(uint32_t* to, uint32_t* out, uint32_t apart, uint32_t count, uint32_t kind) {
  extern __shared__ __align__(1024) uint32_t data[];
  if (threadIdx.x != 0) return;
  for (int i = 0; i < 256; i++) data[i] = 0;
  fence_async();
  uint32_t* const place = to + blockIdx.x * apart;
#pragma unroll 1
  for (int i = 0; i < 2; i++) {
    const uint32_t t = now();
#pragma unroll 1
    for (uint32_t c = 0; c < count; c++) {
      if (kind == 0) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 1024;" :: "l"(place), "r"(shared_at(data)) : "memory");
      if (kind == 1) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b64 [%0], [%1], 1024;" :: "l"(place), "r"(shared_at(data)) : "memory");
      if (kind == 2) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.bf16 [%0], [%1], 1024;" :: "l"(place), "r"(shared_at(data)) : "memory");
      if (kind == 3) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%0], [%1], 1024;" :: "l"(place), "r"(shared_at(data)) : "memory");
    }
    commit();
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    const uint32_t u = now();
    wait_groups<0>();
    const uint32_t v = now();
    asm volatile("ld.global.cv.u32 %0, [%1];" : "=r"(data[0]) : "l"(place) : "memory");
    const uint32_t w = now() + __any_sync(1, data[0] == 0x12345);
    uint32_t* const o = out + blockIdx.x * 8 + i * 4;
    o[0] = u - t, o[1] = v - t, o[2] = w - t, o[3] = 0;
    for (uint32_t f = now(); now() - f < 3000;) {}
  }
}
