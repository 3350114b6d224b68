// SPDX-License-Identifier: Apache-2.0
// Launches whose energy no value was chosen on: what moves between lanes, warps and memory.
#include "launch.cuh"

// 32 x 32 bits turned by shuffles.
//@ bits_transpose grid=264 block=256 args: words:270336, zeros:1081344
LAUNCH bits_transpose(const u32* in, u32* out) {
  for (u32 n = 0; n < 4; ++n) {
    u32 x = in[n * 67584 + thread_of_grid()], mask = 0x0000ffff;
#pragma unroll
    for (u32 by = 16; by > 0; by >>= 1, mask ^= mask << by) {
      const u32 other = __shfl_xor_sync(~0u, x, by);
      x = lane_id() & by ? (x & ~mask) | (other >> by & mask) : (x & mask) | (other << by & ~mask);
    }
    out[n * 67584 + thread_of_grid()] = x;
  }
}

// The rank of each lane's word in its warp, by a broadcast of each.
//@ rank_lanes grid=264 block=256 args: words:135168, zeros:540672
LAUNCH rank_lanes(const u32* in, u32* out) {
  for (u32 n = 0; n < 2; ++n) {
    const u32 x = in[n * 67584 + thread_of_grid()];
    u32 rank = 0;
#pragma unroll
    for (u32 k = 0; k < 32; ++k) {
      const u32 other = __shfl_sync(~0u, x, k);
      rank += other < x || (other == x && k < lane_id());
    }
    out[n * 67584 + thread_of_grid()] = rank;
  }
}

// Walsh's transform of 256 words, eight a lane.
//@ walsh_lanes grid=264 block=256 args: floats:540672, zeros:2162688
LAUNCH walsh_lanes(const float* in, float* out) {
  float x[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) x[k] = in[k * 67584 + thread_of_grid()];
#pragma unroll
  for (int by = 1; by < 8; by *= 2)
#pragma unroll
    for (int k = 0; k < 8; ++k)
      if (!(k & by)) {
        const float a = x[k], b = x[k + by];
        x[k] = a + b, x[k + by] = a - b;
      }
#pragma unroll
  for (u32 by = 1; by < 32; by *= 2)
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const float other = __shfl_xor_sync(~0u, x[k], by);
      x[k] = lane_id() & by ? other - x[k] : x[k] + other;
    }
#pragma unroll
  for (int k = 0; k < 8; ++k) out[k * 67584 + thread_of_grid()] = x[k];
}

// Least and greatest of warps by the reduction unit.
//@ extremes_redux grid=264 block=256 args: words:540672, zeros:16896
LAUNCH extremes_redux(const u32* in, u32* out) {
  u32 sum = 0;
#pragma unroll
  for (u32 n = 0; n < 8; ++n) {
    const u32 x = in[n * 67584 + thread_of_grid()];
    sum += __reduce_min_sync(~0u, x) + __reduce_max_sync(~0u, x) + __reduce_xor_sync(~0u, x);
  }
  if (lane_id() == 0) out[thread_of_grid() / 32] = sum;
}

// Columns of a tile in shared memory without padding: all lanes in one bank.
//@ columns_conflict grid=132 block=256 args: words:135168, zeros:135168
LAUNCH columns_conflict(const u32* in, u32* out) {
  __shared__ u32 tile[32][32];
  const u32 warp = threadIdx.x / 32;
  for (u32 i = 0; i < 4; ++i) tile[warp * 4 + i][lane_id()] = in[blockIdx.x * 1024 + i * 256 + threadIdx.x];
  __syncthreads();
  u32 sum = 0;
#pragma unroll 4
  for (u32 i = 0; i < 32; ++i) sum = sum * 3 + tile[lane_id()][(i + warp) & 31];
  out[thread_of_grid()] = sum;
}

// Bytes through a table in shared memory, as ciphers do.
//@ substitute_bytes grid=264 block=256 args: words:256, words:67584, zeros:270336, u32:20
LAUNCH substitute_bytes(const u32* table, const u32* in, u32* out, u32 rounds) {
  __shared__ u32 box[256];
  box[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  u32 x = in[thread_of_grid()];
  for (u32 i = 0; i < rounds; ++i)
    x = box[x & 255] ^ __funnelshift_l(box[x >> 8 & 255], box[x >> 8 & 255], 8) ^
        __funnelshift_l(box[x >> 16 & 255], box[x >> 16 & 255], 16) ^ __funnelshift_l(box[x >> 24], box[x >> 24], 24) ^ i;
  out[thread_of_grid()] = x;
}

// Medians of nine neighbours.
//@ median_image grid=264 block=256 args: words:73728, zeros:270336
LAUNCH median_image(const u32* in, u32* out) {
  u32 v[9];
  const u32 at = thread_of_grid();
#pragma unroll
  for (int k = 0; k < 9; ++k) v[k] = in[at + k / 3 * 1024 + k % 3];
#pragma unroll
  for (int pass = 0; pass < 9; ++pass)
#pragma unroll
    for (int k = pass & 1; k < 8; k += 2) {
      const u32 low = min(v[k], v[k + 1]);
      v[k + 1] = max(v[k], v[k + 1]), v[k] = low;
    }
  out[at] = v[4];
}

// Cells of a game, 32 a word, ten generations in shared memory.
//@ life_cells grid=264 block=256 args: words:67584, zeros:270336
LAUNCH life_cells(const u32* in, u32* out) {
  __shared__ u32 rows[2][258];
  u32 x = in[thread_of_grid()];
  for (u32 g = 0; g < 10; ++g) {
    u32* row = rows[g & 1];
    row[threadIdx.x + 1] = x;
    if (threadIdx.x < 2) row[threadIdx.x * 257] = 0;
    __syncthreads();
    const u32 up = row[threadIdx.x], down = row[threadIdx.x + 2];
    u32 ones = 0, twos = 0, fours = 0;
    const u32 near[8] = {up << 1, up, up >> 1, x << 1, x >> 1, down << 1, down, down >> 1};
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const u32 carry = ones & near[k];
      ones ^= near[k];
      fours |= twos & carry;
      twos ^= carry;
    }
    x = twos & ~fours & (ones | x);
  }
  out[thread_of_grid()] = x;
}

// A small table that the L1 holds, read again and again.
//@ table_l1 grid=264 block=256 args: words:4096, zeros:270336, u32:24
LAUNCH table_l1(const u32* table, u32* out, u32 rounds) {
  u32 at = thread_of_grid(), sum = 0;
  for (u32 i = 0; i < rounds; ++i) {
    sum += __ldg(table + ((at + i * 96) & 4095));
    sum ^= __ldg(table + ((at * 4 + i * 32) & 4095));
  }
  out[thread_of_grid()] = sum;
}

// An image of halves enlarged, four neighbours each.
//@ resize_bilinear grid=264 block=256 args: halves:135168, zeros:1081344
LAUNCH resize_bilinear(const half* in, half* out) {
  for (u32 n = 0; n < 8; ++n) {
    const u32 t = n * 67584 + thread_of_grid(), x = t % 1024, y = t / 1024;
    const float sx = x * 0.4990f, sy = y * 0.4990f;
    const u32 ix = u32(sx), iy = u32(sy);
    const float fx = sx - ix, fy = sy - iy;
    const half* at = in + iy * 512 + ix;
    const float a = __half2float(at[0]), b = __half2float(at[1]), c = __half2float(at[512]), d = __half2float(at[513]);
    out[t] = __float2half(a + fx * (b - a) + fy * (c - a + fx * (a - b - c + d)));
  }
}

// Single bytes stored, a lane each.
//@ stores_bytes grid=264 block=256 args: words:67584, zeros:1081344
LAUNCH stores_bytes(const u32* in, uint8_t* out) {
  const u32 x = in[thread_of_grid()];
#pragma unroll
  for (u32 k = 0; k < 16; ++k) out[k * 67584 + thread_of_grid()] = uint8_t(x >> k);
}

// Sides of branches that the data choose.
//@ branches_deep grid=264 block=256 args: words:67584, zeros:270336, u32:10
LAUNCH branches_deep(const u32* in, u32* out, u32 rounds) {
  u32 x = in[thread_of_grid()];
  for (u32 i = 0; i < rounds; ++i) {
    if (x & 1) {
      x = x * 3 + 1;
      if (x & 4) x ^= x >> 7;
      else x += x << 9;
    } else if (x & 2) {
      for (u32 k = 0; k < (x >> 2 & 3); ++k) x = x * 5 + k;
    } else {
      x = (x >> 1) + 0x9E3779B9;
    }
  }
  out[thread_of_grid()] = x;
}

// Heat in a plane of doubles, six steps between barriers.
//@ heat_double grid=132 block=1024 args: words:135168, zeros:1081344
LAUNCH heat_double(const int* in, double* out) {
  __shared__ double plane[2][34][34];
  const u32 x = threadIdx.x % 32 + 1, y = threadIdx.x / 32 + 1;
  for (u32 i = threadIdx.x; i < 2 * 34 * 34; i += 1024) (&plane[0][0][0])[i] = 0;
  __syncthreads();
  plane[0][y][x] = in[thread_of_grid()] * 0x1p-31;
  __syncthreads();
  for (u32 i = 0; i < 6; ++i) {
    const double(*p)[34] = plane[i & 1];
    plane[~i & 1][y][x] = 0.5 * p[y][x] + 0.125 * (p[y][x - 1] + p[y][x + 1] + p[y - 1][x] + p[y + 1][x]);
    __syncthreads();
  }
  out[thread_of_grid()] = plane[0][y][x];
}

// Coefficients from constant memory, one a step for all lanes.
__constant__ float coefficients[64] = {0.25f, 0.5f, 0.125f, 1.5f, 0.75f, 0.3f};
//@ constants_filter grid=264 block=256 args: floats:67648, zeros:270336
LAUNCH constants_filter(const float* in, float* out) {
  float sum = 0;
#pragma unroll 8
  for (u32 k = 0; k < 64; ++k) sum += coefficients[k] * in[thread_of_grid() + k];
  out[thread_of_grid()] = sum;
}

// Rows of 16-byte words copied through shared memory in turned order.
//@ rows_turned grid=264 block=256 args: words:1081344, zeros:4325376
LAUNCH rows_turned(const uint4* in, uint4* out) {
  __shared__ uint4 row[256];
  for (u32 n = 0; n < 4; ++n) {
    const u32 base = (n * gridDim.x + blockIdx.x) * 256;
    row[threadIdx.x] = in[base + threadIdx.x];
    __syncthreads();
    out[base + threadIdx.x] = row[255 - threadIdx.x];
    __syncthreads();
  }
}
