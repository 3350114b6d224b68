// SPDX-License-Identifier: Apache-2.0
// Rates of sparse products: four products behind one another, then the wait for them; 16 times. Words: all,
// and the first eight, of each group of four warps.
#include "../launches/hopper/register_lists.cuh"
#include "probe.cuh"

HERE uint64_t rows_at(uint32_t address) {
  return (address >> 4 & 0x3FFF) | uint64_t{1} << 16 | uint64_t{64} << 32 | uint64_t{1} << 62;
}

/// `CALL` four times.
#define PRODUCTS(NAME, SUMS, CALL)                                                                  \
  PROBE(NAME) {                                                                                     \
    extern __shared__ __align__(128) uint32_t data[];                                               \
    for (uint32_t i = threadIdx.x; i < 12288; i += blockDim.x) data[i] = 0;                         \
    fence_async();                                                                                  \
    __syncthreads();                                                                                \
    const uint32_t group = threadIdx.x / 128, kept = 0x44444444, r = in[threadIdx.x];               \
    const uint64_t a = rows_at(shared_at(data)), b = rows_at(shared_at(data) + 8192);               \
    float d[SUMS];                                                                                  \
    for (float& each : d) each = 0;                                                                 \
    uint32_t ends[8];                                                                               \
    for (int round = 0; round < 2; round++) {                                                       \
      __syncthreads();                                                                              \
      const uint32_t t = now();                                                                     \
      _Pragma("unroll") for (int i = 0; i < 16; i++) {                                              \
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                     \
        _Pragma("unroll") for (int part = 0; part < 4; part++) CALL;                                \
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");                              \
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");                              \
        for (float& each : d) asm volatile("" : "+f"(each)::"memory");                              \
        if (i < 8) ends[i] = now() - t;                                                             \
      }                                                                                             \
      const uint32_t end = now() - t;                                                               \
      if (threadIdx.x % 128 == 0) {                                                                 \
        out[group * 10] = end;                                                                      \
        for (int i = 0; i < 8; i++) out[group * 10 + 1 + i] = ends[i];                              \
      }                                                                                             \
    }                                                                                               \
    for (float& each : d)                                                                           \
      if (each != 0) out[255] = 1;                                                                  \
  }
#define SPARSE(N, SUMS, LIST, D, DA, DB, KEPT, R)                                                   \
  PRODUCTS(sparse_##N, SUMS,                                                                        \
           asm volatile("wgmma.mma_async.sp.sync.aligned.m64n" #N "k32.f32.bf16.bf16 " LIST ", " DA \
                        ", " DB ", " KEPT ", 0, 1, 1, 1, 0, 0;"                                     \
                        : D : "l"(a), "l"(b), "r"(kept), "r"(r)))                                   \
  PRODUCTS(sparse_registers_##N, SUMS,                                                              \
           asm volatile("wgmma.mma_async.sp.sync.aligned.m64n" #N "k32.f32.bf16.bf16 " LIST ", {" R \
                        "," R "," R "," R "}, " DB ", " KEPT ", 0, 1, 1, 1, 0;"                     \
                        : D : "l"(a), "l"(b), "r"(kept), "r"(r)))
#define D8F D4F(0), D4F(4)
#define D32F D16F(0), D16F(16)
#define D64F D32F, D16F(32), D16F(48)
SPARSE(16, 8, LIST8, D8F, "%8", "%9", "%10", "%11")
SPARSE(32, 16, LIST16, D16F(0), "%16", "%17", "%18", "%19")
SPARSE(64, 32, LIST32, D32F, "%32", "%33", "%34", "%35")
SPARSE(128, 64, LIST64, D64F, "%64", "%65", "%66", "%67")
