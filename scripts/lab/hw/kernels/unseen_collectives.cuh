// SPDX-License-Identifier: Apache-2.0
// CUB's and cooperative groups' collectives that no other set has.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/cub.cuh>
#include "kernel.cuh"
namespace cg = cooperative_groups;

struct Pt {
  int x, y;
};
struct PtLess {
  __device__ bool operator()(const Pt& a, const Pt& b) const {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
  }
};
struct XorOp {
  __device__ uint32_t operator()(uint32_t a, uint32_t b) const { return a + b * 1u; }
};
struct MaxD {
  __device__ double operator()(double a, double b) const { return a > b ? a : b; }
};
struct Differs {
  __device__ bool operator()(int a, int b) const { return a != b; }
};
struct Left {
  __device__ int operator()(int a, int b) const { return a * 5 - b; }
};
struct Affine {
  uint32_t m, a;
};
struct Compose {
  __device__ Affine operator()(Affine f, Affine g) const { return {f.m * g.m, f.a * g.m + g.a}; }
};

KERNEL(u_block_scan_affine) {
  using S = cub::BlockScan<Affine, 256, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ S::TempStorage s;
  Affine f{in[TID] | 1, in[(TID * 7) % n]}, r, t;
  S(s).InclusiveScan(f, r, Compose(), t);
  out[TID] = mix(mix(mix(0u, r.m), r.a), t.a);
}

KERNEL(u_block_scan_raking_mem) {
  using S = cub::BlockScan<int, 256, cub::BLOCK_SCAN_RAKING_MEMOIZE>;
  __shared__ S::TempStorage s;
  int v[3];
  for (int i = 0; i < 3; i++) v[i] = int(in[(TID * 3 + i) % n]) >> (4 + i);
  int total;
  S(s).ExclusiveSum(v, v, total);
  out[TID] = mix(mix(mix(mix(0u, v[0]), v[1]), v[2]), total);
}

KERNEL(u_block_sort_keys_u8) {
  using S = cub::BlockRadixSort<uint8_t, 256, 4>;
  __shared__ S::TempStorage s;
  uint8_t k[4];
  for (int i = 0; i < 4; i++) k[i] = uint8_t(in[TID] >> (8 * i));
  S(s).SortBlockedToStriped(k);
  out[TID] = k[0] | k[1] << 8 | k[2] << 16 | uint32_t(k[3]) << 24;
}

KERNEL(u_block_sort_i64_pairs) {
  using S = cub::BlockRadixSort<long long, 256, 1, uint16_t, 5>;
  __shared__ S::TempStorage s;
  long long k[1] = {(long long)(int(in[TID])) * int(in[(TID + 3) % n])};
  uint16_t v[1] = {uint16_t(TID * 31)};
  S(s).SortDescending(k, v, 3, 50);
  out[TID] = mix(mix(1u, k[0]), uint32_t(v[0]));
}

KERNEL(u_block_merge_sort_points) {
  using S = cub::BlockMergeSort<Pt, 256, 2>;
  __shared__ S::TempStorage s;
  Pt p[2];
  for (int i = 0; i < 2; i++)
    p[i] = {int(in[(2 * TID + i) % n] & 63), int(in[(TID + 9 * i) % n]) >> 8};
  S(s).StableSort(p, PtLess());
  out[TID] = mix(mix(mix(mix(0u, p[0].x), p[0].y), p[1].x), p[1].y);
}

KERNEL(u_warp_reduce_segments) {
  using W = cub::WarpReduce<uint32_t>;
  __shared__ W::TempStorage s[8];
  const uint32_t v = in[TID];
  uint32_t a = W(s[warp_id()]).HeadSegmentedReduce(v, (v & 7) == 0, XorOp());
  __syncwarp();
  uint32_t b = W(s[warp_id()]).TailSegmentedSum(v >> 3, (v & 5) == 5);
  __syncwarp();
  uint32_t c = W(s[warp_id()]).Reduce(v, XorOp(), 19);
  out[TID] = ((v & 7) == 0 || lane_id() == 0 ? a : 0) ^ (lane_id() == 0 ? c + b : 3);
}

KERNEL(u_warp_scan_logical16) {
  using W = cub::WarpScan<double, 16>;
  __shared__ W::TempStorage s[16];
  double v = double(int(in[TID])) * 0x1p-10, i, e, t;
  W(s[threadIdx.x / 16]).InclusiveSum(v, i, t);
  __syncwarp();
  W(s[threadIdx.x / 16]).ExclusiveScan(v, e, -1e9, MaxD());
  out[TID] = mix(mix(mix(0u, i), e), t);
}

KERNEL(u_adjacent_difference) {
  using A = cub::BlockAdjacentDifference<int, 256>;
  using D = cub::BlockDiscontinuity<int, 256>;
  __shared__ union {
    A::TempStorage a;
    D::TempStorage d;
  } s;
  int v[2] = {int(in[TID] & 3), int(in[(TID + 1) % n] & 1)}, l[2], hf[2], tf[2];
  A(s.a).SubtractLeft(v, l, Left());
  __syncthreads();
  D(s.d).FlagHeadsAndTails(hf, tf, v, Differs());
  out[TID] = mix(mix(mix(0u, l[0]), l[1]), hf[0] | hf[1] << 1 | tf[0] << 2 | tf[1] << 3);
}

KERNEL(u_block_load_store) {
  using L = cub::BlockLoad<uint32_t, 256, 1, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using X = cub::BlockExchange<uint32_t, 256, 3>;
  __shared__ union {
    L::TempStorage l;
    X::TempStorage x;
  } s;
  uint32_t v[1], w[3];
  L(s.l).Load(in + blockIdx.x * 256, v, n - blockIdx.x * 256, 77u);
  __syncthreads();
  for (int i = 0; i < 3; i++) w[i] = v[0] * (i + 1);
  int r[3];
  for (int i = 0; i < 3; i++) r[i] = int((threadIdx.x * 3 + i) * 5 % 768);
  X(s.x).ScatterToStriped(w, w, r);
  out[TID] = mix(mix(mix(0u, w[0]), w[1]), w[2]);
}

KERNEL(u_block_histogram_atomic) {
  using H = cub::BlockHistogram<uint8_t, 256, 2, 128, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ H::TempStorage s;
  __shared__ uint32_t h[128];
  uint8_t v[2] = {uint8_t(in[TID] & 127), uint8_t(in[TID] >> 9 & 15)};
  H(s).InitHistogram(h);
  __syncthreads();
  H(s).Composite(v, h);
  __syncthreads();
  out[TID] = h[threadIdx.x & 127];
}

KERNEL(u_cg_tiles_nested) {
  auto block = cg::this_thread_block();
  auto t32 = cg::tiled_partition<32>(block);
  auto t8 = cg::tiled_partition<8>(t32);
  auto t4 = cg::tiled_partition<4>(t8);
  const uint32_t v = in[TID];
  uint32_t a = cg::reduce(t8, v, cg::bit_xor<uint32_t>()),
           b = cg::reduce(t4, int(v), cg::less<int>());
  uint32_t c = cg::exclusive_scan(t8, v & 0xff, cg::plus<uint32_t>());
  uint32_t d = t8.match_any(v & 3), e = 0;
  int p = 0;
  e = t4.match_all(v >> 31, p);
  out[TID] =
      mix(mix(mix(mix(mix(mix(a, b), c), d), e), p), t8.meta_group_rank() * 100 + t4.thread_rank());
}

KERNEL(u_cg_binary_partition) {
  auto t = cg::tiled_partition<32>(cg::this_thread_block());
  const uint32_t v = in[TID];
  auto g = cg::binary_partition(t, (v & 5) == 1);
  uint32_t s = cg::reduce(g, v >> 4, cg::plus<uint32_t>());
  uint32_t x = g.shfl(v, g.size() - 1);
  uint32_t m = g.any(v > 0xf0000000u) | g.all(v & 1) << 1;
  out[TID] = mix(mix(mix(s, x), m), g.thread_rank());
}

KERNEL(u_cg_coalesced_append) {
  __shared__ uint32_t q[256];
  __shared__ uint32_t top;
  if (threadIdx.x == 0) top = 0;
  q[threadIdx.x] = 0;
  __syncthreads();
  const uint32_t v = in[TID];
  if (v % 3 == 1) {
    auto g = cg::coalesced_threads();
    uint32_t at = 0;
    if (g.thread_rank() == 0) at = atomicAdd(&top, g.size());
    at = g.shfl(at, 0) + g.thread_rank();
    q[at & 255] = 1;
  }
  __syncthreads();
  out[TID] = top * 1000 + __popc(q[threadIdx.x]);
}

KERNEL(u_cg_scan_tile16_float) {
  auto t = cg::tiled_partition<16>(cg::this_thread_block());
  float v = whole(in[TID]);
  float a = cg::inclusive_scan(t, v), b = cg::exclusive_scan(t, v, cg::greater<float>());
  long long r = cg::reduce(t, (long long)(in[TID]) << 20, cg::plus<long long>());
  out[TID] = mix(mix(mix(0u, a), t.thread_rank() ? b : 0.f), r);
}
