// SPDX-License-Identifier: Apache-2.0
// Launches whose energy no value was chosen on, written after unseen_*.cu were seen: arithmetic.
#include <mma.h>

#include "launch.cuh"

// Prices of options: exponential, logarithm, roots.
//@ option_prices grid=264 block=256 args: positives:270336, positives:270336, zeros:1081344
LAUNCH option_prices(const float* spot, const float* strike, float* out) {
  for (u32 n = 0; n < 4; ++n) {
    const u32 at = n * 67584 + thread_of_grid();
    const float s = spot[at] * 90, k = strike[at] * 90, root = 0.3f * sqrtf(0.75f);
    const float d1 = (__logf(s / k) + 0.065f * 0.75f) / root, d2 = d1 - root;
    out[at] = s * normcdff(d1) - k * __expf(-0.015f) * normcdff(d2);
  }
}

// The root of z^3 = 1 that Newton's steps reach.
//@ roots_of_one grid=528 block=128 args: zeros:270336, u32:150
LAUNCH roots_of_one(float* out, u32 steps) {
  const u32 t = thread_of_grid();
  float x = (t % 256) * 0.01f - 1.28f, y = (t / 256) * 0.01f - 1.32f;
  for (u32 i = 0; i < steps; ++i) {
    const float xx = x * x - y * y, xy = 2 * x * y, size = 1.f / (xx * xx + xy * xy + 1e-6f);
    const float qx = xx * size, qy = -xy * size;
    x = (2 * x + qx) * (1.f / 3), y = (2 * y + qy) * (1.f / 3);
  }
  out[t] = x;
}

// Forces between 1,024 bodies, all pairs from global memory.
//@ bodies_plain grid=132 block=128 args: floats:4096, zeros:202752, u32:1024
LAUNCH bodies_plain(const float4* body, float* out, u32 count) {
  const float4 me = body[thread_of_grid() % 1024];
  float x = 0, y = 0, z = 0;
  for (u32 i = 0; i < count; ++i) {
    const float4 other = body[i];
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float near = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), pull = other.w * near * near * near;
    x += dx * pull, y += dy * pull, z += dz * pull;
  }
  const u32 at = 3 * thread_of_grid();
  out[at] = x, out[at + 1] = y, out[at + 2] = z;
}

// Polynomials of degree 31 in double precision.
//@ horner_double grid=264 block=128 args: words:67584, zeros:270336
LAUNCH horner_double(const u32* in, double* out) {
  const double x = in[thread_of_grid()] * 0x1p-32;
  double sum = 0;
#pragma unroll
  for (int i = 31; i > 0; --i) sum = fma(sum, x, 1.0 / i);
  out[thread_of_grid()] = sum + sqrt(x);
}

// Murmur's hash of 16 words a thread.
//@ murmur_words grid=264 block=256 args: words:1081344, zeros:270336
LAUNCH murmur_words(const u32* in, u32* out) {
  u32 h = 0x9747b28c;
#pragma unroll 4
  for (u32 i = 0; i < 16; ++i) {
    u32 k = in[i * 67584 + thread_of_grid()] * 0xcc9e2d51;
    k = (k << 15 | k >> 17) * 0x1b873593;
    h ^= k;
    h = (h << 13 | h >> 19) * 5 + 0xe6546b64;
  }
  out[thread_of_grid()] = mix(h);
}

// Random numbers by shifts, and how many points they put into a circle.
//@ circle_points grid=264 block=256 args: zeros:270336, u32:600
LAUNCH circle_points(u32* out, u32 rounds) {
  u32 x = mix(thread_of_grid() + 1), inside = 0;
  for (u32 i = 0; i < rounds; ++i) {
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    const float a = (x >> 16) * 0x1p-16f, b = (x & 0xffff) * 0x1p-16f;
    inside += a * a + b * b < 1;
  }
  out[thread_of_grid()] = inside;
}

// Longest common subsequence of 64 letters by the bits of a sum of 64 bits.
//@ common_letters grid=264 block=256 args: words:4, words:135168, zeros:270336
LAUNCH common_letters(const u32* pattern, const u32* text, u32* out) {
  const u64 masks[4] = {u64(pattern[0]) << 32 | pattern[1], u64(pattern[1]) << 32 | pattern[2],
                        u64(pattern[2]) << 32 | pattern[3], u64(pattern[3]) << 32 | pattern[0]};
  u64 row = ~0ull;
  for (u32 n = 0; n < 2; ++n) {
    u32 letters = text[n * 67584 + thread_of_grid()];
#pragma unroll
    for (int i = 0; i < 16; ++i, letters >>= 2) {
      const u64 mask = letters & 2 ? (letters & 1 ? masks[3] : masks[2]) : (letters & 1 ? masks[1] : masks[0]);
      const u64 both = row & mask;
      row = (row + both) | (row - both);
    }
  }
  out[thread_of_grid()] = __popcll(~row);
}

// Products of matrices of halves by wmma, sums in floats.
//@ wmma_halves grid=264 block=256 args: halves:540672, halves:65536, zeros:2162688
LAUNCH wmma_halves(const __half* a, const __half* b, float* out) {
  using namespace nvcuda::wmma;
  const u32 warp = thread_of_grid() / 32;
  fragment<matrix_a, 16, 16, 16, __half, row_major> left;
  fragment<matrix_b, 16, 16, 16, __half, col_major> right;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.f);
  for (u32 k = 0; k < 256; k += 16) {
    load_matrix_sync(left, a + warp / 4 % 66 * 16 * 256 + k, 256);
    load_matrix_sync(right, b + warp % 4 * 16 * 256 + k, 256);
    mma_sync(sum, left, right, sum);
  }
  store_matrix_sync(out + warp * 256, sum, 16, mem_row_major);
}

// Products of bytes, four at a time.
//@ bytes_dp4a grid=264 block=256 args: words:270336, words:2048, zeros:1081344
LAUNCH bytes_dp4a(const int* a, const int* b, int* out) {
  __shared__ int row[2048];
  for (u32 i = threadIdx.x; i < 2048; i += 256) row[i] = b[i];
  __syncthreads();
  int x[4];
  for (u32 k = 0; k < 4; ++k) x[k] = a[k * 67584 + thread_of_grid()];
#pragma unroll 1
  for (u32 n = 0; n < 4; ++n) {
    int sum = 0;
#pragma unroll 8
    for (u32 i = 0; i < 64; ++i) sum = __dp4a(x[i & 3], row[n * 512 + i * 8 + (lane_id() & 7)], sum);
    out[n * 67584 + thread_of_grid()] = sum;
  }
}

// Products of float matrices, tiles of 16 x 16 in shared memory.
//@ sgemm_square grid=8,33 block=16,16 args: floats:135168, floats:32768, zeros:270336
LAUNCH sgemm_square(const float* a, const float* b, float* out) {
  __shared__ float left[16][16], right[16][17];
  const u32 x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (u32 k = 0; k < 256; k += 16) {
    left[y][x] = a[row * 256 + k + x];
    right[y][x] = b[(k + y) * 128 + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i) sum += left[y][i] * right[i][x];
    __syncthreads();
  }
  out[row * 128 + column] = sum;
}

// Fourier transform of 512 values in shared memory, radix 2.
//@ fourier_shared grid=264 block=256 args: floats:270336, zeros:1081344
LAUNCH fourier_shared(const float2* in, float2* out) {
  __shared__ float2 s[512];
  const u32 t = threadIdx.x, base = blockIdx.x * 512;
  for (u32 i = t; i < 512; i += 256) s[__brev(i) >> 23] = in[base + i];
  for (u32 half = 1; half < 512; half *= 2) {
    __syncthreads();
    const u32 k = t & half - 1, low = (t - k) * 2 + k;
    float turn_y, turn_x;
    __sincosf(-3.14159265f * k / half, &turn_y, &turn_x);
    const float2 a = s[low], b = s[low + half];
    const float2 c = {b.x * turn_x - b.y * turn_y, b.x * turn_y + b.y * turn_x};
    s[low] = {a.x + c.x, a.y + c.y}, s[low + half] = {a.x - c.x, a.y - c.y};
  }
  __syncthreads();
  for (u32 i = t; i < 512; i += 256) out[base + i] = s[i];
}

// Nearest of 64 points of four dimensions.
//@ nearest_point grid=264 block=256 args: floats:270336, floats:256, zeros:270336
LAUNCH nearest_point(const float4* in, const float4* centre, u32* out) {
  __shared__ float4 s[64];
  if (threadIdx.x < 64) s[threadIdx.x] = centre[threadIdx.x];
  __syncthreads();
  const float4 p = in[thread_of_grid()];
  float least = 1e30f;
  u32 best = 0;
#pragma unroll 8
  for (u32 i = 0; i < 64; ++i) {
    const float4 c = s[i];
    const float x = p.x - c.x, y = p.y - c.y, z = p.z - c.z, w = p.w - c.w;
    const float far = x * x + y * y + z * z + w * w;
    if (far < least) least = far, best = i;
  }
  out[thread_of_grid()] = best;
}

// A filter over time in pairs of halves.
//@ halves_recursive grid=264 block=256 args: halves:2162688, zeros:4325376
LAUNCH halves_recursive(const __half2* in, __half2* out) {
  __half2 a = __float2half2_rn(0.f), b = a;
  const __half2 keep = __float2half2_rn(0.75f), less = __float2half2_rn(-0.25f);
#pragma unroll 4
  for (u32 i = 0; i < 16; ++i) {
    const u32 at = i * 67584 + thread_of_grid();
    const __half2 next = __hfma2(keep, a, __hfma2(less, b, in[at]));
    b = a, a = next;
    out[at] = __hmul2(__hadd2(a, b), keep);
  }
}

// Sums of digits: divisions by constants and by a number.
//@ digits_sum grid=264 block=256 args: words:67584, zeros:270336, u32:37
LAUNCH digits_sum(const u32* in, u32* out, u32 base) {
  u32 x = in[thread_of_grid()], y = x, sum = 0;
  while (x) sum += x % 10, x /= 10;
#pragma unroll 1
  for (u32 i = 0; i < 4; ++i) sum += y % base, y /= base;
  out[thread_of_grid()] = sum;
}
