// SPDX-License-Identifier: Apache-2.0
// Which lines share a slice of the L2, and in which half each is at home. Compiled after probes.cu, whose Job it uses.
#include "probes.cu"

// All SMs but two read one line, `hammered`, without end. These two, one at each half of the L2, time three loads of each
// line in turn and keep the least: loads that pass the same slice take longer. `stop` counts the SMs that are done.
PROBE slices(Job job, const char* base, u32 hammered, u32 count, u32 apart, u32* out, u32* stop) {
  u32 rank = enter(job);
  if (rank == ~0u) return;
  if (rank > 1) {
    const u32* at = (const u32*)(base + (u64)hammered * 128);
    u32 lane = threadIdx.x % 32, sum = 0;
    while (*(volatile u32*)stop < 2) {
      for (int i = 0; i < 16; i++) {
        u32 v[4];
#pragma unroll
        for (int k = 0; k < 4; k++) v[k] = read4(at + (lane + sum) % 32);
#pragma unroll
        for (int k = 0; k < 4; k++) sum += v[k];
      }
    }
    if (sum == 0x12345678) job.clocks[0] = 0;
    return;
  }
  if (threadIdx.x) return;
  for (u32 i = 0; i < count; i++) {
    const u32* at = (const u32*)(base + (u64)i * apart);
    u32 best = ~0u, value = read4(at);
    for (int k = 0; k < 3; k++) {
      u64 begin = now();
      value = read4(at + value);
      if (value == 0x12345678) return;  // waits for the load
      best = min(best, (u32)(now() - begin));
    }
    out[rank * count + i] = best;
  }
  atomicAdd(stop, 1);
  job.clocks[2 * rank + 1] = now();
}
