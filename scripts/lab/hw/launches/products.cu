// SPDX-License-Identifier: Apache-2.0
// Products of matrices and vectors, attention, convolution.
#include "launch.cuh"

//@ gemv_half grid=528 block=256 args: halves:8650752, halves:2048, zeros:16896
LAUNCH gemv_half(const uint4* a, const uint4* x, float* y) {  // a warp for a row of 2048
  u32 row = thread_of_grid() / 32;
  float sum = 0;
#pragma unroll 4
  for (int i = 0; i < 8; i++) {
    uint4 v = a[row * 256 + i * 32 + lane_id()], w = x[i * 32 + lane_id()];
    const __half2 *h = (const __half2*)&v, *g = (const __half2*)&w;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      float2 p = __half22float2(h[k]), q = __half22float2(g[k]);
      sum = fmaf(p.x, q.x, fmaf(p.y, q.y, sum));
    }
  }
  sum = warp_sum(sum);
  if (lane_id() == 0) y[row] = sum;
}

//@ gemv_int8 grid=1056 block=128 args: words:4325376, floats:540672, words:1024, zeros:16896
LAUNCH gemv_int8(const uint4* a, const float* scale, const uint4* x, float* y) {  // a warp for a row, scales of 32
  u32 row = thread_of_grid() / 32;
  float sum = 0;
#pragma unroll 4
  for (int i = 0; i < 8; i++) {
    uint4 v = a[row * 256 + i * 32 + lane_id()], w = x[i * 32 + lane_id()];
    int dot = __dp4a((int)v.x, (int)w.x, __dp4a((int)v.y, (int)w.y, 0));
    dot = __dp4a((int)v.z, (int)w.z, __dp4a((int)v.w, (int)w.w, dot));
    sum = fmaf((float)dot, scale[row * 128 + i * 16 + lane_id() / 2], sum);
  }
  sum = warp_sum(sum);
  if (lane_id() == 0) y[row] = sum;
}

__device__ inline __half2 nibbles(u32 word) {  // bits 0-3 and 16-19 as halves less 8
  u32 magic;
  asm("lop3.b32 %0, %1, 0x000f000f, 0x64006400, 0xea;" : "=r"(magic) : "r"(word));
  return __hsub2(*(__half2*)&magic, __half2half2(__ushort_as_half(0x6408)));
}

//@ gemv_int4 grid=1056 block=128 args: words:2162688, halves:67584, halves:4096, zeros:16896
LAUNCH gemv_int4(const uint4* a, const __half* scale, const uint4* x, float* y) {  // groups of 256 share a scale
  u32 row = thread_of_grid() / 32;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    uint4 v = a[row * 128 + i * 32 + lane_id()];
    const u32* words = (const u32*)&v;
    __half2 part = __float2half2_rn(0);
#pragma unroll
    for (int k = 0; k < 4; k++) {
      uint4 w = x[(i * 32 + lane_id()) * 4 + k];
      const __half2* g = (const __half2*)&w;
#pragma unroll
      for (int s = 0; s < 4; s++) part = __hfma2(nibbles(words[k] >> 4 * s), g[s], part);
    }
    float2 p = __half22float2(part);
    sum = fmaf(p.x + p.y, __half2float(scale[row * 16 + i * 4 + lane_id() / 8]), sum);
  }
  sum = warp_sum(sum);
  if (lane_id() == 0) y[row] = sum;
}

__device__ inline void mma_bf16(float* d, const u32* a, const u32* b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ inline void load_matrices(u32* r, const void* row) {
  u32 at = (u32)__cvta_generic_to_shared(row);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
}
__device__ inline void copy16(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"((u32)__cvta_generic_to_shared(to)), "l"(from));
}

// C = A B^T, 1536 x 1408 x 512; tiles of 128 x 128, 8 warps of 64 x 32, two stages of 32 deep.
//@ gemm_bf16 grid=132 block=256 args: bfloats:786432, bfloats:720896, zeros:8650752
LAUNCH __launch_bounds__(256) gemm_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ __align__(16) __nv_bfloat16 as[2][128][40], bs[2][128][40];
  u32 t = threadIdx.x, lane = lane_id(), warp = t / 32, row0 = blockIdx.x % 12 * 128, col0 = blockIdx.x / 12 * 128;
  float d[4][4][4] = {};
  auto fetch = [&](u32 k, u32 stage) {
    for (u32 i = t; i < 512; i += 256) {
      copy16(&as[stage][i / 4][i % 4 * 8], a + (row0 + i / 4) * 512 + k * 32 + i % 4 * 8);
      copy16(&bs[stage][i / 4][i % 4 * 8], b + (col0 + i / 4) * 512 + k * 32 + i % 4 * 8);
    }
    asm volatile("cp.async.commit_group;");
  };
  fetch(0, 0);
  for (u32 k = 0; k < 16; k++) {
    if (k < 15) fetch(k + 1, (k + 1) & 1);
    if (k < 15) asm volatile("cp.async.wait_group 1;");
    else asm volatile("cp.async.wait_group 0;");
    __syncthreads();
#pragma unroll
    for (u32 s = 0; s < 32; s += 16) {
      u32 ra[4][4], rb[2][4];
#pragma unroll
      for (u32 i = 0; i < 4; i++) load_matrices(ra[i], &as[k & 1][warp % 2 * 64 + i * 16 + lane % 16][s + lane / 16 * 8]);
#pragma unroll
      for (u32 i = 0; i < 2; i++)
        load_matrices(rb[i], &bs[k & 1][warp / 2 * 32 + i * 16 + lane % 8 + lane / 16 * 8][s + lane / 8 % 2 * 8]);
#pragma unroll
      for (u32 i = 0; i < 4; i++)
#pragma unroll
        for (u32 j = 0; j < 4; j++) mma_bf16(d[i][j], ra[i], &rb[j / 2][j % 2 * 2]);
    }
    __syncthreads();
  }
#pragma unroll
  for (u32 i = 0; i < 4; i++)
#pragma unroll
    for (u32 j = 0; j < 4; j++) {
      u32 row = row0 + warp % 2 * 64 + i * 16 + lane / 4, col = col0 + warp / 2 * 32 + j * 8 + lane % 4 * 2;
      *(float2*)&c[row * 1408 + col] = make_float2(d[i][j][0], d[i][j][1]);
      *(float2*)&c[(row + 8) * 1408 + col] = make_float2(d[i][j][2], d[i][j][3]);
    }
}

// Fragments straight from global memory, laid out in their order; 8-bit integers.
//@ gemm_int8 grid=528 block=128 args: words:262144, words:270336, zeros:8650752
LAUNCH gemm_int8(const uint4* a, const uint2* b, int2* c) {  // a warp: 32 x 32 of 1024 x 2112, 1024 deep
  u32 warp = thread_of_grid() / 32, lane = lane_id(), row = warp % 32, col = warp / 32;
  int d[2][4][4] = {};
#pragma unroll 2
  for (u32 k = 0; k < 32; k++) {
    uint4 ra[2];
    uint2 rb[4];
#pragma unroll
    for (u32 i = 0; i < 2; i++) ra[i] = a[((row * 2 + i) * 32 + k) * 32 + lane];
#pragma unroll
    for (u32 j = 0; j < 4; j++) rb[j] = b[((col % 33 * 4 + j) * 32 + k) * 32 + lane];
#pragma unroll
    for (u32 i = 0; i < 2; i++)
#pragma unroll
      for (u32 j = 0; j < 4; j++)
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+r"(d[i][j][0]), "+r"(d[i][j][1]), "+r"(d[i][j][2]), "+r"(d[i][j][3])
                     : "r"(ra[i].x), "r"(ra[i].y), "r"(ra[i].z), "r"(ra[i].w), "r"(rb[j].x), "r"(rb[j].y));
  }
#pragma unroll
  for (u32 i = 0; i < 8; i++) {
    c[(warp * 16 + i * 2) * 32 + lane] = make_int2(d[i / 4][i % 4][0], d[i / 4][i % 4][1]);
    c[(warp * 16 + i * 2 + 1) * 32 + lane] = make_int2(d[i / 4][i % 4][2], d[i / 4][i % 4][3]);
  }
}

//@ sgemm_registers grid=264 block=256 args: floats:139264, floats:131072, zeros:4456448
LAUNCH __launch_bounds__(256) sgemm_registers(const float* a, const float* b, float* c) {
  // 1088 x 1024 x 128 in tiles of 64 x 64; the last row has 8 of its 16 tiles
  __shared__ float as[16][68], bs[16][64];
  u32 t = threadIdx.x, tx = t % 16, ty = t / 16, row0 = blockIdx.x / 16 * 64, col0 = blockIdx.x % 16 * 64;
  float d[4][4] = {};
  for (u32 k = 0; k < 128; k += 16) {
    float4 v = *(const float4*)&a[(row0 + t / 4) * 128 + k + t % 4 * 4];
    as[t % 4 * 4][t / 4] = v.x, as[t % 4 * 4 + 1][t / 4] = v.y, as[t % 4 * 4 + 2][t / 4] = v.z, as[t % 4 * 4 + 3][t / 4] = v.w;
    *(float4*)&bs[t / 16][t % 16 * 4] = *(const float4*)&b[(k + t / 16) * 1024 + col0 + t % 16 * 4];
    __syncthreads();
#pragma unroll
    for (u32 i = 0; i < 16; i++) {
      float4 p = *(float4*)&as[i][ty * 4], q = *(float4*)&bs[i][tx * 4];
      float l[4] = {p.x, p.y, p.z, p.w}, r[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
      for (int y = 0; y < 4; y++)
#pragma unroll
        for (int x = 0; x < 4; x++) d[y][x] = fmaf(l[y], r[x], d[y][x]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < 4; y++)
    *(float4*)&c[(row0 + ty * 4 + y) * 1024 + col0 + tx * 4] = make_float4(d[y][0], d[y][1], d[y][2], d[y][3]);
}

//@ decode_attention grid=264 block=128 args: halves:33792, halves:4325376, halves:4325376, zeros:135168
LAUNCH decode_attention(const __half2* q, const uint4* keys, const uint4* values, float* out) {
  // one query of 128 against 128 keys: 16 lanes a key, 8 keys a block at a time
  __shared__ float score[128], room[32];
  u32 part = threadIdx.x % 16;
  __half2 mine[4];
#pragma unroll
  for (int k = 0; k < 4; k++) mine[k] = q[blockIdx.x * 64 + part * 4 + k];
#pragma unroll 4
  for (u32 i = threadIdx.x / 16; i < 128; i += 8) {
    uint4 v = keys[(blockIdx.x * 128 + i) * 16 + part];
    const __half2* h = (const __half2*)&v;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
      float2 x = __half22float2(h[k]), y = __half22float2(mine[k]);
      sum += x.x * y.x + x.y * y.y;
    }
#pragma unroll
    for (int by = 8; by > 0; by >>= 1) sum += __shfl_xor_sync(~0u, sum, by);
    if (part == 0) score[i] = sum * 0.0883883f;
  }
  __syncthreads();
  float top = -1e30f;
  for (int i = 0; i < 4; i++) top = fmaxf(top, score[i * 32 + lane_id()]);
  top = warp_max(top);
  float weight = __expf(score[threadIdx.x] - top), total = block_sum(weight, room);
  score[threadIdx.x] = weight;
  __syncthreads();
  float sum = 0;
  const __half* column = (const __half*)values + blockIdx.x * 16384 + threadIdx.x;
#pragma unroll 8
  for (int i = 0; i < 128; i++) sum = fmaf(score[i], __half2float(column[i * 128]), sum);
  out[blockIdx.x * 128 + threadIdx.x] = sum / total;
}

// Attention of 64 queries a block over 512 keys of 64, by tensor cores; 33 heads of 256 queries.
//@ attention_mma grid=132 block=128 args: bfloats:540672, bfloats:1081344, bfloats:1081344, zeros:2162688
LAUNCH __launch_bounds__(128) attention_mma(const u32* q, const uint4* keys, const uint4* values, float* out) {
  __shared__ __align__(16) __nv_bfloat16 ks[32][72], vs[32][72];
  u32 lane = lane_id(), warp = threadIdx.x / 32, head = blockIdx.x / 4, row = blockIdx.x * 64 + warp * 16 + lane / 4;
  u32 rq[4][4];
#pragma unroll
  for (int k = 0; k < 4; k++) {
    const u32* at = q + row * 32 + k * 8 + lane % 4;
    rq[k][0] = at[0], rq[k][1] = at[8 * 32], rq[k][2] = at[4], rq[k][3] = at[8 * 32 + 4];
  }
  float o[8][4] = {}, top[2] = {-1e30f, -1e30f}, total[2] = {};
  for (u32 first = 0; first < 512; first += 32) {
    __syncthreads();
    for (u32 i = threadIdx.x; i < 256; i += 128) {
      *(uint4*)&ks[i / 8][i % 8 * 8] = keys[(head * 512 + first + i / 8) * 8 + i % 8];
      *(uint4*)&vs[i / 8][i % 8 * 8] = values[(head * 512 + first + i / 8) * 8 + i % 8];
    }
    __syncthreads();
    float s[4][4] = {};
#pragma unroll
    for (int k = 0; k < 4; k++)
#pragma unroll
      for (int j = 0; j < 2; j++) {
        u32 r[4];
        load_matrices(r, &ks[j * 16 + lane % 8 + lane / 16 * 8][k * 16 + lane / 8 % 2 * 8]);
        mma_bf16(s[2 * j], rq[k], r), mma_bf16(s[2 * j + 1], rq[k], r + 2);
      }
#pragma unroll
    for (int half = 0; half < 2; half++) {
      float most = top[half];
#pragma unroll
      for (int j = 0; j < 4; j++) most = fmaxf(most, fmaxf(s[j][2 * half], s[j][2 * half + 1]) * 0.18033688f);
      most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
      most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
      float scale = exp2f(top[half] - most), sum = 0;
      top[half] = most;
#pragma unroll
      for (int j = 0; j < 4; j++)
#pragma unroll
        for (int e = 0; e < 2; e++) sum += s[j][2 * half + e] = exp2f(s[j][2 * half + e] * 0.18033688f - most);
      total[half] = total[half] * scale + sum;
#pragma unroll
      for (int j = 0; j < 8; j++) o[j][2 * half] *= scale, o[j][2 * half + 1] *= scale;
    }
#pragma unroll
    for (int k = 0; k < 2; k++) {
      u32 p[4];
#pragma unroll
      for (int e = 0; e < 4; e++) {
        __nv_bfloat162 pair = __floats2bfloat162_rn(s[2 * k + e / 2][e % 2 * 2], s[2 * k + e / 2][e % 2 * 2 + 1]);
        p[e] = *(u32*)&pair;
      }
#pragma unroll
      for (int j = 0; j < 8; j++) {
        u32 r[2], at = (u32)__cvta_generic_to_shared(&vs[k * 16 + lane % 16][j * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at));
        mma_bf16(o[j], p, r);
      }
    }
  }
#pragma unroll
  for (int half = 0; half < 2; half++) {
    float sum = total[half];
    sum += __shfl_xor_sync(~0u, sum, 1);
    sum += __shfl_xor_sync(~0u, sum, 2);
#pragma unroll
    for (int j = 0; j < 8; j++) {
      float2 r = make_float2(o[j][2 * half] / sum, o[j][2 * half + 1] / sum);
      *(float2*)&out[(row + half * 8) * 64 + j * 8 + lane % 4 * 2] = r;
    }
  }
}

//@ conv3x3_tile grid=528 block=256 args: floats:1081344, floats:1152, zeros:4325376
LAUNCH conv3x3_tile(const float* in, const float* taps, float* out) {
  // 33 pictures of 8 channels, 64 x 64; a block makes a 16 x 16 tile of all 8 channels
  __shared__ float tile[18][19], w[8 * 8 * 9];
  u32 x = threadIdx.x % 16, y = threadIdx.x / 16, picture = blockIdx.x / 16;
  u32 x0 = blockIdx.x % 4 * 16, y0 = blockIdx.x / 4 % 4 * 16;
  for (u32 i = threadIdx.x; i < 576; i += 256) w[i] = taps[i];
  float sum[8] = {};
  for (u32 c = 0; c < 8; c++) {
    __syncthreads();
    for (u32 i = threadIdx.x; i < 324; i += 256) {
      int ix = (int)(x0 + i % 18) - 1, iy = (int)(y0 + i / 18) - 1;
      bool inside = ix >= 0 && ix < 64 && iy >= 0 && iy < 64;
      tile[i / 18][i % 18] = inside ? in[((picture * 8 + c) * 64 + iy) * 64 + ix] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 9; k++) {
      float v = tile[y + k / 3][x + k % 3];
#pragma unroll
      for (int m = 0; m < 8; m++) sum[m] = fmaf(v, w[(m * 8 + c) * 9 + k], sum[m]);
    }
  }
#pragma unroll
  for (int m = 0; m < 8; m++) out[((picture * 8 + m) * 64 + y0 + y) * 64 + x0 + x] = sum[m];
}

//@ product_shuffles grid=1056 block=128 args: floats:1024, floats:1081344, zeros:4325376
LAUNCH product_shuffles(const float* a, const float* x, float* y) {  // 32 x 32 by shuffles, a lane for a row
  float row[32];
#pragma unroll
  for (int i = 0; i < 32; i++) row[i] = a[i * 32 + lane_id()];
  u32 warp = thread_of_grid() / 32;
#pragma unroll 2
  for (u32 v = 0; v < 8; v++) {
    float mine = x[(warp * 8 + v) * 32 + lane_id()], sum = 0;
#pragma unroll
    for (int i = 0; i < 32; i++) sum = fmaf(row[i], __shfl_sync(~0u, mine, i), sum);
    y[(warp * 8 + v) * 32 + lane_id()] = sum;
  }
}
