// SPDX-License-Identifier: Apache-2.0
// Products of matrices: plain, packed, and by tensor instructions with sums that are exact.
#pragma once
#include <cuda_fp16.h>
#include <mma.h>

#include "kernel.cuh"

KERNEL(matrix_float) {
  __shared__ float a[16][17], b[16][17];
  const uint32_t i = threadIdx.x >> 4, j = threadIdx.x & 15;
  float sum = 0;
  for (int k = 0; k < 4; k++) {
    a[i][j] = __uint_as_float(in[(TID + 256 * k) % n] & 0x3fffffffu | 0x3c000000u);
    b[i][j] = float(int(in[(TID * 3 + 64 * k) % n])) * 0x1p-31f;
    __syncthreads();
    for (int x = 0; x < 16; x++) sum += a[i][x] * b[x][j];
    __syncthreads();
  }
  out[TID] = __float_as_uint(sum);
}

KERNEL(matrix_float_fused) {
  __shared__ float a[16][16], b[16][16];
  const uint32_t i = threadIdx.x >> 4, j = threadIdx.x & 15;
  a[i][j] = float(int(in[TID])) * 0x1p-16f;
  b[j][i] = float(int(in[(TID + 128) % n])) * 0x1p-20f;
  __syncthreads();
  float sum[4] = {};
#pragma unroll
  for (int x = 0; x < 16; x++) sum[x & 3] = fmaf(a[i][x], b[j][x], sum[x & 3]);
  out[TID] = __float_as_uint((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

KERNEL(matrix_double) {
  __shared__ double a[16][16], b[16][16];
  const uint32_t i = threadIdx.x >> 4, j = threadIdx.x & 15;
  a[i][j] = double(int(in[TID])) / 3.0;
  b[i][j] = double(in[(TID + 512) % n]) * 0x1.8p-9;
  __syncthreads();
  double sum = 0, other = 1;
  for (int x = 0; x < 16; x++)
    sum = fma(a[i][x], b[x][j], sum), other = other * a[x][j] * 0x1p-30 + b[i][x];
  out[TID] = mix(mix(0u, sum), other);
}

KERNEL(matrix_half2) {
  __shared__ half2 a[16][9], b[16][9];
  const uint32_t i = threadIdx.x >> 4, j = threadIdx.x & 15;
  const uint32_t v = in[TID];
  if (j < 8)
    a[i][j] = __halves2half2(__float2half(whole(v) * 0.125f), __int2half_rn(int(v >> 8 & 31)));
  else
    b[i][j - 8] =
        __halves2half2(__float2half_rz(whole(v >> 3) * 0.01f), __ushort_as_half(v & 0x3fff));
  __syncthreads();
  half2 sum = __float2half2_rn(0.0f), product = __float2half2_rn(1.0f);
  for (int x = 0; x < 8; x++) {
    sum = __hfma2(a[i][x], b[j][x], sum);
    product = __hadd2(__hmul2(product, b[j][x]), a[i][x]);
  }
  out[TID] = __half_as_ushort(__hadd(__low2half(sum), __high2half(sum))) |
             uint32_t(__half_as_ushort(__hmul(__low2half(product), __high2half(product)))) << 16;
}

/// Half arithmetic: denormals, infinities, comparisons, division and root.
KERNEL(half_arithmetic) {
  const uint32_t v = in[TID], w = in[(TID + 1) % n];
  auto any = [](uint32_t x) {
    return (x & 0x7c00) == 0x7c00 ? __ushort_as_half(uint16_t(x & 0xfc00))
                                  : __ushort_as_half(uint16_t(x));
  };
  const half a = any(v), b = any(w), c = any(v >> 16), d = any(w >> 16);
  const half2 p = __halves2half2(a, c), q = __halves2half2(b, d);
  uint32_t h = 0;
  auto add2 = [&h](half2 x) {
    h = mix(h, uint32_t(__half_as_ushort(__low2half(x))) << 16 | __half_as_ushort(__high2half(x)));
  };
  add2(__hadd2(p, q));
  add2(__hsub2(q, p));
  add2(__hmul2(p, q));
  add2(__hfma2(p, q, __halves2half2(d, a)));
  add2(__hmax2(p, q));
  add2(__hmin2(p, __hneg2(q)));
  add2(__hadd2_sat(p, q));
  add2(__hfma2_sat(p, q, p));
  add2(__habs2(p));
  add2(__hgt2(p, q));
  add2(__hequ2(p, q));
  add2(h2trunc(p));
  add2(h2rint(q));
  add2(h2ceil(p));
  h = mix(h, uint32_t(__hlt(a, b) | __hge(c, d) << 1 | __hne(a, d) << 2 | __hisinf(a) << 3 |
                      __hbeq2(p, q) << 4));
  h = mix(h, __half2float(a) + __half2float(d));
  h = mix(h, __half2int_rn(c) + __half2uint_rz(b));
  h = mix(h, uint32_t(__half_as_ushort(__hadd(a, d))) | uint32_t(__half_as_ushort(__hfma(a, b, c)))
                                                            << 16);
  out[TID] = h;
}

KERNEL(half_conversions) {
  const uint32_t v = in[TID];
  const float f =
      (v & 0x80000000u) ? whole(v) * __uint_as_float((v >> 8 & 63) + 90 << 23) : any_float(v);
  uint32_t h =
      mix(__half_as_ushort(__float2half_rn(f)), uint32_t(__half_as_ushort(__float2half_rz(f))));
  h = mix(mix(h, uint32_t(__half_as_ushort(__float2half_ru(f)))),
          uint32_t(__half_as_ushort(__float2half_rd(f))));
  h = mix(h, uint32_t(__half_as_ushort(__int2half_rn(int(v) >> 14))));
  h = mix(h, uint32_t(__half_as_ushort(__uint2half_rz(v >> (v & 31)))));
  h = mix(h, uint32_t(__half_as_ushort(__double2half(double(f)))));
  h = mix(h, uint32_t(__half_as_ushort(__ll2half_ru(int64_t(int(v)) << 3 >> (v & 31)))));
  const half x = __ushort_as_half(uint16_t((v & 0x7c00) == 0x7c00 ? 0x3555 : v));
  h = mix(mix(h, __half2int_rd(x)), __half2int_ru(x));
  h = mix(mix(h, uint32_t(__half2ushort_rz(x))), uint32_t(uint16_t(__half2short_rn(x))));
  h = mix(mix(h, __half2ll_rn(x)), __half2ull_rz(x));
  const half2 pair = __floats2half2_rn(f, whole(v));
  out[TID] = mix(mix(h, __low2float(pair)), __high2float(pair));
}

/// Fragments of 16 by 16 halves, float sums of small integers.
KERNEL(wmma_half) {
  using namespace nvcuda;
  __shared__ half a[8][256], b[8][256];
  __shared__ float c[8][256];
  const uint32_t w = warp_id();
  for (uint32_t i = lane_id(); i < 256; i += 32) {
    const uint32_t v = in[(TID + i * 3) % n];
    a[w][i] = __float2half(float(int(v & 31) - 16));
    b[w][i] = __float2half(float(int(v >> 5 & 31) - 15) * 0.25f);
    c[w][i] = float(v >> 20);
  }
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::load_matrix_sync(fa, a[w], 16);
  wmma::load_matrix_sync(fb, b[w], 16);
  wmma::load_matrix_sync(fc, c[w], 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c[w], fc, 16, wmma::mem_row_major);
  __syncwarp();
  uint32_t h = 0;
  for (uint32_t i = lane_id(); i < 256; i += 32) h = mix(h, c[w][i]);
  out[TID] = h;
}

/// Half sums, 8 by 32 by 16; a row-major and a column-major factor.
KERNEL(wmma_half_sums) {
  using namespace nvcuda;
  __shared__ half a[8][512], c[8][256];
  const uint32_t w = warp_id();
  for (uint32_t i = lane_id(); i < 512; i += 32)
    a[w][i] = __int2half_rn(int(in[(TID + i) % n] & 7) - 3);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 8, 32, 16, half, wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 32, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 8, 32, 16, half> fc;
  wmma::fill_fragment(fc, __float2half(0.5f));
  wmma::load_matrix_sync(fa, a[w] + 64, 8);
  wmma::load_matrix_sync(fb, a[w], 32);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] = __hadd(fc.x[i], fc.x[i]);
  wmma::store_matrix_sync(c[w], fc, 32, wmma::mem_row_major);
  __syncwarp();
  uint32_t h = 0;
  for (uint32_t i = lane_id(); i < 256; i += 32) h = mix(h, uint32_t(__half_as_ushort(c[w][i])));
  out[TID] = h;
}

KERNEL(wmma_bytes) {
  using namespace nvcuda;
  __shared__ alignas(32) signed char a[8][256];
  __shared__ alignas(32) unsigned char b[8][256];
  __shared__ alignas(32) int c[8][256];
  const uint32_t w = warp_id();
  for (uint32_t i = lane_id(); i < 256; i += 32)
    a[w][i] = (signed char)(in[(TID + i) % n]),
    b[w][i] = (unsigned char)(in[(TID + 5 * i) % n] >> 9);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa, fd;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
  wmma::fill_fragment(fc, int(in[w]));
  wmma::load_matrix_sync(fa, a[w], 16);
  wmma::load_matrix_sync(fb, reinterpret_cast<signed char*>(b[w]), 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::load_matrix_sync(fd, a[w], 16);
  wmma::mma_sync(fc, fd, fb, fc);
  wmma::store_matrix_sync(c[w], fc, 16, wmma::mem_col_major);
  __syncwarp();
  uint32_t h = 0;
  for (uint32_t i = lane_id(); i < 256; i += 32) h = mix(h, c[w][i]);
  out[TID] = h;
}

/// Tiles by ldmatrix, plain and transposed; m16n8k8 with half and float sums; movmatrix.
KERNEL(mma_ldmatrix) {
  __shared__ alignas(16) half tiles[8][4][64];
  const uint32_t w = warp_id(), l = lane_id();
  for (int t = 0; t < 4; t++) {
    for (int i = 0; i < 2; i++)
      tiles[w][t][l * 2 + i] = __int2half_rn(int(in[(TID * 2 + i + t * 91) % n] & 15) - 7);
  }
  __syncwarp();
  uint32_t a[4], b[2], d[2], moved;
  const uint32_t row = uint32_t(__cvta_generic_to_shared(&tiles[w][l >> 3][(l & 7) * 8]));
  const uint32_t half_row = uint32_t(__cvta_generic_to_shared(&tiles[w][l >> 3 & 1][(l & 7) * 8]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(b[0]), "=r"(b[1])
               : "r"(half_row));
  float c[4] = {1.0f, -2.0f, float(l), 0.5f};
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, "
      "%2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %5};"
      : "=r"(d[0]), "=r"(d[1])
      : "r"(a[2]), "r"(a[3]), "r"(b[1]), "r"(0x3c00bc00u));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(moved) : "r"(a[3]));
  uint32_t h = mix(mix(mix(mix(moved, c[0]), c[1]), c[2]), c[3]);
  out[TID] = mix(mix(h, d[0]), d[1]);
}

/// Bytes, signed and unsigned, with and without saturation.
KERNEL(mma_bytes) {
  const uint32_t a = in[TID], b = in[(TID + 100) % n];
  int c[2] = {int(in[(TID + 1) % n]), 7}, d[2] = {0x7ffffff0, -0x7ffffff0};
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+r"(c[0]), "+r"(c[1])
               : "r"(a), "r"(b));
  asm volatile(
      "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+r"(d[0]), "+r"(d[1])
      : "r"(a), "r"(b));
  out[TID] = mix(mix(mix(mix(0u, c[0]), c[1]), d[0]), d[1]);
}

KERNEL(transform_fourier) {
  float re[8], im[8];
  for (int i = 0; i < 8; i++)
    re[i] = whole(in[(TID + 8 * i) % n]), im[i] = whole(in[(TID + 3 * i) % n] >> 8);
  const float wr[4] = {1.0f, 0.70710678f, 0.0f, -0.70710678f},
              wi[4] = {0.0f, -0.70710678f, -1.0f, -0.70710678f};
#pragma unroll
  for (int half = 4; half > 0; half /= 2) {
#pragma unroll
    for (int i = 0; i < 8; i++) {
      if (i & half) continue;
      const int k = (i & (half - 1)) * (4 / half);
      const float x = re[i] - re[i + half], y = im[i] - im[i + half];
      re[i] += re[i + half], im[i] += im[i + half];
      re[i + half] = x * wr[k] - y * wi[k], im[i + half] = x * wi[k] + y * wr[k];
    }
  }
  uint32_t h = 0;
  for (int i = 0; i < 8; i++) h = mix(mix(h, re[i]), im[i]);
  out[TID] = h;
}
