// SPDX-License-Identifier: Apache-2.0
#include "launch.cuh"
#include <cub/agent/agent_scan.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

__device__ inline u32 warp_scan(u32 value) {
#pragma unroll
  for (int by = 1; by < 32; by <<= 1) {
    u32 below = __shfl_up_sync(~0u, value, by);
    if (lane_id() >= by) value += below;
  }
  return value;
}

// Inclusive scan over the block; the block's sum in `total`.
__device__ inline u32 block_scan(u32 value, u32* room, u32& total) {
  u32 warps = blockDim.x / 32, warp = threadIdx.x / 32;
  value = warp_scan(value);
  if (lane_id() == 31) room[warp] = value;
  __syncthreads();
  if (warp == 0) {
    u32 sums = warp_scan(lane_id() < warps ? room[lane_id()] : 0);
    if (lane_id() < warps) room[lane_id()] = sums;
  }
  __syncthreads();
  total = room[warps - 1];
  u32 before = warp == 0 ? 0 : room[warp - 1];
  __syncthreads();
  return value + before;
}

//@ scan_blocks grid=1056 block=512 args: words:1081344, zeros:4325376
LAUNCH scan_blocks(const uint2* in, uint2* out) {
  __shared__ u32 room[32];
  u32 total;
  uint2 v = in[thread_of_grid()];
  u32 last = block_scan(v.x + v.y, room, total);
  out[thread_of_grid()] = make_uint2(last - v.y, last);
}

//@ scan_sweeps grid=1056 block=256 args: words:540672, zeros:2162688
LAUNCH scan_sweeps(const u32* in, u32* out) {  // up and down a tree of 512 in shared memory
  __shared__ u32 tree[512];
  u32 t = threadIdx.x, base = blockIdx.x * 512;
  tree[t] = in[base + t], tree[t + 256] = in[base + t + 256];
  u32 step = 1;
  for (u32 nodes = 256; nodes > 0; nodes >>= 1, step <<= 1) {
    __syncthreads();
    if (t < nodes) tree[step * (2 * t + 2) - 1] += tree[step * (2 * t + 1) - 1];
  }
  if (t == 0) tree[511] = 0;
  for (u32 nodes = 1; nodes < 512; nodes <<= 1) {
    step >>= 1;
    __syncthreads();
    if (t < nodes) {
      u32 left = step * (2 * t + 1) - 1, right = step * (2 * t + 2) - 1;
      u32 kept = tree[left];
      tree[left] = tree[right], tree[right] += kept;
    }
  }
  __syncthreads();
  out[base + t] = tree[t], out[base + t + 256] = tree[t + 256];
}

//@ cub_block_scan grid=1056 block=256 args: words:2162688, zeros:8650752
LAUNCH cub_block_scan(const u32* in, u32* out) {
  using Load = cub::BlockLoad<u32, 256, 8, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<u32, 256, 8, cub::BLOCK_STORE_TRANSPOSE>;
  using Scan = cub::BlockScan<u32, 256, cub::BLOCK_SCAN_RAKING>;
  __shared__ union {
    Load::TempStorage load;
    Store::TempStorage store;
    Scan::TempStorage scan;
  } room;
  u32 items[8];
  Load(room.load).Load(in + blockIdx.x * 2048, items);
  __syncthreads();
  Scan(room.scan).ExclusiveSum(items, items);
  __syncthreads();
  Store(room.store).Store(out + blockIdx.x * 2048, items);
}

// A tile's word: sum in the low half; in the high half 1 for the tile alone, 2 for all up to it.
//@ lookback_window grid=1056 block=256 args: words:2162688, zeros:8650752, zeros:8448, zeros:128
LAUNCH lookback_window(const uint4* in, uint4* out, volatile u64* tiles, u32* next) {
  __shared__ u32 room[32], tile, before;
  if (threadIdx.x == 0) tile = atomicAdd(next, 1);
  __syncthreads();
  u32 at = tile * 512 + 2 * threadIdx.x, total;
  uint4 a = in[at], b = in[at + 1];
  u32 own = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
  u32 sum = block_scan(own, room, total) - own;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) {
      tiles[tile] = (u64)(tile == 0 ? 2 : 1) << 32 | total;
      if (tile == 0) before = 0;
    }
    u32 prefix = 0;
    for (int upto = (int)tile - 1; upto >= 0; upto -= 32) {
      int look = upto - (int)lane_id();
      u64 word = 2ull << 32;
      do {
        if (look >= 0) word = tiles[look];
      } while (__any_sync(~0u, word >> 32 == 0));
      u32 done = __ballot_sync(~0u, word >> 32 == 2);
      u32 stop = done ? __ffs(done) - 1 : 31;
      prefix += warp_sum(lane_id() <= stop ? (u32)word : 0);
      if (done) break;
    }
    if (threadIdx.x == 0 && tile > 0) {
      tiles[tile] = 2ull << 32 | (prefix + total);
      before = prefix;
    }
  }
  __syncthreads();
  sum += before;
  uint4 first, second;
  first.x = sum += a.x, first.y = sum += a.y, first.z = sum += a.z, first.w = sum += a.w;
  second.x = sum += b.x, second.y = sum += b.y, second.z = sum += b.z, second.w = sum += b.w;
  out[at] = first, out[at + 1] = second;
}

// The states of 32 tiles before the first say "outside", the others "invalid", as DeviceScan's first kernel leaves them.
//@ cub_lookback_scan grid=1056 block=128 args: words:1622016, zeros:6488064, tilestates:1056, u32:1622016
LAUNCH cub_lookback_scan(u32* in, u32* out, void* states, u32 n) {
  using Policy = cub::AgentScanPolicy<128, 12, u32, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT,
                                      cub::BLOCK_STORE_WARP_TRANSPOSE, cub::BLOCK_SCAN_WARP_SCANS>;
  using Agent = cub::detail::scan::AgentScan<Policy, u32*, u32*, ::cuda::std::plus<>, cub::NullType, u32, u32>;
  __shared__ typename Agent::TempStorage room;
  cub::ScanTileState<u32> tiles;
  tiles.Init(gridDim.x, states, 0);
  Agent(room, in, out, ::cuda::std::plus<>{}, cub::NullType{}).ConsumeRange(n, tiles, 0);
}

//@ compact_ballot grid=1056 block=256 args: words:1081344, zeros:4325376, zeros:128
LAUNCH compact_ballot(const u32* in, u32* out, u32* kept) {
  __shared__ u32 room[32], base;
  u32 items[4], mine = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    items[i] = in[blockIdx.x * 1024 + i * 256 + threadIdx.x];
    mine += __popc(__ballot_sync(~0u, items[i] % 3 == 0));
  }
  u32 total, before = block_scan(lane_id() == 0 ? mine : 0, room, total);
  if (threadIdx.x == 0) base = atomicAdd(kept, total);
  before = __shfl_sync(~0u, before, 0) - mine;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 4; i++) {
    u32 keep = __ballot_sync(~0u, items[i] % 3 == 0);
    if (keep >> lane_id() & 1) out[base + before + __popc(keep & ((1u << lane_id()) - 1))] = items[i];
    before += __popc(keep);
  }
}

//@ scan_segments grid=2112 block=256 args: words:540672, words:540672, zeros:2162688
LAUNCH scan_segments(const u32* in, const u32* heads, u32* out) {
  u32 at = thread_of_grid(), value = in[at];
  u32 flags = __ballot_sync(~0u, heads[at] % 7 == 0 || lane_id() == 0);
  u32 head = 31 - __clz(flags & (~0u >> (31 - lane_id())));
#pragma unroll
  for (int by = 1; by < 32; by <<= 1) {
    u32 below = __shfl_up_sync(~0u, value, by);
    if (lane_id() >= head + by) value += below;
  }
  __shared__ u32 room[8];
  if (lane_id() == 31) room[threadIdx.x / 32] = value;
  __syncthreads();
  for (u32 w = 0; w < threadIdx.x / 32; w++) value += room[w] & 0xff;
  out[at] = value;
}
