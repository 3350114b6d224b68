// SPDX-License-Identifier: Apache-2.0
// When the warps of a block pass through a loop as that of frame.cuh: clocks of each pass, at the begin, behind the
// loads and behind the filling of shared memory (starts.py).
#include "frame.cuh"

constexpr int kRounds = 8;

template <int kCount>
struct Chain {
  static __device__ __forceinline__ void run(State& s) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) asm volatile("add.f32 %0, %0, %1;" : "+f"(s.f[0]) : "f"(s.f[1]));
  }
};

struct Shuffles {
  static __device__ __forceinline__ void run(State& s) {
#pragma unroll
    for (int i = 0; i < 12; ++i) s.u[0] = from_xor(s.u[0], 1);
  }
};

__device__ __forceinline__ unsigned clock_now() {
  unsigned clock;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(clock)::"memory");
  return clock;
}

template <class Body, bool kFill, bool kBarrier>
__device__ __forceinline__ void rounds(const unsigned* in, unsigned* out, unsigned* clocks) {
  __shared__ unsigned words[kSharedWords];
  const unsigned begun = clock_now();
  const unsigned thread = threadIdx.x;
  State s;
#pragma unroll
  for (int i = 0; i < kValues; ++i) {
    s.u[i] = __ldg(in + thread + kBlock * i);
    s.f[i] = __uint_as_float(__ldg(in + thread + kBlock * (kValues + i)));
  }
  const unsigned loaded = clock_now();
  if (kFill)
    for (unsigned i = thread; i < kSharedWords; i += blockDim.x) words[i] = i;
  const unsigned filled = clock_now();
  s.lane = thread & 31;
  s.warp = thread >> 5;
  s.shared = static_cast<unsigned>(__cvta_generic_to_shared(words));
#pragma unroll 1
  for (int pass = 0; pass < kRounds; ++pass) {
    if (kBarrier) __syncthreads();
    const unsigned begin = clock_now();
    Body::run(s);
    const unsigned end = clock_now();
    if (s.lane == 0) {
      clocks[2 * s.warp] = begin;
      clocks[2 * s.warp + 1] = end;
    }
    clocks += 64;
  }
  if (s.lane == 0) {
    clocks[2 * s.warp] = begun;
    clocks[2 * s.warp + 1] = loaded;
    clocks[64 + 2 * s.warp] = filled;
  }
#pragma unroll
  for (int i = 0; i < kValues; ++i) {
    out[thread + kBlock * i] = s.u[i];
    out[thread + kBlock * (kValues + i)] = __float_as_uint(s.f[i]);
  }
}

#define ROUNDS(NAME, BODY, FILL, BARRIER)                                        \
  extern "C" __global__ void __launch_bounds__(1024)                             \
      NAME(const unsigned* in, unsigned* out, unsigned* clocks) {                \
    rounds<BODY, FILL, BARRIER>(in, out, clocks);                                \
  }
using Chain15 = Chain<15>;
using Chain60 = Chain<60>;
using Chain300 = Chain<300>;
ROUNDS(chain15, Chain15, true, true)
ROUNDS(chain60, Chain60, true, true)
ROUNDS(chain300, Chain300, true, true)
ROUNDS(shuffles, Shuffles, true, true)
ROUNDS(chain15_no_fill, Chain15, false, true)
ROUNDS(chain60_no_fill, Chain60, false, true)
ROUNDS(chain15_no_barrier, Chain15, true, false)
ROUNDS(chain60_no_barrier, Chain60, true, false)
