// SPDX-License-Identifier: Apache-2.0
// Stencils, sparse matrices, transforms, particles, simulations, graphs.
#include "launch.cuh"

//@ stencil_march grid=4,32,4 block=32,4 args: floats:2097152, zeros:8388608
LAUNCH stencil_march(const float* in, float* out) {  // 7 points, 128 x 128 x 128, along z in registers
  u32 x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z0 = blockIdx.z * 32;
  bool inner = x > 0 && x < 127 && y > 0 && y < 127;
  const float* at = in + (z0 * 128 + y) * 128 + x;
  float below = z0 == 0 ? 0 : at[-16384], here = at[0];
#pragma unroll 4
  for (u32 z = z0; z < z0 + 32; z++, at += 16384) {
    float above = z == 127 ? 0 : at[16384];
    float sum = inner ? at[-1] + at[1] + at[-128] + at[128] : 0;
    out[(z * 128 + y) * 128 + x] = 0.4f * here + 0.1f * (sum + below + above);
    below = here, here = above;
  }
}

//@ wave_step grid=64,33 block=32,16 args: floats:2162688, floats:2162688, zeros:8650752
LAUNCH wave_step(const float* now, const float* before, float* next) {  // 2048 x 1056, radius 4, shared tile
  __shared__ float tile[40][41];
  int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
  for (u32 i = threadIdx.y * 32 + threadIdx.x; i < 1600; i += 512) {
    int x = min(max(x0 + (int)(i % 40) - 4, 0), 2047), y = min(max(y0 + (int)(i / 40) - 4, 0), 1055);
    tile[i / 40][i % 40] = now[y * 2048 + x];
  }
  __syncthreads();
#pragma unroll
  for (u32 half = 0; half < 32; half += 16) {
    u32 x = threadIdx.x + 4, y = threadIdx.y + half + 4;
    float sum = -2.84722f * 2 * tile[y][x];
    const float w[4] = {1.6f, -0.2f, 0.0253968f, -0.00178571f};
#pragma unroll
    for (int r = 1; r <= 4; r++) sum += w[r - 1] * (tile[y][x - r] + tile[y][x + r] + tile[y - r][x] + tile[y + r][x]);
    u32 at = (y0 + y - 4) * 2048 + x0 + x - 4;
    next[at] = 2 * tile[y][x] - before[at] + 0.1f * sum;
  }
}

//@ sparse_warp grid=1056 block=256 args: rowstarts:16896:33, below:557568:131072, floats:557568, floats:131072, zeros:67584
LAUNCH sparse_warp(const u32* start, const u32* column, const float* value, const float* x, float* y) {
  for (u32 row = thread_of_grid() / 32; row < 16896; row += gridDim.x * 8) {
    float sum = 0;
    for (u32 i = start[row] + lane_id(); i < start[row + 1]; i += 32) sum += value[i] * x[column[i]];
    sum = warp_sum(sum);
    if (lane_id() == 0) y[row] = sum;
  }
}

//@ sparse_columns grid=528 block=256 args: below:2162688:65536, floats:2162688, floats:65536, zeros:540672
LAUNCH sparse_columns(const u32* column, const float* value, const float* x, float* y) {  // 16 a row, stored by columns
  u32 row = thread_of_grid(), rows = gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll 4
  for (u32 i = 0; i < 16; i++) sum = fmaf(value[i * rows + row], __ldg(&x[column[i * rows + row]]), sum);
  y[row] = sum;
}

constexpr u32 kPrime = 998244353, kInverse = 998244351;
__device__ inline u32 reduce(u64 x) {  // Montgomery
  u32 q = (u32)x * kInverse;
  u32 r = (u32)(x >> 32) + (u32)(((u64)q * kPrime) >> 32) + ((u32)x != 0);
  return r >= kPrime ? r - kPrime : r;
}

//@ number_transform grid=264 block=256 args: below:270336:998244353, below:1024:998244353, zeros:1081344
LAUNCH number_transform(const u32* in, const u32* roots, u32* out) {  // 1024 points in shared memory
  __shared__ u32 v[1024], w[1024];
  for (u32 i = threadIdx.x; i < 1024; i += 256) v[i] = in[blockIdx.x * 1024 + (__brev(i) >> 22)], w[i] = roots[i];
  for (u32 half = 1; half < 1024; half <<= 1) {
    __syncthreads();
#pragma unroll
    for (u32 k = threadIdx.x; k < 512; k += 256) {
      u32 i = k & (half - 1), low = 2 * (k - i) + i;
      u32 a = v[low], b = reduce((u64)v[low + half] * w[half + i]);
      u32 sum = a + b, apart = a - b + kPrime;
      v[low] = sum >= kPrime ? sum - kPrime : sum, v[low + half] = apart >= kPrime ? apart - kPrime : apart;
    }
  }
  __syncthreads();
  for (u32 i = threadIdx.x; i < 1024; i += 256) out[blockIdx.x * 1024 + i] = v[i];
}

//@ fourier_radix4 grid=528 block=128 args: floats:540672, floats:2048, zeros:2162688
LAUNCH fourier_radix4(const float2* in, const float2* roots, float2* out) {  // 512 points: four radix-4 steps and one of 2
  __shared__ float2 room[2][512];
  u32 t = threadIdx.x;
  float2 v[4];
#pragma unroll
  for (int i = 0; i < 4; i++) v[i] = in[blockIdx.x * 512 + t + i * 128];
  u32 from = 0;
#pragma unroll 1
  for (u32 size = 1; size < 256; size <<= 2) {
    u32 k = t & (size - 1);
#pragma unroll
    for (int i = 1; i < 4; i++) {
      float2 w = roots[k * i * (128 / size) & 1023], a = v[i];
      v[i] = make_float2(a.x * w.x - a.y * w.y, a.x * w.y + a.y * w.x);
    }
    float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y), b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
    float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y), d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
    u32 at = (t - k) * 4 + k;
    room[from][at] = make_float2(a.x + c.x, a.y + c.y), room[from][at + size] = make_float2(b.x + d.x, b.y + d.y);
    room[from][at + 2 * size] = make_float2(a.x - c.x, a.y - c.y);
    room[from][at + 3 * size] = make_float2(b.x - d.x, b.y - d.y);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; i++) v[i] = room[from][t + i * 128];
    from ^= 1;
  }
#pragma unroll
  for (int i = 0; i < 2; i++) {
    float2 a = v[i], b = v[i + 2];
    out[blockIdx.x * 512 + t + i * 128] = make_float2(a.x + b.x, a.y + b.y);
    out[blockIdx.x * 512 + t + i * 128 + 256] = make_float2(a.x - b.x, a.y - b.y);
  }
}

//@ bodies_tile grid=132 block=256 args: floats:135168, zeros:540672
LAUNCH bodies_tile(const float4* body, float4* out) {  // each of 33792 against 512 near it
  __shared__ float4 tile[256];
  float4 me = body[thread_of_grid()];
  float3 f = make_float3(0, 0, 0);
  for (u32 k = 0; k < 2; k++) {
    __syncthreads();
    tile[threadIdx.x] = body[(blockIdx.x + k) % gridDim.x * 256 + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int i = 0; i < 256; i++) {
      float4 b = tile[i];
      float dx = b.x - me.x, dy = b.y - me.y, dz = b.z - me.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), s = b.w * inverse * inverse * inverse;
      f.x += dx * s, f.y += dy * s, f.z += dz * s;
    }
  }
  out[thread_of_grid()] = make_float4(f.x, f.y, f.z, 0);
}

//@ option_paths grid=264 block=256 args: zeros:1056, u32:16
LAUNCH option_paths(float* out, u32 steps) {
  __shared__ float room[32];
  u32 state = mix(thread_of_grid() + 1) | 1;
  float price = 1, mean = 0;
  for (u32 i = 0; i < steps; i++) {
    float u[2];
#pragma unroll
    for (int k = 0; k < 2; k++) {
      state ^= state << 13, state ^= state >> 17, state ^= state << 5;
      u[k] = (state >> 8) * 0x1p-24f + 0x1p-25f;
    }
    float radius = sqrtf(-2 * __logf(u[0])), normal = radius * __cosf(6.2831853f * u[1]);
    price *= __expf(0.0002f + 0.02f * normal), mean += price;
  }
  float sum = block_sum(fmaxf(mean / steps - 1, 0.0f), room);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

//@ julia_set grid=33,64 block=32,8 args: zeros:2162688
LAUNCH julia_set(u32* out) {  // lanes leave the loop at different times
  u32 px = blockIdx.x * 32 + threadIdx.x, py = blockIdx.y * 8 + threadIdx.y, n = 0;
  float x = px * (3.0f / 1056) - 1.5f, y = py * (3.0f / 512) - 1.5f;
  while (n < 96 && x * x + y * y < 4) {
    float next = x * x - y * y - 0.8f;
    y = 2 * x * y + 0.156f, x = next, n++;
  }
  out[py * 1056 + px] = n;
}

//@ kmeans_assign grid=264 block=256 args: floats:540672, floats:512, zeros:270336, zeros:256
LAUNCH kmeans_assign(const float4* point, const float4* centre, u32* out, u32* sizes) {  // 8 dimensions, 64 centres
  __shared__ float4 c[128];
  __shared__ u32 count[64];
  if (threadIdx.x < 128) c[threadIdx.x] = centre[threadIdx.x];
  if (threadIdx.x < 64) count[threadIdx.x] = 0;
  __syncthreads();
  float4 a = point[thread_of_grid() * 2], b = point[thread_of_grid() * 2 + 1];
  float least = 1e30f;
  u32 nearest = 0;
#pragma unroll 4
  for (u32 k = 0; k < 64; k++) {
    float4 p = c[2 * k], q = c[2 * k + 1];
    float d = (a.x - p.x) * (a.x - p.x) + (a.y - p.y) * (a.y - p.y) + (a.z - p.z) * (a.z - p.z) + (a.w - p.w) * (a.w - p.w) +
              (b.x - q.x) * (b.x - q.x) + (b.y - q.y) * (b.y - q.y) + (b.z - q.z) * (b.z - q.z) + (b.w - q.w) * (b.w - q.w);
    if (d < least) least = d, nearest = k;
  }
  out[thread_of_grid()] = nearest;
  atomicAdd(&count[nearest], 1);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&sizes[threadIdx.x], count[threadIdx.x]);
}

//@ graph_push grid=264 block=256 args: rowstarts:67584:16, below:1081344:67584, levels:67584, zeros:270336, zeros:128
LAUNCH graph_push(const u32* start, const u32* edge, u32* level, u32* found, u32* count) {
  // a step of a breadth-first search: vertices of level 1 reach those without a level
  u32 v = thread_of_grid();
  if (level[v] != 1) return;
  for (u32 i = start[v]; i < start[v + 1]; i++) {
    u32 to = edge[i];
    if (*(volatile u32*)&level[to] == ~0u && atomicCAS(&level[to], ~0u, 2) == ~0u) found[atomicAdd(count, 1)] = to;
  }
}

//@ rank_pull grid=264 block=256 args: rowstarts:67584:16, below:1081344:67584, floats:67584, zeros:270336
LAUNCH rank_pull(const u32* start, const u32* edge, const float* share, float* out) {  // a thread a vertex
  u32 v = thread_of_grid();
  float sum = 0;
  for (u32 i = start[v]; i < start[v + 1]; i++) sum += share[edge[i]];
  out[v] = 0.15f + 0.85f * sum;
}

//@ cholesky_warp grid=1056 block=128 args: floats:4325376, zeros:17301504
LAUNCH cholesky_warp(const float* in, float* out) {  // 32 x 32 a warp, a column in each lane
  u32 base = thread_of_grid() / 32 * 1024, lane = lane_id();
  float v[32];
#pragma unroll
  for (int i = 0; i < 32; i++) v[i] = in[base + i * 32 + lane] * 0.01f + (i == lane ? 40.0f : 0.0f);
#pragma unroll
  for (int k = 0; k < 32; k++) {
    float scale = rsqrtf(__shfl_sync(~0u, v[k], k));
    if (lane == k)
#pragma unroll
      for (int i = k; i < 32; i++) v[i] *= scale;
    float mine = __shfl_sync(~0u, v[k], lane);
#pragma unroll
    for (int i = k + 1; i < 32; i++) {
      float factor = __shfl_sync(~0u, v[i], k);
      if (lane > k) v[i] -= factor * mine * scale;
    }
  }
#pragma unroll
  for (int i = 0; i < 32; i++) out[base + i * 32 + lane] = v[i];
}
