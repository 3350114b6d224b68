// SPDX-License-Identifier: Apache-2.0
// Loads from the DRAM beside other SMs' loads and stores.
#include "clock.cuh"
using u64 = unsigned long long;

// Block 0: one thread loads `count` lines of `data` in a chain, each once. The others stream rows of 2 KiB a warp
// through their own parts of `mine` meanwhile, a row every `period` cycles: loads (mode 1), stores (2), both in turn (3).
extern "C" __global__ void beside(const u32* data, const u32* order, u32* times, uint4* mine, u32* stop, u64* rows, u32 count, u32 mode,
                                  u32 period, u32 rows_each) {
  extern __shared__ u32 left[];
  if (blockIdx.x == 0) {
    if (threadIdx.x != 0) return;
    u32 start = now();
    while (now() - start < 30000) {}
    u32 sum = 0;
    for (u32 i = 0; i < count; i++) {
      u32 line = order[i];
      u32 begin, v;
      begin = now() + (line >> 31);
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(data + (u64)line * 32 + sum) : "memory");
      sum += v;
      if (sum == 0x12345678) left[0] = 1;
      left[i] = now() - begin;
    }
    for (u32 i = 0; i < count; i++) times[i] = left[i];
    __threadfence();
    atomicExch(stop, 1);
    return;
  }
  if (mode == 0) return;
  u32 warp = (blockIdx.x - 1) * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x & 31;
  uint4* at = mine + (u64)warp * rows_each * 128 + lane;
  u32 start = now(), i = 0;
  u64 sum = 0;
  for (; i < rows_each; i++) {
    while (now() - start < i * period) {}
    if ((i & 15) == 0 && *(volatile u32*)stop) break;
    uint4* row = at + (u64)i * 128;
    if (mode == 1 || (mode == 3 && (i & 1))) {
      uint4 v[4];
#pragma unroll
      for (int k = 0; k < 4; k++)
        asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                     : "=r"(v[k].x), "=r"(v[k].y), "=r"(v[k].z), "=r"(v[k].w) : "l"(row + 32 * k));
#pragma unroll
      for (int k = 0; k < 4; k++) sum += v[k].x + v[k].w;
    } else {
#pragma unroll
      for (int k = 0; k < 4; k++) row[32 * k] = make_uint4(i, i, i, i);
    }
  }
  u32 took = now() - start;
  if (sum == 0x123456789ull) stop[1] = 1;
  if (lane == 0) atomicAdd(&rows[0], (u64)i), atomicAdd(&rows[1], (u64)took);
}
