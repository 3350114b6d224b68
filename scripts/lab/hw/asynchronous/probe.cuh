// SPDX-License-Identifier: Apache-2.0
// What the probes share. Each leaves cycles in `out`; `in` has 64 KiB.
#pragma once
#include "../kernels/asynchronous.cuh"

#define PROBE(NAME) extern "C" __global__ void NAME(const uint32_t* in, uint32_t* out)
#define CLUSTER_PROBE(NAME, BLOCKS) \
  extern "C" __global__ void __cluster_dims__(BLOCKS, 1, 1) NAME(const uint32_t* in, uint32_t* out)
/// `form`: the third column of the rows.
#define FORMED_PROBE(NAME) \
  extern "C" __global__ void NAME(const uint32_t* in, uint32_t* out, uint32_t form)
#define FORMED_CLUSTER_PROBE(NAME, BLOCKS)                      \
  extern "C" __global__ void __cluster_dims__(BLOCKS, 1, 1) \
      NAME(const uint32_t* in, uint32_t* out, uint32_t form)

HERE uint32_t now() {
  uint32_t t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}
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
HERE void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}
HERE uint32_t sm() {
  uint32_t number;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

struct alignas(64) TensorMap {
  uint32_t words[32];
};

/// Bytes of 16 bits, rows of `pitch` bytes, boxes of `columns`; swizzle: 0 none, 3 of 128 bytes.
HERE void make_map(TensorMap* map, const void* from, uint32_t pitch, uint32_t rows, uint32_t columns = 64,
                   uint32_t swizzle = 3) {
  for (uint32_t& word : map->words) word = 0;
  map->words[0] = uint32_t(uint64_t(from));
  map->words[1] = uint32_t(uint64_t(from) >> 32);
  map->words[2] = 1 << 4 | 10 << 7 | swizzle << 13;
  map->words[3] = pitch >> 4;
  map->words[8] = pitch / 2 - 1;
  map->words[9] = 255;
  map->words[13] = (columns - 1) << 24;
  map->words[14] = rows - 1;
  asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
}
HERE void load_tensor(uint32_t to, const TensorMap* map, uint32_t b, uint32_t x, uint32_t y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
      "{%3, %4}], [%2];" ::"r"(to),
      "l"(map), "r"(b), "r"(x), "r"(y)
      : "memory");
}
HERE void store_tensor(const TensorMap* map, uint32_t from, uint32_t x, uint32_t y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
                   map),
               "r"(from), "r"(x), "r"(y)
               : "memory");
}
