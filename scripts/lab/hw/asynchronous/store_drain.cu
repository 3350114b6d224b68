// SPDX-License-Identifier: Apache-2.0
// How long a block's end waits for its stores, for `behind`: two blocks an SM, one at a time. 32 words of a block in out: its SM,
// its begin, and its warps' ends behind that.
#include <cstdint>

__device__ __forceinline__ uint32_t now() {
  uint32_t t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}
__device__ __forceinline__ uint32_t sm() {
  uint32_t t;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(t));
  return t;
}

extern "C" __global__ void drain(uint32_t* out, uint32_t count, uint32_t pattern, uint32_t alone, uint32_t wait) {
  extern __shared__ uint32_t data[];
  const uint32_t begin = now(), number = sm();
  const uint32_t l = threadIdx.x & 31, w = threadIdx.x / 32 + blockIdx.x * (blockDim.x / 32);
  char* const room = reinterpret_cast<char*>(out) + (1 << 20);
  const auto repeat = [&](uint32_t lane_at, uint32_t bytes, auto store) {
#pragma unroll 4
    for (uint32_t i = 0; i < count; i++) store(room + (w * count + i) * bytes % (32u << 20) + lane_at);
  };
  if (threadIdx.x == 0) out[blockIdx.x * 32] = number, out[blockIdx.x * 32 + 1] = begin;
  __syncthreads();
  while (now() - begin < 3000) {}
  __syncthreads();
  const uint32_t t = now();
  if (alone == 0 || number == 0) {
    const auto words = [&](char* at) { *reinterpret_cast<uint32_t*>(at) = t; };
    const auto pairs = [&](char* at) { *reinterpret_cast<uint2*>(at) = make_uint2(t, t); };
    const auto fours = [&](char* at) { *reinterpret_cast<uint4*>(at) = make_uint4(t, t, t, t); };
    const uint32_t row = l / 4 * 256, column = l % 4;
    if (pattern == 0) repeat(4 * l, 128, words);
    if (pattern == 1) repeat(row + 8 * column, 2048, pairs);
    if (pattern == 2) repeat(row + 4 * column, 2048, words);
    if (pattern == 3) repeat(16 * l, 512, fours);
    if (pattern == 4) repeat(256 * l, 8192, words);
    if (pattern == 5) repeat(l / 4 * 640 + 8 * column, 32, pairs);
  }
  const uint32_t end = now();
  if (wait) { while (now() - end < wait) {} }
  if (l == 0) out[blockIdx.x * 32 + 2 + threadIdx.x / 32] = now() - begin;
}
