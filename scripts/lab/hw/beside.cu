// SPDX-License-Identifier: Apache-2.0
// Warps beside others: single reads beside streams of other SMs, branches that all sub-partitions take, and accesses to
// shared memory beside such whose guard is false.
#include "chip/clock.cuh"

constexpr u32 kReads = 47, kRow = kReads + 1;
enum Role { kRead, kWrite, kCopy, kAlone };

// Leaves for each SM: the cycles of its stream, or the latencies of its reads. `roles`: role and rank of each SM.
extern "C" __global__ void __launch_bounds__(1024)
    readers(const uint4* from, uint4* to, const u32* lone, u32* left, const u32* roles, u32 mask, u32 loops) {
  __shared__ u32 took[kReads];
  const u32 own_sm = sm(), role = roles[2 * own_sm], rank = roles[2 * own_sm + 1];
  u32 *own = left + own_sm * kRow, begin = now();
  while (now() - begin < 2000) {}
  begin = now();
  if (role != kAlone) {
    u32 sum = 0;
    for (u32 i = 0; i < loops; ++i) {
      const u32 at = ((i * 132 + rank) * 1024 + threadIdx.x) & mask;
      uint4 v = make_uint4(i, 0, 0, 0);
      if (role != kWrite) v = __ldcg(from + at);
      if (v.y == 12345) return;  // waits for the load; the memory holds zeros
      if (role != kRead) to[at] = v;
      sum += v.x;
    }
    if (sum == 77) left[0] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) own[0] = now() - begin;
    return;
  }
  if (threadIdx.x >= 32) return;
  while (now() - begin < 2000) {}
  for (u32 i = 0; i < kReads; ++i) {
    const u32 at = ((i * 132 + own_sm) * 4224 + threadIdx.x * 4) % (8 << 20) / 4, first = now();
    u32 v;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(lone + at) : "memory");
    if (v == 12345) return;
    if (threadIdx.x == 0) took[i] = now() - first;
  }
  __syncwarp();
  for (u32 i = threadIdx.x; i < kReads; i += 32) own[i + 1] = took[i];
}

#define EIGHT(X) X(0) X(256) X(512) X(768) X(1024) X(1280) X(1536) X(1792)
#define LOAD(i) \
  asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p ld.shared.u32 %0, [%1+" #i "];}" : "+r"(v) : "r"(at), "r"(on));
#define STORE(i) \
  asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.shared.u32 [%1+" #i "], %0;}" : "+r"(v) : "r"(at), "r"(on));
#define ROUND(i) LOAD(i) asm volatile("add.u32 %0, %0, 1;" : "+r"(v)); STORE(i) __syncthreads();
#define SIDE(i) if (v & (1 << i / 256)) { asm volatile("membar.cta;"); v += 2; }

// Leaves the cycles of a block. `flags`: whether the guard of each warp is true; `ways`: passes of an access.
#define BLOCK(name, ITEM) \
  extern "C" __global__ void __launch_bounds__(1024) name(u32* left, const u32* flags, u32 ways, u32 loops, u32 each) { \
    __shared__ u32 room[4096], begin, end; \
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, rows = 32 / ways, on = flags[warp]; \
    const u32 at = static_cast<u32>(__cvta_generic_to_shared(room)) + lane % rows * 4 + lane / rows * 128; \
    u32 v = flags[64]; \
    for (u32 i = threadIdx.x; i < 4096; i += blockDim.x) room[i] = 0; \
    if (threadIdx.x == 0) begin = ~0u, end = 0; \
    __syncthreads(); \
    const u32 first = now(); \
    if (warp % each == 0) for (u32 l = 0; l < loops; ++l) { EIGHT(ITEM) } \
    const u32 last = now(); \
    if (v == 77) left[1] = at + on; \
    if (lane == 0 && warp % each == 0) atomicMin(&begin, first), atomicMax(&end, last); \
    __syncthreads(); \
    if (threadIdx.x == 0) left[0] = end - begin; \
  }
BLOCK(loads, LOAD)
BLOCK(stores, STORE)
BLOCK(rounds, ROUND)
BLOCK(sides, SIDE)
