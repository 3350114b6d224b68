// SPDX-License-Identifier: Apache-2.0
// Products of a warp group: 64 rows of bf16 by 64 or 128 columns, in rows of 128 bytes with their swizzle.
#pragma once
#include "../launches/hopper/register_lists.cuh"
#include "probe.cuh"

HERE uint64_t rows_at(uint32_t address) {
  return (address >> 4 & 0x3FFF) | uint64_t{1} << 16 | uint64_t{64} << 32 | uint64_t{1} << 62;
}
HERE void multiply_64(float (&d)[32], uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " LIST32 ", %32, %33, 1, 1, 1, 0, 0;"
      : D16F(0), D16F(16)
      : "l"(a), "l"(b));
}
HERE void multiply_64(float (&d)[32], const uint32_t (&a)[4], uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " LIST32 ", {%32, %33, %34, %35}, %36, 1, 1, 1, 0;"
      : D16F(0), D16F(16)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}
HERE void multiply_128(float (&d)[64], uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " LIST64 ", %64, %65, 1, 1, 1, 0, 0;"
      : D16F(0), D16F(16), D16F(32), D16F(48)
      : "l"(a), "l"(b));
}

/// Groups that multiply at the same time, 16 rounds of `PARTS` products and a wait each; the shared
/// memory of `WORDS` words has the operands at `A` and `B`. Of each group: the cycles of all
/// rounds, then the ends of the first 8.
#define TIMED_PRODUCTS(NAME, SUMS, CALL, PARTS, WORDS, A, B, ...)                                \
  PROBE(NAME) {                                                                                  \
    extern __shared__ __align__(128) uint32_t data[];                                            \
    for (uint32_t i = threadIdx.x; i < WORDS; i += blockDim.x) data[i] = 0;                      \
    fence_async();                                                                               \
    __syncthreads();                                                                             \
    const uint32_t group = threadIdx.x / 128;                                                    \
    const uint64_t a = rows_at(shared_at(data) + A), b = rows_at(shared_at(data) + B);           \
    __VA_ARGS__;                                                                                 \
    float d[SUMS];                                                                               \
    for (float& each : d) each = 0;                                                              \
    uint32_t ends[8];                                                                            \
    for (int round = 0; round < 2; round++) {                                                    \
      __syncthreads();                                                                           \
      const uint32_t t = now();                                                                  \
      _Pragma("unroll") for (int i = 0; i < 16; i++) {                                           \
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                  \
        _Pragma("unroll") for (int part = 0; part < PARTS; part++) CALL;                         \
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");                           \
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");                           \
        for (float& each : d) asm volatile("" : "+f"(each)::"memory");                           \
        if (i < 8) ends[i] = now() - t;                                                          \
      }                                                                                          \
      const uint32_t end = now() - t;                                                            \
      if (threadIdx.x % 128 == 0) {                                                              \
        out[group * 10] = end;                                                                   \
        for (int i = 0; i < 8; i++) out[group * 10 + 1 + i] = ends[i];                           \
      }                                                                                          \
    }                                                                                            \
    for (float& each : d)                                                                        \
      if (each != 0) out[255] = 1;                                                               \
  }
