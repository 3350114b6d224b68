// SPDX-License-Identifier: Apache-2.0
// When the warps of each SM have issued their atomic additions (RED) to a few words: rows of 128 bytes, and single words
// at random. Each warp leaves its SM and its clock at its begin, behind the first addition and behind the last.
#include "clock.cuh"
__device__ void update(u32* word, uint4* left, u32 count) {
  u32 begin = now(), first = 0;
  for (u32 n = 0; n < count; n++) {
    asm volatile("red.global.add.u32 [%0], 1;" :: "l"(word) : "memory");
    if (n == 0) first = now();
  }
  u32 end = now();
  if (threadIdx.x % 32 == 0) left[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = make_uint4(sm(), begin, first, end);
}
extern "C" __global__ void __launch_bounds__(256) row(u32* words, uint4* left, u32 line, u32 count) {
  update(words + line * 32 + threadIdx.x % 32, left, count);
}
extern "C" __global__ void __launch_bounds__(256) bins(u32* words, uint4* left, u32 places, u32 count) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  update(words + (i * 2654435761u >> 8 & places - 1), left, count);
}
