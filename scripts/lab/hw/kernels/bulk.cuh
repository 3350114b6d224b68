// SPDX-License-Identifier: Apache-2.0
// Bulk copies and reductions of one block, barriers with transactions, register reallocation.
#pragma once
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "asynchronous.cuh"

/// Three buffers in turn; all threads read what one of them has asked for.
KERNEL(bulk_stages) {
  __shared__ alignas(128) uint32_t tiles[3][64];
  __shared__ alignas(8) uint64_t full[3], empty[3];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; i++) begin_barrier(&full[i], 1), begin_barrier(&empty[i], 256);
    publish_barriers();
  }
  __syncthreads();
  uint32_t h = blockIdx.x;
  for (uint32_t tile = 0; tile < 16; tile++) {
    const uint32_t slot = tile % 3, parity = tile / 3 & 1;
    if (threadIdx.x == 0) {
      if (tile >= 3) wait(&empty[slot], parity ^ 1);
      expect(&full[slot], 256);
      bulk_load(shared_at(tiles[slot]), in + (tile * 7 + blockIdx.x) % 16 * 64, 256,
                shared_at(&full[slot]));
    }
    wait(&full[slot], parity);
    h = mix(h, tiles[slot][(threadIdx.x * 5 + tile) & 63]);
    arrive(&empty[slot]);
  }
  out[TID] = h;
}

/// ptxas reallocates registers only where it knows how many a thread starts with.
#define POOLED_KERNEL(NAME)                               \
  extern "C" __global__ void __launch_bounds__(256, 1)    \
      NAME(const uint32_t* in, uint32_t* out, int n)

/// A warp group fetches with few registers, the other one computes with many.
POOLED_KERNEL(bulk_specialised) {
  __shared__ alignas(128) uint32_t tiles[4][128];
  __shared__ alignas(8) uint64_t full[4], empty[4];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 4; i++) begin_barrier(&full[i], 1), begin_barrier(&empty[i], 4);
    publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0) {
      for (uint32_t tile = 0; tile < 24; tile++) {
        const uint32_t slot = tile & 3;
        if (tile >= 4) wait(&empty[slot], (tile >> 2 & 1) ^ 1);
        expect(&full[slot], 512);
        bulk_load(shared_at(tiles[slot]), in + (tile * 5 + blockIdx.x) % 8 * 128, 512,
                  shared_at(&full[slot]));
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 200;");
    uint32_t h = blockIdx.x, sum = 0;
    for (uint32_t tile = 0; tile < 24; tile++) {
      const uint32_t slot = tile & 3;
      wait(&full[slot], tile >> 2 & 1);
      const uint32_t v = tiles[slot][(threadIdx.x * 3 + tile) & 127];
      h = mix(h, v), sum += __reduce_add_sync(FULL, v);
      __syncwarp();
      if (lane_id() == 0) arrive(&empty[slot]);
    }
    out[blockIdx.x * 256 + threadIdx.x - 128] = h;
    out[blockIdx.x * 256 + threadIdx.x] = mix(h, sum);
  }
}

/// Stores in groups, the last of which may still be on their way.
KERNEL(bulk_store_groups) {
  __shared__ alignas(128) uint32_t rows[4][64];
  for (int i = 0; i < 3; i++) {
    rows[threadIdx.x / 64][threadIdx.x % 64] = in[(TID + i * 77) % n] * (i + 1);
    fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int row = 0; row < 4; row++) {
        bulk_store(out + blockIdx.x * 256 + (row + i) % 4 * 64, rows[row], 128 + 64 * (row & 1));
        commit();
      }
      asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
      wait_groups<0>();
    }
    __syncthreads();
  }
}

#define BULK_REDUCTION(TYPE, PLACE)                                                          \
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." TYPE " [%0], [%1], 64;" \
               ::"l"(own + PLACE * 16), "r"(shared_at(values + PLACE * 16))                  \
               : "memory");

KERNEL(bulk_reduce_integers) {
  __shared__ alignas(128) uint32_t values[256];
  uint32_t* own = out + blockIdx.x * 256;
  own[threadIdx.x] = in[TID];
  values[threadIdx.x] = in[(TID + 333) % n];
  __threadfence();
  fence_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    BULK_REDUCTION("add.u32", 0)
    BULK_REDUCTION("add.s32", 1)
    BULK_REDUCTION("add.u64", 2)
    BULK_REDUCTION("min.u32", 3)
    BULK_REDUCTION("max.s32", 4)
    BULK_REDUCTION("min.s64", 5)
    BULK_REDUCTION("max.u64", 6)
    BULK_REDUCTION("inc.u32", 7)
    BULK_REDUCTION("dec.u32", 8)
    BULK_REDUCTION("and.b32", 9)
    BULK_REDUCTION("or.b32", 10)
    BULK_REDUCTION("xor.b32", 11)
    BULK_REDUCTION("and.b64", 12)
    BULK_REDUCTION("or.b64", 13)
    BULK_REDUCTION("xor.b64", 14)
    BULK_REDUCTION("min.s32", 15)
    commit();
    wait_groups<0>();
  }
}

/// Words whose halves are numbers of every kind, as half or as bfloat16.
HERE uint32_t any_halves(uint32_t v) {
  const uint32_t kind = v >> 29;
  if (kind == 0) return v & 0x83ff807fu;
  if (kind == 1) return v & 0x80008000u | 0x7c007f80u;
  if (kind == 2) return v & 0x80008000u;
  if (kind == 3) return v | 0x7fc07e00u;
  return v;
}

KERNEL(bulk_reduce_floats) {
  __shared__ alignas(128) uint32_t values[256];
  uint32_t* own = out + blockIdx.x * 256;
  const uint32_t part = threadIdx.x / 16, v = in[TID], w = in[(TID + 211) % n];
  const bool is_half = part >= 6 && part < 14;
  own[threadIdx.x] = is_half ? any_halves(v) : __float_as_uint(any_float(v));
  values[threadIdx.x] = is_half ? any_halves(w) : __float_as_uint(any_float(w));
  if (part == 1 && threadIdx.x % 4 == 3) {  // denormals, and sums that are
    own[threadIdx.x] = v & 0x80ffffffu;
    values[threadIdx.x] = w & 0x80ffffffu;
  }
  __threadfence();
  fence_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    BULK_REDUCTION("add.f32", 0)
    BULK_REDUCTION("add.f32", 1)
    BULK_REDUCTION("add.f64", 2)
    BULK_REDUCTION("add.f64", 3)
    BULK_REDUCTION("add.u32", 4)
    BULK_REDUCTION("add.u64", 5)
    BULK_REDUCTION("add.noftz.f16", 6)
    BULK_REDUCTION("min.f16", 7)
    BULK_REDUCTION("max.f16", 8)
    BULK_REDUCTION("add.noftz.f16", 9)
    BULK_REDUCTION("add.noftz.bf16", 10)
    BULK_REDUCTION("min.bf16", 11)
    BULK_REDUCTION("max.bf16", 12)
    BULK_REDUCTION("add.noftz.bf16", 13)
    commit();
    wait_groups<0>();
  }
}

/// Each lane with a copy of its own, at a barrier of its warp.
KERNEL(bulk_lanes) {
  __shared__ alignas(128) uint32_t rows[8][32][4];
  __shared__ alignas(8) uint64_t barriers[8];
  const uint32_t w = warp_id(), l = lane_id();
  if (l == 0) begin_barrier(&barriers[w], 32), publish_barriers();
  __syncwarp();
  const bool copies = in[TID] % 3 != 0;
  if (copies) {
    expect(&barriers[w], 16);
    bulk_load(shared_at(rows[w][l]), in + in[TID] % 256 * 4, 16, shared_at(&barriers[w]));
  } else {
    rows[w][l][0] = l, rows[w][l][1] = 1, rows[w][l][2] = 2, rows[w][l][3] = in[TID];
    arrive(&barriers[w]);
  }
  wait(&barriers[w], 0);
  const uint32_t* row = rows[w][(l * 7 + 3) & 31];
  out[TID] = mix(mix(mix(mix(l, row[0]), row[1]), row[2]), row[3]);
}

/// The lane that is elected copies for its warp; the barriers are used again and again.
KERNEL(bulk_elected) {
  __shared__ alignas(128) uint32_t rows[8][64];
  __shared__ alignas(8) uint64_t barriers[8];
  const uint32_t w = warp_id(), l = lane_id();
  uint32_t chosen = 0, leader = 0;
  asm volatile("{.reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p;}"
               : "=r"(leader), "=r"(chosen)
               : "r"(FULL));
  if (chosen) begin_barrier(&barriers[w], 1), publish_barriers();
  __syncwarp();
  uint32_t h = leader;
  for (uint32_t round = 0; round < 5; round++) {
    if (chosen) {
      expect(&barriers[w], 256);
      bulk_load(shared_at(rows[w]), in + (w + round * 3 + blockIdx.x) % 16 * 64, 128,
                shared_at(&barriers[w]));
      bulk_load(shared_at(rows[w] + 32), in + (w + round * 5) % 16 * 64, 128,
                shared_at(&barriers[w]));
    }
    wait(&barriers[w], round & 1);
    h = mix(h, rows[w][l]), h = mix(h, rows[w][63 - l]);
    __syncwarp();
  }
  out[TID] = h;
}

KERNEL(bulk_prefetched) {
  if (threadIdx.x == 0)
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], 1024;" ::"l"(in + blockIdx.x * 256)
                 : "memory");
  __syncthreads();
  out[TID] = mix(threadIdx.x, in[TID]);
}

/// What the CUDA library makes of copies: bulk copies where all of a block ask for one.
KERNEL(library_copies) {
  namespace cg = cooperative_groups;
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  __shared__ alignas(128) uint32_t rows[2][256];
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&barrier, 256);
  block.sync();
  cuda::memcpy_async(block, rows[0], in + blockIdx.x * 256, cuda::aligned_size_t<16>(1024),
                     barrier);
  barrier.arrive_and_wait();
  uint32_t h = rows[0][255 - threadIdx.x];
  cuda::memcpy_async(&rows[1][threadIdx.x], in + (TID * 5) % n, sizeof(uint32_t), barrier);
  barrier.arrive_and_wait();
  h = mix(h, rows[1][threadIdx.x ^ 17]);
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(rows[0], in + (blockIdx.x * 256 + 512) % n,
                                  cuda::aligned_size_t<16>(512), barrier);
    (void)cuda::device::barrier_arrive_tx(barrier, 1, 512);
  } else {
    (void)cuda::device::barrier_arrive_tx(barrier, 1, 0);
  }
  barrier.wait_parity(0);
  out[TID] = mix(h, rows[0][threadIdx.x / 2]);
}

KERNEL(library_pipeline) {
  namespace cg = cooperative_groups;
  __shared__ alignas(128) uint32_t rows[2][256];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  uint32_t h = 0;
  for (int fetched = 0, used = 0; used < 6; used++) {
    for (; fetched < 6 && fetched < used + 2; fetched++) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, rows[fetched % 2], in + (blockIdx.x + fetched) % 4 * 256,
                         cuda::aligned_size_t<16>(1024), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    h = mix(h, rows[used % 2][(threadIdx.x * 9 + used) & 255]);
    pipeline.consumer_release();
  }
  out[TID] = h;
}

/// Phases with expected bytes that other threads announce, and a wait with its time limit.
KERNEL(phases_and_bytes) {
  __shared__ alignas(128) uint32_t row[256];
  __shared__ alignas(8) uint64_t barrier;
  const uint32_t b = shared_at(&barrier);
  if (threadIdx.x == 0) begin_barrier(&barrier, 256), publish_barriers();
  __syncthreads();
  uint32_t h = threadIdx.x;
  for (uint32_t round = 0; round < 4; round++) {
    if (threadIdx.x == 32 * round) {
      asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], 512;" ::"r"(b) : "memory");
      bulk_load(shared_at(row), in + (blockIdx.x + round) % 4 * 256, 512, b);
    }
    if (threadIdx.x == 32 * round + 1) {
      asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], 48;" ::"r"(b) : "memory");
      asm volatile("mbarrier.complete_tx.relaxed.cta.shared.b64 [%0], 48;" ::"r"(b) : "memory");
    }
    __syncthreads();
    if (round == 3 && threadIdx.x % 4 == 3) {
      asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(b) : "memory");
    } else {
      arrive(&barrier);
    }
    uint32_t done = 0;
    while (done == 0) {
      asm volatile(
          "{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2, 2000; selp.u32 %0, 1, "
          "0, p;}"
          : "=r"(done)
          : "r"(b), "r"(round & 1)
          : "memory");
    }
    h = mix(h, row[threadIdx.x & 127]);
    __syncthreads();
  }
  if (threadIdx.x % 4 != 3) arrive(&barrier);
  while (!try_wait(&barrier, 0)) {
  }
  uint32_t ended = 0;
  asm volatile(
      "{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 1; selp.u32 %0, 1, 0, p;}"
      : "=r"(ended)
      : "r"(b)
      : "memory");
  out[TID] = mix(h, ended);
}

/// Tiles turned on their way between registers and shared memory.
KERNEL(tiles_turned) {
  __shared__ alignas(16) uint32_t tiles[8][4][32];
  const uint32_t w = warp_id(), l = lane_id(), v = in[TID];
  const uint32_t row = shared_at(&tiles[w][l >> 3][(l & 7) * 4]);
  uint32_t turned, a, b, c, d;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(turned) : "r"(v));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row),
               "r"(turned), "r"(v), "r"(v ^ turned), "r"(in[(TID + 9) % n])
               : "memory");
  __syncwarp();
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "r"(shared_at(&tiles[w][l >> 3 ^ 1][(l & 7) * 4])));
  out[TID] = mix(mix(mix(mix(turned, a), b), c), d);
}

/// A launch that might have begun before the one in front of it had ended.
KERNEL(dependent_launch) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  const uint32_t v = in[TID];
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  out[TID] = mix(v, threadIdx.x);
}

/// Rows of halves added to memory at once.
KERNEL(rows_of_halves) {
  uint32_t* own = out + blockIdx.x * 256;
  const uint32_t t = threadIdx.x, v = any_halves(in[TID]), w = any_halves(in[(TID + 31) % n]);
  own[t] = any_halves(in[(TID + 100) % n]);
  __syncthreads();
  uint32_t a = 0, b = 0, c = 0, d = 0;
  if (t < 16)
    asm volatile("red.global.add.noftz.v4.f16x2 [%0], {%1, %2, %1, %2};" ::"l"(own + 4 * t), "r"(v),
                 "r"(w)
                 : "memory");
  else if (t < 32)
    asm volatile("red.global.add.noftz.v4.bf16x2 [%0], {%1, %2, %2, %1};" ::"l"(own + 4 * t),
                 "r"(v), "r"(w)
                 : "memory");
  else if (t < 48)
    asm volatile("red.global.add.noftz.v2.bf16x2 [%0], {%1, %2};" ::"l"(own + 2 * t + 64), "r"(v),
                 "r"(w)
                 : "memory");
  else if (t < 64)
    asm volatile("red.global.min.noftz.v2.f16x2 [%0], {%1, %2};" ::"l"(own + 2 * t + 64), "r"(v),
                 "r"(w)
                 : "memory");
  else if (t < 80)
    asm volatile("red.global.max.noftz.v2.bf16x2 [%0], {%1, %2};" ::"l"(own + 2 * t + 64), "r"(v),
                 "r"(w)
                 : "memory");
  __syncthreads();
  if (t >= 128 && t < 136)
    asm volatile("atom.global.v4.f32.add {%0, %1, %2, %3}, [%4], {%5, %6, %5, %6};"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "l"(own + 224 + 4 * (t - 128)), "r"(__float_as_uint(whole(v))),
                   "r"(__float_as_uint(whole(w)))
                 : "memory");
  if (t >= 136 && t < 140)
    asm volatile("atom.global.v2.f16x2.add.noftz {%0, %1}, [%2], {%3, %4};"
                 : "=r"(a), "=r"(b)
                 : "l"(own + 4 * (t - 136)), "r"(v), "r"(w)
                 : "memory");
  __syncthreads();
  const uint32_t old = mix(mix(mix(a, b), c), d);
  if (t >= 128 && t < 140) own[t + 80] = old;
}
