// SPDX-License-Identifier: Apache-2.0
// Probes of the chip behind the SMs; each kernel asks one question. One block runs on each SM (its shared memory
// leaves room for no second), and those whose SM has a rank start together and leave their clock reads.
#include <cstdint>
using u32 = uint32_t;
using u64 = unsigned long long;
#define PROBE extern "C" __global__ void __launch_bounds__(1024)

struct Job {
  const u32* rank;  // of each SM: its place among those in use, or ~0
  u32* arrived;
  u64* clocks;  // begin and end, by rank
  u32 active;   // SMs in use
};

__device__ inline u32 sm() {
  u32 id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}
__device__ inline u64 now() {
  u64 t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t) :: "memory");
  return t;
}
__device__ inline u64 timer() {
  u64 t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) :: "memory");
  return t;
}

__device__ inline u32 enter(const Job& job) {
  u32 rank = job.rank[sm()];
  if (rank == ~0u) return rank;
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(job.arrived, 1);
    while (*(volatile u32*)job.arrived < job.active) {}
    job.clocks[2 * rank] = now();
  }
  __syncthreads();
  return rank;
}
__device__ inline void leave(const Job& job, u32 rank) {
  __syncthreads();
  if (threadIdx.x == 0) job.clocks[2 * rank + 1] = now();
}

__device__ inline uint4 read16(const uint4* at) {
  uint4 v;
  asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(at));
  return v;
}
__device__ inline u32 read4(const u32* at) {
  u32 v;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(at));
  return v;
}

// Latency of each line from each SM: one thread walks `count` lines `apart` bytes from each other, four loads a line
// after one that brings it, and keeps the least. The memory holds zeros.
enum Kind { kDevice, kSystem, kWeak, kAtomic };
template <Kind kind>
__device__ u32 touch(const char* at) {
  u32 value;
  if (kind == kDevice) return read4((const u32*)at);
  if (kind == kSystem) return *(const volatile u32*)at;
  if (kind == kAtomic) return atomicAdd((u32*)at, 0);
  asm volatile("ld.global.L1::no_allocate.u32 %0, [%1];" : "=r"(value) : "l"(at));
  return value;
}
template <Kind kind>
__device__ void line_latencies(const Job& job, const char* base, u32 count, u32 apart, u32* out) {
  u32 rank = enter(job);
  if (rank == ~0u || threadIdx.x) return;
  for (u32 i = 0; i < count; i++) {
    u32 line = (i + rank * 7) % count, best = ~0u;
    const char* at = base + (u64)line * apart;
    u32 value = touch<kind>(at);
    for (int k = 0; k < 4; k++) {
      u64 begin = now();
      value = touch<kind>(at + value);
      if (value == 0x12345678) return;  // waits for the load
      best = min(best, (u32)(now() - begin));
    }
    out[rank * count + line] = best;
  }
  job.clocks[2 * rank + 1] = now();
}
#define LINES(name, kind)                                                           \
  PROBE name(Job job, const char* base, u32 count, u32 apart, u32* out) {           \
    line_latencies<kind>(job, base, count, apart, out);                             \
  }
// The same with one load a line: what the line's first one takes. Or one store, which is not timed.
PROBE lines_once(Job job, const char* base, u32 count, u32 apart, u32* out, u32 store) {
  u32 rank = enter(job);
  if (rank == ~0u || threadIdx.x) return;
  for (u32 i = 0; i < count; i++) {
    const char* at = base + (u64)i * apart;
    if (store) {
      *(volatile u32*)at = 0;
      continue;
    }
    u64 begin = now();
    u32 value = touch<kWeak>(at);
    if (value == 0x12345678) return;  // waits for the load
    out[rank * count + i] = (u32)(now() - begin);
  }
  __threadfence();
  job.clocks[2 * rank + 1] = now();
}
LINES(lines, kDevice)
LINES(lines_system, kSystem)
LINES(lines_weak, kWeak)
LINES(lines_atomic, kAtomic)

// Rows of 16 bytes a lane; `step` words of 16 bytes from a read to the next, `lane` from a lane to the next.
PROBE reads(Job job, const uint4* base, u32 mask, u32 rounds, u32 lane, u32 step) {
  u32 rank = enter(job);
  if (rank == ~0u) return;
  u32 at = (rank * blockDim.x + threadIdx.x) * lane, sum = 0;
  for (u32 i = 0; i < rounds; i++) {
    uint4 v[8];
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = read16(base + (at & mask)), at += step;
#pragma unroll
    for (int k = 0; k < 8; k++) sum ^= v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
  }
  if (sum == 0x12345678) job.clocks[0] = 0;
  leave(job, rank);
}

PROBE reads_words(Job job, const u32* base, u32 mask, u32 rounds, u32 lane, u32 step) {
  u32 rank = enter(job);
  if (rank == ~0u) return;
  u32 at = (rank * blockDim.x + threadIdx.x) * lane, sum = 0;
  for (u32 i = 0; i < rounds; i++) {
    u32 v[8];
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = read4(base + (at & mask)), at += step;
#pragma unroll
    for (int k = 0; k < 8; k++) sum ^= v[k];
  }
  if (sum == 0x12345678) job.clocks[0] = 0;
  leave(job, rank);
}

PROBE writes(Job job, uint4* base, u32 mask, u32 rounds, u32 lane, u32 step) {
  u32 rank = enter(job);
  if (rank == ~0u) return;
  u32 at = (rank * blockDim.x + threadIdx.x) * lane;
  for (u32 i = 0; i < rounds; i++)
#pragma unroll
    for (int k = 0; k < 8; k++) base[at & mask] = make_uint4(0, 0, 0, 0), at += step;
  __threadfence();
  leave(job, rank);
}

PROBE writes_words(Job job, u32* base, u32 mask, u32 rounds, u32 lane, u32 step) {
  u32 rank = enter(job);
  if (rank == ~0u) return;
  u32 at = (rank * blockDim.x + threadIdx.x) * lane;
  for (u32 i = 0; i < rounds; i++)
#pragma unroll
    for (int k = 0; k < 8; k++) base[at & mask] = 0, at += step;
  __threadfence();
  leave(job, rank);
}

// Chains of dependent loads, `K` of them in each thread, a row of words a warp: latency by loads in flight.
template <int K>
__device__ void chains(const Job& job, const u32* base, u32 mask, u32 rounds, u32 step) {
  u32 rank = enter(job);
  if (rank == ~0u) return;
  u32 at[K];
#pragma unroll
  for (int k = 0; k < K; k++) at[k] = (rank * blockDim.x + threadIdx.x) + k * 777 * 32;
  for (u32 i = 0; i < rounds; i++)
#pragma unroll
    for (int k = 0; k < K; k++) at[k] += read4(base + (at[k] & mask)) + step;
  u32 sum = 0;
#pragma unroll
  for (int k = 0; k < K; k++) sum += at[k];
  if (sum == 0x12345678) job.clocks[0] = 0;
  leave(job, rank);
}
PROBE chains1(Job job, const u32* base, u32 mask, u32 rounds, u32 step) { chains<1>(job, base, mask, rounds, step); }
PROBE chains4(Job job, const u32* base, u32 mask, u32 rounds, u32 step) { chains<4>(job, base, mask, rounds, step); }

// A ring of pointers in one thread, by the L1 or past it.
PROBE walk(Job job, const u64* start, u32 steps, u32 cached) {
  u32 rank = enter(job);
  if (rank == ~0u || threadIdx.x) return;
  u64 at = (u64)start;
  if (cached)
    for (u32 i = 0; i < steps; i++) asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(at));
  else
    for (u32 i = 0; i < steps; i++) asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at));
  if (at == 1) {  // waits for the last load
    job.clocks[0] = 1;
    return;
  }
  job.clocks[2 * rank + 1] = now();
}

// Atomics: a lane's word at rank * by_sm + warp * by_warp + lane * by_lane, moved by `step` a round; all in words.
template <int kind>
__device__ void atomics(const Job& job, u32* base, u32 by_sm, u32 by_warp, u32 by_lane, u32 step, u32 mask, u32 rounds) {
  u32 rank = enter(job);
  if (rank == ~0u) return;
  u32 at = rank * by_sm + threadIdx.x / 32 * by_warp + threadIdx.x % 32 * by_lane, sum = 0;
  for (u32 i = 0; i < rounds; i++) {
    u32* word = base + (at & mask);
    if (kind == 0) asm volatile("red.global.add.u32 [%0], 1;" :: "l"(word) : "memory");
    if (kind == 1) sum += atomicAdd(word, 1);
    if (kind == 2) at += atomicAdd(word, 0);   // waits for each
    if (kind == 3) at += atomicCAS(word, 1, 0);
    if (kind == 4) asm volatile("red.global.add.f32 [%0], 0f3f800000;" :: "l"(word) : "memory");
    if (kind == 5) at += atomicExch(word, 0);
    at += step;
  }
  if (sum + at == 0xf2345678) job.clocks[0] = 0;
  __threadfence();
  leave(job, rank);
}
#define ATOMICS(name, kind)                                                                                          \
  PROBE name(Job job, u32* base, u32 by_sm, u32 by_warp, u32 by_lane, u32 step, u32 mask, u32 rounds) {               \
    atomics<kind>(job, base, by_sm, by_warp, by_lane, step, mask, rounds);                                           \
  }
ATOMICS(red_add, 0)
ATOMICS(atom_add, 1)
ATOMICS(atom_chain, 2)
ATOMICS(cas_chain, 3)
ATOMICS(red_float, 4)
ATOMICS(exch_chain, 5)

// Two SMs pass a word to and fro.
PROBE passing(Job job, volatile u32* word, u32 rounds) {
  u32 rank = enter(job);
  if (rank == ~0u || threadIdx.x) return;
  for (u32 i = 0; i < rounds; i++) {
    while (*word != 2 * i + rank) {}
    *word = 2 * i + rank + 1;
  }
  job.clocks[2 * rank + 1] = now();
}

// A store and a fence, again and again.
PROBE fences(Job job, volatile u32* word, u32 rounds) {
  u32 rank = enter(job);
  if (rank == ~0u || threadIdx.x) return;
  for (u32 i = 0; i < rounds; i++) {
    word[rank * 32] = i;
    __threadfence();
  }
  job.clocks[2 * rank + 1] = now();
}

// Where and when each block starts, and when it has waited `cycles`; the clock is read before anything else. The store
// is behind the wait, or before it.
extern "C" __global__ void blocks(u64* out, u32 cycles) {
  u64 begin = now(), at = timer();
  while (now() - begin < cycles) {}
  if (threadIdx.x == 0) {
    u64* row = out + blockIdx.x * 4ull;
    row[0] = sm(), row[1] = begin, row[2] = now(), row[3] = at;
  }
}
extern "C" __global__ void blocks_early(u64* out, u32 cycles) {
  u64 begin = now(), at = timer();
  __syncthreads();
  if (threadIdx.x == 0) {
    u64* row = out + blockIdx.x * 4ull;
    row[0] = sm(), row[1] = begin, row[2] = begin + cycles, row[3] = at;
  }
  while (now() - begin < cycles) {}
}

// Warps of several blocks beside each other: in which slot each is (its sub-partition is the slot modulo 4), and when
// it has done `rounds` times 64 FFMA in four chains. Blocks whose warps come first end first.
extern "C" __global__ void places(u64* out, u32 rounds) {
  u64 begin = now();
  u32 slot;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
  float a = (float)begin, b = (float)slot, c = 1, d = 3;
  for (u32 i = 0; i < rounds; i++)
#pragma unroll
    for (int k = 0; k < 16; k++)
      a = a * b + 1.0f, c = c * d + 1.5f, b = b * 0.5f + 1.0f, d = d * 0.25f + 2.0f;
  if (a + b + c + d == 0.12345f) out[0] = 0;
  if (threadIdx.x % 32 == 0) {
    u64* row = out + (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 4ull;
    row[0] = sm(), row[1] = slot, row[2] = begin, row[3] = now();
  }
}

// Rounds of four reads and `written` writes of 16 bytes a lane.
PROBE reads_writes(Job job, const uint4* base, uint4* out, u32 mask, u32 out_mask, u32 rounds, u32 written, u32 step) {
  u32 rank = enter(job);
  if (rank == ~0u) return;
  u32 at = rank * blockDim.x + threadIdx.x, to = at, sum = 0;
  for (u32 i = 0; i < rounds; i++) {
    uint4 v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) v[k] = read16(base + (at & mask)), at += step;
#pragma unroll
    for (int k = 0; k < 4; k++) sum ^= v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
    for (u32 k = 0; k < written; k++) out[to & out_mask] = make_uint4(sum, 0, 0, 0), to += step;
  }
  leave(job, rank);
}

// A fence of one thread behind `rows` stores of every thread of its block, or behind as many loads.
PROBE fence_behind(Job job, u32* base, u32 rows, u32 load) {
  u32 rank = enter(job), sum = 0;
  if (rank == ~0u) return;
  for (u32 i = 0; i < rows; i++) {
    u32* at = base + (i * job.active + rank) * blockDim.x + threadIdx.x;
    if (load) sum += read4(at);
    else *(volatile u32*)at = i;
  }
  __syncthreads();
  if (threadIdx.x || sum == 0x12345678) return;
  job.clocks[2 * rank] = now();
  __threadfence();
  job.clocks[2 * rank + 1] = now();
}

// Fences of one thread in a loop, behind `kind`: nothing, a load, an atomic, its own store, the store of another warp of
// its block, its own store and a wait of 2,000 cycles, or its own store and another fence.
enum { kNothing, kLoad, kAtomicAdd, kOwnStore, kOtherStore, kLateStore, kTwice };
PROBE fences_behind(Job job, u32* base, u32 rounds, u32 kind) {
  u32 rank = enter(job), sum = 0;
  if (rank == ~0u) return;
  u32* at = base + rank * 64 + threadIdx.x;
  for (u32 i = 0; i < rounds; i++) {
    if (threadIdx.x == 0) {
      if (kind == kLoad) sum += *(volatile u32*)at;
      if (kind == kAtomicAdd) atomicAdd(at, 1);
      if (kind == kOwnStore || kind == kLateStore || kind == kTwice) *(volatile u32*)at = i;
      if (kind == kLateStore)
        for (u64 begin = now(); now() - begin < 2000;) {}
    } else if (threadIdx.x == 32 && kind == kOtherStore) {
      *(volatile u32*)at = i;
    }
    __syncthreads();
    if (threadIdx.x == 0 && sum != 0x12345678) __threadfence();
    if (threadIdx.x == 0 && kind == kTwice) __threadfence();
    __syncthreads();
  }
  leave(job, rank);
}

// Two SMs pass a word to and fro, with a fence before each store.
PROBE passing_fenced(Job job, volatile u32* word, u32 rounds) {
  u32 rank = enter(job);
  if (rank == ~0u || threadIdx.x) return;
  for (u32 i = 0; i < rounds; i++) {
    while (*word != 2 * i + rank) {}
    __threadfence();
    *word = 2 * i + rank + 1;
  }
  job.clocks[2 * rank + 1] = now();
}

// Barriers of all SMs in use by a counter, with a fence on either side where `fenced`.
PROBE barriers(Job job, u32* counter, u32 rounds, u32 fenced) {
  u32 rank = enter(job);
  if (rank == ~0u || threadIdx.x) return;
  for (u32 i = 1; i <= rounds; i++) {
    if (fenced) __threadfence();
    atomicAdd(counter, 1);
    while (*(volatile u32*)counter < i * job.active) {}
    if (fenced) __threadfence();
  }
  job.clocks[2 * rank + 1] = now();
}

// Clocks of all SMs beside the timer of the chip: how far they are apart.
PROBE timers(Job job, u64* out, u32 rounds) {
  u32 rank = enter(job);
  if (rank == ~0u || threadIdx.x) return;
  u64 last = timer();
  for (u32 i = 0; i < rounds; i++) {
    u64 t;
    while ((t = timer()) == last) {}
    out[(rank * rounds + i) * 2] = t, out[(rank * rounds + i) * 2 + 1] = now();
    last = t;
  }
  job.clocks[2 * rank + 1] = now();
}

// Constants by an index: a ring through `table`, filled by the host.
__constant__ u32 table[16384];
PROBE constants(Job job, u32 steps, u32* out) {
  u32 rank = enter(job);
  if (rank == ~0u || threadIdx.x) return;
  u32 at = 0;
  for (u32 pass = 0; pass < 3; pass++) {
    u64 begin = now();
    for (u32 i = 0; i < steps; i++) at = *(const u32*)((const char*)table + at);
    if (at == 1) {  // waits for the last load
      job.clocks[0] = 1;
      return;
    }
    out[rank * 3 + pass] = (u32)(now() - begin);
  }
  job.clocks[2 * rank + 1] = now();
}

// Straight code, one FFMA a cycle in one warp, 16 bytes each: three passes.
#define I1(r) asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(r) : "f"(f));
#define I8 I1(x0) I1(x1) I1(x2) I1(x3) I1(x0) I1(x1) I1(x2) I1(x3)
#define I64 I8 I8 I8 I8 I8 I8 I8 I8
#define I256 I64 I64 I64 I64
#define I1024 I256 I256 I256 I256
#define CODE(name, body)                                                  \
  PROBE name(Job job, u32 y, u32* out) {                                   \
    u32 rank = enter(job);                                                \
    if (rank == ~0u || threadIdx.x) return;                               \
    float f = y, x0 = f, x1 = f + 1, x2 = f + 2, x3 = f + 3;               \
    _Pragma("unroll 1") for (u32 pass = 0; pass < 3; pass++) {            \
      u64 begin = now();                                                  \
      body if (x0 + x1 + x2 + x3 == 12345) {                              \
        job.clocks[0] = 1;                                                \
        return;                                                           \
      }                                                                   \
      out[rank * 3 + pass] = (u32)(now() - begin);                        \
    }                                                                     \
    job.clocks[2 * rank + 1] = now();                                     \
  }
// The same code by all warps of a block, until the last of them is done.
PROBE code_by_all(Job job, u32 y, u32* out) {
  u32 rank = enter(job);
  if (rank == ~0u) return;
  float f = y + threadIdx.x, x0 = f, x1 = f + 1, x2 = f + 2, x3 = f + 3;
#pragma unroll 1
  for (u32 pass = 0; pass < 3; pass++) {
    u64 begin = now();
    I1024 I1024 if (x0 + x1 + x2 + x3 == 12345) job.clocks[0] = 1;
    __syncthreads();
    if (threadIdx.x == 0) out[rank * 3 + pass] = (u32)(now() - begin);
  }
  leave(job, rank);
}
CODE(code_4k, I256)
CODE(code_16k, I1024)
CODE(code_32k, I1024 I1024)
CODE(code_64k, I1024 I1024 I1024 I1024)
CODE(code_128k, I1024 I1024 I1024 I1024 I1024 I1024 I1024 I1024)
CODE(code_256k, I1024 I1024 I1024 I1024 I1024 I1024 I1024 I1024 I1024 I1024 I1024 I1024 I1024 I1024 I1024 I1024)
