// SPDX-License-Identifier: Apache-2.0
// Sorts, hashes, products of matrices, halves, doubles, divisions.
#pragma once
#include <cuda_fp16.h>
#include <mma.h>
#include "kernel.cuh"

KERNEL(u_sort_shell) {
  uint32_t a[24];
  for (int i = 0; i < 24; i++) a[i] = in[(TID * 5 + i * 3) % n];
#pragma unroll 1
  for (int g = 12; g > 0; g = g == 2 ? 1 : g * 5 / 11)
    for (int i = g; i < 24; i++) {
      uint32_t x = a[i];
      int j = i;
      for (; j >= g && a[j - g] > x; j -= g) a[j] = a[j - g];
      a[j] = x;
    }
  uint32_t h = 0;
  for (int i = 0; i < 24; i++) h = mix(h, a[i]);
  out[TID] = h;
}

KERNEL(u_sort_heap_local) {
  uint16_t a[20];
  for (int i = 0; i < 20; i++) a[i] = uint16_t(in[(TID + i * 13) % n] >> 7);
  auto sift = [&](int r, int m) {
    while (2 * r + 1 < m) {
      int c = 2 * r + 1;
      if (c + 1 < m && a[c] < a[c + 1]) c++;
      if (a[r] >= a[c]) return;
      uint16_t t = a[r];
      a[r] = a[c];
      a[c] = t;
      r = c;
    }
  };
#pragma unroll 1
  for (int i = 9; i >= 0; i--) sift(i, 20);
#pragma unroll 1
  for (int m = 19; m > 0; m--) {
    uint16_t t = a[0];
    a[0] = a[m];
    a[m] = t;
    sift(0, m);
  }
  uint32_t h = 0;
  for (int i = 0; i < 20; i++) h = mix(h, uint32_t(a[i]));
  out[TID] = h;
}

KERNEL(u_sort_counting_block) {
  __shared__ uint32_t c[64], s[256];
  const uint32_t t = threadIdx.x, v = in[TID];
  if (t < 64) c[t] = 0;
  __syncthreads();
  atomicAdd(&c[v >> 26], 1u);
  __syncthreads();
  if (t == 0) {
    uint32_t r = 0;
    for (int i = 0; i < 64; i++) {
      uint32_t k = c[i];
      c[i] = r;
      r += k;
    }
  }
  __syncthreads();
  uint32_t rank = 0;
  for (uint32_t i = 0; i < t; i++) rank += in[blockIdx.x * 256 + i] >> 26 == v >> 26;
  s[c[v >> 26] + rank] = v;
  __syncthreads();
  out[TID] = s[t];
}

KERNEL(u_bitonic_shuffle_pairs) {
  uint32_t k = in[TID] >> 20;
  float v = whole(in[TID]);
  const uint32_t l = lane_id();
  for (uint32_t w = 2; w <= 32; w <<= 1)
    for (uint32_t s = w >> 1; s; s >>= 1) {
      uint32_t ok = __shfl_xor_sync(FULL, k, s);
      float ov = __shfl_xor_sync(FULL, v, s);
      bool up = (l & w) == 0, lower = (l & s) == 0, swap = lower == up ? ok < k : ok > k;
      if (swap) {
        k = ok;
        v = ov;
      }
    }
  out[TID] = mix(k, v);
}

KERNEL(u_hash_siphash) {
  uint64_t v0 = 0x736f6d6570736575ull, v1 = 0x646f72616e646f6dull, v2 = 0x6c7967656e657261ull,
           v3 = 0x7465646279746573ull;
  uint64_t k0 = in[TID] | uint64_t(in[(TID + 1) % n]) << 32, k1 = ~k0 * 3;
  v0 ^= k0;
  v1 ^= k1;
  v2 ^= k0;
  v3 ^= k1;
  auto rot = [](uint64_t x, int b) { return x << b | x >> (64 - b); };
  auto round = [&] {
    v0 += v1;
    v1 = rot(v1, 13);
    v1 ^= v0;
    v0 = rot(v0, 32);
    v2 += v3;
    v3 = rot(v3, 16);
    v3 ^= v2;
    v0 += v3;
    v3 = rot(v3, 21);
    v3 ^= v0;
    v2 += v1;
    v1 = rot(v1, 17);
    v1 ^= v2;
    v2 = rot(v2, 32);
  };
#pragma unroll 1
  for (int i = 0; i < 5; i++) {
    uint64_t m = (uint64_t(in[(TID + i) % n]) << 32) + i;
    v3 ^= m;
    round();
    round();
    v0 ^= m;
  }
  v2 ^= 0xff;
  for (int i = 0; i < 4; i++) round();
  out[TID] = mix(0u, v0 ^ v1 ^ v2 ^ v3);
}

KERNEL(u_hash_md5) {
  uint32_t a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, m[16];
  for (int i = 0; i < 16; i++) m[i] = in[(TID + i) % n];
#pragma unroll 4
  for (int i = 0; i < 64; i++) {
    uint32_t f;
    int g;
    if (i < 16) {
      f = (b & c) | (~b & d);
      g = i;
    } else if (i < 32) {
      f = (d & b) | (~d & c);
      g = (5 * i + 1) & 15;
    } else if (i < 48) {
      f = b ^ c ^ d;
      g = (3 * i + 5) & 15;
    } else {
      f = c ^ (b | ~d);
      g = 7 * i & 15;
    }
    uint32_t t = d;
    d = c;
    c = b;
    b += rotl(a + f + m[g] + uint32_t(i) * 0x9E3779B9u, 7 + 5 * (i & 3));
    a = t;
  }
  out[TID] = mix(mix(mix(a, b), c), d);
}

KERNEL(u_hash_fnv_bytes) {
  const uint8_t* p = reinterpret_cast<const uint8_t*>(in);
  uint64_t h = 14695981039346656037ull;
  for (uint32_t i = 0, e = (in[TID] & 31) + 1; i < e; i++) {
    h ^= p[(4 * TID + i * 3) % (4 * n)];
    h *= 1099511628211ull;
  }
  int8_t s = int8_t(h >> 9);
  int16_t w = int16_t(h >> 21);
  out[TID] = mix(mix(uint32_t(h >> 32), int(s)), int(w));
}

KERNEL(u_gemm_tile_int) {
  __shared__ int a[16][17], b[16][16];
  const int x = threadIdx.x & 15, y = threadIdx.x >> 4;
  int acc = 0;
  for (int k = 0; k < 4; k++) {
    a[y][x] = int(in[(y * 64 + k * 16 + x) % n]) >> 16;
    b[y][x] = int(in[(k * 256 + y * 16 + x + blockIdx.x) % n] & 0xffff);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; i++) acc += a[y][i] * b[i][x];
    __syncthreads();
  }
  out[TID] = acc;
}

KERNEL(u_gemm_outer_float4) {
  __shared__ float4 s[64];
  if (threadIdx.x < 64)
    s[threadIdx.x] = make_float4(whole(in[threadIdx.x]), whole(in[threadIdx.x + 64]),
                                 whole(in[threadIdx.x + 128]), 2.f);
  __syncthreads();
  float c[4][4] = {};
  for (int k = 0; k < 8; k++) {
    float4 p = s[(threadIdx.x + k) & 63], q = s[(threadIdx.x * 3 + k * 5) & 63];
    float u[4] = {p.x, p.y, p.z, p.w}, w[4] = {q.x, q.y, q.z, q.w};
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) c[i][j] = fmaf(u[i], w[j], c[i][j]);
  }
  uint32_t h = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) h = mix(h, c[i][j]);
  out[TID] = h;
}

KERNEL(u_matvec_shuffle_double) {
  double acc = 0, x = double(int(in[TID])) * 0x1p-20;
  for (int r = 0; r < 8; r++) {
    double p = x * double(int(in[(TID + r * 32) % n]) >> 12);
    for (int o = 16; o; o >>= 1) p += __shfl_xor_sync(FULL, p, o);
    if (int(lane_id()) == r * 4) acc = p;
  }
  out[TID] = mix(0u, acc);
}

KERNEL(u_wmma_half_16) {
  using namespace nvcuda;
  __shared__ __align__(32) half a[256], b[256];
  __shared__ __align__(32) float c[8][256];
  a[threadIdx.x] = __float2half(float(int(in[TID] & 31) - 16));
  b[threadIdx.x] = __float2half(float(int(in[TID] >> 8 & 15) - 8) * 0.5f);
  __syncthreads();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 1.5f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  for (int i = 0; i < 3; i++) wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] *= 0.25f;
  wmma::store_matrix_sync(c[warp_id()], fc, 16, wmma::mem_col_major);
  __syncwarp();
  uint32_t h = 0;
  for (int i = 0; i < 8; i++) h = mix(h, c[warp_id()][lane_id() * 8 + i]);
  out[TID] = h;
}

KERNEL(u_half2_polynomial) {
  const uint32_t v = in[TID];
  half2 x = __halves2half2(__float2half_rn(whole(v) * 0.01f),
                           __float2half_rd(whole(v >> 8) * 0.02f)),
        y = __float2half2_rn(0.5f);
  for (int i = 0; i < 6; i++) y = __hfma2(y, x, __float2half2_rn(0.25f * i - 0.5f));
  half2 m = __hmul2_sat(y, y), s = __hadd2(__hneg2(x), __lowhigh2highlow(y)), r = h2rint(s),
        f = h2floor(y);
  bool e = __hbeq2(r, f), l = __hblt2(x, y), g = __hge(__low2half(x), __high2half(y));
  half d = __hdiv(__low2half(s), __float2half(3.0f));
  out[TID] = mix(mix(mix(*(uint32_t*)&m, *(uint32_t*)&r), *(uint32_t*)&f),
                 (e | l << 1 | g << 2) + (uint32_t(__half_as_ushort(d)) << 8));
}

KERNEL(u_half_convert_all) {
  const uint32_t v = in[TID];
  half a = __ushort_as_half(uint16_t(v)), b = __ushort_as_half(uint16_t(v >> 16));
  uint32_t h = 0;
  h = mix(h, __half2int_rz(a));
  h = mix(h, __half2uint_ru(b));
  h = mix(h, uint32_t(__half2short_rn(a)));
  h = mix(h, (long long)__half2ll_rd(b));
  h = mix(h, uint32_t(__half_as_ushort(__int2half_rz(int(v)))));
  h = mix(h, uint32_t(__half_as_ushort(__ull2half_rn(uint64_t(v) << 5))));
  h = mix(h, uint32_t(__half_as_ushort(__double2half(double(int(v)) * 0x1p-16))));
  half m = __hmax(a, b), k = __hmin(a, b);
  h = mix(h, __hisnan(m) ? 1u : uint32_t(__half_as_ushort(m)));
  h = mix(h, __hisnan(k) ? 2u : uint32_t(__half_as_ushort(k)));
  out[TID] = h;
}

KERNEL(u_double_horner_div) {
  double x = double(int(in[TID])) / 1048576.0, y = 0;
  for (int i = 1; i <= 9; i++) y = (y + 1.0 / i) * x;
  double q = y / (x * x + 1.0), r = sqrt(fabs(y)), f = fmod(y * 37.0, 3.5), c = cbrt(1.0 + x * 0),
         k = trunc(q * 1e3) + ceil(r) - floor(f) + rint(x);
  out[TID] = mix(mix(mix(mix(0u, q), r), f), k) + uint32_t(c);
}

KERNEL(u_double_conversions) {
  const uint32_t v = in[TID];
  const double d = any_double(v, in[(TID + 1) % n]);
  uint32_t h = 0;
  h = mix(h, __double2int_rn(d));
  h = mix(h, __double2uint_rz(d));
  h = mix(h, (long long)__double2ll_ru(d));
  h = mix(h, (unsigned long long)__double2ull_rd(d));
  h = mix(h, __double2float_rz(d));
  h = mix(h, __double2float_ru(d));
  h = mix(h, double(float(d)));
  h = mix(h, (long long)__double_as_longlong(__dadd_rd(d, 1.0)));
  h = mix(h, __dmul_ru(d, 1.0000001));
  h = mix(h, __fma_rz(d, d, -d));
  h = mix(h, fmin(d, 3.0));
  h = mix(h, fmax(-d, 2.0));
  h = mix(h, uint32_t(isnan(d) | isinf(d) << 1 | signbit(d) << 2));
  out[TID] = h;
}

KERNEL(u_div_mixed) {
  const uint32_t a = in[TID], b = in[(TID + 1) % n];
  int64_t p = int64_t(uint64_t(a) << 32 | b), q = int64_t(b) - 0x40000000ll;
  uint32_t h = 0;
  h = mix(h, a / (b >> 20 | 1));
  h = mix(h, int(a) % (int(b) >> 9 | 1));
  h = mix(h, p / (q | 1));
  h = mix(h, uint64_t(p) % uint64_t(a | 1));
  h = mix(h, p / 1000003);
  h = mix(h, int(a) / -7);
  h = mix(h, a % 641u);
  h = mix(h, uint64_t(p) / 10);
  h = mix(h, int16_t(a) / (int8_t(b) | 1));
  out[TID] = h;
}

KERNEL(u_float_div_sqrt) {
  const float x = any_float(in[TID]), y = any_float(in[(TID + 1) % n]);
  uint32_t h = 0;
  auto put = [&](float f) { h = mix(h, f == f ? f : 7.f); };
  put(x / y);
  put(sqrtf(fabsf(x)));
  put(1.0f / y);
  put(__fdiv_rd(x, y));
  put(__fsqrt_ru(fabsf(y)));
  put(__frcp_rz(x));
  put(rsqrtf(4.0f));
  put(fmodf(x, 3.25f));
  put(remainderf(whole(in[TID]), 2.75f));
  put(nextafterf(x, y));
  put(ldexpf(x, int(in[TID] & 15) - 8));
  put(truncf(y));
  put(roundf(x));
  put(copysignf(x, y));
  int e;
  put(frexpf(x, &e));
  h = mix(h, e);
  out[TID] = h;
}
