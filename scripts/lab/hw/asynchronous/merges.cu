// SPDX-License-Identifier: Apache-2.0
// Stores that fill the same sectors one after another, and the end of their block.
#include "probe.cuh"

HERE void asm_store(void* at, uint32_t v) { asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(v) : "memory"); }
HERE void asm_store(void* at, uint64_t v) { asm volatile("st.global.u64 [%0], %1;" ::"l"(at), "l"(v) : "memory"); }

struct Where { uint32_t lanes, pitch, stride, count, apart, late; };

/// One block a SM at a time; SM 0 alone stores. Each warp stores count times kEach stores, `kStep` bytes from one to the next of
/// the same count; lane l at l / lanes * pitch + l % lanes * stride. late: the counts are the inner loop. Words as `stores`.
template <typename T, int kEach, int kStep>
HERE void stores_of(uint32_t* out, const Where& p) {
  const uint32_t begin = now(), number = sm();
  const uint32_t l = threadIdx.x & 31, w = threadIdx.x / 32;
  char* const room = reinterpret_cast<char*>(out) + (1 << 20) + w * (1 << 18) + l / p.lanes * p.pitch + l % p.lanes * p.stride;
  const T v = begin;
  __syncthreads();
  const uint32_t t = now();
  if (number == 0) {
    if (p.late) {
#pragma unroll
      for (int j = 0; j < kEach; j++)
#pragma unroll 1
        for (uint32_t i = 0; i < p.count; i++) asm_store(room + i * p.apart + j * kStep, v);
    } else {
#pragma unroll 1
      for (uint32_t i = 0; i < p.count; i++)
#pragma unroll
        for (int j = 0; j < kEach; j++) asm_store(room + i * p.apart + j * kStep, v);
    }
  }
  const uint32_t end = now();
  if (threadIdx.x == 0) reinterpret_cast<uint4*>(out)[blockIdx.x] = make_uint4(number, begin, end - t, end);
}
#define STORES(NAME, T, EACH, STEP) \
  extern "C" __global__ void NAME(uint32_t* out, const __grid_constant__ Where p) { extern __shared__ uint32_t data[]; stores_of<T, EACH, STEP>(out, p); }
STORES(w1, uint32_t, 1, 4)
STORES(w2, uint32_t, 2, 4)
STORES(w4, uint32_t, 4, 4)
STORES(w8, uint32_t, 8, 4)
STORES(w12, uint32_t, 12, 4)
STORES(w2_16, uint32_t, 2, 16)
STORES(w4_32, uint32_t, 4, 32)
STORES(w2_far, uint32_t, 2, 65536)
STORES(w4_far, uint32_t, 4, 65536)
STORES(d1, uint64_t, 1, 8)
STORES(d2, uint64_t, 2, 8)
STORES(d4, uint64_t, 4, 8)
STORES(d2_32, uint64_t, 2, 32)
STORES(d4_32, uint64_t, 4, 32)
STORES(d4_far, uint64_t, 4, 65536)
