// SPDX-License-Identifier: Apache-2.0
// How many loads of global memory an SM has in flight: when each load of each warp issues.
#include "chip/clock.cuh"

#define LOAD_4 asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[j][0]) : "l"(here) : "memory")
#define LOAD_16 \
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" \
               : "=r"(v[j][0]), "=r"(v[j][1]), "=r"(v[j][2]), "=r"(v[j][3]) : "l"(here) : "memory")

// Leaves for each warp the clock before its COUNT loads, behind each of them, and when all have returned. A load has
// 32 >> `lanes` rows, each of another line behind those of the load before.
#define IN_FLIGHT(name, COUNT, WORDS, ITEM) \
  extern "C" __global__ void __launch_bounds__(1024) name(const char* memory, u32* left, u32 lanes) { \
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = lane >> lanes; \
    const char* here = memory + (((warp * COUNT) << (5 - lanes)) + row) * 128 + (lane - (row << lanes)) * 4 * WORDS; \
    const u32 step = 4096 >> lanes; \
    u32 v[COUNT][WORDS], issued[COUNT], sum = 0; \
    __syncthreads(); \
    const u32 first = now(); \
    _Pragma("unroll") for (u32 j = 0; j < COUNT; ++j, here += step) { ITEM; issued[j] = now(); } \
    _Pragma("unroll") for (u32 j = 0; j < COUNT; ++j) \
      _Pragma("unroll") for (u32 k = 0; k < WORDS; ++k) sum |= v[j][k]; \
    if (sum == 1) left[0] = sum; \
    const u32 done = now(); \
    __syncthreads(); \
    if (lane != 0) return; \
    left += warp * (COUNT + 2); \
    left[0] = first; \
    _Pragma("unroll") for (u32 j = 0; j < COUNT; ++j) left[j + 1] = issued[j]; \
    left[COUNT + 1] = done; \
  }

IN_FLIGHT(words_24, 24, 1, LOAD_4)
IN_FLIGHT(quads_8, 8, 4, LOAD_16)
