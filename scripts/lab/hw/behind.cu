// SPDX-License-Identifier: Apache-2.0
// How long warps wait for a special register or for shared memory behind their accesses to global memory.
#include "chip/clock.cuh"
using u64 = uint64_t;

#define COPY_CG asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(there + j * 512), "l"(here[j]) : "memory")
#define COPY_CA asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(there + j * 512), "l"(here[j]) : "memory")
#define LOAD(cache) \
  asm volatile("ld.global." #cache ".v4.u32 {%0, %1, %2, %3}, [%4];" \
               : "=r"(v[j][0]), "=r"(v[j][1]), "=r"(v[j][2]), "=r"(v[j][3]) : "l"(here[j]) : "memory")
#define STORE asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(here[j]), "r"(v[j][0]) : "memory")
#define SPECIAL asm volatile("mov.u32 %0, %%smid;" : "=r"(word)::"memory")
#define SHARED asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(word) : "r"(base + lane * 4) : "memory")

__device__ inline u64 long_now() {
  u64 t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
  return t;
}

// Leaves for each warp the cycles in which it issues COUNT accesses, from there until it has the word, and all until its
// accesses are done, in the last of three rounds. A row has 1 << `lanes` lanes of 16 bytes; rows are `stride` bytes apart in
// shared memory, and 1 KiB in `memory`, of which the block accesses the bytes of `mask`.
#define BEHIND(name, COUNT, ITEM, WAIT) \
  extern "C" __global__ void __launch_bounds__(1024) name(char* memory, u64* left, u32 lanes, u32 stride, u32 mask) { \
    extern __shared__ __align__(128) char room[]; \
    const u32 warp = threadIdx.x / 32, warps = blockDim.x / 32, lane = threadIdx.x % 32, row = lane >> lanes; \
    const u32 base = static_cast<u32>(__cvta_generic_to_shared(room)), column = (lane - (row << lanes)) * 16; \
    const u32 there = base + warp % 8 * 4096 + row * stride + column; \
    u64 first, issued, has_word, done; \
    u32 word = 0; \
    _Pragma("unroll 1") for (u32 round = 0; round < 3; ++round) { \
      char* here[COUNT]; \
      u32 v[COUNT][4] = {}; \
      _Pragma("unroll") for (u32 j = 0; j < COUNT; ++j) \
        here[j] = memory + (((((round * COUNT + j) * warps + warp) << (5 - lanes)) + row) * 1024 & mask) + column; \
      __syncthreads(); \
      first = long_now(); \
      _Pragma("unroll") for (u32 j = 0; j < COUNT; ++j) { ITEM; } \
      issued = long_now(); \
      WAIT; \
      if (word == 12345) left[1] = 1; \
      has_word = long_now(); \
      asm volatile("cp.async.wait_all;" ::: "memory"); \
      _Pragma("unroll") for (u32 j = 0; j < COUNT; ++j) if (v[j][0] == 12345) left[2] = 1; \
      done = long_now(); \
      __syncthreads(); \
    } \
    if (lane == 0) left[warp * 3] = issued - first, left[warp * 3 + 1] = has_word - issued, left[warp * 3 + 2] = done - first; \
  }
#define BOTH(kind, count, ITEM) \
  BEHIND(kind##_##count##_special, count, ITEM, SPECIAL) BEHIND(kind##_##count##_shared, count, ITEM, SHARED)
BOTH(copy_cg, 4, COPY_CG)
BOTH(copy_cg, 8, COPY_CG)
BOTH(copy_ca, 4, COPY_CA)
BOTH(load_cg, 4, LOAD(cg))
BOTH(load_cg, 8, LOAD(cg))
BOTH(load_ca, 4, LOAD(ca))
BOTH(store, 4, STORE)
