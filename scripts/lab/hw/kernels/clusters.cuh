// SPDX-License-Identifier: Apache-2.0
// Clusters of blocks: one another's shared memory, barriers and copies between them.
#pragma once
#include <cooperative_groups.h>

#include "asynchronous.cuh"

#define CLUSTER_KERNEL(NAME, BLOCKS)                                               \
  extern "C" __global__ void __cluster_dims__(BLOCKS, 1, 1) __launch_bounds__(256) \
      NAME(const uint32_t* in, uint32_t* out, int n)

HERE uint32_t cluster_rank() {
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
HERE uint32_t mapped(uint32_t address, uint32_t rank) {
  uint32_t there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
  return there;
}
HERE void cluster_arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
HERE void cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
HERE void cluster_sync() { cluster_arrive(), cluster_wait(); }

CLUSTER_KERNEL(cluster_numbers, 4) {
  uint32_t v[13];
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(v[0]));
  asm volatile("mov.u32 %0, %%clusterid.y;" : "=r"(v[1]));
  asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(v[2]));
  asm volatile("mov.u32 %0, %%nclusterid.y;" : "=r"(v[3]));
  asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v[4]));
  asm volatile("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(v[5]));
  asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(v[6]));
  asm volatile("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(v[7]));
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(v[8]));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(v[9]));
  asm volatile("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p;}"
               : "=r"(v[10]));
  v[11] = blockIdx.x, v[12] = gridDim.x;
  out[TID] = threadIdx.x < 13 ? v[threadIdx.x] : threadIdx.x;
}

/// The same of a launch without clusters.
KERNEL(no_cluster_numbers) {
  uint32_t v[11];
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(v[0]));
  asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(v[1]));
  asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v[2]));
  asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(v[3]));
  asm volatile("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(v[4]));
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(v[5]));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(v[6]));
  asm volatile("mov.u32 %0, %%nclusterid.z;" : "=r"(v[7]));
  asm volatile("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p;}"
               : "=r"(v[8]));
  __shared__ uint32_t word;
  const uint64_t generic = uint64_t(&word);
  asm volatile("{.reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p;}"
               : "=r"(v[9])
               : "l"(generic));
  asm volatile("{.reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 1, 0, p;}"
               : "=r"(v[10])
               : "l"(generic));
  cooperative_groups::this_cluster().sync();
  out[TID] = threadIdx.x < 11 ? v[threadIdx.x] : threadIdx.x;
}

CLUSTER_KERNEL(cluster_reduce, 4) {
  __shared__ uint32_t sums[8], total;
  const uint32_t sum = __reduce_add_sync(FULL, in[TID] >> 4), rank = cluster_rank();
  if (lane_id() == 0) sums[warp_id()] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    total = 0;
    for (int i = 0; i < 8; i++) total += sums[i];
  }
  cluster_sync();
  uint32_t all = 0;
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t part;
    asm volatile("ld.shared::cluster.u32 %0, [%1];"
                 : "=r"(part)
                 : "r"(mapped(shared_at(&total), (rank + i) & 3))
                 : "memory");
    all += part;
  }
  cluster_sync();
  out[TID] = mix(all, in[TID]);
}

/// Each block owns a quarter of the bins.
CLUSTER_KERNEL(cluster_histogram, 4) {
  namespace cg = cooperative_groups;
  __shared__ uint32_t bins[64];
  const auto cluster = cg::this_cluster();
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;
  cluster.sync();
  for (int i = 0; i < 4; i++) {
    const uint32_t bin = in[(TID + i * 57) % n] >> 9 & 255;
    atomicAdd(cluster.map_shared_rank(bins, bin >> 6) + (bin & 63), 1 + i);
  }
  cluster.sync();
  out[TID] = mix(bins[threadIdx.x & 63], cluster.map_shared_rank(bins, 3)[threadIdx.x & 63]);
  cluster.sync();
}

/// Values go from block to block; each block waits for the bytes of the one before.
CLUSTER_KERNEL(cluster_ring, 4) {
  __shared__ alignas(16) uint32_t rows[2][256];
  __shared__ alignas(8) uint64_t full[2];
  const uint32_t next = (cluster_rank() + 1) & 3;
  if (threadIdx.x == 0) {
    begin_barrier(&full[0], 1), begin_barrier(&full[1], 1), publish_barriers();
    expect(&full[0], 1024), expect(&full[1], 1024);
  }
  cluster_sync();
  uint32_t v = in[TID];
  for (uint32_t round = 0; round < 6; round++) {
    const uint32_t slot = round & 1, parity = round >> 1 & 1;
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
            mapped(shared_at(&rows[slot][threadIdx.x ^ round]), next)),
        "r"(v), "r"(mapped(shared_at(&full[slot]), next))
        : "memory");
    wait(&full[slot], parity);
    v = mix(rows[slot][threadIdx.x], round);
    cluster_sync();
    if (threadIdx.x == 0) expect(&full[slot], 1024);
    cluster_sync();
  }
  out[TID] = v;
}

/// Wider stores and reductions that a barrier of the other block hears of.
CLUSTER_KERNEL(cluster_async_words, 2) {
  __shared__ alignas(16) uint32_t rows[1024];
  __shared__ alignas(8) uint64_t words[8];
  __shared__ alignas(8) uint64_t barrier;
  const uint32_t other = cluster_rank() ^ 1, t = threadIdx.x;
  if (t < 8) words[t] = in[TID];
  if (t == 0) {
    begin_barrier(&barrier, 1), publish_barriers();
    expect(&barrier, 128 * 16 + 64 * 8 + 32 * 4 + 32 * 8);
  }
  cluster_sync();
  const uint32_t b = mapped(shared_at(&barrier), other), v = in[TID];
  const uint32_t to = mapped(shared_at(&rows[4 * t]), other);
  const uint32_t word = mapped(shared_at(&words[v & 3]), other);
  const uint32_t pair = mapped(shared_at(&words[4 + (v & 3)]), other);
  if (t < 128)
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, "
        "[%5];" ::"r"(to),
        "r"(v), "r"(~v), "r"(v * 3), "r"(t), "r"(b)
        : "memory");
  else if (t < 192)
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(to),
        "l"(uint64_t(v) << 20), "r"(b)
        : "memory");
  else if (t < 224)
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.s32 [%0], %1, "
        "[%2];" ::"r"(word),
        "r"(v), "r"(b)
        : "memory");
  else
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%0], %1, "
        "[%2];" ::"r"(pair),
        "l"(uint64_t(v) << 8), "r"(b)
        : "memory");
  wait(&barrier, 0);
  uint32_t h = mix(uint32_t(words[t & 7] >> 32), uint32_t(words[t & 7]));
  if (t < 192) h = mix(mix(h, rows[4 * t]), rows[4 * t + 1]);
  if (t < 128) h = mix(mix(h, rows[4 * t + 2]), rows[4 * t + 3]);
  out[TID] = h;
  cluster_sync();
}

/// The consumers of a block free the buffer of the block that fills it.
CLUSTER_KERNEL(cluster_arrivals, 2) {
  __shared__ uint32_t row[256];
  __shared__ alignas(8) uint64_t full, empty;
  const uint32_t rank = cluster_rank(), other = rank ^ 1;
  if (threadIdx.x == 0) begin_barrier(&full, 256), begin_barrier(&empty, 8), publish_barriers();
  cluster_sync();
  uint32_t h = rank;
  for (uint32_t round = 0; round < 5; round++) {
    if (rank == 0) {
      if (round != 0) wait(&empty, (round & 1) ^ 1);
      const uint32_t v = mix(in[TID], round);
      asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(
                       mapped(shared_at(&row[255 - threadIdx.x]), other)),
                   "r"(v)
                   : "memory");
      asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                       mapped(shared_at(&full), other))
                   : "memory");
      h = mix(h, v);
    } else {
      uint32_t done = 0;
      while (done == 0) {
        asm volatile(
            "{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; "
            "selp.u32 %0, 1, 0, p;}"
            : "=r"(done)
            : "r"(shared_at(&full)), "r"(round & 1)
            : "memory");
      }
      h = mix(h, row[threadIdx.x]);
      __syncwarp();
      if (lane_id() == 0)
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                         mapped(shared_at(&empty), other))
                     : "memory");
    }
  }
  out[TID] = h;
  cluster_sync();
}

/// Each block fetches a part for all of them.
CLUSTER_KERNEL(cluster_multicast, 4) {
  __shared__ alignas(128) uint32_t parts[4][64];
  __shared__ alignas(8) uint64_t barrier;
  const uint32_t rank = cluster_rank();
  if (threadIdx.x == 0) begin_barrier(&barrier, 1), publish_barriers();
  cluster_sync();
  uint32_t h = 0;
  for (uint32_t round = 0; round < 3; round++) {
    const uint32_t set = round == 1 ? 0x7 : 0xf;
    if (threadIdx.x == 0) {
      expect(&barrier, round == 1 && rank == 3 ? 0 : 1024);
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
          "[%0], [%1], 256, [%2], %3;" ::"r"(shared_at(parts[rank])),
          "l"(in + (rank * 3 + round) % 16 * 64), "r"(shared_at(&barrier)), "h"(uint16_t(set))
          : "memory");
    }
    wait(&barrier, round & 1);
    h = mix(h, parts[threadIdx.x & 3][threadIdx.x >> 2]);
    cluster_sync();
  }
  out[TID] = h;
}

/// Rows copied and added between blocks.
CLUSTER_KERNEL(cluster_rows, 4) {
  __shared__ alignas(128) uint32_t mine[256], theirs[256], sums[256];
  __shared__ alignas(8) uint64_t barrier;
  const uint32_t next = (cluster_rank() + 1) & 3;
  mine[threadIdx.x] = in[TID];
  sums[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) {
    begin_barrier(&barrier, 1), publish_barriers();
    expect(&barrier, 1024 + 4 * 512);
  }
  fence_async();
  cluster_sync();
  if (threadIdx.x == 0) {
    asm volatile(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 1024, "
        "[%2];" ::"r"(mapped(shared_at(theirs), next)),
        "r"(shared_at(mine)), "r"(mapped(shared_at(&barrier), next))
        : "memory");
    for (uint32_t rank = 0; rank < 4; rank++)
      asm volatile(
          "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 "
          "[%0], [%1], 512, [%2];" ::"r"(mapped(shared_at(sums), rank)),
          "r"(shared_at(mine)), "r"(mapped(shared_at(&barrier), rank))
          : "memory");
  }
  wait(&barrier, 0);
  out[TID] = mix(theirs[255 - threadIdx.x], sums[threadIdx.x]);
  cluster_sync();
}

/// Generic addresses of other blocks, and what they are.
CLUSTER_KERNEL(cluster_addresses, 4) {
  __shared__ uint32_t row[256], counter;
  const uint32_t rank = cluster_rank(), t = threadIdx.x;
  row[t] = in[TID];
  if (t == 0) counter = rank;
  cluster_sync();
  uint64_t there;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(row), "r"((rank + t) & 3));
  uint32_t whose, is_cluster, is_own, old = 0;
  asm volatile("getctarank.u64 %0, %1;" : "=r"(whose) : "l"(there));
  asm volatile("{.reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p;}"
               : "=r"(is_cluster)
               : "l"(there));
  asm volatile("{.reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 1, 0, p;}"
               : "=r"(is_own)
               : "l"(there));
  const uint32_t v = *(reinterpret_cast<volatile uint32_t*>(there) + (t ^ 5));
  cluster_sync();
  const uint32_t place = mapped(shared_at(&row[t]), (rank + 2) & 3);
  asm volatile("atom.shared::cluster.cas.b32 %0, [%1], %2, %3;"
               : "=r"(old)
               : "r"(place), "r"(in[(TID + 512) % n]), "r"(t * rank)
               : "memory");
  asm volatile("red.shared::cluster.xor.b32 [%0], %1;" ::"r"(mapped(shared_at(&counter), rank ^ 1)),
               "r"(v)
               : "memory");
  cluster_sync();
  uint32_t h = mix(mix(v, whose), is_cluster * 2 + is_own);
  h = mix(mix(h, old), row[t]);
  out[TID] = mix(h, counter);
}

/// Work between the two halves of the barrier; warps that have ended are not waited for.
CLUSTER_KERNEL(cluster_halves, 2) {
  __shared__ uint32_t row[256];
  row[threadIdx.x] = in[TID];
  cluster_arrive();
  uint32_t h = in[TID];
  for (int i = 0; i < 20; i++) h = mix(h, i);
  cluster_wait();
  uint32_t v;
  asm volatile("ld.shared::cluster.u32 %0, [%1];"
               : "=r"(v)
               : "r"(mapped(shared_at(&row[threadIdx.x ^ 32]), cluster_rank() ^ 1))
               : "memory");
  out[TID] = mix(h, v);
  cluster_sync();
  if (warp_id() == 5) return;
  row[threadIdx.x] = h;
  cluster_sync();
  asm volatile("ld.shared::cluster.u32 %0, [%1];"
               : "=r"(v)
               : "r"(mapped(shared_at(&row[threadIdx.x ^ 1]), cluster_rank() ^ 1))
               : "memory");
  out[TID] = mix(out[TID], v);
  cluster_sync();
}
