// SPDX-License-Identifier: Apache-2.0
// What sm_80 brought: bfloat16, tensor products of bf16, tf32, double and wider bytes, copies past
// the registers, barriers in shared memory, reductions over a warp.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <cuda/atomic>
#include <cuda/barrier>

#include "kernel.cuh"

KERNEL(bfloat_arithmetic) {
  const uint32_t v = in[TID], w = in[(TID + 1) % n];
  auto any = [](uint32_t x) {
    return __ushort_as_bfloat16(uint16_t((x & 0x7f80) == 0x7f80 ? x & 0xff80 : x));
  };
  const __nv_bfloat16 a = any(v), b = any(w), c = any(v >> 16), d = any(w >> 16);
  const __nv_bfloat162 p = __halves2bfloat162(a, c), q = __halves2bfloat162(b, d);
  uint32_t h = 0;
  auto add2 = [&h](__nv_bfloat162 x) {
    h = mix(h, uint32_t(__bfloat16_as_ushort(__low2bfloat16(x))) << 16 |
                   __bfloat16_as_ushort(__high2bfloat16(x)));
  };
  add2(__hadd2(p, q));
  add2(__hsub2(q, p));
  add2(__hmul2(p, q));
  add2(__hfma2(p, q, __halves2bfloat162(d, a)));
  add2(__hmax2(p, q));
  add2(__hmin2(p, __hneg2(q)));
  add2(__hmax2_nan(p, q));
  add2(__hfma2_relu(p, q, p));
  add2(__habs2(p));
  add2(__hgt2(p, q));
  h = mix(h, uint32_t(__hlt(a, b) | __hge(c, d) << 1 | __hne(a, d) << 2));
  h = mix(h, __bfloat162float(a) + __bfloat162float(d));
  h = mix(h, __bfloat162int_rz(c));
  h = mix(h, uint32_t(__bfloat16_as_ushort(__float2bfloat16_rn(any_float(v)))));
  h = mix(h, uint32_t(__bfloat16_as_ushort(__float2bfloat16_rz(any_float(w)))));
  add2(__floats2bfloat162_rn(any_float(w), whole(v)));
  out[TID] = mix(h, uint32_t(__bfloat16_as_ushort(__int2bfloat16_rn(int(v)))));
}

KERNEL(half_relu_nan) {
  const uint32_t v = in[TID], w = in[(TID + 1) % n];
  const half2 p = *reinterpret_cast<const half2*>(&v), q = *reinterpret_cast<const half2*>(&w);
  uint32_t h = 0;
  auto add2 = [&h](half2 x) { h = mix(h, *reinterpret_cast<uint32_t*>(&x)); };
  add2(__hmax2_nan(p, q));
  add2(__hmin2_nan(p, q));
  add2(__hmax2(p, q));
  add2(__hmin2(p, q));
  add2(__hfma2_relu(p, q, q));
  float f, g;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(f) : "f"(__uint_as_float(v)), "f"(__uint_as_float(w)));
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(g) : "f"(__uint_as_float(v)), "f"(whole(w)));
  out[TID] = mix(mix(h, f), g);
}

KERNEL(reductions_redux) {
  const uint32_t v = in[TID];
  uint32_t h = __reduce_add_sync(FULL, v);
  h = mix(mix(h, __reduce_min_sync(FULL, v)), __reduce_max_sync(FULL, v));
  h = mix(mix(h, __reduce_min_sync(FULL, int(v))), __reduce_max_sync(FULL, int(v)));
  h = mix(mix(h, __reduce_and_sync(FULL, v | 0x0f0f0000u)),
          __reduce_or_sync(FULL, v & 0x00010101u));
  h = mix(h, __reduce_xor_sync(FULL, v));
  if (lane_id() & 4)
    h = mix(h, __reduce_add_sync(0xf0f0f0f0u, v & 255));
  else
    h = mix(h, __reduce_max_sync(0x0f0f0f0fu, v));
  out[TID] = h;
}

HERE uint32_t brain(float x, float y) {
  const __nv_bfloat162 p = __floats2bfloat162_rn(x, y);
  return *reinterpret_cast<const uint32_t*>(&p);
}
KERNEL(mma_bfloat) {
  uint32_t a[4], b[2];
  for (int i = 0; i < 4; i++)
    a[i] = brain(float(int(in[(TID + i) % n] & 31) - 16),
                 float(int(in[(TID + i) % n] >> 8 & 15)) * 0.5f);
  for (int i = 0; i < 2; i++)
    b[i] = brain(float(int(in[(TID + 40 + i) % n] & 31) - 9),
                 float(int(in[(TID + i) % n] >> 12 & 15)));
  float c[4] = {1.0f, 2.0f, -float(lane_id()), 4.5f};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, "
      "%1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[1]), "r"(a[3]), "r"(b[1]));
  out[TID] = mix(mix(mix(mix(0u, c[0]), c[1]), c[2]), c[3]);
}

KERNEL(mma_tf32) {
  uint32_t a[4], b[2];
  for (int i = 0; i < 4; i++) a[i] = __float_as_uint(float(int(in[(TID + i) % n] & 255) - 100));
  for (int i = 0; i < 2; i++)
    b[i] = __float_as_uint(float(int(in[(TID + 40 + i) % n] & 127)) * 0.25f);
  float c[4] = {0.0f, 2.0f, float(lane_id()), 0.5f};
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
      "%9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  asm volatile(
      "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, "
      "%1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[1]), "r"(a[3]), "r"(b[1]));
  out[TID] = mix(mix(mix(mix(0u, c[0]), c[1]), c[2]), c[3]);
}

KERNEL(mma_half_k16) {
  uint32_t a[4], b[2], d[2] = {0x3c003c00u, 0};
  for (int i = 0; i < 4; i++) {
    const half2 p = __floats2half2_rn(float(int(in[(TID + i) % n] & 15) - 7),
                                      float(in[(TID + i) % n] >> 30) * 0.5f);
    a[i] = *reinterpret_cast<const uint32_t*>(&p);
    if (i < 2) b[i] = a[i] ^ 0x80000000u;
  }
  float c[4] = {1.0f, 2.0f, float(lane_id()), 0.5f};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
      "%9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, "
      "{%0, %1};"
      : "+r"(d[0]), "+r"(d[1])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  out[TID] = mix(mix(mix(mix(mix(mix(0u, c[0]), c[1]), c[2]), c[3]), d[0]), d[1]);
}

KERNEL(mma_bytes_k32) {
  uint32_t a[4], b[2];
  for (int i = 0; i < 4; i++) a[i] = in[(TID + i) % n];
  for (int i = 0; i < 2; i++) b[i] = in[(TID + 77 + i) % n];
  int c[4] = {1, -2, int(lane_id()), 4}, d[4] = {0x7fffff00, -0x7fffff00, 0, 5};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
      "%9}, {%0, %1, %2, %3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
      "{%0, %1, %2, %3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  uint32_t h = 0;
  for (int i = 0; i < 4; i++) h = mix(mix(h, c[i]), d[i]);
  out[TID] = h;
}

KERNEL(mma_bits) {
  uint32_t a[4], b[2];
  for (int i = 0; i < 4; i++) a[i] = in[(TID + i) % n];
  for (int i = 0; i < 2; i++) b[i] = in[(TID + 9 + i) % n];
  int c[4] = {1, 2, 3, int(lane_id())};
  asm volatile(
      "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, "
      "%7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  out[TID] = mix(mix(mix(mix(0u, c[0]), c[1]), c[2]), c[3]);
}

KERNEL(mma_double) {
  const double a = double(int(in[TID])), b = double(int(in[(TID + 3) % n])) * 0.5;
  double c[2] = {1.5, double(lane_id())};
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(c[0]), "+d"(c[1])
               : "d"(a), "d"(b));
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(c[0]), "+d"(c[1])
               : "d"(b * 0x1p-31), "d"(1.0));
  out[TID] = mix(mix(0u, c[0]), c[1]);
}

KERNEL(mma_sparse) {
  uint32_t a[4], b[4];
  for (int i = 0; i < 4; i++) {
    const half2 p =
        __floats2half2_rn(float(int(in[(TID + i) % n] & 7) - 3), float(in[(TID + i) % n] >> 30));
    a[i] = *reinterpret_cast<const uint32_t*>(&p);
    const half2 q = __floats2half2_rn(float(in[(TID + 50 + i) % n] & 7),
                                      float(in[(TID + 9 * i) % n] >> 30) - 1.0f);
    b[i] = *reinterpret_cast<const uint32_t*>(&q);
  }
  float c[4] = {1.0f, 2.0f, float(lane_id()), 0.5f};
  const uint32_t pairs = 0x4e944e94u;
  asm volatile(
      "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 0x0;"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]),
        "r"(pairs));
  out[TID] = mix(mix(mix(mix(0u, c[0]), c[1]), c[2]), c[3]);
}

KERNEL(wmma_double) {
  using namespace nvcuda;
  __shared__ double a[8][32], c[8][64];
  const uint32_t w = warp_id();
  a[w][lane_id()] = double(int(in[TID]) >> 8);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> fc;
  wmma::fill_fragment(fc, 0.125);
  wmma::load_matrix_sync(fa, a[w], 4);
  wmma::load_matrix_sync(fb, a[w], 4);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c[w], fc, 8, wmma::mem_row_major);
  __syncwarp();
  out[TID] = mix(mix(0u, c[w][lane_id()]), c[w][lane_id() + 32]);
}

/// Two stages in flight.
KERNEL(pipeline_async) {
  __shared__ alignas(16) uint32_t stage[2][256];
  uint32_t h = 0;
  const uint32_t t = threadIdx.x, threads = blockDim.x;
  for (int i = 0; i < 5; i++) {
    if (i < 4) {
      if (t * 4 < threads)
        __pipeline_memcpy_async(&stage[i & 1][t * 4], in + (blockIdx.x * 256 + i * 64 + t * 4) % n,
                                16);
      __pipeline_commit();
    }
    if (i == 0) continue;
    __pipeline_wait_prior(i < 4 ? 1 : 0);
    __syncthreads();
    h = mix(h, stage[(i - 1) & 1][(t * 7 + i) % threads]);
    __syncthreads();
  }
  __pipeline_memcpy_async(&stage[0][t], in + TID, 4, 2);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[TID] = mix(h, stage[0][t]);
}

/// Barriers in shared memory: arrive, work, wait; two phases.
KERNEL(barrier_split) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(8) unsigned char place[sizeof(Barrier)];
  __shared__ uint32_t data[256];
  Barrier& barrier = *reinterpret_cast<Barrier*>(place);
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  data[threadIdx.x] = in[TID];
  auto token = barrier.arrive();
  uint32_t h = mix(in[(TID + 1) % n], TID);
  barrier.wait(std::move(token));
  h = mix(h, data[(threadIdx.x * 3 + 1) % blockDim.x]);
  barrier.arrive_and_wait();
  data[threadIdx.x] = h;
  barrier.arrive_and_wait();
  out[TID] = data[blockDim.x - 1 - threadIdx.x];
}

/// Orders and scopes as the C++ library has them.
KERNEL(atomics_ordered) {
  __shared__ uint32_t flag, sum, most;
  if (threadIdx.x == 0) flag = sum = most = 0;
  __syncthreads();
  cuda::atomic_ref<uint32_t, cuda::thread_scope_block> f(flag), s(sum), m(most);
  cuda::atomic_ref<uint32_t, cuda::thread_scope_device> mine(out[TID]);
  const uint32_t v = in[TID];
  s.fetch_add(v, cuda::std::memory_order_relaxed);
  m.fetch_max(v, cuda::std::memory_order_acq_rel);
  mine.store(v, cuda::std::memory_order_release);
  mine.fetch_xor(0x5555u, cuda::std::memory_order_seq_cst);
  f.fetch_add(1, cuda::std::memory_order_release);
  while (f.load(cuda::std::memory_order_acquire) != blockDim.x) {
  }
  uint32_t seen = v ^ 0x5555u;
  mine.compare_exchange_strong(seen, mix(s.load(), m.load()) ^ v, cuda::std::memory_order_acq_rel);
}

KERNEL(cache_hints) {
  uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  uint32_t a, b, c;
  asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(a) : "l"(in + TID), "l"(policy));
  asm volatile("ld.global.L1::no_allocate.L2::128B.u32 %0, [%1];" : "=r"(b) : "l"(in + (TID ^ 7)));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in + 64));
  asm volatile("ld.global.nc.L1::evict_last.u32 %0, [%1];" : "=r"(c) : "l"(in + (TID ^ 9)));
  asm volatile("st.global.L1::no_allocate.u32 [%0], %1;" ::"l"(out + TID), "r"(mix(mix(a, b), c))
               : "memory");
}
