// SPDX-License-Identifier: Apache-2.0
// Sorts, selections, histograms.
#include "launch.cuh"
#include <cub/block/block_radix_sort.cuh>

//@ radix_counts grid=1056 block=256 args: words:2162688, zeros:1081344, u32:8
LAUNCH radix_counts(const uint4* in, u32* out, u32 shift) {  // counts of 256 digits a tile, a table for two warps
  __shared__ u32 count[4][256];
  for (u32 i = threadIdx.x; i < 1024; i += 256) count[0][i] = 0;
  __syncthreads();
  u32* mine = count[threadIdx.x / 64];
#pragma unroll
  for (int i = 0; i < 2; i++) {
    uint4 v = in[blockIdx.x * 512 + i * 256 + threadIdx.x];
    atomicAdd(&mine[v.x >> shift & 255], 1), atomicAdd(&mine[v.y >> shift & 255], 1);
    atomicAdd(&mine[v.z >> shift & 255], 1), atomicAdd(&mine[v.w >> shift & 255], 1);
  }
  __syncthreads();
  u32 t = threadIdx.x;
  out[t * gridDim.x + blockIdx.x] = count[0][t] + count[1][t] + count[2][t] + count[3][t];
}

//@ radix_split grid=1056 block=256 args: words:1081344, zeros:4325376, u32:5
LAUNCH radix_split(const u32* in, u32* out, u32 shift) {  // a tile of 1024, stable, by one digit of 3 bits
  __shared__ u32 count[8][33], start[8][33];
  u32 warp = threadIdx.x / 32, keys[4], rank[4];
#pragma unroll
  for (int i = 0; i < 4; i++) {
    keys[i] = in[blockIdx.x * 1024 + (warp * 4 + i) * 32 + lane_id()];
    u32 digit = keys[i] >> shift & 7, same = ~0u;
#pragma unroll
    for (int b = 0; b < 3; b++) {
      u32 set = __ballot_sync(~0u, digit >> b & 1);
      same &= digit >> b & 1 ? set : ~set;
    }
    rank[i] = __popc(same & ((1u << lane_id()) - 1));
    if (lane_id() < 8) count[lane_id()][warp * 4 + i] = 0;
    __syncwarp();
    if (rank[i] == 0) count[digit][warp * 4 + i] = __popc(same);
    __syncwarp();
  }
  __syncthreads();
  u32 own = count[warp][lane_id()], sum = own;  // warp d scans the counts of digit d
#pragma unroll
  for (int by = 1; by < 32; by <<= 1) {
    u32 below = __shfl_up_sync(~0u, sum, by);
    if (lane_id() >= by) sum += below;
  }
  start[warp][lane_id()] = sum - own;
  if (lane_id() == 31) start[warp][32] = sum;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 4; i++) {
    u32 digit = keys[i] >> shift & 7, before = 0;
    for (u32 d = 0; d < digit; d++) before += start[d][32];
    out[blockIdx.x * 1024 + before + start[digit][warp * 4 + i] + rank[i]] = keys[i];
  }
}

//@ bitonic_tile grid=264 block=512 args: words:270336, zeros:1081344
LAUNCH bitonic_tile(const u32* in, u32* out) {
  __shared__ u32 keys[1024];
  u32 t = threadIdx.x, base = blockIdx.x * 1024;
  keys[t] = in[base + t], keys[t + 512] = in[base + t + 512];
  for (u32 size = 2; size <= 1024; size <<= 1)
    for (u32 apart = size / 2; apart > 0; apart >>= 1) {
      __syncthreads();
      u32 low = 2 * t - (t & (apart - 1)), a = keys[low], b = keys[low + apart];
      bool up = (low & size) == 0;
      if ((a > b) == up) keys[low] = b, keys[low + apart] = a;
    }
  __syncthreads();
  out[base + t] = keys[t], out[base + t + 512] = keys[t + 512];
}

//@ bitonic_warp grid=1056 block=256 args: words:540672, zeros:2162688
LAUNCH bitonic_warp(const uint2* in, uint2* out) {  // 64 keys a warp, two in a lane
  uint2 v = in[thread_of_grid()];
  u32 lane = lane_id();
#pragma unroll
  for (u32 size = 2; size <= 32; size <<= 1)
#pragma unroll
    for (u32 apart = size / 2; apart > 0; apart >>= 1) {
      u32 a = __shfl_xor_sync(~0u, v.x, apart), b = __shfl_xor_sync(~0u, v.y, apart);
      bool low = (lane & apart) == 0, up = (lane & size) == 0 || size == 32;
      v.x = low == up ? min(v.x, a) : max(v.x, a);
      v.y = low == up ? max(v.y, b) : min(v.y, b);
    }
  u32 a = min(v.x, v.y), b = max(v.x, v.y);
  v = make_uint2(a, b);
#pragma unroll
  for (u32 apart = 16; apart > 0; apart >>= 1) {
    a = __shfl_xor_sync(~0u, v.x, apart), b = __shfl_xor_sync(~0u, v.y, apart);
    bool low = (lane & apart) == 0;
    v.x = low ? min(v.x, a) : max(v.x, a);
    v.y = low ? min(v.y, b) : max(v.y, b);
  }
  out[thread_of_grid()] = v;
}

//@ cub_block_radix grid=264 block=256 args: words:540672, zeros:2162688
LAUNCH cub_block_radix(const u32* in, u32* out) {
  using Sort = cub::BlockRadixSort<u32, 256, 8>;
  __shared__ Sort::TempStorage room;
  u32 keys[8];
#pragma unroll
  for (int i = 0; i < 8; i++) keys[i] = in[blockIdx.x * 2048 + i * 256 + threadIdx.x];
  Sort(room).SortBlockedToStriped(keys, 0, 16);
#pragma unroll
  for (int i = 0; i < 8; i++) out[blockIdx.x * 2048 + i * 256 + threadIdx.x] = keys[i];
}

//@ topk_rows grid=528 block=256 args: floats:2162688, zeros:135168
LAUNCH topk_rows(const float* in, u32* out) {  // a warp: the 8 greatest of 512
  u32 row = thread_of_grid() / 32;
  float v[16];
#pragma unroll
  for (int i = 0; i < 16; i++) v[i] = in[row * 512 + i * 32 + lane_id()];
#pragma unroll 1
  for (int k = 0; k < 8; k++) {
    float best = v[0];
    u32 at = 0;
#pragma unroll
    for (int i = 1; i < 16; i++)
      if (v[i] > best) best = v[i], at = i;
    at = at * 32 + lane_id();
#pragma unroll
    for (int by = 16; by > 0; by >>= 1) {
      float other = __shfl_xor_sync(~0u, best, by);
      u32 where = __shfl_xor_sync(~0u, at, by);
      if (other > best || (other == best && where < at)) best = other, at = where;
    }
#pragma unroll
    for (int i = 0; i < 16; i++)
      if (at == i * 32 + lane_id()) v[i] = -1e30f;
    if (lane_id() == 0) out[row * 8 + k] = at;
  }
}

//@ merge_paths grid=1056 block=128 args: rising:540672, rising:540672, zeros:4325376, u32:540672
LAUNCH merge_paths(const u32* a, const u32* b, u32* out, u32 n) {  // 8 outputs a thread
  u32 diagonal = thread_of_grid() * 8, low = diagonal > n ? diagonal - n : 0, high = min(diagonal, n);
  while (low < high) {
    u32 middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle]) low = middle + 1;
    else high = middle;
  }
  u32 i = low, j = diagonal - low;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    bool first = j >= n || (i < n && a[i] <= b[j]);
    out[diagonal + k] = first ? a[i++] : b[j++];
  }
}

//@ histogram_private grid=264 block=512 args: words:2162688, zeros:4096
LAUNCH histogram_private(const u32* in, u32* out) {  // 1024 places, 16 words a thread
  __shared__ u32 count[1024];
  for (u32 i = threadIdx.x; i < 1024; i += 512) count[i] = 0;
  __syncthreads();
#pragma unroll 4
  for (u32 i = 0; i < 16; i++) {
    u32 v = in[blockIdx.x * 8192 + i * 512 + threadIdx.x];
    atomicAdd(&count[(v & 255) + (v >> 8 & 255) + (v >> 16 & 511)], 1);
  }
  __syncthreads();
  for (u32 i = threadIdx.x; i < 1024; i += 512)
    if (count[i]) atomicAdd(&out[i], count[i]);
}

//@ histogram_hot grid=1056 block=256 args: words:1081344, zeros:1024
LAUNCH histogram_hot(const u32* in, u32* out) {  // straight to memory, half of all in a few places
#pragma unroll
  for (u32 i = 0; i < 4; i++) {
    u32 v = in[blockIdx.x * 1024 + i * 256 + threadIdx.x];
    atomicAdd(&out[v & 1 ? v >> 1 & 3 : v >> 1 & 255], 1);
  }
}

//@ match_groups grid=1056 block=256 args: below:1081344:64, zeros:256
LAUNCH match_groups(const u32* in, u32* out) {  // the lanes of a group add once
#pragma unroll
  for (u32 i = 0; i < 4; i++) {
    u32 v = in[blockIdx.x * 1024 + i * 256 + threadIdx.x], same = __match_any_sync(~0u, v);
    if (lane_id() == __ffs(same) - 1) atomicAdd(&out[v], __popc(same));
  }
}

//@ quick_select grid=528 block=256 args: words:1081344, zeros:2112
LAUNCH quick_select(const u32* in, u32* out) {  // median of 2048 by bits, most significant first
  __shared__ u32 room[32];
  u32 v[8], want = 1024, prefix = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) v[i] = in[blockIdx.x * 2048 + i * 256 + threadIdx.x];
#pragma unroll 1
  for (int bit = 31; bit >= 16; bit--) {
    u32 below = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) below += v[i] >> bit == prefix >> bit;
    below = block_sum(below, room);
    if (want >= below) want -= below, prefix |= 1u << bit;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = prefix;
}
