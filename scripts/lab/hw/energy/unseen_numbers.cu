// SPDX-License-Identifier: Apache-2.0
// Launches whose energy no value was chosen on: arithmetic.
#include "launch.cuh"

// Points of a fractal that stay, in double precision.
//@ escape_double grid=264 block=256 args: zeros:270336, u32:40
LAUNCH escape_double(u32* out, u32 rounds) {
  const u32 t = thread_of_grid();
  const double cx = -0.7 + t % 512 * 1e-4, cy = 0.1 + t / 512 * 1e-3;
  double x = 0, y = 0;
  u32 inside = 0;
  for (u32 i = 0; i < rounds; ++i) {
    const double next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    inside += x * x + y * y < 4;
  }
  out[t] = inside;
}

// Counter-based random numbers: products of 32 bits with 64-bit results.
//@ random_philox grid=264 block=256 args: zeros:1081344, u32:12
LAUNCH random_philox(uint4* out, u32 rounds) {
  const u32 t = thread_of_grid();
  uint4 c = {t, 1, 2, 3}, sum = {};
  for (u32 n = 0; n < rounds; ++n) {
    u32 k0 = 0x9E3779B9 * n, k1 = 0xBB67AE85 + n;
    c = {t, n, c.z, c.w};
#pragma unroll
    for (int i = 0; i < 10; ++i) {
      const u64 a = 0xD2511F53ull * c.x, b = 0xCD9E8D57ull * c.z;
      c = {u32(b >> 32) ^ c.y ^ k0, u32(b), u32(a >> 32) ^ c.w ^ k1, u32(a)};
      k0 += 0x9E3779B9, k1 += 0xBB67AE85;
    }
    sum.x ^= c.x, sum.y += c.y, sum.z ^= c.z, sum.w += c.w;
  }
  out[t] = sum;
}

// Set bits, first bits and turned words.
//@ bits_of_words grid=264 block=256 args: words:67584, zeros:270336, u32:40
LAUNCH bits_of_words(const u32* in, u32* out, u32 rounds) {
  u32 x = in[thread_of_grid()], sum = 0;
  for (u32 i = 0; i < rounds; ++i) {
    sum += __popc(x) * 3 + __clz(x) + __ffs(x);
    x = __brev(x) * 5 + sum;
  }
  out[thread_of_grid()] = sum;
}

// Smooth noise of four octaves.
//@ noise_gradient grid=264 block=256 args: words:256, zeros:270336, u32:6
LAUNCH noise_gradient(const u32* table, float* out, u32 octaves) {
  __shared__ u32 hash[256];
  hash[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  const u32 t = thread_of_grid();
  float px = t % 1024 * 0.013f, py = t / 1024 * 0.017f, size = 1, total = 0;
  for (u32 o = 0; o < octaves; ++o) {
    const int ix = int(px), iy = int(py);
    const float fx = px - ix, fy = py - iy;
    const float u = fx * fx * (3 - 2 * fx), v = fy * fy * (3 - 2 * fy);
    float corner[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const u32 h = hash[(hash[(ix + (k & 1)) & 255] + iy + (k >> 1)) & 255];
      corner[k] = (h & 1 ? fx - (k & 1) : (k & 1) - fx) + (h & 2 ? fy - (k >> 1) : (k >> 1) - fy);
    }
    const float a = corner[0] + u * (corner[1] - corner[0]), b = corner[2] + u * (corner[3] - corner[2]);
    total += size * (a + v * (b - a));
    px *= 2, py *= 2, size *= 0.5f;
  }
  out[t] = total;
}

// Sums of sines: the special functions and their arguments' reduction.
//@ waves_sum grid=264 block=256 args: floats:64, zeros:270336
LAUNCH waves_sum(const float* waves, float* out) {
  const float at = thread_of_grid() * 0.001f;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < 64; ++k) sum += __sinf(at * waves[k]) * __cosf(at + waves[k]);
  out[thread_of_grid()] = sum;
}

// Roots by Newton's way in double precision, a division each step.
//@ newton_double grid=132 block=256 args: positives:33792, zeros:270336
LAUNCH newton_double(const float* in, double* out) {
  const double a = in[thread_of_grid()];
  double x = a;
#pragma unroll 1
  for (int i = 0; i < 8; ++i) x = 0.5 * (x + a / x);
  out[thread_of_grid()] = x + sqrt(a);
}

// Powers modulo a prime below 2^31.
//@ modular_power grid=264 block=256 args: words:67584, zeros:270336, u32:2147483629
LAUNCH modular_power(const u32* in, u32* out, u32 prime) {
  u64 base = in[thread_of_grid()] % prime, result = 1;
  for (u32 e = 65539; e; e >>= 1) {
    if (e & 1) result = result * base % prime;
    base = base * base % prime;
  }
  out[thread_of_grid()] = u32(result);
}

// A polynomial on pairs of halves.
//@ polynomial_half grid=264 block=256 args: halves:270336, zeros:540672
LAUNCH polynomial_half(const uint2* in, uint2* out) {
  uint2 word = in[thread_of_grid()];
  half2 x = *(half2*)&word.x, y = *(half2*)&word.y, sx = __float2half2_rn(0.5f), sy = sx;
  const half2 c = __float2half2_rn(0.4375f);
#pragma unroll 16
  for (int k = 0; k < 160; ++k) sx = __hfma2(sx, x, c), sy = __hfma2(sy, y, c);
  word.x = *(u32*)&sx, word.y = *(u32*)&sy;
  out[thread_of_grid()] = word;
}

// Small systems of equations, one a thread, with divisions.
//@ solve_small grid=264 block=128 args: floats:675840, zeros:135168
LAUNCH solve_small(const float* in, float* out) {
  float a[4][5];
  const u32 t = thread_of_grid(), threads = gridDim.x * blockDim.x;
#pragma unroll
  for (int k = 0; k < 20; ++k) a[k / 5][k % 5] = in[k * threads + t] + (k / 5 == k % 5 ? 5.f : 0.f);
#pragma unroll
  for (int p = 0; p < 4; ++p) {
    const float by = 1 / a[p][p];
#pragma unroll
    for (int c = p; c < 5; ++c) a[p][c] *= by;
#pragma unroll
    for (int r = 0; r < 4; ++r)
      if (r != p) {
        const float times = a[r][p];
#pragma unroll
        for (int c = p; c < 5; ++c) a[r][c] -= times * a[p][c];
      }
  }
  out[t] = a[0][4] + a[1][4] + a[2][4] + a[3][4];
}

// A dot product in double precision.
//@ dot_double grid=264 block=256 args: words:1081344, zeros:2112
LAUNCH dot_double(const int2* in, double* out) {
  __shared__ double room[32];
  double sum = 0;
  for (u32 i = thread_of_grid(); i < 540672; i += gridDim.x * blockDim.x) sum += double(in[i].x) * double(in[i].y);
  sum = block_sum(sum, room);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Products of 64 x 64 tiles in double precision, 4 x 4 a thread.
//@ dgemm_tile grid=132 block=256 args: words:131072, words:1081344, zeros:4325376
LAUNCH dgemm_tile(const int* a, const int* b, double* c) {
  __shared__ double sa[16][64], sb[16][64];
  double sum[4][4] = {};
  const u32 x = threadIdx.x % 16, y = threadIdx.x / 16;
  for (u32 k = 0; k < 64; k += 16) {
    for (u32 i = threadIdx.x; i < 1024; i += 256) {
      sa[i / 64][i % 64] = a[(k + i / 64) * 64 + i % 64] * 0x1p-31;
      sb[i / 64][i % 64] = b[blockIdx.x * 4096 + (k + i / 64) * 64 + i % 64] * 0x1p-31;
    }
    __syncthreads();
#pragma unroll 4
    for (u32 j = 0; j < 16; ++j)
#pragma unroll
      for (u32 r = 0; r < 4; ++r)
#pragma unroll
        for (u32 s = 0; s < 4; ++s) sum[r][s] += sa[j][y * 4 + r] * sb[j][x + 16 * s];
    __syncthreads();
  }
  for (u32 r = 0; r < 4; ++r)
    for (u32 s = 0; s < 4; ++s) c[blockIdx.x * 4096 + (y * 4 + r) * 64 + x + 16 * s] = sum[r][s];
}

// Products of tiles of 19-bit floats in registers.
//@ tf32_tiles grid=264 block=128 args: floats:135168, zeros:540672, u32:64
LAUNCH tf32_tiles(const u32* in, float* out, u32 rounds) {
  const u32 t = thread_of_grid();
  u32 a[4], b[2][2];
  for (int k = 0; k < 4; ++k) a[k] = in[t * 4 + k] & ~0x1fffu;
  for (int k = 0; k < 4; ++k) b[k / 2][k % 2] = in[(t * 4 + k + 77) % 135168] & ~0x1fffu;
  float c[2][4] = {};
  for (u32 i = 0; i < rounds; ++i)
#pragma unroll
    for (int n = 0; n < 2; ++n)
      asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                   : "+f"(c[n][0]), "+f"(c[n][1]), "+f"(c[n][2]), "+f"(c[n][3])
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[n][0]), "r"(b[n][1]));
  for (int k = 0; k < 4; ++k) out[t * 4 + k] = c[0][k] + c[1][k];
}

// Products of halves that are summed in halves.
//@ half_sums grid=264 block=128 args: halves:270336, zeros:270336, u32:64
LAUNCH half_sums(const u32* in, u32* out, u32 rounds) {
  const u32 t = thread_of_grid();
  u32 a[4], b[2], c[2][2] = {};
  for (int k = 0; k < 4; ++k) a[k] = in[t * 4 + k];
  for (int k = 0; k < 2; ++k) b[k] = in[(t * 4 + k + 98) % 135168];
  for (u32 i = 0; i < rounds; ++i)
#pragma unroll
    for (int n = 0; n < 2; ++n)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
                   : "+r"(c[n][0]), "+r"(c[n][1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[n]), "r"(b[1 - n]));
  for (int k = 0; k < 2; ++k) out[t * 2 + k] = c[0][k] ^ c[1][k];
}

// Four bytes a product, as images are filtered.
//@ bytes_filter grid=264 block=256 args: words:67584, zeros:270336, u32:24
LAUNCH bytes_filter(const int* in, int* out, u32 rounds) {
  int x = in[thread_of_grid()], sum = 0;
  for (u32 i = 0; i < rounds; ++i) {
    sum = __dp4a(x, 0x01020201, sum);
    sum = __dp4a(x, 0x02040402, sum) + __vabsdiffu4(x, sum);
    x = __byte_perm(x, sum, 0x4321);
  }
  out[thread_of_grid()] = sum;
}
