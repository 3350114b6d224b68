// SPDX-License-Identifier: Apache-2.0
// Loads past the L1 of random sectors, rows of 128 bytes, and rows of 512 bytes. Each warp writes its SM and its cycles.
typedef unsigned int u32;
typedef unsigned long long u64;

__device__ u32 mixed(u32 x) {
  x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu;
  return x ^ x >> 16;
}

template <class Word, bool SCATTERED>
__device__ void reads(const Word* table, u32 rows, u32 steps, u64* out) {
  u32 lane = threadIdx.x % 32, seed = mixed((blockIdx.x * 1024 + threadIdx.x) / (SCATTERED ? 1 : 32) + 1), sum = 0, sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  u64 begin = clock64();
  for (u32 i = 0; i < steps; i++) {
#pragma unroll
    for (u32 k = 0; k < 4; k++) {
      u32 row = mixed(seed + (i * 4 + k) * 0x9e3779b9u) % rows;
      Word word = __ldcg(table + (SCATTERED ? row * 8 : row * 32 + lane));
      sum += *(const u32*)&word;
    }
  }
  u64 end = clock64();
  u64* left = out + (blockIdx.x * 32 + threadIdx.x / 32) * 2;
  if (lane == 0) left[0] = sm, left[1] = end - begin + (sum == 0x12345);
}

extern "C" __global__ void sectors(const u32* table, u32 rows, u32 steps, u64* out) { reads<u32, true>(table, rows, steps, out); }
extern "C" __global__ void rows(const u32* table, u32 rows, u32 steps, u64* out) { reads<u32, false>(table, rows, steps, out); }
extern "C" __global__ void wide(const uint4* table, u32 rows, u32 steps, u64* out) { reads<uint4, false>(table, rows, steps, out); }
