// SPDX-License-Identifier: Apache-2.0
// The frame of a timing kernel: values come from memory into registers, then a loop times a body
// four times right behind a barrier, so that the fourth finds its code in the caches; all values go
// back to memory, so that the compiler keeps the body. Clock reads are the two CS2R in the listing.
#pragma once

constexpr int kValues = 16;
constexpr int kPasses = 4;
constexpr int kBlock = 1024;
constexpr int kSharedWords = 8192;

/// What a body may use. It may change u, f and shared memory.
struct State {
  unsigned u[kValues];
  float f[kValues];
  unsigned lane;
  unsigned warp;
  unsigned shared;  ///< shared memory's address, bytes
};

/// Shared addresses of a lane: lane * kStride words. Each stride has a page of 4 KiB of its own, by
/// which `measure` knows the pattern of an address register from the instruction's immediate.
template <int kStride>
struct Page {
  static constexpr int kLog = kStride == 1 ? 0 : 1 + Page<kStride / 2>::kLog;
  static constexpr int kOffset = 4096 * kLog;
};
template <>
struct Page<1> {
  static constexpr int kLog = 0;
  static constexpr int kOffset = 0;
};

template <int kStride = 1>
__device__ __forceinline__ unsigned lane_address(const State& s) {
  return s.shared + s.lane * (4 * kStride);
}

template <int kOffset, int kStride = 1>
__device__ __forceinline__ unsigned load(unsigned address) {
  unsigned value;
  asm volatile("ld.volatile.shared.u32 %0, [%1+%2];"
               : "=r"(value)
               : "r"(address), "n"(kOffset + Page<kStride>::kOffset));
  return value;
}
template <int kOffset, int kStride = 1>
__device__ __forceinline__ float load_float(unsigned address) {
  return __uint_as_float(load<kOffset, kStride>(address));
}
template <int kOffset, int kStride = 1>
__device__ __forceinline__ void store(unsigned address, unsigned value) {
  asm volatile("st.volatile.shared.u32 [%0+%2], %1;" ::"r"(address), "r"(value),
               "n"(kOffset + Page<kStride>::kOffset));
}
template <int kOffset, int kStride = 1>
__device__ __forceinline__ void store(unsigned address, float value) {
  store<kOffset, kStride>(address, __float_as_uint(value));
}

#define SHUFFLE(NAME, MODE, CLAMP)                                           \
  __device__ __forceinline__ unsigned NAME(unsigned value, unsigned lane) {  \
    unsigned result;                                                         \
    asm volatile("shfl.sync." MODE ".b32 %0, %1, %2, " CLAMP ", 0xffffffff;" \
                 : "=r"(result)                                              \
                 : "r"(value), "r"(lane));                                   \
    return result;                                                           \
  }                                                                          \
  __device__ __forceinline__ float NAME(float value, unsigned lane) {        \
    return __uint_as_float(NAME(__float_as_uint(value), lane));              \
  }
SHUFFLE(from_up, "up", "0")
SHUFFLE(from_down, "down", "0x1f")
SHUFFLE(from_xor, "bfly", "0x1f")
SHUFFLE(from_lane, "idx", "0x1f")

__device__ __forceinline__ float exp2_fast(float x) {
  float y;
  asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ float reciprocal(float x) {
  float y;
  asm volatile("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ float rsqrt_fast(float x) {
  float y;
  asm volatile("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// With kPlaced, `one` keeps all warps of the other sub-partitions (warp number mod 4) idle.
template <class Body, bool kPlaced>
__device__ __forceinline__ void timed(const unsigned* in, unsigned* out, unsigned* clocks,
                                      int one) {
  __shared__ unsigned words[kSharedWords];
  const unsigned thread = threadIdx.x;
  State s;
#pragma unroll
  for (int i = 0; i < kValues; ++i) {
    s.u[i] = __ldg(in + thread + kBlock * i);
    s.f[i] = __uint_as_float(__ldg(in + thread + kBlock * (kValues + i)));
  }
  for (unsigned i = thread; i < kSharedWords; i += blockDim.x) words[i] = i;
  s.lane = thread & 31;
  s.warp = thread >> 5;
  s.shared = static_cast<unsigned>(__cvta_generic_to_shared(words));
  const bool idle = kPlaced && one != 0 && (thread & 0x60) != 0;
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    __syncthreads();
    if (!idle) {
      unsigned begin, end;
      asm volatile("mov.u32 %0, %%clock;" : "=r"(begin)::"memory");
      Body::run(s);
      asm volatile("mov.u32 %0, %%clock;" : "=r"(end)::"memory");
      if (s.lane == 0) {
        clocks[2 * s.warp] = begin;
        clocks[2 * s.warp + 1] = end;
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kValues; ++i) {
    out[thread + kBlock * i] = s.u[i];
    out[thread + kBlock * (kValues + i)] = __float_as_uint(s.f[i]);
  }
}

/// Once, with no loop, and with all values at hand: for code that no cache has. `measure` launches
/// kernels of COLD behind one that fills the caches.
template <class Body>
__device__ __forceinline__ void timed_once(const unsigned* in, unsigned* out, unsigned* clocks) {
  __shared__ unsigned words[kBlock];
  const unsigned thread = threadIdx.x;
  State s;
  unsigned all = 0;
#pragma unroll
  for (int i = 0; i < kValues; ++i) {
    s.u[i] = __ldg(in + thread + kBlock * i);
    s.f[i] = __uint_as_float(s.u[i]);
    all ^= s.u[i];
  }
  words[thread] = all;
  s.lane = thread & 31;
  s.warp = thread >> 5;
  s.shared = static_cast<unsigned>(__cvta_generic_to_shared(words));
  __syncthreads();
  unsigned begin, end;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(begin)::"memory");
  Body::run(s);
#pragma unroll
  for (int i = 0; i < kValues; ++i) asm volatile("" : "+f"(s.f[i])::"memory");
  asm volatile("mov.u32 %0, %%clock;" : "=r"(end)::"memory");
  if (s.lane == 0) {
    clocks[2 * s.warp] = begin;
    clocks[2 * s.warp + 1] = end;
  }
#pragma unroll
  for (int i = 0; i < kValues; ++i) out[thread + kBlock * i] = __float_as_uint(s.f[i]);
}

#define ARGUMENTS const unsigned *in, unsigned *out, unsigned *clocks, int one
#define SPREAD(NAME)                                                     \
  extern "C" __global__ void __launch_bounds__(kBlock) NAME(ARGUMENTS) { \
    timed<bodies::NAME, false>(in, out, clocks, one);                    \
  }
/// Measured both with the warps on all sub-partitions and with all on one.
#define PLACED(NAME)                                                     \
  extern "C" __global__ void __launch_bounds__(kBlock) NAME(ARGUMENTS) { \
    timed<bodies::NAME, true>(in, out, clocks, one);                     \
  }
/// The body jumps: `measure` makes its guarded branches unconditional.
#define JUMPS(NAME) SPREAD(NAME)
#define COLD(NAME)                                                       \
  extern "C" __global__ void __launch_bounds__(kBlock) NAME(ARGUMENTS) { \
    timed_once<bodies::NAME>(in, out, clocks);                           \
  }
#define BODY(NAME) \
  struct NAME {    \
    static __device__ __forceinline__ void run(State& s)
#define END_BODY \
  }              \
  ;
