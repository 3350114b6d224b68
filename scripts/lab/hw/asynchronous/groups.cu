// SPDX-License-Identifier: Apache-2.0
// What a warp of a group waits for whose others are late at a product.
#include "probe.cuh"

HERE uint64_t matrix_at(const void* p) { return (shared_at(p) >> 4 & 0x3FFF) | uint64_t{8} << 16 | uint64_t{16} << 32; }

/// Bits 15:0 of form: cycles by which warp 3 comes later; 16: it is late behind the fence, not before it; 17: A in
/// registers; 18: warp 0 is late too, at its wait. Words, for each warp: its times from the first warp's
/// begin at the fence, behind the fence, behind the commit, behind the wait, the same of two more products.
FORMED_PROBE(late_warps) {
  __shared__ alignas(1024) uint32_t room[2048];
  __shared__ uint32_t first;
  const uint32_t late = form & 0xFFFF;
  for (uint32_t i = threadIdx.x; i < 2048; i += blockDim.x) room[i] = 0;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  float d[8] = {};
  uint32_t times[9];
  const uint64_t a = matrix_at(room), b = matrix_at(room + 1024);
  for (int round = 0; round < 3; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) first = now();
    __syncthreads();
    const uint32_t from = now();
    if (threadIdx.x / 32 == 3 && !(form >> 16 & 1)) while (now() - from < late) {}
    times[0] = now();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    times[1] = now();
    if (threadIdx.x / 32 == 3 && (form >> 16 & 1)) while (now() - from < late) {}
#define PRODUCT                                                                                                             \
  if (form >> 17 & 1)                                                                                                       \
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %8, %8, %8}, %9, 1, 1, 1, 0;" \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]) : "r"(0), "l"(b)); \
  else                                                                                                                      \
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, 1, 1, 1, 0, 0;" \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]) : "l"(a), "l"(b)); \
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
    PRODUCT;
    times[2] = now();
    if (threadIdx.x < 32 && (form >> 18 & 1)) while (now() - from < 2 * late) {}
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    times[3] = now();
    __syncthreads();
    times[4] = now();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    times[5] = now();
    PRODUCT;
    PRODUCT;
    PRODUCT;
    times[6] = now();
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    times[7] = now();
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    times[8] = now();
    asm volatile("" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])::"memory");
    if (threadIdx.x % 32 == 0)
      for (int i = 0; i < 9; ++i) out[threadIdx.x / 32 * 9 + i] = times[i] - first;
  }
}
