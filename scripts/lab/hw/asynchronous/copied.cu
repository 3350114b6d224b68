// SPDX-License-Identifier: Apache-2.0
// Latencies of `count` lines, one behind the other, from SM `sm`.
#include "probe.cuh"

extern "C" __global__ void lines(const uint32_t* in, uint32_t* out, uint32_t count, uint32_t apart, uint32_t sm) {
  uint32_t own;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(own));
  if (threadIdx.x != 0 || own != sm) return;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t found;
    const uint32_t t = now();
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(found) : "l"(in + i * apart) : "memory");
    if (found == 0x12345678) return;
    out[i] = now() - t;
  }
}
