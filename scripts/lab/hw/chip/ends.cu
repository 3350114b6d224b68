// SPDX-License-Identifier: Apache-2.0
// When the SMs end a stream: blocks of 256 threads read, write or copy 16 bytes a thread; each warp leaves its SM and its
// clock at its begin, behind its load and at its end.
#include "clock.cuh"
template <bool reads, bool writes>
__device__ void stream(const uint4* from, uint4* to, uint4* left) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x, begin = now();
  uint4 v = make_uint4(i, 0, 0, 0);
  if (reads) {
    asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from + i));
    if (v.x == 0x12345678) return;  // waits for the load; the memory holds zeros
  }
  u32 there = now();
  if (writes) to[i] = v;
  u32 end = now();
  if (threadIdx.x % 32 == 0) left[i / 32] = make_uint4(sm(), begin, there, end);
}
#define STREAM(name, reads, writes) \
  extern "C" __global__ void __launch_bounds__(256) name(const uint4* from, uint4* to, uint4* left) { stream<reads, writes>(from, to, left); }
STREAM(reads, true, false)
STREAM(writes, false, true)
STREAM(copies, true, true)
