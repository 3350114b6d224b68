// SPDX-License-Identifier: Apache-2.0
// A body between clock reads, `reps` times in one block: times[2w] and times[2w + 1] are warp w's last
// two. ADD and MUL are instructions that the compiler leaves where they are.
#pragma once
#include <cstdint>
#define PRE extern "C" __global__ void __launch_bounds__(256)
#define ARGS (const uint32_t* in, uint32_t* out, int n, uint32_t* times, int reps)
#define HEAD uint32_t t0 = 0, t1 = 0; float f[8]; for (int i = 0; i < 8; ++i) f[i] = in[threadIdx.x] * (i + 1.0f); uint32_t x = in[threadIdx.x]; int lane = threadIdx.x & 31; \
  _Pragma("unroll 1") for (int r = 0; r < reps; r++) { __syncthreads(); asm volatile("mov.u32 %0, %%clock;" : "=r"(t0) :: "memory");
#define TAIL __syncwarp(); asm volatile("mov.u32 %0, %%clock;" : "=r"(t1) :: "memory"); } \
  if ((threadIdx.x & 31) == 0) { times[2 * (threadIdx.x >> 5)] = t0; times[2 * (threadIdx.x >> 5) + 1] = t1; } float s = 0; for (int i = 0; i < 8; ++i) s += f[i]; out[threadIdx.x] = __float_as_uint(s) + x; }
#define ADD(i) asm volatile("add.f32 %0, %0, 0f3F800000;" : "+f"(f[(i) & 7]));
template <int N> __device__ __forceinline__ void adds(float (&f)[8]) {
#pragma unroll
  for (int i = 0; i < N; ++i) ADD(i) }
#define MUL(i) asm volatile("mul.f32 %0, %0, 0f3FC00000;" : "+f"(f[(i) & 7]));
