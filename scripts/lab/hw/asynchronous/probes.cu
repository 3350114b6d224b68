// SPDX-License-Identifier: Apache-2.0
// How long copies, barriers with transactions and clusters take: each kernel leaves cycles in `out`,
// as ROWS of probes.csv say. `in` has 64 KiB.
#include "products.cuh"

HERE void arrive_there(uint32_t b) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(b) : "memory");
}
HERE void arrive_relaxed(uint32_t b) {
  asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(b) : "memory");
}

constexpr int kSizes = 8;
__device__ const uint32_t kBytes[kSizes] = {16, 64, 128, 256, 1024, 4096, 16384, 32768};

/// Rows: bytes; columns: five times. From the announcement of the bytes to the end of the wait.
PROBE(load_by_bytes) {
  extern __shared__ __align__(128) uint32_t data[];
  __shared__ alignas(8) uint64_t b;
  if (threadIdx.x != 0) return;
  begin_barrier(&b, 1), publish_barriers();
  uint32_t parity = 0;
  for (int s = 0; s < kSizes; s++)
    for (int i = 0; i < 6; i++) {
      const uint32_t bytes = kBytes[s];
      expect(&b, bytes);
      const uint32_t t = now();
      bulk_load(shared_at(data), in, bytes, shared_at(&b));
      const uint32_t issued = now();
      wait(&b, parity);
      const uint32_t end = now();
      parity ^= 1;
      if (i > 0) out[s * 8 + i - 1] = end - t;
      out[s * 8 + 6] = issued - t;
    }
}

/// The same of copies in a row: 1, 2, 4, ... 32 of 16 bytes; then of 128, 512 and 1024.
PROBE(loads_in_a_row) {
  extern __shared__ __align__(128) uint32_t data[];
  __shared__ alignas(8) uint64_t b;
  if (threadIdx.x != 0) return;
  begin_barrier(&b, 1), publish_barriers();
  uint32_t parity = 0;
  const uint32_t bytes[4] = {16, 128, 512, 1024};
  for (int s = 0; s < 4; s++)
    for (int k = 0; k < 6; k++)
      for (int i = 0; i < 3; i++) {
        expect(&b, bytes[s] << k);
        const uint32_t t = now();
#pragma unroll 1
        for (int c = 0; c < 1 << k; c++)
          bulk_load(shared_at(data) + c * bytes[s], in + c * bytes[s] / 4, bytes[s],
                    shared_at(&b));
        const uint32_t issued = now();
        wait(&b, parity);
        const uint32_t end = now();
        parity ^= 1;
        out[(s * 6 + k) * 2] = end - t;
        out[(s * 6 + k) * 2 + 1] = issued - t;
      }
}

/// Rows: bytes; to the end of wait_group 0; of wait_group.read 0; a reduction to wait_group 0.
PROBE(store_by_bytes) {
  extern __shared__ __align__(128) uint32_t data[];
  if (threadIdx.x != 0) return;
  for (int i = 0; i < 8192; i++) data[i] = i;
  fence_async();
  for (int s = 0; s < kSizes; s++)
    for (int i = 0; i < 3; i++) {
      const uint32_t bytes = kBytes[s];
      uint32_t t = now() + (bytes & 1);
      bulk_store(out + 4096, data, bytes);
      const uint32_t issued = now();
      commit();
      wait_groups<0>();
      out[s * 8] = now() - t;
      out[s * 8 + 1] = issued - t;
      t = now();
      bulk_store(out + 4096, data, bytes);
      commit();
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      out[s * 8 + 2] = now() - t;
      wait_groups<0>();
      t = now();
      asm volatile(
          "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(out +
                                                                                             4096),
          "r"(shared_at(data)), "r"(bytes)
          : "memory");
      commit();
      wait_groups<0>();
      out[s * 8 + 3] = now() - t;
    }
}

/// As load_by_bytes, by the cycles from the copy's issue to the wait: 0, 50, ... 350.
PROBE(load_by_wait) {
  extern __shared__ __align__(128) uint32_t data[];
  __shared__ alignas(8) uint64_t b;
  if (threadIdx.x != 0) return;
  begin_barrier(&b, 1), publish_barriers();
  for (uint32_t i = 0; i < 32; i++) {
    expect(&b, 1024);
    const uint32_t t = now();
    bulk_load(shared_at(data), in, 1024, shared_at(&b));
    for (uint32_t wanted = i % 8 * 50; now() - t < wanted;) {
    }
    const uint32_t from = now();
    wait(&b, i & 1);
    const uint32_t end = now();
    out[2 * (i % 8)] = end - t, out[2 * (i % 8) + 1] = from - t;
  }
}

/// From the arrival of one warp until another one has waited; the arrival alone; a wait for a phase
/// that is over.
PROBE(wake_up) {
  __shared__ alignas(8) uint64_t b;
  __shared__ uint32_t times[2];
  if (threadIdx.x == 0) begin_barrier(&b, 1), publish_barriers();
  __syncthreads();
  for (int i = 0; i < 8; i++) {
    __syncthreads();
    if (threadIdx.x == 0) {
      for (uint32_t from = now(); now() - from < 3000 + 97 * i;) {
      }
      const uint32_t t = now();
      arrive(&b);
      times[0] = t;
      out[16 + i] = now() - t;
    }
    if (threadIdx.x == 32) {
      wait(&b, i & 1);
      times[1] = now();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      out[i] = times[1] - times[0];
      const uint32_t t = now();
      wait(&b, i & 1);
      out[8 + i] = now() - t;
    }
  }
}

/// Cycles of a try_wait for a phase that never ends: without a limit, with 0, 1000 and 100000 ns.
PROBE(time_limit) {
  __shared__ alignas(8) uint64_t b;
  if (threadIdx.x != 0) return;
  begin_barrier(&b, 1), publish_barriers();
  uint64_t t0, t1;
  for (int i = 0; i < 3; i++) {
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t0)::"memory");
    const bool done = try_wait(&b, 0);
    out[8] = done;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t1)::"memory");
    out[i] = uint32_t(t1 - t0);
  }
#define LIMITED(PLACE, NANOSECONDS)                                                               \
  {                                                                                               \
    uint32_t done;                                                                                \
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t0)::"memory");                                  \
    asm volatile(                                                                                 \
        "{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0, %2; selp.u32 %0, 1, 0, p;}" \
        : "=r"(done)                                                                              \
        : "r"(shared_at(&b)), "n"(NANOSECONDS)                                                    \
        : "memory");                                                                              \
    out[9] = done;                                                                                \
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t1)::"memory");                                  \
    out[PLACE] = uint32_t(t1 - t0);                                                               \
  }
  LIMITED(3, 0) LIMITED(4, 1000) LIMITED(5, 100000)
}

/// Two warps of a block that hand a token to each other: cycles of 32 rounds.
PROBE(token_in_block) {
  __shared__ alignas(8) uint64_t b[2];
  if (threadIdx.x == 0) begin_barrier(&b[0], 1), begin_barrier(&b[1], 1), publish_barriers();
  __syncthreads();
  const uint32_t w = threadIdx.x >> 5;
  const uint32_t t = now();
  if ((threadIdx.x & 31) == 0)
    for (int i = 0; i < 32; i++) {
      if (w == 1) wait(&b[1], i & 1);
      arrive(&b[w ^ 1]);
      if (w == 0) wait(&b[0], i & 1);
    }
  if (threadIdx.x == 0) out[0] = now() - t;
}

/// Cycles of 8 barriers of a cluster: fenced (0) or relaxed (1), behind a store to the next block's
/// memory (2) or a sum in it (3). All warps take part.
template <int kKind>
__device__ uint32_t meets(uint32_t next) {
  cluster_sync();
  const uint32_t t = now();
#pragma unroll 1
  for (uint32_t i = 0; i < 8; i++) {
    if (kKind == 2) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(next), "r"(i) : "memory");
    if (kKind == 3) asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(next), "r"(i) : "memory");
    if (kKind == 1)
      asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    else
      cluster_sync();
  }
  return now() - t;
}

#define CLUSTER_PROBES(N)                                                                         \
  /* Cycles of 16 barriers: fenced; relaxed. */                                                   \
  CLUSTER_PROBE(barrier_##N, N) {                                                                 \
    cluster_sync();                                                                               \
    uint32_t t = now();                                                                           \
    for (int i = 0; i < 16; i++) cluster_sync();                                                  \
    const uint32_t fenced = now() - t;                                                            \
    cluster_sync();                                                                               \
    t = now();                                                                                    \
    for (int i = 0; i < 16; i++)                                                                  \
      asm volatile(                                                                               \
          "barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory"); \
    const uint32_t relaxed = now() - t;                                                           \
    if (threadIdx.x == 0) {                                                                       \
      out[blockIdx.x * 2] = fenced, out[blockIdx.x * 2 + 1] = relaxed;                            \
    }                                                                                             \
  }                                                                                               \
  /* Of each block the four kinds of meets. */                                                   \
  CLUSTER_PROBE(meets_##N, N) {                                                                   \
    __shared__ uint32_t words[256];                                                               \
    words[threadIdx.x] = 0;                                                                       \
    const uint32_t next = mapped(shared_at(words), (cluster_rank() + 1) % N) + 4 * threadIdx.x;   \
    uint32_t t[4];                                                                                \
    for (int round = 0; round < 2; round++)                                                       \
      t[0] = meets<0>(next), t[1] = meets<1>(next), t[2] = meets<2>(next), t[3] = meets<3>(next); \
    cluster_sync();                                                                               \
    if (threadIdx.x == 0)                                                                         \
      for (int i = 0; i < 4; i++) out[4 * blockIdx.x + i] = t[i];                                 \
  }                                                                                               \
  /* Cycles of 64 loads in a chain of another block's words, by that block's rank. */             \
  CLUSTER_PROBE(chain_##N, N) {                                                                   \
    __shared__ uint32_t words[64];                                                                \
    for (int i = 0; i < 64; i++) words[i] = 4 * ((i + 1) & 63);                                   \
    cluster_sync();                                                                               \
    if (threadIdx.x == 0)                                                                         \
      for (uint32_t rank = 0; rank < N; rank++) {                                                 \
        const uint32_t base = mapped(shared_at(words), rank);                                     \
        uint32_t at = 0, t = 0;                                                                   \
        for (int round = 0; round < 2; round++) {                                                 \
          t = now();                                                                              \
          for (int i = 0; i < 64; i++)                                                            \
            asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(at) : "r"(base + at) : "memory"); \
          t = now() - t + at;                                                                     \
        }                                                                                         \
        out[blockIdx.x * N + rank] = t;                                                           \
        at = 0;                                                                                   \
        uint32_t u = now();                                                                       \
        for (int i = 0; i < 32; i++)                                                              \
          asm volatile("atom.shared::cluster.or.b32 %0, [%1], %2;"                                \
                       : "=r"(at)                                                                 \
                       : "r"(base + at), "r"(0)                                                   \
                       : "memory");                                                               \
        out[N * N + blockIdx.x * N + rank] = now() - u + at;                                      \
      }                                                                                           \
    cluster_sync();                                                                               \
  }                                                                                               \
  /* Cycles of 32 rounds of a token between ranks 0 and N - 1: arrivals; relaxed ones; st.async. */ \
  CLUSTER_PROBE(token_##N, N) {                                                                   \
    __shared__ alignas(8) uint64_t b[6];                                                          \
    __shared__ uint32_t word;                                                                     \
    const uint32_t rank = cluster_rank();                                                         \
    if (threadIdx.x == 0) {                                                                       \
      for (int i = 0; i < 6; i++) begin_barrier(&b[i], 1);                                        \
      publish_barriers();                                                                         \
    }                                                                                             \
    cluster_sync();                                                                               \
    const bool first = rank == 0;                                                                 \
    if (threadIdx.x == 0 && (first || rank == N - 1))                                             \
      for (int kind = 0; kind < 3; kind++) {                                                      \
        const uint32_t mine = shared_at(&b[2 * kind]);                                            \
        const uint32_t there = mapped(mine, first ? N - 1 : 0);                                   \
        const uint32_t to = mapped(shared_at(&word), first ? N - 1 : 0);                          \
        const uint32_t t = now();                                                                 \
        for (int i = 0; i < 32; i++) {                                                            \
          if (kind == 2) expect(&b[4], 4);                                                        \
          if (!first) wait(&b[2 * kind], i & 1);                                                  \
          if (kind == 0) arrive_there(there);                                                     \
          if (kind == 1) arrive_relaxed(there);                                                   \
          if (kind == 2)                                                                          \
            asm volatile(                                                                         \
                "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"( \
                    to),                                                                          \
                "r"(i), "r"(there)                                                                \
                : "memory");                                                                      \
          if (first) wait(&b[2 * kind], i & 1);                                                   \
        }                                                                                         \
        if (first) out[kind] = now() - t;                                                         \
      }                                                                                           \
    cluster_sync();                                                                               \
  }                                                                                               \
  /* Rows: bytes; a copy to the next block until it hears of it and answers. */                   \
  CLUSTER_PROBE(between_##N, N) {                                                                 \
    extern __shared__ __align__(128) uint32_t data[];                                             \
    __shared__ alignas(8) uint64_t b;                                                             \
    const uint32_t rank = cluster_rank();                                                         \
    if (threadIdx.x == 0) begin_barrier(&b, 1), publish_barriers();                               \
    cluster_sync();                                                                               \
    uint32_t parity = 0;                                                                          \
    if (threadIdx.x == 0 && rank < 2)                                                             \
      for (int s = 0; s < kSizes - 1; s++)                                                        \
        for (int i = 0; i < 3; i++) {                                                             \
          const uint32_t bytes = kBytes[s];                                                       \
          expect(&b, bytes);                                                                      \
          const uint32_t t = now();                                                               \
          if (rank == 1) wait(&b, parity);                                                        \
          asm volatile(                                                                           \
              "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], " \
              "%2, [%3];" ::"r"(mapped(shared_at(data + 4096), rank ^ 1)),                        \
              "r"(shared_at(data)), "r"(bytes), "r"(mapped(shared_at(&b), rank ^ 1))              \
              : "memory");                                                                        \
          if (rank == 0) wait(&b, parity);                                                        \
          if (rank == 0) out[s] = now() - t;                                                      \
          parity ^= 1;                                                                            \
        }                                                                                         \
    cluster_sync();                                                                               \
  }                                                                                               \
  /* Rows: bytes; columns: ranks. Rank 0 fetches for all; each waits. */                          \
  CLUSTER_PROBE(multicast_##N, N) {                                                               \
    extern __shared__ __align__(128) uint32_t data[];                                             \
    __shared__ alignas(8) uint64_t b;                                                             \
    const uint32_t rank = cluster_rank();                                                         \
    if (threadIdx.x == 0) begin_barrier(&b, 1), publish_barriers();                               \
    uint32_t parity = 0;                                                                          \
    for (int s = 0; s < kSizes; s++)                                                              \
      for (int i = 0; i < 4; i++) {                                                               \
        const uint32_t bytes = kBytes[s];                                                         \
        if (threadIdx.x == 0) expect(&b, bytes);                                                  \
        cluster_sync();                                                                           \
        const uint32_t t = now();                                                                 \
        if (threadIdx.x == 0) {                                                                   \
          if (rank == 0)                                                                          \
            asm volatile(                                                                         \
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"   \
                "cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared_at(data)),                       \
                "l"(in), "r"(bytes), "r"(shared_at(&b)), "h"(uint16_t((1 << N) - 1))              \
                : "memory");                                                                      \
          wait(&b, parity);                                                                       \
          out[s * N + rank] = now() - t;                                                          \
        }                                                                                         \
        parity ^= 1;                                                                              \
        cluster_sync();                                                                           \
      }                                                                                           \
  }                                                                                               \
  /* Cycles until each of the block's warps has done 64 rows of 128 bytes: loads; stores; atomics. */      \
  CLUSTER_PROBE(rows_##N, N) {                                                                    \
    __shared__ uint32_t words[1024];                                                              \
    words[threadIdx.x] = 0;                                                                       \
    cluster_sync();                                                                               \
    const uint32_t base =                                                                         \
        mapped(shared_at(words), (cluster_rank() + 1) % N) + (threadIdx.x & 1023) * 4;            \
    uint32_t sum = 0, t = now();                                                                  \
    for (int i = 0; i < 64; i += 8) {                                                             \
      uint32_t v[8];                                                                              \
      for (int j = 0; j < 8; j++)                                                                 \
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v[j]) : "r"(base) : "memory");     \
      for (int j = 0; j < 8; j++) sum += v[j];                                                    \
    }                                                                                             \
    __syncthreads();                                                                              \
    const uint32_t loads = now() - t + sum;                                                       \
    cluster_sync();                                                                               \
    t = now();                                                                                    \
    for (int i = 0; i < 64; i++)                                                                  \
      asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(base), "r"(0) : "memory");            \
    asm volatile("fence.acq_rel.cluster;" ::: "memory");                                          \
    __syncthreads();                                                                              \
    const uint32_t stores = now() - t;                                                            \
    cluster_sync();                                                                               \
    t = now();                                                                                    \
    for (int i = 0; i < 64; i++)                                                                  \
      asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(base), "r"(0) : "memory");       \
    asm volatile("fence.acq_rel.cluster;" ::: "memory");                                          \
    __syncthreads();                                                                              \
    const uint32_t atomics = now() - t;                                                           \
    if (threadIdx.x == 0)                                                                         \
      out[3 * blockIdx.x] = loads, out[3 * blockIdx.x + 1] = stores,                              \
                       out[3 * blockIdx.x + 2] = atomics;                                         \
    cluster_sync();                                                                               \
  }                                                                                               \
  /* Where and when each block starts: SM, timer in ns. */                                        \
  CLUSTER_PROBE(places_##N, N) {                                                                  \
    uint32_t sm, time;                                                                            \
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));                                               \
    asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(time));                                   \
    if (threadIdx.x == 0) out[2 * blockIdx.x] = sm, out[2 * blockIdx.x + 1] = time;               \
  }
CLUSTER_PROBES(2)
CLUSTER_PROBES(4)
CLUSTER_PROBES(8)

/// Loads of the block's own words by a generic address, in a chain of 64.
PROBE(chain_own) {
  __shared__ uint32_t words[64];
  for (int i = 0; i < 64; i++) words[i] = 4 * ((i + 1) & 63);
  __syncthreads();
  uint32_t at = 0;
  uint32_t t = now();
  for (int i = 0; i < 64; i++)
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(at) : "r"(shared_at(words) + at));
  out[0] = now() - t + at;
  t = now();
  for (int i = 0; i < 64; i++)
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(at) : "r"(shared_at(words) + at));
  out[1] = now() - t + at;
  t = now();
  fence_async();
  out[2] = now() - t;
  t = now();
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  out[3] = now() - t;
  t = now();
  asm volatile("fence.acq_rel.cluster;" ::: "memory");
  out[4] = now() - t;
}

/// Register reallocation: giving away, getting.
extern "C" __global__ void __launch_bounds__(256, 1) registers(const uint32_t* in, uint32_t* out) {
  __syncthreads();
  const uint32_t t = now();
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    const uint32_t end = now();
    if ((threadIdx.x & 31) == 0) out[threadIdx.x / 32] = end - t;
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 200;");
    const uint32_t end = now();
    if ((threadIdx.x & 31) == 0) out[threadIdx.x / 32] = end - t;
  }
}

/// All SMs at once, 16 copies of 2 KiB each, again and again from lines that the L2 has.
PROBE(loads_of_all) {
  extern __shared__ __align__(128) uint32_t data[];
  __shared__ alignas(8) uint64_t b;
  if (threadIdx.x != 0) return;
  begin_barrier(&b, 1), publish_barriers();
  uint32_t t = 0;
  for (int i = 0; i < 18; i++) {
    if (i == 2) t = now();
    expect(&b, 32768);
    for (int c = 0; c < 16; c++)
      bulk_load(shared_at(data) + c * 2048, in + (c + blockIdx.x % 2 * 16) % 32 * 512, 2048, shared_at(&b));
    wait(&b, i & 1);
  }
  out[blockIdx.x] = now() - t;
}

/// What a load of the block's own shared memory makes of rank 0 in the address; of the other rank,
/// which may end the launch with an error.
#define FOREIGN(NAME, CHANGED)                                                              \
  CLUSTER_PROBE(NAME, 2) {                                                                  \
    __shared__ uint32_t word;                                                               \
    const uint32_t rank = cluster_rank();                                                   \
    if (threadIdx.x == 0) word = 1000 + rank;                                               \
    cluster_sync();                                                                         \
    uint32_t v;                                                                             \
    asm volatile("ld.shared::cta.u32 %0, [%1];" : "=r"(v) : "r"(CHANGED) : "memory");       \
    if (threadIdx.x == 0) out[rank] = v;                                                    \
    cluster_sync();                                                                         \
  }
FOREIGN(rank_of_first, shared_at(&word) & 0xffffff)
FOREIGN(rank_of_other, shared_at(&word) ^ 1u << 24)

/// Long waits, whose stall reasons a profiler names: for a phase, for the cluster, for stores.
CLUSTER_PROBE(long_waits, 2) {
  extern __shared__ __align__(128) uint32_t data[];
  __shared__ alignas(8) uint64_t b;
  if (threadIdx.x == 0) begin_barrier(&b, 1), publish_barriers();
  __syncthreads();
  if (threadIdx.x == 0) {
    for (uint32_t from = now(); now() - from < 2000000;) __nanosleep(1000);
    arrive(&b);
  } else if (threadIdx.x >= 32) {
    wait(&b, 0);
  }
  __syncthreads();
  if (cluster_rank() == 0)
    for (uint32_t from = now(); now() - from < 2000000;) __nanosleep(1000);
  cluster_sync();
  if (threadIdx.x == 0 && cluster_rank() == 0)
    for (int i = 0; i < 2000; i++) {
      bulk_store(out + 4096, data, 32768);
      commit();
      wait_groups<0>();
    }
}

/// From an arrival until the warp that waits for it goes on, and how long that has waited, by the
/// cycles that the arrival is late: 64 times, then 64 of longer waits.
#define WAKES(NAME, STEP)                                                                       \
  PROBE(NAME) {                                                                                 \
    __shared__ alignas(8) uint64_t b;                                                           \
    __shared__ uint32_t times[3];                                                               \
    if (threadIdx.x == 0) begin_barrier(&b, 1), publish_barriers();                             \
    __syncthreads();                                                                            \
    for (uint32_t i = 0; i < 64; i++) {                                                         \
      __syncthreads();                                                                          \
      if (threadIdx.x == 0) {                                                                   \
        for (uint32_t from = now(); now() - from < 60 + (STEP) * i;) {                          \
        }                                                                                       \
        const uint32_t t = now();                                                               \
        arrive(&b);                                                                             \
        times[0] = t;                                                                           \
      }                                                                                         \
      if (threadIdx.x == 32) {                                                                  \
        times[2] = now();                                                                       \
        wait(&b, i & 1);                                                                        \
        times[1] = now();                                                                       \
      }                                                                                         \
      __syncthreads();                                                                          \
      if (threadIdx.x == 0) out[i] = times[1] - times[0], out[64 + i] = times[0] - times[2];    \
    }                                                                                           \
  }
WAKES(wakes, 11)
WAKES(long_wakes, 131)

/// Rows of a box: 1, 2, ... 256 of 128 bytes. Each: five loads to the end of the wait; the issue;
/// two boxes at once; a store until it has been read, and until it is over. `out` has the maps.
PROBE(boxes_by_rows) {
  extern __shared__ __align__(128) uint32_t data[];
  __shared__ alignas(8) uint64_t b;
  if (threadIdx.x != 0) return;
  begin_barrier(&b, 1), publish_barriers();
  TensorMap* const maps = reinterpret_cast<TensorMap*>(out + 8192);
  uint32_t parity = 0;
  for (uint32_t s = 0; s < 9; s++) {
    const uint32_t rows = 1u << s, bytes = rows * 128;
    make_map(&maps[s], in, 256, rows);
    for (int i = 0; i < 8; i++) {
      const int boxes = i == 7 ? 2 : 1;
      expect(&b, bytes * boxes);
      const uint32_t t = now();
      load_tensor(shared_at(data), &maps[s], shared_at(&b), 0, 0);
      const uint32_t issued = now();
      if (i == 7) load_tensor(shared_at(data) + 32768, &maps[s], shared_at(&b), 64, 0);
      wait(&b, parity);
      const uint32_t end = now();
      parity ^= 1;
      if (i >= 2) out[s * 12 + i - 2] = end - t;
      if (i == 6) out[s * 12 + 6] = issued - t;
    }
    make_map(&maps[16 + s], out + 16384 - 4096, 256, rows > 32 ? 32 : rows);
    fence_async();
    for (int i = 0; i < 3; i++) {
      uint32_t t = now();
      store_tensor(&maps[16 + s], shared_at(data), 0, 0);
      commit();
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      out[s * 12 + 7] = now() - t;
      wait_groups<0>();
      t = now();
      store_tensor(&maps[16 + s], shared_at(data), 0, 0);
      commit();
      wait_groups<0>();
      out[s * 12 + 8] = now() - t;
    }
  }
}

/// Boxes of 64 rows in a row: 1 to 12 of them, until all have come.
PROBE(boxes_in_a_row) {
  extern __shared__ __align__(128) uint32_t data[];
  __shared__ alignas(8) uint64_t b;
  if (threadIdx.x != 0) return;
  begin_barrier(&b, 1), publish_barriers();
  TensorMap* const map = reinterpret_cast<TensorMap*>(out + 8192);
  make_map(map, in, 256, 64);
  uint32_t parity = 0;
  for (uint32_t n = 1; n <= 12; n++)
    for (int i = 0; i < 3; i++) {
      expect(&b, 8192 * n);
      const uint32_t t = now();
#pragma unroll 1
      for (uint32_t c = 0; c < n; c++)
        load_tensor(shared_at(data) + c * 8192, map, shared_at(&b), 64 * (c & 1), 64 * (c / 2 & 1));
      const uint32_t issued = now();
      wait(&b, parity);
      out[2 * n - 2] = now() - t, out[2 * n - 1] = issued - t;
      parity ^= 1;
    }
}

HERE void copy_16(uint32_t to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
HERE void copy_4(uint32_t to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
}

/// Loads past the registers, 1, 2, 4, ... 32 of 16 bytes a lane: until all have come; until they
/// have been issued; until a barrier in shared memory has heard of them (noinc; another warp
/// waits); then the same of 4 bytes a lane.
PROBE(loads_past_registers) {
  extern __shared__ __align__(128) uint32_t data[];
  __shared__ alignas(8) uint64_t b;
  __shared__ uint32_t times[2];
  if (threadIdx.x == 0) begin_barrier(&b, 32), publish_barriers();
  __syncthreads();
  const uint32_t lane = threadIdx.x % 32, to = shared_at(data) + 16 * lane;
  uint32_t parity = 0;
  for (int wide = 1; wide >= 0; wide--)
    for (int k = 0; k < 6; k++)
      for (int i = 0; i < 3; i++) {
        uint32_t* const row = out + (6 * (1 - wide) + k) * 4;
        __syncthreads();
        if (threadIdx.x < 32) {
          uint32_t t = now();
#pragma unroll 1
          for (int c = 0; c < 1 << k; c++)
            if (wide)
              copy_16(to + 512 * c, in + 4 * lane + 128 * c);
            else
              copy_4(to + 512 * c, in + lane + 128 * c);
          const uint32_t issued = now();
          asm volatile("cp.async.wait_all;" ::: "memory");
          const uint32_t end = now();
          if (lane == 0) row[0] = end - t, row[1] = issued - t;
        }
        __syncthreads();
        if (threadIdx.x < 32) {
          if (lane == 0) times[0] = now();
#pragma unroll 1
          for (int c = 0; c < 1 << k; c++)
            if (wide)
              copy_16(to + 512 * c, in + 4 * lane + 128 * c);
            else
              copy_4(to + 512 * c, in + lane + 128 * c);
          asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_at(&b))
                       : "memory");
        } else {
          wait(&b, parity);
          if (lane == 0) times[1] = now();
        }
        parity ^= 1;
        __syncthreads();
        if (threadIdx.x == 0) row[2] = times[1] - times[0];
      }
}

#define PRODUCTS(NAME, SUMS, CALL, PARTS)                                                        \
  TIMED_PRODUCTS(NAME, SUMS, CALL, PARTS, 8192, 8192 * (group & 1), 16384,                      \
                 const uint32_t registers[4] = {0, 0, 0, 0}; (void)registers)
PRODUCTS(products_64, 32, multiply_64(d, a + 2 * part, b + 2 * part), 4)
PRODUCTS(products_64_registers, 32, multiply_64(d, registers, b + 2 * part), 4)
PRODUCTS(products_64_one, 32, multiply_64(d, a, b), 1)
PRODUCTS(products_64_ten, 32, multiply_64(d, a + 2 * (part & 3), b + 2 * (part & 3)), 10)
PRODUCTS(products_128, 64, multiply_128(d, a + 2 * part, b + 2 * part), 4)

/// Fences of another proxy, of one warp and of all 8: shared memory; all; of barriers that have just
/// begun; of the GPU; all behind a store to shared memory.
PROBE(proxy_fences) {
  __shared__ alignas(8) uint64_t b[4];
  __shared__ uint32_t word;
  const auto timed = [&](int place, auto fence) {
    for (int i = 0; i < 3; i++) {
      __syncthreads();
      const uint32_t t = now();
      fence();
      const uint32_t end = now();
      if (threadIdx.x == 0) out[place] = end - t;
    }
  };
  timed(0, [] { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); });
  timed(1, [] { asm volatile("fence.proxy.async;" ::: "memory"); });
  timed(2, [&] {
    if (threadIdx.x == 0) begin_barrier(&b[0], 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  });
  timed(3, [] { asm volatile("fence.acq_rel.gpu;" ::: "memory"); });
  timed(4, [&] {
    word = 1;
    asm volatile("fence.proxy.async;" ::: "memory");
  });
  timed(5, [&] {
    if (threadIdx.x == 0) begin_barrier(&b[1], 1);
    asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async;" ::: "memory");
  });
  timed(6, [] { asm volatile("fence.sc.gpu;" ::: "memory"); });
}

/// Four warps compute while four others multiply, or (32 threads more in the block) do not. Cycles
/// of 256 operations of each kind: FFMA, FMNMX, FADD, MUFU.EX2, F2FP; then a mixture of them.
PROBE(beside_products) {
  extern __shared__ __align__(128) uint32_t data[];
  for (uint32_t i = threadIdx.x; i < 8192; i += blockDim.x) data[i] = 0;
  __shared__ volatile uint32_t over;
  if (threadIdx.x == 0) over = 0;
  fence_async();
  __syncthreads();
  if (threadIdx.x < 128) {
    if (blockDim.x != 256) return;
    const uint64_t a = rows_at(shared_at(data)), b = rows_at(shared_at(data) + 16384);
    float d[64];
    for (float& each : d) each = 0;
    while (over == 0) {
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
      for (int part = 0; part < 8; part++) multiply_128(d, a + 2 * (part & 3), b + 2 * (part & 3));
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      for (float& each : d) asm volatile("" : "+f"(each)::"memory");
    }
    for (float& each : d)
      if (each != 0) out[255] = 1;
    return;
  }
  if (threadIdx.x >= 256) return;
  float v[16], w = __uint_as_float(in[threadIdx.x]);
  for (int i = 0; i < 16; i++) v[i] = w + i;
  for (uint32_t from = now(); now() - from < 3000;) {
  }
  const auto timed = [&](int place, auto operation) {
    for (int round = 0; round < 3; round++) {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      const uint32_t t = now();
#pragma unroll
      for (int i = 0; i < 256; i++) operation(v[i % 16], v[(i + 5) % 16], v[(i + 9) % 16]);
      const uint32_t end = now();
      if (threadIdx.x == 128) out[place] = end - t;
    }
  };
#define ONE(TEXT) asm volatile(TEXT : "+f"(x) : "f"(y), "f"(z))
  timed(0, [](float& x, float y, float z) { ONE("fma.rn.f32 %0, %0, %1, %2;"); });
  timed(1, [](float& x, float y, float z) { ONE("max.f32 %0, %0, %1;"); });
  timed(2, [](float& x, float y, float z) { ONE("add.f32 %0, %0, %1;"); });
  timed(3, [](float& x, float y, float z) { ONE("ex2.approx.ftz.f32 %0, %0;"); });
  timed(4, [](float& x, float y, float z) {
    ONE("{.reg .b32 p; cvt.rn.bf16x2.f32 p, %0, %1; mov.b32 %0, p;}");
  });
  timed(5, [](float& x, float y, float z) { ONE("fma.rn.f32 %0, %1, %2, 0f3F800000;"); });
  timed(6, [](float& x, float y, float z) {
    ONE("{fma.rn.f32 %0, %0, %1, %2; ex2.approx.ftz.f32 %0, %0; add.f32 %0, %0, %1;}");
  });
  timed(7, [](float& x, float y, float z) { ONE("mul.f32 %0, %0, %1;"); });
  for (float each : v) w += each;
  if (w == 1234567) out[254] = 1;
  over = 1;
}
