// SPDX-License-Identifier: Apache-2.0
// More of the same kinds: numbers, graphs, codes, warps that work together on wide values.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <cub/cub.cuh>

#include "kernel.cuh"

KERNEL(shuffle_wide_values) {
  struct Pair {
    uint32_t key;
    float value;
  };
  const uint32_t v = in[TID];
  const uint64_t l = uint64_t(v) << 32 | in[(TID + 1) % n];
  const double d = double(int(v)) * 0x1p-7;
  uint32_t h = mix(0u, __shfl_xor_sync(FULL, l, 5));
  h = mix(mix(h, __shfl_down_sync(FULL, d, 3, 16)), __shfl_up_sync(FULL, int64_t(l), 7));
  Pair best{v, whole(v)};
#pragma unroll
  for (int i = 16; i > 0; i /= 2) {
    const Pair other{__shfl_xor_sync(FULL, best.key, i), __shfl_xor_sync(FULL, best.value, i)};
    if (other.value < best.value || (other.value == best.value && other.key < best.key))
      best = other;
  }
  const half2 p = __shfl_sync(FULL, __floats2half2_rn(whole(v), 1.0f), int(v & 31));
  out[TID] = mix(mix(mix(h, best.key), best.value), __low2float(p));
}

/// A number of 1,024 bits across a warp: sum with carries by ballots, and a product's column sums.
KERNEL(big_number_warp) {
  const uint32_t a = in[TID], b = in[(TID + 32) % n], lane = lane_id();
  uint32_t s = a + b;
  const uint32_t made = __ballot_sync(FULL, s < a), passes = __ballot_sync(FULL, s == 0xffffffffu);
  const uint32_t carries = ((made << 1) + passes) ^ passes;
  s += carries >> lane & 1;
  uint64_t low = 0, high = 0;
  for (uint32_t i = 0; i < 32; i++) {
    const uint32_t x = __shfl_sync(FULL, a, int(i)), y = __shfl_sync(FULL, b, int((lane - i) & 31));
    const uint64_t p = uint64_t(x) * y;
    if (i <= lane) low += uint32_t(p), high += p >> 32;
  }
  out[TID] = mix(mix(s, low), high);
}

KERNEL(greatest_common_divisor) {
  uint32_t a = in[TID] | 1, b = in[(TID + 1) % n] >> 3;
  uint32_t x = a, y = b;
  while (y != 0) {
    const uint32_t r = x % y;
    x = y, y = r;
  }
  uint64_t u = uint64_t(a) * 12, v = uint64_t(b | 2) * 18;
  const int shift = __ffsll(int64_t(u | v)) - 1;
  u >>= __ffsll(int64_t(u)) - 1;
  while (v != 0) {
    v >>= __ffsll(int64_t(v)) - 1;
    if (u > v) {
      const uint64_t t = u;
      u = v, v = t;
    }
    v -= u;
  }
  out[TID] = mix(x, u << shift);
}

KERNEL(prime_sieve) {
  __shared__ uint32_t composite[64];
  if (threadIdx.x < 64) composite[threadIdx.x] = 0;
  __syncthreads();
  for (uint32_t p = 2 + threadIdx.x; p < 46; p += blockDim.x) {
    for (uint32_t q = p * p; q < 2048; q += p) atomicOr(&composite[q >> 5], 1u << (q & 31));
  }
  __syncthreads();
  uint32_t v = in[TID] & 2047, count = 0;
  while (v >= 2 && (composite[v >> 5] >> (v & 31) & 1)) v--;
  for (uint32_t w = 0; w < v >> 5; w++) count += __popc(~composite[w]);
  out[TID] = count << 16 | v;
}

/// LU decomposition with a search for the pivot; doubles in local memory.
KERNEL(gauss_pivoting) {
  double a[5][5];
#pragma unroll 1
  for (int i = 0; i < 25; i++) a[i / 5][i % 5] = double(int(in[(TID + i * 37) % n])) * 0x1p-24;
  double determinant = 1;
#pragma unroll 1
  for (int k = 0; k < 5; k++) {
    int pivot = k;
    for (int i = k + 1; i < 5; i++)
      if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
    if (pivot != k) {
      for (int j = 0; j < 5; j++) {
        const double t = a[k][j];
        a[k][j] = a[pivot][j], a[pivot][j] = t;
      }
      determinant = -determinant;
    }
    determinant *= a[k][k];
    for (int i = k + 1; i < 5; i++) {
      const double f = a[i][k] / a[k][k];
      for (int j = k; j < 5; j++) a[i][j] -= f * a[k][j];
    }
  }
  out[TID] = mix(mix(0u, determinant), a[4][4]);
}

KERNEL(newton_roots) {
  const double y = double(in[TID] | 1) * 0x1p-10;
  double x = y * 0.5 + 0.5;
  int steps = 0;
  for (double before = 0; x != before && steps < 60; steps++)
    before = x, x = x - (x * x - y) / (2 * x);
  float c = float(y), r = 1.0f + c * 0.1f;
  for (int i = 0; i < 20; i++) r = r - (r * r * r - c) / (3.0f * r * r);
  out[TID] = mix(mix(mix(0u, x), r), steps);
}

KERNEL(compensated_sums) {
  float sum = 0, lost = 0;
  double pair = 0, rest = 0;
  for (int i = 0; i < 24; i++) {
    const float v = any_float(in[(TID + i * 5) % n] & 0x8fffffffu | 0x30000000u);
    const float y = __fsub_rn(v, lost), t = __fadd_rn(sum, y);
    lost = __fsub_rn(__fsub_rn(t, sum), y), sum = t;
    const double d = double(v) * 1.1, s = pair + d, b = s - pair;
    rest += (pair - (s - b)) + (d - b), pair = s;
  }
  out[TID] = mix(mix(mix(0u, sum), lost), pair + rest);
}

KERNEL(quaternions) {
  float q[4], p[4];
  for (int i = 0; i < 4; i++)
    q[i] = whole(in[(TID + i) % n]) + 0.5f, p[i] = whole(in[(TID + 9 + i) % n]);
  for (int turn = 0; turn < 3; turn++) {
    const float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] /= length;
    const float r[4] = {q[0] * p[0] - q[1] * p[1] - q[2] * p[2] - q[3] * p[3],
                        q[0] * p[1] + q[1] * p[0] + q[2] * p[3] - q[3] * p[2],
                        q[0] * p[2] - q[1] * p[3] + q[2] * p[0] + q[3] * p[1],
                        q[0] * p[3] + q[1] * p[2] - q[2] * p[1] + q[3] * p[0]};
    for (int i = 0; i < 4; i++) p[i] = r[i], q[i] += 0.125f * float(i);
  }
  out[TID] = mix(mix(mix(mix(0u, p[0]), p[1]), p[2]), p[3]);
}

KERNEL(cordic) {
  const int turn[16] = {536870912, 316933406, 167458907, 85004756, 42667331, 21354465,
                        10679838,  5340245,   2670163,   1335087,  667544,   333772,
                        166886,    83443,     41722,     20861};
  int x = 326016435, y = 0, z = int(in[TID]) >> 2;
#pragma unroll
  for (int i = 0; i < 16; i++) {
    const int s = z >> 31, dx = ((y >> i) ^ s) - s, dy = ((x >> i) ^ s) - s;
    x -= dx, y += dy, z -= (turn[i] ^ s) - s;
  }
  out[TID] = mix(mix(uint32_t(x), y), z);
}

/// Sets joined through atomics on shared memory; the root of each is the least member.
KERNEL(union_find) {
  __shared__ uint32_t parent[256];
  const uint32_t t = threadIdx.x;
  parent[t] = t;
  __syncthreads();
  uint32_t a = t, b = in[TID] % blockDim.x;
  while (true) {
    while (parent[a] != a) a = parent[a];
    while (parent[b] != b) b = parent[b];
    if (a == b) break;
    if (a < b) {
      const uint32_t s = a;
      a = b, b = s;
    }
    const uint32_t old = atomicMin(&parent[a], b);
    if (old == a) break;
    a = old;
  }
  __syncthreads();
  uint32_t root = t;
  while (parent[root] != root) root = parent[root];
  out[TID] = root;
}

/// Levels of a graph by frontiers; each node has three edges.
KERNEL(breadth_first) {
  __shared__ uint32_t level[256];
  const uint32_t t = threadIdx.x, v = in[TID];
  level[t] = t == 0 ? 0 : 99;
  __syncthreads();
  const uint32_t edges[3] = {(t + 1) % blockDim.x, (v >> 8) % blockDim.x, (v >> 20) % blockDim.x};
  for (uint32_t depth = 0; depth < 20; depth++) {
    const bool here = level[t] == depth;
    if (here)
      for (int i = 0; i < 3; i++) atomicMin(&level[edges[i]], depth + 1);
    if (__syncthreads_or(here) == 0) break;
  }
  out[TID] = level[t];
}

KERNEL(lempel_ziv) {
  uint8_t text[64];
  uint32_t length = 0;
#pragma unroll 1
  for (uint32_t i = 0; length < 48; i++) {
    const uint32_t token = in[(TID + i * 3) % n];
    if (length < 4 || (token & 3) == 0) {
      text[length++] = uint8_t(token >> 8);
    } else {
      const uint32_t back = (token >> 4) % length + 1, count = (token >> 12) % 9 + 1;
      for (uint32_t k = 0; k < count && length < 64; k++, length++)
        text[length] = text[length - back];
    }
  }
  uint32_t h = length;
#pragma unroll 1
  for (uint32_t i = 0; i < length; i++) h = h * 31 + text[i];
  out[TID] = h;
}

/// Bits of a code of lengths 1 to 5, decoded through a table in constant memory.
__constant__ uint8_t kCode[32] = {1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,
                                  18, 18, 18, 18, 18, 18, 18, 18, 35, 35, 35, 35, 52, 52, 69, 85};
KERNEL(prefix_code) {
  uint64_t bits = uint64_t(in[TID]) << 32 | in[(TID + 1) % n];
  uint32_t h = 0, symbols = 0;
  for (uint32_t used = 0; used < 60; symbols++) {
    const uint32_t entry = kCode[bits >> 59], length = (entry >> 4) + (entry < 16 ? 1 : 0);
    h = h * 7 + (entry & 15);
    bits <<= length, used += length;
  }
  out[TID] = h << 8 | symbols;
}

KERNEL(knapsack) {
  uint16_t best[33];
#pragma unroll
  for (int w = 0; w <= 32; w++) best[w] = 0;
#pragma unroll 1
  for (int i = 0; i < 6; i++) {
    const uint32_t v = in[(TID + i) % n];
    const int weight = int(v & 7) + 2;
    const uint16_t worth = uint16_t(v >> 8 & 255);
#pragma unroll 1
    for (int w = 32; w >= weight; w--) best[w] = max(best[w], uint16_t(best[w - weight] + worth));
  }
  out[TID] = best[32] << 16 | best[in[TID] >> 27];
}

/// Nearest of eight centres; the centres move by exact sums in shared memory.
KERNEL(nearest_centres) {
  __shared__ int sums[8][2], counts[8];
  const int x = int(in[TID] & 1023), y = int(in[TID] >> 10 & 1023);
  int cx = int(threadIdx.x & 7) * 128, cy = int(threadIdx.x * 5 & 7) * 128, nearest = 0;
  for (int turn = 0; turn < 3; turn++) {
    int least = 0x7fffffff;
    for (int c = 0; c < 8; c++) {
      const int dx = x - __shfl_sync(FULL, cx, c), dy = y - __shfl_sync(FULL, cy, c),
                d = dx * dx + dy * dy;
      if (d < least) least = d, nearest = c;
    }
    if (threadIdx.x < 8) sums[threadIdx.x][0] = sums[threadIdx.x][1] = counts[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&sums[nearest][0], x), atomicAdd(&sums[nearest][1], y),
        atomicAdd(&counts[nearest], 1);
    __syncthreads();
    const int c = threadIdx.x & 7;
    if (counts[c] > 0) cx = sums[c][0] / counts[c], cy = sums[c][1] / counts[c];
    __syncthreads();
  }
  out[TID] = uint32_t(nearest) << 24 | uint32_t(cx) << 12 | uint32_t(cy);
}

KERNEL(cub_warp_exchange) {
  using Exchange = cub::WarpExchange<uint32_t, 4, 32>;
  __shared__ Exchange::TempStorage shared[8];
  uint32_t items[4];
  for (int i = 0; i < 4; i++) items[i] = in[(TID * 4 + i) % n];
  Exchange(shared[warp_id()]).BlockedToStriped(items, items);
  __syncwarp();
  uint32_t h = mix(mix(items[0], items[1]), mix(items[2], items[3]));
  Exchange(shared[warp_id()]).StripedToBlocked(items, items);
  out[TID] = mix(h, items[lane_id() & 3]);
}

KERNEL(cub_radix_rank_descending) {
  using Rank = cub::BlockRadixRank<256, 5, true>;
  __shared__ Rank::TempStorage shared;
  uint32_t keys[1] = {in[TID]};
  int ranks[1];
  Rank(shared).RankKeys(keys, ranks, cub::BFEDigitExtractor<uint32_t>(7, 5));
  out[TID] = uint32_t(ranks[0]);
}

KERNEL(cub_sort_doubles) {
  using Sort = cub::BlockRadixSort<double, 256, 1, uint16_t>;
  __shared__ Sort::TempStorage shared;
  double key[1] = {any_double(in[TID], in[(TID + 1) % n])};
  uint16_t value[1] = {uint16_t(threadIdx.x)};
  Sort(shared).SortDescending(key, value, 32, 64);
  out[TID] = mix(mix(0u, key[0]), uint32_t(value[0]));
}

KERNEL(groups_multi_reduce) {
  namespace cg = cooperative_groups;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto four = cg::tiled_partition<4>(warp);
  const uint32_t v = in[TID];
  struct Range {
    int low, high;
  };
  const Range r = cg::reduce(four, Range{int(v), int(v)}, [](const Range& a, const Range& b) {
    return Range{min(a.low, b.low), max(a.high, b.high)};
  });
  uint32_t h = mix(mix(0u, r.low), r.high);
  if (cg::invoke_one_broadcast(four, [&] { return v & 1; }))
    h = mix(h, cg::reduce(four, double(v), cg::plus<double>()));
  h = mix(h, four.shfl(double(v) * 0.5, 2));
  int alike;
  const uint32_t lanes = warp.match_all(v >> 31, alike);
  out[TID] = mix(mix(h, lanes), alike);
}

/// Waves along the diagonals of a table of 16 by 16 in shared memory: alignment of two words.
KERNEL(smith_waterman) {
  __shared__ int score[8][17][18];
  const uint32_t w = warp_id(), l = lane_id();
  for (uint32_t i = l; i < 17 * 18; i += 32) score[w][i / 18][i % 18] = 0;
  __syncwarp();
  const uint32_t a = in[TID & ~31u], b = in[(TID & ~31u) + 1];
  int best = 0;
  for (uint32_t wave = 0; wave < 31; wave++) {
    const uint32_t i = l, j = wave - l;
    if (i < 16 && j < 16) {
      const int same = (a >> (2 * i) & 3) == (b >> (2 * j) & 3) ? 3 : -2;
      const int s =
          max(max(score[w][i][j] + same, 0), max(score[w][i][j + 1] - 1, score[w][i + 1][j] - 1));
      score[w][i + 1][j + 1] = s;
      best = max(best, s);
    }
    __syncwarp();
  }
  for (int i = 16; i > 0; i /= 2) best = max(best, __shfl_xor_sync(FULL, best, i));
  out[TID] = uint32_t(best) << 16 | uint32_t(score[w][16][l & 15]);
}

/// A routine that lanes call at different places and depths, with more arguments than registers
/// pass.
static __device__ __noinline__ uint64_t weave(uint32_t a, uint64_t b, double c, uint32_t d,
                                              uint64_t e, float f, uint32_t* g, int depth) {
  *g = mix(*g, uint64_t(b + e));
  if (depth == 0) return b ^ e ^ a;
  if (d & 1)
    return weave(a + 1, b * 3, c * 0.5, d >> 1, e + a, f + 1.0f, g, depth - 1) + uint64_t(c);
  return weave(a * 5, e, c + f, d >> 1, b, f * 2.0f, g, depth - 1) - 7;
}
KERNEL(calls_many_arguments) {
  const uint32_t v = in[TID];
  uint32_t seen = 1;
  uint64_t r = v;
  if (v & 2) r = weave(v, v * 9ull, 2.5, v >> 7, r, 1.5f, &seen, int(v & 3));
  r += weave(v >> 3, r, 0.25, v >> 11, 77, whole(v), &seen, 2);
  out[TID] = mix(seen, r);
}
