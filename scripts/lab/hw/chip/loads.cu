// SPDX-License-Identifier: Apache-2.0
// When the warps of an SM have issued loads that go past the L1, and how long a shuffle and a load of shared memory take
// behind them. nvcc -arch=sm_90 -o loads loads.cu && ./loads > loads.csv: a row for each warp of a few blocks, with cycles
// since the block's first clock read.
#include <cstdio>
#include <vector>

#include "clock.cuh"

constexpr int LOADS = 12, WORDS = LOADS + 4, SMS = 132;
__device__ inline u32 mix(u32 h) {
  h ^= h >> 16, h *= 0x7feb352du, h ^= h >> 15, h *= 0x846ca68bu;
  return h ^ h >> 16;
}
// A load touches `lines` lines of the table at random, with neighbouring words of each.
__global__ void __launch_bounds__(1024) loads(const u32* table, u32* left, u32 lines, u32 mask) {
  extern __shared__ u32 room[];
  u32 lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, group = 32 / lines;
  room[threadIdx.x] = threadIdx.x * 4;
  u32 v[LOADS], c[WORDS], sum = 0, word;
  __syncthreads();
  c[0] = now();
#pragma unroll
  for (int i = 0; i < LOADS; i++) {
    const u32* at = table + (mix((warp * LOADS + i) * 32 + lane / group + 1) & mask) * 32 + lane % group;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[i]) : "l"(at) : "memory");
    c[1 + i] = now();
  }
  u32 other = __shfl_xor_sync(~0u, lane, 1);
  c[LOADS + 1] = now() + (other & 0x40000000);
  u32 at = (u32)__cvta_generic_to_shared(room + threadIdx.x);
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(at) : "memory");
  c[LOADS + 2] = now() + (word & 0x40000000);
#pragma unroll
  for (int i = 0; i < LOADS; i++) sum += v[i];
  c[LOADS + 3] = now() + (sum & 0x40000000);
  if (lane == 0)
    for (int i = 0; i < WORDS; i++) left[warp * WORDS + i] = c[i];
}
int main() {
  constexpr u32 mask = (1u << 16) - 1;  // 8 MiB
  u32 *table, *left;
  cudaMalloc(&table, 128 * (mask + 1)), cudaMalloc(&left, SMS * 32 * WORDS * 4), cudaMemset(table, 0, 128 * (mask + 1));
  std::vector<u32> h(SMS * 32 * WORDS);
  printf("memory,sms,warps,lines,block,warp,begin");
  for (int i = 1; i <= LOADS; i++) printf(",load_%d", i);
  printf(",shuffle,shared,last\n");
  for (int sms : {1, SMS})
    for (int warps : {1, 4, 8, 32})
      for (int lines : {1, 4, 8, 32}) {
        for (int again = 0; again < 2; again++) loads<<<sms, warps * 32, warps * 128>>>(table, left, lines, mask);
        cudaMemcpy(h.data(), left, h.size() * 4, cudaMemcpyDeviceToHost);
        for (int b : {0, 67, 131}) {
          if (b >= sms) continue;
          u32 begin = h[b * warps * WORDS];
          for (int w = 1; w < warps; w++) begin = (int)(h[(b * warps + w) * WORDS] - begin) < 0 ? h[(b * warps + w) * WORDS] : begin;
          for (int w = 0; w < warps; w++) {
            printf("l2,%d,%d,%d,%d,%d", sms, warps, lines, b, w);
            for (int i = 0; i < WORDS; i++) printf(",%d", (int)(h[(b * warps + w) * WORDS + i] - begin));
            printf("\n");
          }
        }
      }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
