// SPDX-License-Identifier: Apache-2.0
// Warps of sub-partition 0 read the clock after each eight operations, while other warps store 32 lines each. nvcc reads
// the clock by S2UR in the kernels lds, ldschain, sts and mufu, by CS2R in the others.
constexpr int kCount = 64, kValues = 16;
__shared__ unsigned words[8192];

enum Kind { kShuffles, kShuffleChain, kLoads, kStores, kSpecials, kAmongMath, kLoadChain };

#define SHUFFLE(V) asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" : "+r"(V))
#define LOAD(V, AT) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(V) : "r"(AT))

template <Kind kind>
__device__ __forceinline__ void operation(unsigned (&v)[kValues], int i, unsigned at) {
  unsigned& value = v[i % kValues];
  if (kind == kShuffles || kind == kAmongMath) SHUFFLE(value);
  if (kind == kShuffleChain) SHUFFLE(v[0]);
  if (kind == kLoads) LOAD(value, at + 128 * (i % 8));
  if (kind == kLoadChain) LOAD(v[0], at + (v[0] & 4));
  if (kind == kStores)
    asm volatile("st.volatile.shared.u32 [%1], %0;" ::"r"(value), "r"(at + 128 * (i % 8)));
  if (kind == kSpecials) {
    float result;
    asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(__uint_as_float(value)));
    value = __float_as_uint(result);
  }
  if (kind == kAmongMath)
#pragma unroll
    for (int k = 1; k < 4; ++k)
      asm volatile("mad.lo.u32 %0, %0, %0, %0;" : "+r"(v[(i + 4 * k) % kValues]));
}

__device__ __forceinline__ unsigned clock_now() {
  long long now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
  return static_cast<unsigned>(now);
}

template <Kind kind>
__device__ __forceinline__ void timed(char* out, unsigned* times, unsigned storing) {
  const unsigned warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  unsigned v[kValues], clocks[kCount / 8 + 1] = {};
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) words[i] = 0;
#pragma unroll
  for (int i = 0; i < kValues; ++i) v[i] = out[i + lane];
  char* to = out + 4 * threadIdx.x;
  for (int pass = 0; pass < 3; ++pass) {
    __syncthreads();
    if ((warp & 3) == 0) {
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        if (i % 8 == 0) clocks[i / 8] = clock_now();
        operation<kind>(v, i, 4 * lane);
      }
      clocks[kCount / 8] = clock_now();
    } else if (warp < storing) {
#pragma unroll
      for (int i = 0; i < 32; ++i)
        asm volatile("st.global.u32 [%0], %1;" ::"l"(to + 4096 * i), "r"(v[i % kValues]) : "memory");
    }
    __syncthreads();
    for (const unsigned begin = clock_now(); clock_now() - begin < 9000;) {
    }
  }
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < kValues; ++i) sum += v[i];
  if (sum == 0x12345) out[0] = 1;
  if (lane == 0 && (warp & 3) == 0)
    for (int i = 0; i <= kCount / 8; ++i) times[warp / 4 * (kCount / 8 + 1) + i] = clocks[i];
}

#define KERNEL(NAME, KIND)                                               \
  extern "C" __global__ void __launch_bounds__(1024)                     \
      NAME(char* out, unsigned* times, unsigned storing) {               \
    timed<KIND>(out, times, storing);                                    \
  }
KERNEL(shfl, kShuffles)
KERNEL(chain, kShuffleChain)
KERNEL(lds, kLoads)
KERNEL(sts, kStores)
KERNEL(mufu, kSpecials)
KERNEL(mix, kAmongMath)
KERNEL(ldschain, kLoadChain)
