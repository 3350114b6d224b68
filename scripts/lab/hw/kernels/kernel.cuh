// SPDX-License-Identifier: Apache-2.0
// A kernel of the set: in[n], out[n]; blocks of 256 threads, n a multiple of 256, grid n / 256.
// With TIMED, the same body in a loop between two clock reads.
#pragma once
#include <cstdint>

#define TID (blockIdx.x * blockDim.x + threadIdx.x)
#define FULL 0xffffffffu
#define HERE static __device__ __forceinline__

#define BODY(NAME) HERE void NAME##_body(const uint32_t* in, uint32_t* out, int n)
#ifdef TIMED
#define CLOCK(T) asm volatile("mov.u32 %0, %%clock;" : "=r"(T)::"memory")
#define KERNEL(NAME)                                                              \
  BODY(NAME);                                                                     \
  extern "C" __global__ void __launch_bounds__(256)                               \
      NAME(const uint32_t* in, uint32_t* out, int n, uint32_t* times, int reps) { \
    uint32_t t0 = 0, t1 = 0;                                                      \
    _Pragma("unroll 1") for (int r = 0; r < reps; r++) {                          \
      __syncthreads();                                                            \
      CLOCK(t0);                                                                  \
      NAME##_body(in, out, n);                                                    \
      __syncwarp();                                                               \
      CLOCK(t1);                                                                  \
    }                                                                             \
    if (lane_id() == 0) {                                                         \
      times[2 * warp_id()] = t0;                                                  \
      times[2 * warp_id() + 1] = t1;                                              \
    }                                                                             \
  }                                                                               \
  BODY(NAME)
#else
#define KERNEL(NAME)                                   \
  BODY(NAME);                                          \
  extern "C" __global__ void __launch_bounds__(256)    \
      NAME(const uint32_t* in, uint32_t* out, int n) { \
    NAME##_body(in, out, n);                           \
  }                                                    \
  BODY(NAME)
#endif

HERE uint32_t lane_id() { return threadIdx.x & 31; }
HERE uint32_t warp_id() { return threadIdx.x >> 5; }
HERE uint32_t rotl(uint32_t x, int k) { return __funnelshift_l(x, x, k); }
/// Many results in one word.
HERE uint32_t mix(uint32_t h, uint32_t v) { return (rotl(h, 5) ^ v) * 0x9E3779B1u; }
HERE uint32_t mix(uint32_t h, uint64_t v) { return mix(mix(h, uint32_t(v)), uint32_t(v >> 32)); }
HERE uint32_t mix(uint32_t h, float v) { return mix(h, __float_as_uint(v)); }
HERE uint32_t mix(uint32_t h, double v) { return mix(h, uint64_t(__double_as_longlong(v))); }
HERE uint32_t mix(uint32_t h, int v) { return mix(h, uint32_t(v)); }
HERE uint32_t mix(uint32_t h, int64_t v) { return mix(h, uint64_t(v)); }
HERE uint32_t mix(uint32_t h, long long v) { return mix(h, uint64_t(v)); }
HERE uint32_t mix(uint32_t h, unsigned long long v) { return mix(h, uint64_t(v)); }
HERE float whole(uint32_t v) { return float(int(v & 255u) - 128); }
/// Any float but a NaN: special values of every kind come often.
HERE float any_float(uint32_t v) {
  const uint32_t kind = v >> 28;
  if (kind == 0) return __uint_as_float(v & 0x807fffffu);
  if (kind == 1) return __uint_as_float((v & 1) << 31 | 0x7f800000u);
  if (kind == 2) return float(int(v << 4) >> 20);
  const float f = __uint_as_float(v);
  return f == f ? f : 1.5f;
}
HERE double any_double(uint32_t v, uint32_t w) {
  const uint32_t kind = w >> 28;
  uint64_t b = uint64_t(v) << 32 | w;
  if (kind == 0) b &= 0x800fffffffffffffull;
  if (kind == 1) b = uint64_t(v & 0x80000000u) << 32 | 0x7ff0000000000000ull;
  if (kind == 2) return double(int(v) >> (w & 31));
  const double d = __longlong_as_double(int64_t(b));
  return d == d ? d : 2.5;
}
