// SPDX-License-Identifier: Apache-2.0
// Rates of sparse products: four products behind one another, then the wait for them; 16 times. Words: all,
// and the first eight, of each group of four warps.
#include "products.cuh"

#define PRODUCTS(NAME, SUMS, CALL) \
  TIMED_PRODUCTS(NAME, SUMS, CALL, 4, 12288, 0, 8192, const uint32_t kept = 0x44444444, r = in[threadIdx.x])
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
