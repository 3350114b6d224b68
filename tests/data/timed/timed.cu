// SPDX-License-Identifier: Apache-2.0
// Latencies read from the clock inside a kernel, and programs whose course depends on time.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Cycles of a chain of 64 dependent operations, of one warp; out[kind * 32 + lane].
#define CHAIN(name, setup, op, use)                                     \
  extern "C" __global__ void name(unsigned *out, unsigned *data, unsigned one) { \
    __shared__ unsigned s[1024];                                        \
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = (i + one) & 1023; \
    __syncthreads();                                                    \
    setup;                                                              \
    unsigned total = 0;                                                 \
    for (int r = 0; r < 4; ++r) {                                       \
      unsigned t0, t1;                                                  \
      asm volatile("mov.u32 %0, %%clock;" : "=r"(t0)::"memory");        \
      _Pragma("unroll") for (int i = 0; i < 64; ++i) { op; }            \
      use;                                                              \
      asm volatile("mov.u32 %0, %%clock;" : "=r"(t1)::"memory");        \
      total = t1 - t0;                                                  \
    }                                                                   \
    out[threadIdx.x] = total;                                           \
  }
#define KEEP(x) if (x == 0x7fffffff) out[0] = 1
#define KEEPF(x) if (x == 1e30f) out[0] = 1
CHAIN(shfl_chain, unsigned v = threadIdx.x ^ one, v = __shfl_xor_sync(~0u, v, one) , KEEP(v))
CHAIN(lds_chain, unsigned v = threadIdx.x, v = s[v], KEEP(v))
CHAIN(ffma_chain, float v = one; float k = one * 0.5f, v = v * k + k, KEEPF(v))
CHAIN(imad_chain, unsigned v = one + threadIdx.x; unsigned k = one + 2, v = v * k + k, KEEP(v))
CHAIN(mufu_chain, float v = one + 0.5f, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(v)), KEEPF(v))
CHAIN(ldg_chain, unsigned v = threadIdx.x, v = *(volatile unsigned*)(data + v), KEEP(v))
CHAIN(ldg_l2_chain, unsigned v = threadIdx.x, asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(data + v)), KEEP(v))
CHAIN(atomg_chain, unsigned v = 0, v = atomicAdd(data + 2048 + threadIdx.x + (v >> 31), 1), KEEP(v))
CHAIN(atoms_chain, unsigned v = 0, v = atomicAdd(s + threadIdx.x + (v >> 31), 1), KEEP(v))
CHAIN(vote_chain, unsigned v = threadIdx.x, v = __ballot_sync(~0u, v & one), KEEP(v))
CHAIN(bar_chain, unsigned v = threadIdx.x, __syncthreads(), KEEP(v))

extern "C" __global__ void work_queue(unsigned *out, unsigned *head, unsigned n) {
  __shared__ unsigned item;
  unsigned mine = 0;
  for (;;) {
    if (threadIdx.x == 0) item = atomicAdd(head, 1);
    __syncthreads();
    const unsigned i = item;
    __syncthreads();
    if (i >= n) break;
    unsigned x = i;
    const unsigned steps = 20 + (i * 7919u) % 200;
    for (unsigned k = 0; k < steps; ++k) x = x * 1664525u + threadIdx.x;
    out[i * blockDim.x + threadIdx.x] = x;
    ++mine;
  }
}
extern "C" __global__ void ticket_lock(unsigned *out, unsigned *lock, unsigned n) {
  for (unsigned i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      const unsigned ticket = atomicAdd(lock, 1);
      while (*(volatile unsigned *)(lock + 32) != ticket) ;
      __threadfence();
      *(volatile unsigned *)out = *(volatile unsigned *)out + 1;
      __threadfence();
      *(volatile unsigned *)(lock + 32) = ticket + 1;
    }
    __syncthreads();
  }
}
extern "C" __global__ void spin_ring(unsigned *out, unsigned rounds) {
  __shared__ volatile unsigned turn;
  const unsigned warp = threadIdx.x / 32, warps = blockDim.x / 32;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  for (unsigned r = 0; r < rounds; ++r) {
    if (threadIdx.x % 32 == 0) {
      while (turn != r * warps + warp) ;
      out[r * warps + warp] = turn;
      turn = r * warps + warp + 1;
    }
    __syncwarp();
  }
}
extern "C" __global__ void look_back(unsigned *out, const unsigned *in, unsigned *state, unsigned *next) {
  __shared__ unsigned block, base, sums[8];
  if (threadIdx.x == 0) block = atomicAdd(next, 1);
  __syncthreads();
  const unsigned b = block, i = b * 256 + threadIdx.x, lane = threadIdx.x % 32, w = threadIdx.x / 32;
  unsigned v = in[i];
  for (int d = 1; d < 32; d *= 2) { const unsigned o = __shfl_up_sync(~0u, v, d); if (lane >= d) v += o; }
  if (lane == 31) sums[w] = v;
  __syncthreads();
  unsigned before = 0;
  for (unsigned k = 0; k < w; ++k) before += sums[k];
  v += before;
  if (threadIdx.x == 255) {
    volatile unsigned *s = state;
    if (b == 0) { s[0] = v | 0x80000000u; base = 0; }
    else {
      s[b] = v | 0x40000000u;
      __threadfence();
      unsigned sum = 0;
      for (int p = (int)b - 1; ; ) {
        const unsigned x = s[p];
        if ((x >> 30) == 0) continue;
        sum += x & 0x3fffffff;
        if (x >> 31) break;
        --p;
      }
      base = sum;
      s[b] = (sum + v) | 0x80000000u;
    }
  }
  __syncthreads();
  out[i] = v + base;
}
extern "C" __global__ void grid_barrier(unsigned *out, unsigned rounds) {
  cg::grid_group grid = cg::this_grid();
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned n = gridDim.x * blockDim.x;
  for (unsigned r = 0; r < rounds; ++r) {
    out[v] = out[v] + r;
    grid.sync();
    v = (v + 257) % n;
  }
}
extern "C" __global__ void wait_on_clock(unsigned *out, unsigned cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) ;
  out[threadIdx.x] = (unsigned)(clock64() - start) >= cycles;
}

__device__ __forceinline__ unsigned clk() {
  unsigned t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}
// Polls n times a word that never changes.
extern "C" __global__ void poll_all(unsigned* out, unsigned n) {
  __shared__ volatile unsigned s[2];
  if (threadIdx.x == 0) { s[0] = 0; s[1] = 0; }
  __syncthreads();
  unsigned t0 = clk(), i = 0;
  while (s[0] == 0 && i < n) ++i;
  unsigned t1 = clk();
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = t1 - t0;
}
extern "C" __global__ void poll_one(unsigned* out, unsigned n) {
  __shared__ volatile unsigned s[2];
  if (threadIdx.x == 0) { s[0] = 0; s[1] = 0; }
  __syncthreads();
  unsigned t0 = clk();
  if (threadIdx.x % 32 == 0) { unsigned i = 0; while (s[0] == 0 && i < n) ++i; }
  __syncwarp();
  unsigned t1 = clk();
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = t1 - t0;
}

// The warps hand a word round n times; of each, one lane polls.
extern "C" __global__ void ping_pong(unsigned* out, unsigned n) {
  __shared__ volatile unsigned turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  const unsigned w = threadIdx.x / 32, ws = blockDim.x / 32;
  unsigned t0 = clk();
  if (threadIdx.x % 32 == 0) {
    for (unsigned r = 0; r < n; ++r) { while (turn != r * ws + w) ; turn = r * ws + w + 1; }
  }
  __syncwarp();
  unsigned t1 = clk();
  if (threadIdx.x % 32 == 0) out[w] = t1 - t0;
}
// The same, all lanes poll.
extern "C" __global__ void ping_pong_all(unsigned* out, unsigned n) {
  __shared__ volatile unsigned turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  const unsigned w = threadIdx.x / 32, ws = blockDim.x / 32;
  unsigned t0 = clk();
  for (unsigned r = 0; r < n; ++r) { while (turn != r * ws + w) ; if (threadIdx.x % 32 == 0) turn = r * ws + w + 1; __syncwarp(); }
  unsigned t1 = clk();
  if (threadIdx.x % 32 == 0) out[w] = t1 - t0;
}
// Cycles of 16 naps.
extern "C" __global__ void naps(unsigned *out, unsigned ns) {
  for (int i = 0; i < 16; ++i) {
    const unsigned t0 = clk();
    __nanosleep(ns);
    const unsigned t1 = clk();
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32 * 16 + i] = t1 - t0;
  }
}

// The two halves of each warp arrive at the barrier one after the other.
extern "C" __global__ void halves_at_barrier(unsigned *out) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x % 32 < 16) {
    __nanosleep(200 * (threadIdx.x / 32));
    asm volatile("barrier.sync 0;" ::: "memory");
  } else {
    asm volatile("barrier.sync 0;" ::: "memory");
  }
  out[threadIdx.x] = s[255 - threadIdx.x];
}
// The SM of each block.
extern "C" __global__ void sm_of_block(unsigned *out) {
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  out[blockIdx.x] = sm;
}
