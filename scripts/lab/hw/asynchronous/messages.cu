// SPDX-License-Identifier: Apache-2.0
// Waits for a phase, words sent to other blocks, atomics on one word of another block, and how long accesses keep their sources.
#include "probe.cuh"

/// Warps that wait for one arrival, or one waits for the arrivals of all: clocks of each warp. kind: 0 all wait for warp 0's arrival;
/// 1 warp 0 waits for those of the others, which arrive in all lanes' first; 2 all wait for a copy.
extern "C" __global__ void wakes(const uint32_t* in, uint32_t* out, uint32_t kind, uint32_t apart) {
  __shared__ __align__(128) uint32_t data[1024];
  __shared__ alignas(8) uint64_t b;
  const uint32_t warps = blockDim.x / 32 - 1, w = threadIdx.x / 32;
  uint32_t t0 = 0, t1 = 0, t2 = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    __syncthreads();
    if (threadIdx.x == 0) begin_barrier(&b, kind == 1 ? warps : 1), publish_barriers();
    __syncthreads();
    t0 = now();
    if (kind == 1) {
      if (w != 0) {
        while (now() - t0 < 2000 + apart * w) {}
        __syncwarp();
        t1 = now();
        if (threadIdx.x % 32 == 0) arrive(&b);
        t2 = now();
      } else {
        t1 = now(), wait(&b, 0), t2 = now();
      }
    } else if (w == 0) {
      while (now() - t0 < 2000) {}
      __syncwarp();
      t1 = now();
      if (threadIdx.x == 0) {
        if (kind == 0) arrive(&b);
        else expect(&b, 2048), bulk_load(shared_at(data), in, 2048, shared_at(&b));
      }
      t2 = now();
    } else {
      t1 = now(), wait(&b, 0), t2 = now();
    }
    if (threadIdx.x % 32 == 0) out[i * 64 + 4 * w] = t0, out[i * 64 + 4 * w + 1] = t1, out[i * 64 + 4 * w + 2] = t2;
  }
}

/// Messages of `senders` blocks of a cluster of four to block 0: `n` red.async of `lanes` lanes each; block 0 waits. kind: 0 add, 1 inc,
/// 2 and, 3 add of 64 bits, 4 st.async. out: of the block, after its sends; of block 0, the end of the wait, since a common point.
extern "C" __global__ void __cluster_dims__(4, 1, 1) messages(uint32_t* out, uint32_t kind, uint32_t n, uint32_t lanes, uint32_t senders) {
  __shared__ __align__(16) uint64_t room[512];
  __shared__ alignas(8) uint64_t b;
  const uint32_t t = threadIdx.x, rank = cluster_rank();
  const uint32_t to = mapped(shared_at(room), 0), done = mapped(shared_at(&b), 0);
  for (uint32_t i = 0; i < 4; ++i) {
    if (t == 0) begin_barrier(&b, 1), expect(&b, senders * n * lanes * (kind == 3 ? 8 : 4)), publish_barriers();
    cluster_sync();
    const uint32_t t0 = now();
    uint32_t t1 = t0;
    if (rank > 0 && rank <= senders && t < lanes) {
#define SEND(K, TEXT, VALUE)                                                                                                       \
  if (kind == K)                                                                                                                   \
    for (uint32_t j = 0; j < n; ++j)                                                                                               \
      asm volatile(TEXT " [%0], %1, [%2];" ::"r"(to + (K == 3 ? 8 : 4) * (j * 32 + t)), VALUE, "r"(done) : "memory");
      SEND(0, "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32", "r"(t))
      SEND(1, "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32", "r"(0x7FFFFFFF))
      SEND(2, "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.and.b32", "r"(t))
      SEND(3, "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64", "l"(uint64_t(t)))
      SEND(4, "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32", "r"(t))
      t1 = now();
    }
    if (rank == 0) wait(&b, 0), t1 = now();
    if (t == 0) out[i * 8 + rank] = t1 - t0;
    cluster_sync();
  }
}

/// `n` reductions or atomics of each warp of each sending block. to: 0 all on block 0's memory, 1 each on the next block's. words: t % words,
/// `apart` words from each other. same: every lane adds 1, not t. result: atomics with result. out: until they have issued, and are done.
extern "C" __global__ void __cluster_dims__(4, 1, 1) steps(uint32_t* out, uint32_t result, uint32_t n, uint32_t words, uint32_t apart, uint32_t same, uint32_t senders, uint32_t to_next) {
  __shared__ __align__(16) uint32_t room[4096];
  const uint32_t t = threadIdx.x % 32, rank = cluster_rank();
  const uint32_t target = to_next ? (rank + 1) % 4 : 0, to = mapped(shared_at(room), target) + t % words * apart * 4, own = mapped(shared_at(room), target) + 16000;
  const uint32_t value = same ? 1 : t;
  for (uint32_t i = threadIdx.x; i < 4096; i += blockDim.x) room[i] = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    cluster_sync();
    const uint32_t t0 = now();
    uint32_t t1 = t0, t2 = t0, old = 0;
    if (to_next ? rank < senders : rank > 0 && rank <= senders) {
      if (result) for (uint32_t j = 0; j < n; ++j) asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(old) : "r"(to), "r"(value) : "memory");
      else for (uint32_t j = 0; j < n; ++j) asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(to), "r"(value) : "memory");
      t1 = now();
      if (t == 0) {
        asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(old) : "r"(own), "r"(1) : "memory");
        asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 0x12345; @p trap;}" ::"r"(old));
      }
      t2 = now();
    }
    if (t == 0) out[i * 64 + rank * 16 + threadIdx.x / 32 * 2] = t1 - t0, out[i * 64 + rank * 16 + threadIdx.x / 32 * 2 + 1] = t2 - t0;
    if (old == 0x7777777) out[300] = old;
  }
  cluster_sync();
}

/// `n` accesses of a warp whose sources the loop must keep. kind: 0 red there, 1 red in the own block by its cluster address, 2 red in global
/// memory by a generic address, 3 st there, 4 st in the own block, 5 st.async there, 6 red of 64 bits there, 7 red to global memory, 8 st to it.
extern "C" __global__ void __cluster_dims__(4, 1, 1) keeps(uint32_t* out, uint32_t kind, uint32_t n, uint32_t* generic) {
  __shared__ __align__(16) uint64_t room[64];
  __shared__ alignas(8) uint64_t b;
  const uint32_t t = threadIdx.x % 32, rank = cluster_rank();
  const uint32_t there = mapped(shared_at(room), (rank + 1) % 4) + t * 4, own = mapped(shared_at(room), rank) + t * 4, done = mapped(shared_at(&b), (rank + 1) % 4);
  if (t == 0) begin_barrier(&b, 1), expect(&b, 3 * n * 128), publish_barriers();
  for (uint32_t i = 0; i < 3; ++i) {
    cluster_sync();
    const uint32_t t0 = now();
#define KEPT(K, ...) if (kind == K) { _Pragma("unroll 4") for (uint32_t j = 0; j < n; ++j) asm volatile(__VA_ARGS__ : "memory"); }
    KEPT(0, "red.shared::cluster.add.u32 [%0], %1;" ::"r"(there), "r"(t))
    KEPT(1, "red.shared::cluster.add.u32 [%0], %1;" ::"r"(own), "r"(t))
    KEPT(2, "red.add.u32 [%0], %1;" ::"l"(generic + t), "r"(t))
    KEPT(3, "st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(t))
    KEPT(4, "st.shared::cluster.u32 [%0], %1;" ::"r"(own), "r"(t))
    KEPT(5, "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(there), "r"(t), "r"(done))
    KEPT(6, "red.shared::cluster.add.u64 [%0], %1;" ::"r"(there + t * 4), "l"(uint64_t(t)))
    KEPT(7, "red.global.add.u32 [%0], %1;" ::"l"(generic + t), "r"(t))
    KEPT(8, "st.global.u32 [%0], %1;" ::"l"(generic + t), "r"(t))
    const uint32_t t1 = now();
    if (threadIdx.x == 0) out[i * 4 + rank] = t1 - t0;
  }
  cluster_sync();
}
