// SPDX-License-Identifier: Apache-2.0
// How far pages of 4 KiB are from the SM: a load past the L1, an atomic, and a fence behind a store.
#include "probe.cuh"
extern "C" __global__ void homes(uint32_t* out, uint32_t* word, uint32_t pages) {
  for (uint32_t p = 0; p < pages; ++p) {
    uint32_t* const at = word + p * 1024;
    uint32_t took[3] = {0, 0, 0}, x, y;
    for (int i = 0; i < 3; ++i) {
      asm volatile("fence.acq_rel.gpu;" ::: "memory");
      uint32_t t = now();
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(at) : "memory");
      asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 0x12345; @p trap;}" ::"r"(x));
      took[0] = now() - t;
      t = now();
      asm volatile("atom.global.add.u32 %0, [%1], 0;" : "=r"(y) : "l"(at) : "memory");
      asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 0x12345; @p trap;}" ::"r"(y));
      took[1] = now() - t;
      asm volatile("fence.acq_rel.gpu;" ::: "memory");
      t = now();
      while (now() - t < 1000) {}
      asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(x) : "memory");
      t = now();
      asm volatile("fence.acq_rel.gpu;" ::: "memory");
      took[2] = now() - t;
    }
    asm volatile("mov.u32 %0, %%smid;" : "=r"(x));
    for (int i = 0; i < 3; ++i) out[p * 4 + i] = took[i];
    out[p * 4 + 3] = x;
  }
}
