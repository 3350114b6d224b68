// SPDX-License-Identifier: Apache-2.0
// What sm_90 brought: clusters and one another's shared memory, bulk copies, stmatrix, elect, bytes
// as floats, wider atomics.
#pragma once
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "kernel.cuh"

KERNEL(stmatrix_tiles) {
  __shared__ alignas(16) uint32_t tiles[8][4][32];
  const uint32_t w = warp_id(), l = lane_id();
  const uint32_t row = uint32_t(__cvta_generic_to_shared(&tiles[w][l >> 3][(l & 7) * 4]));
  const uint32_t v = in[TID];
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row),
               "r"(v), "r"(v * 3), "r"(~v), "r"(in[(TID + 1) % n])
               : "memory");
  __syncwarp();
  uint32_t h = mix(tiles[w][0][l], tiles[w][3][31 - l]);
  __syncwarp();
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(row), "r"(h),
               "r"(v)
               : "memory");
  __syncwarp();
  out[TID] = mix(mix(h, tiles[w][1][l]), tiles[w][0][l ^ 5]);
}

KERNEL(elect_lane) {
  const uint32_t v = in[TID];
  uint32_t leader = 77, chosen = 0;
  asm volatile("{.reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p;}"
               : "=r"(leader), "=r"(chosen)
               : "r"(FULL));
  uint32_t h = leader * 2 + chosen;
  if (lane_id() % 3 == 1) {
    asm volatile("{.reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p;}"
                 : "=r"(leader), "=r"(chosen)
                 : "r"(0x92492492u));
    h = mix(h, leader * 2 + chosen);
  }
  out[TID] = mix(h, v);
}

KERNEL(bulk_copy) {
  __shared__ alignas(128) uint32_t data[256];
  __shared__ alignas(8) uint64_t barrier;
  const uint32_t b = uint32_t(__cvta_generic_to_shared(&barrier)),
                 d = uint32_t(__cvta_generic_to_shared(data));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(b) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" ::"r"(b) : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, "
        "[%2];" ::"r"(d),
        "l"(in + blockIdx.x * 256), "r"(b)
        : "memory");
  }
  __syncthreads();
  uint32_t done = 0;
  while (done == 0) {
    asm volatile(
        "{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
        : "=r"(done)
        : "r"(b)
        : "memory");
  }
  data[threadIdx.x] = data[threadIdx.x] * 3 + threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(
                     out + blockIdx.x * 256),
                 "r"(d)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

KERNEL(bytes_as_floats) {
  const uint32_t v = in[TID];
  const float2 f = make_float2(whole(v) * 0.37f, any_float(in[(TID + 1) % n]));
  uint32_t h = __nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, __NV_E4M3);
  h = mix(h, uint32_t(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, __NV_E5M2)));
  const __half2_raw p = __nv_cvt_fp8x2_to_halfraw2(uint16_t(v), __NV_E4M3),
                    q = __nv_cvt_fp8x2_to_halfraw2(uint16_t(v >> 16), __NV_E5M2);
  out[TID] = mix(mix(h, uint32_t(p.x) << 16 | p.y), uint32_t(q.x) << 16 | q.y);
}

KERNEL(mma_fp8) {
  uint32_t a[4], b[2];
  for (int i = 0; i < 4; i++) a[i] = in[(TID + i) % n] & 0x87878787u | 0x30303030u;
  for (int i = 0; i < 2; i++) b[i] = in[(TID + 30 + i) % n] & 0x83838383u | 0x38383838u;
  float c[4] = {1.0f, 2.0f, float(lane_id()), 0.5f};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  out[TID] = mix(mix(mix(mix(0u, c[0]), c[1]), c[2]), c[3]);
}

KERNEL(mma_double_k16) {
  double a[8], b[4], c[4] = {1, 2, 3, double(lane_id())};
  for (int i = 0; i < 8; i++) a[i] = double(int(in[(TID + i) % n]) >> 8);
  for (int i = 0; i < 4; i++) b[i] = double(int(in[(TID + 60 + i) % n]) >> 10) * 0.5;
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, "
      "%9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
        "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
  out[TID] = mix(mix(mix(mix(0u, c[0]), c[1]), c[2]), c[3]);
}

KERNEL(vector_reductions) {
  float* own = reinterpret_cast<float*>(out + blockIdx.x * 256);
  const uint32_t t = threadIdx.x;
  own[t] = 0.0f;
  __syncthreads();
  if (t < 128) {
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(own + (in[TID] & 31) * 4),
                 "f"(whole(in[TID])), "f"(1.0f), "f"(2.0f), "f"(0.5f)
                 : "memory");
  } else {
    asm volatile(
        "red.global.add.noftz.v2.f16x2 [%0], {%1, %2};" ::"l"(own + 128 + (in[TID] & 31) * 2),
        "r"(0x3c004000u), "r"(0x38003c00u)
        : "memory");
    asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" ::"l"(own + 192 + (in[TID] >> 5 & 31)),
                 "r"(0x3f804000u)
                 : "memory");
  }
}

#ifndef TIMED
#define CLUSTER_KERNEL(NAME)                                                  \
  extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(256) \
      NAME(const uint32_t* in, uint32_t* out, int n)

CLUSTER_KERNEL(cluster_exchange) {
  namespace cg = cooperative_groups;
  __shared__ uint32_t data[256], sum;
  const auto cluster = cg::this_cluster();
  data[threadIdx.x] = in[TID];
  if (threadIdx.x == 0) sum = 0;
  cluster.sync();
  const uint32_t* other = cluster.map_shared_rank(data, cluster.block_rank() ^ 1);
  atomicAdd(cluster.map_shared_rank(&sum, 0), in[TID] >> 8);
  const uint32_t v = other[255 - threadIdx.x];
  cluster.sync();
  const uint32_t total = *cluster.map_shared_rank(&sum, 0);
  cluster.sync();
  out[TID] = mix(v, total);
}
#endif
