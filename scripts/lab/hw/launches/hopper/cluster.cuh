// SPDX-License-Identifier: Apache-2.0
// What launches of Hopper's units share.
#pragma once
#include "../../../../../examples/attention/hopper.cuh"
#include "register_lists.cuh"
#include "../launch.cuh"

__device__ inline u32 rank_in_cluster() {
  u32 rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ inline u32 there(u32 address, u32 rank) {
  u32 mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
  return mapped;
}
__device__ inline void meet() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ inline void wait_cluster(u32 barrier, u32 parity) {
  u32 done = 0;
  while (done == 0)
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                 : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
}
__device__ inline void finish_products() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }
__device__ inline void commit_stores_and_wait() {
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}
__device__ inline void store_2d(const Map* map, u32 from, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map), "r"(from), "r"(x), "r"(y) : "memory");
}
__device__ inline u32 aligned_up(const void* memory) { return (shared_address(memory) + 1023) / 1024 * 1024; }

template <typename T, int kCount>
__device__ void take(T (&d)[kCount]) {
  for (T& each : d) {
    if constexpr (sizeof(T) == 4 && T(0.5f) != T(0)) asm volatile("" : "+f"(each)::"memory");
    else asm volatile("" : "+r"(each)::"memory");
  }
}
/// Writes a thread's sums in pairs: of `row`, and the row 8 later, of a matrix with `pitch` columns.
template <typename T, u32 kCount>
__device__ void write_pairs(const T (&d)[kCount], T* c, u32 row, u32 pitch) {
  struct alignas(8) Pair { T x, y; };
#pragma unroll
  for (u32 j = 0; j < kCount; j += 2)
    *reinterpret_cast<Pair*>(&c[(row + j / 2 % 2 * 8) * pitch + j / 4 * 8 + lane_id() % 4 * 2]) = {d[j], d[j + 1]};
}
