// SPDX-License-Identifier: Apache-2.0
// A fence by what its SM has done before, for `history`.
#include "probe.cuh"

/// After 3,000 idle cycles: an earlier fence (prior 0: none, 1: behind nothing, 2: behind a store), `apart` cycles, an access
/// (kind; from 16 on by warp 1 instead of warp 0), `late` cycles, a fence of warp 0. out[0]: its cycles; out[1]: the access' cycles.
extern __shared__ __align__(1024) uint32_t data[];

template <bool kCluster>
__device__ void history(const uint32_t* in, uint32_t* out, uint32_t kind, uint32_t prior, uint32_t apart, uint32_t late) {
  __shared__ alignas(8) uint64_t b;
  __shared__ uint32_t words[64];
  const uint32_t w = threadIdx.x / 32, mine = kind & 15;
  const bool acts = w == kind / 16;
  uint32_t* const to = out + 8192 + blockIdx.x * 4096 + threadIdx.x;
  if (threadIdx.x == 0) begin_barrier(&b, 1);
  if (threadIdx.x == 0) publish_barriers();
  __syncthreads();
  uint32_t parity = 0, x = 0, took = 0;
  for (int i = 0; i < 3; i++) {
    if (kCluster) asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    __syncthreads();
    uint32_t begin = now();
    while (now() - begin < 3000) {}
    if (prior == 2 && w == 0) asm volatile("st.global.u32 [%0], %1;" ::"l"(to + 1024), "r"(i) : "memory");
    if (prior && w == 0) asm volatile("fence.acq_rel.gpu;" ::: "memory");
    __syncthreads();
    begin = now();
    while (now() - begin < apart) {}
    const uint32_t before = now();
    if (acts) {
      const uint32_t remote = kCluster ? mapped(shared_at(words + threadIdx.x), blockIdx.x ^ 1) : 0;
      switch (mine) {
        case 1: asm volatile("st.global.u32 [%0], %1;" ::"l"(to), "r"(i) : "memory"); break;
        case 2: asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(to) : "memory"); break;
        case 3: if (threadIdx.x % 32 == 0) {
            expect(&b, 1024); bulk_load(shared_at(data), in, 1024, shared_at(&b));
          } wait(&b, parity); parity ^= 1; break;
        case 4: asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(x) : "l"(to) : "memory"); break;
        case 5: if (kCluster) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(remote), "r"(i) : "memory"); break;
        case 6: if (threadIdx.x % 32 == 0) { bulk_store(out + 65536, data, 1024); commit(); wait_groups<0>(); } break;
        case 7: if (kCluster) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(x) : "r"(remote) : "memory"); break;
        case 8: asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(in + threadIdx.x % 32) : "memory"); break;
        case 9: words[threadIdx.x] = i; break;
        case 10: if (threadIdx.x % 32 == 0) {
            expect(&b, 1024); bulk_load(shared_at(data), in, 1024, shared_at(&b));
          } break;  // not waited for before the fence
        case 11: asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(shared_at(words + threadIdx.x)), "r"(i) : "memory"); break;
      }
      if (x == 0x12345) out[7] = x;
    }
    took = now() - before;
    begin = now();
    while (now() - begin < late) {}
    if (w == 0) {
      const uint32_t t = now();
      asm volatile("fence.acq_rel.gpu;" ::: "memory");
      const uint32_t cycles = now() - t;
      if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = cycles;
    }
    if (acts && mine == 10) wait(&b, parity), parity ^= 1;
    if (acts && blockIdx.x == 0 && threadIdx.x % 32 == 0) out[1] = took;
    __syncthreads();
  }
  if (kCluster) asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
extern "C" __global__ void history_alone(const uint32_t* in, uint32_t* out, uint32_t kind, uint32_t prior, uint32_t apart, uint32_t late) {
  history<false>(in, out, kind, prior, apart, late);
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) history_pair(const uint32_t* in, uint32_t* out, uint32_t kind, uint32_t prior, uint32_t apart, uint32_t late) {
  history<true>(in, out, kind, prior, apart, late);
}

/// Warps fence `apart` cycles one after another, `late` cycles behind an access of warp 0 (0: none, 1: a store of each warp, 3: a bulk
/// load, 2: a load of warp 0). out[16 + 2 w]: when the fence began behind the barrier, and its cycles. Nothing else is stored meanwhile.
extern "C" __global__ void many(const uint32_t* in, uint32_t* out, uint32_t kind, uint32_t apart, uint32_t late, uint32_t idle) {
  __shared__ alignas(8) uint64_t b;
  const uint32_t w = threadIdx.x / 32;
  uint32_t* const to = out + 8192 + threadIdx.x;
  if (threadIdx.x == 0) begin_barrier(&b, 1), publish_barriers();
  __syncthreads();
  uint32_t parity = 0, x = 0, t = 0, cycles = 0, begin = 0;
  for (int i = 0; i < 3; i++) {
    __syncthreads();
    begin = now();
    while (now() - begin < idle) {}
    if (kind == 1) asm volatile("st.global.u32 [%0], %1;" ::"l"(to), "r"(i) : "memory");
    if (kind == 2 && w == 0) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(to) : "memory");
    if (kind == 3) {
      if (threadIdx.x == 0) expect(&b, 1024), bulk_load(shared_at(data), in, 1024, shared_at(&b));
      wait(&b, parity);
      parity ^= 1;
    }
    if (x == 0x12345) out[7] = x;
    __syncthreads();
    begin = now();
    while (now() - begin < 100 + late + w * apart) {}
    t = now();
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    cycles = now() - t;
    __syncthreads();
  }
  if (threadIdx.x % 32 == 0) out[16 + 2 * w] = t - begin, out[17 + 2 * w] = cycles;
}
