// SPDX-License-Identifier: Apache-2.0
// Loads of lines that other warps store to.
#include "clock.cuh"
using u64 = unsigned long long;

template <int kLoad>
__device__ inline u64 load(u64* at) {
  u64 v;
  if (kLoad == 0) asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
  if (kLoad == 1) asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
  if (kLoad == 2) asm volatile("ld.volatile.global.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
  return v;
}
template <int kStore>
__device__ inline void store(u64* at, u64 v) {
  if (kStore == 0 || kStore == 3) asm volatile("st.global.u64 [%0], %1;" :: "l"(at), "l"(v) : "memory");
  if (kStore == 1) asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" :: "l"(at), "l"(v) : "memory");
  if (kStore == 2) asm volatile("st.volatile.global.u64 [%0], %1;" :: "l"(at), "l"(v) : "memory");
}
// A warp a block: 40 rounds of a load of 32 words of one region (none if kLoad is 3, then a fence ends the rounds), each
// behind the load before, and where (round & mask) is 0 a store by one lane to another region (kStore 3: by four, a whole
// sector). Leaves the cycles of a round, without the first eight rounds.
template <int kLoad, int kStore>
__device__ inline void mixed(u64* words, u64* written, u32* log, u32 reads, u32 writes, u32 mask, u32 zero) {
  u32 lane = threadIdx.x, at = blockIdx.x + lane, found = 0, own = blockIdx.x & (writes - 1), begin = 0;
  u32 stores = kStore == 3 ? 4 : 1;
  for (u32 i = 0; i < 40; i++) {
    if (i == 8) begin = now();
    if (kLoad != 3) {
      u64 word = load<kLoad>(words + (at & (reads - 1)));
      found += __any_sync(~0u, (word >> 32) == 7);
      at += 32 + (found & zero);
    }
    if ((i & mask) == 0 && lane < stores) store<kStore>(written + (stores == 4 ? (own & ~3u) + lane : own), i + found);
  }
  if (kLoad == 3) __threadfence();
  if (lane == 0) log[blockIdx.x] = (now() - begin) / 32;
}
#define KERNEL(L, S)                                                                                                       \
  extern "C" __global__ void mixed_##L##S(u64* words, u64* written, u32* log, u32 reads, u32 writes, u32 mask, u32 zero) { \
    mixed<L, S>(words, written, log, reads, writes, mask, zero);                                                           \
  }
KERNEL(0, 0) KERNEL(0, 1) KERNEL(0, 2) KERNEL(0, 3)
KERNEL(1, 0) KERNEL(1, 1) KERNEL(1, 2) KERNEL(1, 3)
KERNEL(2, 0) KERNEL(2, 1) KERNEL(2, 2) KERNEL(2, 3)
KERNEL(3, 0) KERNEL(3, 1) KERNEL(3, 2) KERNEL(3, 3)
