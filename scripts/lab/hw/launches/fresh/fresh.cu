// SPDX-License-Identifier: Apache-2.0
// Launches that were written after all others, to see how far off the model is on what nothing was chosen on.
#include "../launch.cuh"

// Mean and variance of each of 132 channels of 16 images of 32 x 32, one block a channel.
//@ channel_moments grid=132 block=256 args: floats:2162688, zeros:1056
LAUNCH channel_moments(const float* in, float* out) {
  __shared__ float room[32];
  float sum = 0, square = 0;
  for (u32 image = 0; image < 16; image++)
    for (u32 i = threadIdx.x; i < 1024; i += 256) {
      float v = in[(image * 132 + blockIdx.x) * 1024 + i];
      sum += v, square += v * v;
    }
  sum = block_sum(sum, room), square = block_sum(square, room);
  if (threadIdx.x == 0) {
    float mean = sum / 16384;
    out[blockIdx.x * 2] = mean, out[blockIdx.x * 2 + 1] = square / 16384 - mean * mean;
  }
}

// The greatest of 2 x 2 points of 264 images of 128 x 128.
//@ pool_quads grid=4224 block=256 args: floats:4325376, zeros:4325376
LAUNCH pool_quads(const float2* in, float* out) {
  u32 t = thread_of_grid(), image = t / 4096, y = t / 64 % 64, x = t % 64;
  float2 a = in[(image * 128 + 2 * y) * 64 + x], b = in[(image * 128 + 2 * y + 1) * 64 + x];
  out[t] = fmaxf(fmaxf(a.x, a.y), fmaxf(b.x, b.y));
}

// Gradients of 16,896 tokens are added to the rows of 64 words that they have in a table of 8,192.
//@ token_gradients grid=528 block=256 args: below:16896:8192, positives:1081344, zeros:2097152
LAUNCH token_gradients(const u32* token, const float* gradient, u32* table) {
  for (u32 row = thread_of_grid() / 32; row < 16896; row += 4224) {
    u32 at = token[row] * 64 + lane_id();
    atomicAdd(&table[at], (u32)(gradient[row * 64 + lane_id()] * 1024.0f));
    atomicAdd(&table[at + 32], (u32)(gradient[row * 64 + 32 + lane_id()] * 1024.0f));
  }
}

// Rows of 12 words in the mean by four lanes each; a vector of 100,000 words.
//@ sparse_quads grid=528 block=256 args: rowstarts:33792:12, below:405504:100000, floats:405504, floats:100000, zeros:135168
LAUNCH sparse_quads(const u32* start, const u32* column, const float* value, const float* x, float* y) {
  u32 row = thread_of_grid() / 4, part = threadIdx.x % 4;
  float sum = 0;
  for (u32 i = start[row] + part; i < start[row + 1]; i += 4) sum = fmaf(value[i], __ldg(&x[column[i]]), sum);
  sum += __shfl_xor_sync(~0u, sum, 1), sum += __shfl_xor_sync(~0u, sum, 2);
  if (part == 0) y[row] = sum;
}

// How many edges end at each of 40,000 vertices.
//@ in_degrees grid=528 block=512 args: below:1081344:40000, zeros:160000
LAUNCH in_degrees(const uint4* edge, u32* degree) {
  uint4 e = edge[thread_of_grid()];
  atomicAdd(&degree[e.x], 1), atomicAdd(&degree[e.y], 1), atomicAdd(&degree[e.z], 1), atomicAdd(&degree[e.w], 1);
}

// Of 264 tokens x 3 x 16 heads x 128 halves: heads before tokens.
//@ heads_first grid=792 block=256 args: words:811008, zeros:3244032
LAUNCH heads_first(const uint4* in, uint4* out) {
  u32 t = thread_of_grid(), word = t % 16, head = t / 16 % 16, part = t / 256 % 3, token = t / 768;
  out[((part * 16 + head) * 264 + token) * 16 + word] = in[t];
}

// A block normalizes one of 528 groups of 8,192 halves: read twice.
//@ group_norm grid=528 block=256 args: halves:4325376, zeros:8650752
LAUNCH group_norm(const __half2* in, __half2* out) {
  __shared__ float room[32];
  float sum = 0, square = 0;
  const __half2* own = in + blockIdx.x * 4096;
  for (u32 i = threadIdx.x; i < 4096; i += 256) {
    float2 v = __half22float2(own[i]);
    sum += v.x + v.y, square += v.x * v.x + v.y * v.y;
  }
  sum = block_sum(sum, room), square = block_sum(square, room);
  float mean = sum / 8192, scale = rsqrtf(square / 8192 - mean * mean + 1e-5f);
  for (u32 i = threadIdx.x; i < 4096; i += 256) {
    float2 v = __half22float2(own[i]);
    out[blockIdx.x * 4096 + i] = __floats2half2_rn((v.x - mean) * scale, (v.y - mean) * scale);
  }
}

// 31 taps over a signal, a tile in shared memory.
//@ fir_taps grid=2112 block=256 args: floats:540704, floats:32, zeros:2162688
LAUNCH fir_taps(const float* in, const float* tap, float* out) {
  __shared__ float tile[288], taps[32];
  u32 first = blockIdx.x * 256, t = threadIdx.x;
  tile[t] = in[first + t];
  if (t < 32) tile[256 + t] = in[first + 256 + t], taps[t] = tap[t];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (u32 i = 0; i < 31; i++) sum = fmaf(taps[i], tile[t + i], sum);
  out[first + t] = sum;
}

// An image of 720 x 704 bytes scaled up to 1056 x 1056, four points for each.
//@ resize_image grid=33,66 block=32,16 args: words:126720, zeros:4460544
LAUNCH resize_image(const uint8_t* in, float* out) {
  u32 x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float u = x * (718.0f / 1056), v = y * (702.0f / 1056);
  u32 left = (u32)u, top = (u32)v;
  float a = u - left, b = v - top;
  const uint8_t* at = in + top * 720 + left;
  float upper = at[0] + a * ((float)at[1] - at[0]), lower = at[720] + a * ((float)at[721] - at[720]);
  out[y * 1056 + x] = upper + b * (lower - upper);
}

// Heat in a box of 132 x 64 x 128, one step: each point from itself and its six neighbours.
//@ stencil_seven grid=4224 block=256 args: floats:1081344, zeros:4325376
LAUNCH stencil_seven(const float* in, float* out) {
  u32 t = thread_of_grid(), x = t % 128, y = t / 128 % 64, z = t / 8192;
  float here = in[t];
  float sum = in[x ? t - 1 : t] + in[x < 127 ? t + 1 : t] + in[y ? t - 128 : t] + in[y < 63 ? t + 128 : t] +
              in[z ? t - 8192 : t] + in[z < 131 ? t + 8192 : t];
  out[t] = here + 0.1f * (sum - 6 * here);
}

// Four Philox rounds of ten and Box-Muller's normals for each.
//@ philox_normals grid=528 block=256 args: zeros:8650752, u32:77, u32:3
LAUNCH philox_normals(float4* out, u32 low, u32 high) {
  u32 t = thread_of_grid();
#pragma unroll 1
  for (u32 n = 0; n < 4; n++) {
    u32 c[4] = {t, n, 5, 9}, k0 = low, k1 = high;
#pragma unroll
    for (int i = 0; i < 10; i++, k0 += 0x9E3779B9, k1 += 0xBB67AE85) {
      u64 p = (u64)0xD2511F53 * c[0], q = (u64)0xCD9E8D57 * c[2];
      u32 next0 = (u32)(q >> 32) ^ c[1] ^ k0, next2 = (u32)(p >> 32) ^ c[3] ^ k1;
      c[1] = (u32)q, c[3] = (u32)p, c[0] = next0, c[2] = next2;
    }
    float r = sqrtf(-2.0f * __logf((c[0] + 1.0f) * 2.3283064e-10f)), s = sqrtf(-2.0f * __logf((c[2] + 1.0f) * 2.3283064e-10f));
    float a = c[1] * 1.4629181e-9f, b = c[3] * 1.4629181e-9f;
    out[n * 135168 + t] = make_float4(r * __cosf(a), r * __sinf(a), s * __cosf(b), s * __sinf(b));
  }
}

// Which of 64 centres of 4 words is the closest product for each of 270,336 codes by a table in shared memory; then the
// sums of the tables' rows that 16 bytes of codes name.
//@ product_codes grid=264 block=256 args: words:270336, floats:4096, zeros:270336
LAUNCH product_codes(const u32* code, const float* table, float* out) {
  __shared__ float rows[4096];
  for (u32 i = threadIdx.x; i < 4096; i += 256) rows[i] = table[i];
  __syncthreads();
  uint4 c = ((const uint4*)code)[thread_of_grid()];
  u32 words[4] = {c.x, c.y, c.z, c.w};
  float sum = 0;
#pragma unroll
  for (u32 w = 0; w < 4; w++)
#pragma unroll
    for (u32 i = 0; i < 4; i++) sum += rows[(w * 4 + i) * 256 + (words[w] >> 8 * i & 255)];
  out[thread_of_grid()] = sum;
}
