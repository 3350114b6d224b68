// SPDX-License-Identifier: Apache-2.0
// Launches whose energy no value was chosen on, written after unseen_*.cu were seen: what moves between lanes, warps and
// memory.
#include "launch.cuh"

// A few blocks, a few instructions.
//@ saxpy_small grid=66 block=128 args: floats:8448, floats:8448, zeros:33792, f32:2.5
LAUNCH saxpy_small(const float* x, const float* y, float* out, float a) {
  out[thread_of_grid()] = a * x[thread_of_grid()] + y[thread_of_grid()];
}

//@ saxpy_wide grid=528 block=256 args: floats:2162688, floats:2162688, zeros:8650752, f32:2.5
LAUNCH saxpy_wide(const float4* x, const float4* y, float4* out, float a) {
  for (u32 n = 0; n < 4; ++n) {
    const u32 at = n * 135168 + thread_of_grid();
    const float4 p = x[at], q = y[at];
    out[at] = {a * p.x + q.x, a * p.y + q.y, a * p.z + q.z, a * p.w + q.w};
  }
}

// The least word of each block.
//@ least_of_blocks grid=528 block=512 args: words:2162688, zeros:2112
LAUNCH least_of_blocks(const uint4* in, u32* out) {
  __shared__ u32 room[16];
  u32 least = ~0u;
  for (u32 n = 0; n < 2; ++n) {
    const uint4 x = in[n * 270336 + thread_of_grid()];
    least = min(least, min(min(x.x, x.y), min(x.z, x.w)));
  }
  for (u32 by = 16; by > 0; by >>= 1) least = min(least, __shfl_down_sync(~0u, least, by));
  if (lane_id() == 0) room[threadIdx.x / 32] = least;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (u32 i = 0; i < 16; ++i) least = min(least, room[i]);
    out[blockIdx.x] = least;
  }
}

// Sums of all words before, 1,024 a block, by steps of doubling length in shared memory.
//@ sums_doubling grid=264 block=1024 args: words:270336, zeros:1081344
LAUNCH sums_doubling(const u32* in, u32* out) {
  __shared__ u32 s[2][1024];
  const u32 t = threadIdx.x;
  u32 side = 0;
  s[0][t] = in[thread_of_grid()];
  for (u32 by = 1; by < 1024; by *= 2, side ^= 1) {
    __syncthreads();
    s[side ^ 1][t] = t >= by ? s[side][t] + s[side][t - by] : s[side][t];
  }
  __syncthreads();
  out[thread_of_grid()] = s[side][t];
}

// A matrix of halves turned, pairs at a time.
//@ transpose_halves grid=32,33 block=32,8 args: words:1081344, zeros:4325376
LAUNCH transpose_halves(const u32* in, u32* out) {
  __shared__ u32 tile[32][33];
  for (u32 y = threadIdx.y; y < 32; y += 8) tile[y][threadIdx.x] = in[(blockIdx.y * 32 + y) * 1024 + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  for (u32 y = threadIdx.y; y < 32; y += 8) {
    const u32 word = tile[threadIdx.x][y];
    out[(blockIdx.x * 32 + y) * 1056 + blockIdx.y * 32 + threadIdx.x] = __byte_perm(word, 0, 0x1032);
  }
}

// A matrix times a vector, a warp for each row.
//@ rows_by_vector grid=264 block=256 args: floats:2162688, floats:1024, zeros:8448
LAUNCH rows_by_vector(const float4* matrix, const float4* vector, float* out) {
  const u32 row = thread_of_grid() / 32;
  float sum = 0;
#pragma unroll
  for (u32 i = 0; i < 8; ++i) {
    const float4 m = matrix[row * 256 + i * 32 + lane_id()], v = vector[i * 32 + lane_id()];
    sum += m.x * v.x + m.y * v.y + m.z * v.z + m.w * v.w;
  }
  sum = warp_sum(sum);
  if (lane_id() == 0) out[row] = sum;
}

// Shares of each row by exponentials, the row in registers.
//@ softmax_warps grid=528 block=256 args: floats:1081344, zeros:4325376
LAUNCH softmax_warps(const float* in, float* out) {
  const u32 base = thread_of_grid() / 32 * 256 + lane_id();
  float x[8], most = -1e30f, sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) most = fmaxf(most, x[i] = in[base + i * 32]);
  most = warp_max(most);
#pragma unroll
  for (int i = 0; i < 8; ++i) sum += x[i] = __expf(x[i] - most);
  sum = 1 / warp_sum(sum);
#pragma unroll
  for (int i = 0; i < 8; ++i) out[base + i * 32] = x[i] * sum;
}

// Counts of bytes in shared memory, a table for each block.
//@ bytes_counted grid=132 block=512 args: words:270336, zeros:135168
LAUNCH bytes_counted(const u32* in, u32* out) {
  __shared__ u32 counts[256];
  if (threadIdx.x < 256) counts[threadIdx.x] = 0;
  __syncthreads();
  for (u32 n = 0; n < 4; ++n) {
    const u32 word = in[n * 67584 + thread_of_grid()];
    for (u32 byte = 0; byte < 32; byte += 8) atomicAdd(&counts[word >> byte & 255], 1);
  }
  __syncthreads();
  if (threadIdx.x < 256) out[blockIdx.x * 256 + threadIdx.x] = counts[threadIdx.x];
}

// Means of seven neighbours in three dimensions, straight from global memory.
//@ neighbours_seven grid=528 block=256 args: floats:1081344, zeros:4325376
LAUNCH neighbours_seven(const float* in, float* out) {
  for (u32 n = 0; n < 8; ++n) {
    const u32 at = n * 135168 + thread_of_grid();
    const u32 west = at ? at - 1 : at, east = at + 1 < 1081344 ? at + 1 : at, north = at >= 128 ? at - 128 : at,
              south = at + 128 < 1081344 ? at + 128 : at, below = at >= 16384 ? at - 16384 : at,
              above = at + 16384 < 1081344 ? at + 16384 : at;
    out[at] = 0.4f * in[at] + 0.1f * (in[west] + in[east] + in[north] + in[south] + in[below] + in[above]);
  }
}

// 512 keys of 64 bits sorted in shared memory.
//@ sort_long_keys grid=264 block=256 args: words:270336, zeros:1081344
LAUNCH sort_long_keys(const u64* in, u64* out) {
  __shared__ u64 s[512];
  const u32 t = threadIdx.x, base = blockIdx.x * 512;
  s[t] = in[base + t], s[t + 256] = in[base + t + 256];
  for (u32 size = 2; size <= 512; size *= 2)
    for (u32 by = size / 2; by > 0; by /= 2) {
      __syncthreads();
      const u32 low = 2 * t - (t & by - 1), high = low + by;
      const u64 a = s[low], b = s[high];
      if ((a > b) == ((low & size) == 0)) s[low] = b, s[high] = a;
    }
  __syncthreads();
  out[base + t] = s[t], out[base + t + 256] = s[t + 256];
}

// Ten rounds of look-ups in four tables of shared memory.
//@ tables_four grid=264 block=256 args: words:1024, words:270336, zeros:1081344
LAUNCH tables_four(const u32* table, const uint4* in, uint4* out) {
  __shared__ u32 s[4][256];
  for (u32 i = 0; i < 4; ++i) s[i][threadIdx.x] = table[i * 256 + threadIdx.x];
  __syncthreads();
  uint4 x = in[thread_of_grid()];
  for (u32 round = 0; round < 10; ++round) {
    const uint4 y = x;
    x.x = s[0][y.x & 255] ^ s[1][y.y >> 8 & 255] ^ s[2][y.z >> 16 & 255] ^ s[3][y.w >> 24];
    x.y = s[0][y.y & 255] ^ s[1][y.z >> 8 & 255] ^ s[2][y.w >> 16 & 255] ^ s[3][y.x >> 24];
    x.z = s[0][y.z & 255] ^ s[1][y.w >> 8 & 255] ^ s[2][y.x >> 16 & 255] ^ s[3][y.y >> 24];
    x.w = s[0][y.w & 255] ^ s[1][y.x >> 8 & 255] ^ s[2][y.y >> 16 & 255] ^ s[3][y.z >> 24];
  }
  out[thread_of_grid()] = x;
}

// Words that pass a test, close together within each block's part of the output.
//@ block_compact grid=264 block=256 args: words:270336, zeros:1081344
LAUNCH block_compact(const u32* in, u32* out) {
  __shared__ u32 counts[8];
  u32 start = 0;
  for (u32 n = 0; n < 4; ++n) {
    const u32 x = in[blockIdx.x * 1024 + n * 256 + threadIdx.x];
    const u32 mask = __ballot_sync(~0u, x % 3 == 0);
    if (lane_id() == 0) counts[threadIdx.x / 32] = __popc(mask);
    __syncthreads();
    u32 before = start;
    for (u32 w = 0; w < 8; ++w) before += w < threadIdx.x / 32 ? counts[w] : 0, start += counts[w];
    if (x % 3 == 0) out[blockIdx.x * 1024 + before + __popc(mask & (1u << lane_id()) - 1)] = x;
    __syncthreads();
  }
}

// Sparse matrix times vector, a thread for each row.
//@ sparse_rows grid=264 block=128 args: rowstarts:33792:16, below:540672:65536, floats:540672, floats:65536, zeros:135168
LAUNCH sparse_rows(const u32* start, const u32* column, const float* value, const float* x, float* out) {
  const u32 row = thread_of_grid(), end = start[row + 1];
  float sum = 0;
  for (u32 i = start[row]; i < end; ++i) sum += value[i] * x[column[i]];
  out[row] = sum;
}

// Grey of coloured bytes.
//@ grey_bytes grid=528 block=256 args: words:540672, zeros:540672
LAUNCH grey_bytes(const uchar4* in, unsigned char* out) {
  for (u32 n = 0; n < 4; ++n) {
    const u32 at = n * 135168 + thread_of_grid();
    const uchar4 c = in[at];
    out[at] = (c.x * 77 + c.y * 151 + c.z * 28) >> 8;
  }
}

// A picture at half its size turned by some degrees: four reads close together for each point.
//@ picture_turned grid=264 block=256 args: floats:262144, zeros:270336
LAUNCH picture_turned(const float* in, float* out) {
  const u32 t = thread_of_grid();
  const float x = t % 256, y = t / 256, u = fabsf(1.9f * x - 0.6f * y + 100), v = fabsf(0.6f * x + 1.9f * y - 60);
  const u32 ix = u32(u) % 511, iy = u32(v) % 511;
  const float fx = u - floorf(u), fy = v - floorf(v);
  const float* p = in + iy * 512 + ix;
  out[t] = (p[0] * (1 - fx) + p[1] * fx) * (1 - fy) + (p[512] * (1 - fx) + p[513] * fx) * fy;
}

// Filter of 5 x 5 over a tile in shared memory.
//@ tile_filter grid=16,17 block=32,8 args: floats:139264, floats:25, zeros:557056
LAUNCH tile_filter(const float* in, const float* weight, float* out) {
  __shared__ float tile[12][36];
  __shared__ float w[25];
  const u32 t = threadIdx.y * 32 + threadIdx.x;
  for (u32 i = t; i < 432; i += 256)
    tile[i / 36][i % 36] = in[(blockIdx.y * 8 + i / 36) % 272 * 512 + (blockIdx.x * 32 + i % 36) % 512];
  if (t < 25) w[t] = weight[t];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int y = 0; y < 5; ++y)
#pragma unroll
    for (int x = 0; x < 5; ++x) sum += w[y * 5 + x] * tile[threadIdx.y + y][threadIdx.x + x];
  out[(blockIdx.y * 8 + threadIdx.y) * 512 + blockIdx.x * 32 + threadIdx.x] = sum;
}

// Scores of queries and keys: 64 products a lane, sums over quads.
//@ scores_quads grid=264 block=128 args: floats:67584, floats:8192, zeros:1081344
LAUNCH scores_quads(const float4* query, const float4* key, float* out) {
  const u32 t = thread_of_grid(), part = t & 3, row = t / 4;
  float4 q[2];
  for (u32 i = 0; i < 2; ++i) q[i] = query[row * 2 % 8448 * 2 + i];
#pragma unroll 4
  for (u32 n = 0; n < 32; ++n) {
    float sum = 0;
#pragma unroll
    for (u32 i = 0; i < 2; ++i) {
      const float4 k = key[(n * 4 + part) * 16 % 2048 + i];
      sum += q[i].x * k.x + q[i].y * k.y + q[i].z * k.z + q[i].w * k.w;
    }
    sum += __shfl_xor_sync(~0u, sum, 1);
    sum += __shfl_xor_sync(~0u, sum, 2);
    if (part == 0) out[row * 32 + n] = sum;
  }
}

// Copy by words in another order of the blocks, on four warps of each SM.
//@ blocks_swapped grid=132 block=128 args: words:1081344, zeros:4325376
LAUNCH blocks_swapped(const u32* in, u32* out) {
  const u32 from = (blockIdx.x * 37 + 11) % 132;
#pragma unroll 8
  for (u32 i = 0; i < 64; ++i) out[blockIdx.x * 8192 + i * 128 + threadIdx.x] = in[from * 8192 + i * 128 + threadIdx.x];
}

// A copy that the L2 cannot hold.
//@ copy_far grid=1056 block=256 args: words:8650752, zeros:34603008
LAUNCH copy_far(const uint4* in, uint4* out) {
#pragma unroll
  for (u32 i = 0; i < 8; ++i) out[i * 270336 + thread_of_grid()] = in[i * 270336 + thread_of_grid()];
}
