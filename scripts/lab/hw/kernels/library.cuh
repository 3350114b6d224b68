// SPDX-License-Identifier: Apache-2.0
// CUB's block and warp algorithms, cooperative groups.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/block/block_shuffle.cuh>
#include <cub/cub.cuh>

#include "kernel.cuh"

namespace cg = cooperative_groups;
constexpr int kThreads = 256;

struct Greatest {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};
struct Slope {
  double value;
  uint32_t index;
};
struct Steepest {
  __device__ Slope operator()(const Slope& a, const Slope& b) const {
    return a.value > b.value || (a.value == b.value && a.index < b.index) ? a : b;
  }
};

KERNEL(cub_block_reduce) {
  using Raking = cub::BlockReduce<int, kThreads, cub::BLOCK_REDUCE_RAKING>;
  using Shuffling = cub::BlockReduce<uint32_t, kThreads>;
  using Unordered = cub::BlockReduce<int64_t, kThreads, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>;
  __shared__ union {
    Raking::TempStorage a;
    Shuffling::TempStorage b;
    Unordered::TempStorage c;
  } shared;
  __shared__ uint32_t all;
  const uint32_t v = in[TID];
  const int sum = Raking(shared.a).Sum(int(v) >> 8);
  __syncthreads();
  const uint32_t most = Shuffling(shared.b).Reduce(v, Greatest(), 200);
  __syncthreads();
  const int64_t wide = Unordered(shared.c).Sum(int64_t(v) * int(v));
  if (threadIdx.x == 0) all = mix(mix(sum, most), wide);
  __syncthreads();
  out[TID] = all ^ v;
}

KERNEL(cub_argmax_double) {
  using Reduce = cub::BlockReduce<Slope, kThreads, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;
  __shared__ Reduce::TempStorage shared;
  __shared__ Slope best;
  const Slope mine{double(in[TID]) - double(in[(TID + 1) % n]) * 0.75, TID};
  const Slope top = Reduce(shared).Reduce(mine, Steepest());
  if (threadIdx.x == 0) best = top;
  __syncthreads();
  out[TID] = mix(mix(0u, best.value - mine.value), best.index);
}

KERNEL(cub_block_scan) {
  using Warps = cub::BlockScan<uint32_t, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
  using Raking = cub::BlockScan<int, kThreads, cub::BLOCK_SCAN_RAKING>;
  __shared__ union {
    Warps::TempStorage a;
    Raking::TempStorage b;
  } shared;
  uint32_t sum, total;
  Warps(shared.a).ExclusiveSum(in[TID], sum, total);
  __syncthreads();
  int most[2] = {int(in[TID]), int(in[(TID + 3) % n])};
  Raking(shared.b).InclusiveScan(most, most, Greatest());
  out[TID] = mix(mix(mix(sum, total), most[0]), most[1]);
}

KERNEL(cub_radix_sort_pairs) {
  using Sort = cub::BlockRadixSort<uint32_t, kThreads, 1, uint32_t>;
  __shared__ Sort::TempStorage shared;
  uint32_t key[1] = {in[TID] >> 12}, value[1] = {TID};
  Sort(shared).Sort(key, value);
  out[TID] = key[0] << 12 | (value[0] & 4095);
}

KERNEL(cub_radix_sort_floats) {
  using Sort = cub::BlockRadixSort<float, kThreads, 2>;
  __shared__ Sort::TempStorage shared;
  float keys[2] = {any_float(in[TID]), any_float(in[(TID + 512) % n])};
  Sort(shared).SortDescendingBlockedToStriped(keys);
  out[TID] = mix(__float_as_uint(keys[0]), keys[1]);
}

KERNEL(cub_merge_sort) {
  using Sort = cub::BlockMergeSort<uint32_t, kThreads, 3>;
  __shared__ Sort::TempStorage shared;
  uint32_t keys[3] = {in[TID], in[(TID + 300) % n], in[(TID + 700) % n]};
  Sort(shared).Sort(keys, [](uint32_t a, uint32_t b) { return __brev(a) < __brev(b); });
  out[TID] = mix(mix(keys[0], keys[1]), keys[2]);
}

KERNEL(cub_warp_merge_sort) {
  using Sort = cub::WarpMergeSort<uint64_t, 2, 16>;
  __shared__ Sort::TempStorage shared[kThreads / 16];
  uint64_t keys[2] = {uint64_t(in[TID]) << 20, uint64_t(in[(TID + 100) % n]) << 20};
  Sort(shared[threadIdx.x / 16]).Sort(keys, [](uint64_t a, uint64_t b) { return a > b; });
  out[TID] = mix(mix(0u, keys[0]), keys[1]);
}

KERNEL(cub_histograms) {
  using Atomic = cub::BlockHistogram<uint8_t, kThreads, 4, 256, cub::BLOCK_HISTO_ATOMIC>;
  using Sorting = cub::BlockHistogram<uint8_t, kThreads, 4, 256, cub::BLOCK_HISTO_SORT>;
  __shared__ union {
    Atomic::TempStorage a;
    Sorting::TempStorage b;
  } shared;
  __shared__ uint32_t counts[256], others[256];
  uint8_t bytes[4];
  const uint32_t v = in[TID];
  for (int i = 0; i < 4; i++) bytes[i] = uint8_t(v >> (8 * i)) & (i == 3 ? 15 : 255);
  Atomic(shared.a).Histogram(bytes, counts);
  __syncthreads();
  for (int i = 0; i < 4; i++) bytes[i] = uint8_t(v >> (7 * i));
  Sorting(shared.b).Histogram(bytes, others);
  __syncthreads();
  out[TID] = counts[threadIdx.x] << 16 | others[255 - threadIdx.x];
}

KERNEL(cub_run_lengths) {
  using Decode = cub::BlockRunLengthDecode<uint32_t, kThreads, 1, 2>;
  __shared__ Decode::TempStorage shared;
  uint32_t value[1] = {in[TID]}, length[1] = {in[TID] >> 30}, size = 0;
  Decode decode(shared, value, length, size);
  uint32_t items[2] = {}, offsets[2] = {};
  decode.RunLengthDecode(items, offsets, 100);
  const bool here = threadIdx.x * 2 + 101 < size;
  out[TID] = here ? mix(mix(items[0], offsets[0]), mix(items[1], offsets[1])) : size;
}

KERNEL(cub_warp_reduce_scan) {
  using Reduce = cub::WarpReduce<int>;
  using Narrow = cub::WarpReduce<uint64_t, 8>;
  using Scan = cub::WarpScan<uint32_t>;
  __shared__ Reduce::TempStorage a[8];
  __shared__ Narrow::TempStorage b[32];
  __shared__ Scan::TempStorage c[8];
  const uint32_t v = in[TID];
  const int head = Reduce(a[warp_id()]).HeadSegmentedSum(int(v) >> 4, lane_id() % 5 == 0);
  __syncwarp();
  const int tail = Reduce(a[warp_id()]).TailSegmentedReduce(int(v), lane_id() % 7 == 6, Greatest());
  const uint64_t narrow = Narrow(b[threadIdx.x / 8]).Sum(uint64_t(v) << 9);
  uint32_t up, most, total;
  Scan(c[warp_id()]).Scan(v, up, most, Greatest());
  __syncwarp();
  Scan(c[warp_id()]).ExclusiveSum(v, most, total);
  uint32_t h = mix(mix(up, most), total);
  if (lane_id() % 5 == 0) h = mix(h, head);
  if (lane_id() % 7 == 0) h = mix(h, tail);
  if (lane_id() % 8 == 0) h = mix(h, narrow);
  out[TID] = h;
}

KERNEL(cub_exchange_load_store) {
  using Load = cub::BlockLoad<uint32_t, kThreads, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Exchange = cub::BlockExchange<uint32_t, kThreads, 4>;
  using Store = cub::BlockStore<uint32_t, kThreads, 1, cub::BLOCK_STORE_TRANSPOSE>;
  __shared__ union {
    Load::TempStorage a;
    Exchange::TempStorage b;
    Store::TempStorage c;
  } shared;
  uint32_t items[4];
  Load(shared.a).Load(in, items, n - 100, 77u);
  __syncthreads();
  Exchange(shared.b).BlockedToStriped(items);
  __syncthreads();
  int ranks[4];
  for (int i = 0; i < 4; i++) ranks[i] = int(threadIdx.x ^ 21) + 256 * i;
  Exchange(shared.b).ScatterToBlocked(items, ranks);
  __syncthreads();
  uint32_t one[1] = {mix(mix(items[0], items[1]), mix(items[2], items[3])) + blockIdx.x};
  Store(shared.c).Store(out + blockIdx.x * kThreads, one);
}

KERNEL(cub_neighbours) {
  using Heads = cub::BlockDiscontinuity<uint32_t, kThreads>;
  using Differences = cub::BlockAdjacentDifference<int, kThreads>;
  using Shift = cub::BlockShuffle<uint32_t, kThreads>;
  __shared__ union {
    Heads::TempStorage a;
    Differences::TempStorage b;
    Shift::TempStorage c;
  } shared;
  uint32_t item[1] = {in[TID] >> 30};
  int head[1], tail[1], value[1] = {int(in[TID])}, difference[1];
  Heads(shared.a).FlagHeadsAndTails(head, tail, item,
                                    [](uint32_t a, uint32_t b) { return a != b; });
  __syncthreads();
  Differences(shared.b).SubtractLeft(value, difference, [](int a, int b) { return a - b; });
  __syncthreads();
  uint32_t turned = 0;
  Shift(shared.c).Rotate(in[TID], turned, 37);
  out[TID] = mix(mix(head[0] | tail[0] << 1, difference[0]), turned);
}

KERNEL(groups_tiles) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(warp);
  const auto four = cg::tiled_partition(block, 4);
  const uint32_t v = in[TID];
  uint32_t h = cg::reduce(eight, v, cg::plus<uint32_t>());
  h = mix(h, cg::reduce(warp, int(v), cg::less<int>()));
  h = mix(h, cg::reduce(warp, v, cg::bit_xor<uint32_t>()));
  h = mix(h, cg::reduce(eight, whole(v), cg::plus<float>()));
  h = mix(h, cg::reduce(warp, uint64_t(v) << 20, cg::greater<uint64_t>()));
  h = mix(h, eight.shfl(v, (eight.thread_rank() * 3 + 1) % 8) + eight.shfl_down(v, 2));
  h = mix(h, four.size() * 16 + four.thread_rank());
  h = mix(h, eight.any(v > 0xf0000000u) | eight.all(v > 0x10000000u) << 1);
  out[TID] = mix(h, eight.ballot(v & 1) + eight.match_any(v & 3) + block.thread_rank());
}

KERNEL(groups_scans) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto half = cg::tiled_partition<16>(warp);
  const uint32_t v = in[TID];
  uint32_t h = cg::inclusive_scan(warp, v);
  h = mix(h, cg::exclusive_scan(half, v, cg::bit_or<uint32_t>()));
  h = mix(h, cg::inclusive_scan(half, int(v), cg::greater<int>()));
  out[TID] = mix(h, cg::exclusive_scan(warp, whole(v), cg::plus<float>()));
}

KERNEL(groups_coalesced) {
  const uint32_t v = in[TID];
  uint32_t h = v;
  if (v % 3 != 0) {
    const auto active = cg::coalesced_threads();
    h = mix(h, cg::reduce(active, v >> 3, cg::plus<uint32_t>()));
    h = mix(h, cg::inclusive_scan(active, v & 255));
    h = mix(h, active.shfl(v, active.size() - 1 - active.thread_rank()) + active.thread_rank());
    if (v & 64) {
      const auto inner = cg::coalesced_threads();
      h = mix(h, inner.ballot(v & 128) + inner.size() * 64 + inner.shfl_up(v, 1));
    }
  }
  out[TID] = h;
}

KERNEL(groups_labeled) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const uint32_t v = in[TID];
  const auto label = cg::labeled_partition(warp, int(v % 5));
  uint32_t h = cg::reduce(label, v >> 2, cg::plus<uint32_t>());
  h = mix(h, label.size() * 64 + label.thread_rank() * 8 + label.meta_group_size());
  const auto side = cg::binary_partition(warp, (v & 2) != 0);
  h = mix(h, cg::exclusive_scan(side, v & 1023));
  out[TID] = mix(h, side.shfl(v, 0));
}

KERNEL(groups_memcpy_async) {
  __shared__ alignas(16) uint32_t staged[2][kThreads];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  cg::memcpy_async(block, staged[0], in + blockIdx.x * kThreads, sizeof(uint32_t) * kThreads);
  cg::memcpy_async(warp, staged[1] + warp_id() * 32,
                   in + (blockIdx.x * kThreads + warp_id() * 32 + 256) % n, sizeof(uint32_t) * 32);
  cg::wait(warp);
  cg::wait(block);
  block.sync();
  out[TID] = staged[0][kThreads - 1 - threadIdx.x] + 3 * staged[1][threadIdx.x ^ 37];
}
