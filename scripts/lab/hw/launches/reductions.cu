// SPDX-License-Identifier: Apache-2.0
#include "launch.cuh"
#include <cub/block/block_reduce.cuh>

//@ sum_grid grid=264 block=1024 args: words:4194304, zeros:128, u32:1048576
LAUNCH sum_grid(const uint4* in, u32* out, u32 n4) {
  __shared__ u32 room[32];
  u32 sum = 0;
  for (u32 i = thread_of_grid(); i < n4; i += gridDim.x * blockDim.x) {
    uint4 v = in[i];
    sum += (v.x ^ v.y) + (v.z ^ v.w);
  }
  sum = block_sum(sum, room);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

//@ dot_blocks grid=1024 block=256 args: floats:2097152, floats:2097152, zeros:4096
LAUNCH dot_blocks(const float* a, const float* b, float* out) {
  __shared__ float room[32];
  u32 first = blockIdx.x * 2048 + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) sum = fmaf(a[first + 256 * i], b[first + 256 * i], sum);
  sum = block_sum(sum, room);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

//@ argmax_rows grid=1056 block=256 args: floats:2162688, zeros:33792
LAUNCH argmax_rows(const float* in, u32* out) {
  u32 row = thread_of_grid() / 32;
  float best = -1e30f;
  u32 at = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) {
    float v = in[row * 256 + i * 32 + lane_id()];
    if (v > best) best = v, at = i * 32 + lane_id();
  }
#pragma unroll
  for (int by = 1; by < 32; by <<= 1) {
    float other = __shfl_down_sync(~0u, best, by);
    u32 where = __shfl_down_sync(~0u, at, by);
    if (other > best || (other == best && where < at)) best = other, at = where;
  }
  if (lane_id() == 0) out[row] = at;
}

//@ row_moments grid=2112 block=256 args: floats:2162688, zeros:16896
LAUNCH row_moments(const float4* in, float2* out) {
  __shared__ float2 part[8];
  float4 v = in[blockIdx.x * 256 + threadIdx.x];
  float mean = (v.x + v.y + v.z + v.w) * 0.25f, count = 4;
  float a = v.x - mean, b = v.y - mean, c = v.z - mean, d = v.w - mean;
  float square = a * a + b * b + c * c + d * d;
  for (int by = 1; by < 32; by <<= 1) {  // merges two halves of equal size
    float other = __shfl_xor_sync(~0u, mean, by), squares = __shfl_xor_sync(~0u, square, by);
    float apart = other - mean;
    square += squares + apart * apart * count * 0.5f;
    mean = (mean + other) * 0.5f;
    count *= 2;
  }
  if (lane_id() == 0) part[threadIdx.x / 32] = make_float2(mean, square);
  __syncthreads();
  if (threadIdx.x < 8) {
    mean = part[threadIdx.x].x, square = part[threadIdx.x].y;
    for (int by = 1; by < 8; by <<= 1) {
      float other = __shfl_xor_sync(0xff, mean, by), squares = __shfl_xor_sync(0xff, square, by);
      float apart = other - mean;
      square += squares + apart * apart * count * 0.5f;
      mean = (mean + other) * 0.5f;
      count *= 2;
    }
    if (threadIdx.x == 0) out[blockIdx.x] = make_float2(mean, square / 1024);
  }
}

//@ cub_block_reduce grid=1056 block=256 args: floats:2162688, zeros:4224
LAUNCH cub_block_reduce(const float* in, float* out) {
  using Reduce = cub::BlockReduce<float, 256, cub::BLOCK_REDUCE_RAKING>;
  __shared__ Reduce::TempStorage room;
  float items[8];
#pragma unroll
  for (int i = 0; i < 8; i++) items[i] = in[blockIdx.x * 2048 + i * 256 + threadIdx.x];
  float sum = Reduce(room).Sum(items);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

//@ column_sums grid=528 block=256 args: words:4325376, zeros:4096
LAUNCH column_sums(const u32* in, u32* out) {  // 4224 rows of 1024 columns
  u32 column = blockIdx.x % 4 * 256 + threadIdx.x, row = blockIdx.x / 4 * 32;
  u32 sum = 0;
#pragma unroll 8
  for (int i = 0; i < 32; i++) sum += in[(row + i) * 1024 + column] >> 3;
  atomicAdd(&out[column], sum);
}

//@ norm_rows_wide grid=264 block=512 args: floats:4325376, zeros:1056
LAUNCH norm_rows_wide(const float4* in, float* out) {  // a row of 16384
  __shared__ float room[32];
  float sum = 0;
#pragma unroll 4
  for (int i = 0; i < 8; i++) {
    float4 v = in[blockIdx.x * 4096 + i * 512 + threadIdx.x];
    sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  sum = block_sum(sum, room);
  if (threadIdx.x == 0) out[blockIdx.x] = sqrtf(sum);
}
