// SPDX-License-Identifier: Apache-2.0
// What the memory of one SM costs: chains of dependent accesses for latency, streams of independent
// ones for throughput. The host (`measure_memory`) lays out the addresses: `starts` has one for
// each thread, and what a chain loads is the address that it loads next.
#include <cstdint>

constexpr int kBlock = 1024;
constexpr int kUnroll = 16;
constexpr int kTableWords = 16384;
constexpr int kStreamStep = 4096;  // bytes between the accesses of a round

using Address = unsigned long long;
#define HERE static __device__ __forceinline__

/// The low word of the next address; the high word is the same in the whole buffer.
#define CHAIN_LOW(NAME, OPERATION)                                                                 \
  struct NAME {                                                                                    \
    HERE void step(Address& a, Address& rest) {                                                    \
      asm volatile("{.reg .b32 lo, hi; mov.b64 {lo, hi}, %0; " OPERATION " mov.b64 %0, {lo, hi};}" \
                   : "+l"(a)::"memory");                                                           \
    }                                                                                              \
  };
#define CHAIN(NAME, OPERATION)                                                                 \
  struct NAME {                                                                                \
    HERE void step(Address& a, Address& rest) { asm volatile(OPERATION : "+l"(a)::"memory"); } \
  };
CHAIN_LOW(Load32, "ld.global.u32 lo, [%0];")
CHAIN_LOW(LoadCa32, "ld.global.ca.u32 lo, [%0];")
CHAIN_LOW(LoadCg32, "ld.global.cg.u32 lo, [%0];")
CHAIN_LOW(LoadNc32, "ld.global.nc.u32 lo, [%0];")
CHAIN(Load64, "ld.global.u64 %0, [%0];")
CHAIN(LoadCg64, "ld.global.cg.u64 %0, [%0];")
CHAIN(LoadGeneric64, "ld.u64 %0, [%0];")
CHAIN_LOW(AtomicAdd32, "atom.global.add.u32 lo, [%0], 0;")
CHAIN(AtomicAdd64, "atom.global.add.u64 %0, [%0], 0;")
CHAIN_LOW(AtomicExch32, "atom.global.exch.b32 lo, [%0], lo;")
CHAIN_LOW(AtomicCas32, "atom.global.cas.b32 lo, [%0], lo, lo;")
CHAIN_LOW(LoadShared32, "ld.volatile.shared.u32 lo, [lo];")
CHAIN_LOW(AtomicShared32, "atom.shared.add.u32 lo, [lo], 0;")
CHAIN_LOW(ExchShared32, "atom.shared.exch.b32 lo, [lo], lo;")
CHAIN_LOW(CasShared32, "atom.shared.cas.b32 lo, [lo], lo, lo;")

/// The second half goes into `rest`, for the compiler would not load what nothing needs.
#define CHAIN_WIDE(NAME, OPERATION)                              \
  struct NAME {                                                  \
    HERE void step(Address& a, Address& rest) {                  \
      Address second;                                            \
      asm volatile(OPERATION : "+l"(a), "=l"(second)::"memory"); \
      rest ^= second;                                            \
    }                                                            \
  };
CHAIN_WIDE(Load128, "ld.global.v2.u64 {%0, %1}, [%0];")
CHAIN_WIDE(LoadCg128, "ld.global.cg.v2.u64 {%0, %1}, [%0];")

HERE unsigned clock_now() {
  unsigned t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}

HERE void report(unsigned* clocks, unsigned begin, unsigned end) {
  if ((threadIdx.x & 31) != 0) return;
  clocks[2 * (threadIdx.x >> 5)] = begin;
  clocks[2 * (threadIdx.x >> 5) + 1] = end;
}

/// `warm` steps, a barrier, then `steps` steps between the clock reads. The store in front of the
/// second read waits for the last value.
template <class Step, bool kShared>
HERE void chain(const Address* starts, unsigned* clocks, int warm, int steps) {
  __shared__ volatile Address sink[kBlock];
  __shared__ unsigned own[kBlock * 4];
  Address a = starts[threadIdx.x], rest = 0;
  if (kShared) {  // `a` is a byte offset: each word holds its own address
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(own));
    for (int i = threadIdx.x; i < kBlock * 4; i += blockDim.x) own[i] = base + 4 * i;
    a += base;
  }
  unsigned begin = 0, end = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    sink[threadIdx.x] = a;
    __syncthreads();
    const int count = pass == 0 ? warm : steps;
    begin = clock_now();
#pragma unroll 1
    for (int i = 0; i < count; i += kUnroll) {
#pragma unroll
      for (int k = 0; k < kUnroll; ++k) Step::step(a, rest);
    }
    sink[threadIdx.x] = a;
    end = clock_now();
  }
  sink[threadIdx.x] = rest;
  report(clocks, begin, end);
}

#define CHAINED(NAME, STEP, SHARED)                                        \
  extern "C" __global__ void __launch_bounds__(kBlock)                     \
      NAME(const Address* starts, unsigned* clocks, int warm, int steps) { \
    chain<STEP, SHARED>(starts, clocks, warm, steps);                      \
  }
CHAINED(chain_load32, Load32, false)
CHAINED(chain_ca32, LoadCa32, false)
CHAINED(chain_cg32, LoadCg32, false)
CHAINED(chain_nc32, LoadNc32, false)
CHAINED(chain_load64, Load64, false)
CHAINED(chain_cg64, LoadCg64, false)
CHAINED(chain_load128, Load128, false)
CHAINED(chain_cg128, LoadCg128, false)
CHAINED(chain_generic64, LoadGeneric64, false)
CHAINED(chain_atom_add32, AtomicAdd32, false)
CHAINED(chain_atom_add64, AtomicAdd64, false)
CHAINED(chain_atom_exch32, AtomicExch32, false)
CHAINED(chain_atom_cas32, AtomicCas32, false)
CHAINED(chain_lds32, LoadShared32, true)
CHAINED(chain_atoms_add32, AtomicShared32, true)
CHAINED(chain_atoms_exch32, ExchShared32, true)
CHAINED(chain_atoms_cas32, CasShared32, true)

/// Each round: sixteen independent accesses kStreamStep bytes apart, then on by `advance`.
#define STREAM_LOAD(NAME, OPERATION)                                                    \
  struct NAME {                                                                         \
    HERE void access(Address a, unsigned& sum) {                                        \
      unsigned x, y = 0, z = 0, w = 0;                                                  \
      asm volatile(OPERATION : "=r"(x), "+r"(y), "+r"(z), "+r"(w) : "l"(a) : "memory"); \
      sum ^= x ^ y ^ z ^ w;                                                             \
    }                                                                                   \
  };
STREAM_LOAD(StreamLoad32, "ld.global.u32 %0, [%4];")
STREAM_LOAD(StreamLoad64, "ld.global.v2.u32 {%0, %1}, [%4];")
STREAM_LOAD(StreamLoad128, "ld.global.v4.u32 {%0, %1, %2, %3}, [%4];")
STREAM_LOAD(StreamCg32, "ld.global.cg.u32 %0, [%4];")
STREAM_LOAD(StreamCg128, "ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];")
STREAM_LOAD(StreamAtom32, "atom.global.add.u32 %0, [%4], 1;")

#define STREAM_STORE(NAME, OPERATION)                        \
  struct NAME {                                              \
    HERE void access(Address a, unsigned& sum) {             \
      asm volatile(OPERATION ::"l"(a), "r"(sum) : "memory"); \
    }                                                        \
  };
STREAM_STORE(StreamStore32, "st.global.u32 [%0], %1;")
STREAM_STORE(StreamStore64, "st.global.v2.u32 [%0], {%1, %1};")
STREAM_STORE(StreamStore128, "st.global.v4.u32 [%0], {%1, %1, %1, %1};")
STREAM_STORE(StreamRed32, "red.global.add.u32 [%0], %1;")

template <class Access>
HERE void stream(const Address* starts, unsigned* clocks, int rounds, int advance) {
  __shared__ volatile unsigned sink[kBlock];
  unsigned sum = 0, begin = 0, end = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    Address a = starts[threadIdx.x];
    sink[threadIdx.x] = static_cast<unsigned>(a);
    __syncthreads();
    begin = clock_now();
#pragma unroll 1
    for (int i = 0; i < rounds; ++i) {
#pragma unroll
      for (int k = 0; k < kUnroll; ++k) Access::access(a + k * kStreamStep, sum);
      a += advance;
    }
    sink[threadIdx.x] = sum;
    end = clock_now();
  }
  report(clocks, begin, end);
}

#define STREAMED(NAME, ACCESS)                                                 \
  extern "C" __global__ void __launch_bounds__(kBlock)                         \
      NAME(const Address* starts, unsigned* clocks, int rounds, int advance) { \
    stream<ACCESS>(starts, clocks, rounds, advance);                           \
  }
STREAMED(stream_load32, StreamLoad32)
STREAMED(stream_load64, StreamLoad64)
STREAMED(stream_load128, StreamLoad128)
STREAMED(stream_cg32, StreamCg32)
STREAMED(stream_cg128, StreamCg128)
STREAMED(stream_store32, StreamStore32)
STREAMED(stream_store64, StreamStore64)
STREAMED(stream_store128, StreamStore128)
STREAMED(stream_red32, StreamRed32)
STREAMED(stream_atom32, StreamAtom32)

/// Warp 0 follows a chain, the others stream until it has ended: latency under load. Its own clock
/// reads are those of warp 0; clocks[64] counts the rounds that the others made.
extern "C" __global__ void __launch_bounds__(kBlock)
    loaded_cg128(const Address* starts, unsigned* clocks, int steps, int advance) {
  __shared__ volatile unsigned done;
  __shared__ unsigned rounds;
  if (threadIdx.x == 0) done = rounds = 0;
  Address a = starts[threadIdx.x], first = a;
  unsigned sum = 0, made = 0;
  const unsigned begin = clock_now();
  __syncthreads();
  if (threadIdx.x < 32) {
#pragma unroll 1
    for (int i = 0; i < steps; ++i) LoadCg64::step(a, first);
    done = static_cast<unsigned>(a) | 1;
    report(clocks, begin, clock_now());
  } else {
    while (done == 0) {
#pragma unroll
      for (int k = 0; k < kUnroll; ++k) StreamCg128::access(a + k * kStreamStep, sum);
      a = (++made & 255) == 0 ? first : a + advance;
    }
    if ((threadIdx.x & 31) == 0) atomicAdd(&rounds, made);
  }
  __syncthreads();
  if (threadIdx.x == 0) clocks[64] = rounds + (sum == 77);
}

/// Element i of a ring of `count`, `stride` bytes apart and walked `jump` at a time: each lane's
/// word at its offset gets the address of the lane's word in the next element; `own`: its own
/// address.
extern "C" __global__ void link(Address base, const Address* offsets, unsigned count,
                                unsigned long long stride, unsigned jump, int width, int own) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned to = own != 0 ? i : (static_cast<Address>(i) + jump) % count;
  for (int lane = 0; lane < 32; ++lane) {
    const Address from = base + i * stride + offsets[lane];
    const Address next = base + to * stride + offsets[lane];
    if (width == 4) {
      *reinterpret_cast<unsigned*>(from) = static_cast<unsigned>(next);
    } else {
      *reinterpret_cast<Address*>(from) = next;
    }
  }
}

__constant__ unsigned table[kTableWords];

/// Indexed by a register of each lane: `LDC`. `starts` are byte offsets in the table.
extern "C" __global__ void __launch_bounds__(kBlock)
    chain_ldc(const Address* starts, unsigned* clocks, int warm, int steps) {
  __shared__ volatile unsigned sink[kBlock];
  unsigned index = static_cast<unsigned>(starts[threadIdx.x]);
  unsigned begin = 0, end = 0;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    sink[threadIdx.x] = index;
    __syncthreads();
    const int count = pass == 0 ? warm : steps;
    begin = clock_now();
#pragma unroll 1
    for (int i = 0; i < count; i += kUnroll) {
#pragma unroll
      for (int k = 0; k < kUnroll; ++k) {
        asm volatile(
            "{.reg .u64 t, o; mov.u64 t, table; cvt.u64.u32 o, %0; add.u64 t, t, o;"
            " ld.const.u32 %0, [t];}"
            : "+r"(index)::"memory");
      }
    }
    sink[threadIdx.x] = index;
    end = clock_now();
  }
  report(clocks, begin, end);
}

/// Operands c[3][...] with fixed addresses kStride words apart, each read once a pass; the clock
/// reads are those of the last pass.
template <int kStride>
HERE void operands(unsigned* clocks, int passes, float* out) {
  float sum = 1.0f;
  unsigned begin = 0, end = 0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    __syncthreads();
    begin = clock_now();
#pragma unroll
    for (int k = 0; k < 64; ++k) sum = sum * __uint_as_float(table[k * kStride]) + 1.0f;
    asm volatile("" : "+f"(sum)::"memory");
    end = clock_now();
  }
  report(clocks, begin, end);
  if (sum == 77.0f) *out = sum;
}
#define OPERANDS(NAME, STRIDE)                                                \
  extern "C" __global__ void __launch_bounds__(kBlock)                        \
      NAME(const Address* starts, unsigned* clocks, int passes, int unused) { \
    operands<STRIDE>(clocks, passes, reinterpret_cast<float*>(clocks));       \
  }
OPERANDS(operands_1, 1)
OPERANDS(operands_16, 16)
OPERANDS(operands_64, 64)
OPERANDS(operands_256, 256)
