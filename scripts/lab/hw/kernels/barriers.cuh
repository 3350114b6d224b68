// SPDX-License-Identifier: Apache-2.0
// Barriers in shared memory as sm_80 brought them: arrivals, phases, copies that arrive when done,
// and what the C++ library and cooperative groups make of them.
#pragma once
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "kernel.cuh"

using SharedBarrier = cuda::barrier<cuda::thread_scope_block>;

HERE uint32_t shared_address(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }
HERE void barrier_init(uint32_t barrier, uint32_t count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}
HERE uint64_t barrier_arrive(uint32_t barrier) {
  uint64_t state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(barrier) : "memory");
  return state;
}
HERE uint64_t barrier_drop(uint32_t barrier) {
  uint64_t state;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(state)
               : "r"(barrier)
               : "memory");
  return state;
}
HERE uint64_t barrier_arrive_early(uint32_t barrier, uint32_t count) {
  uint64_t state;
  asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
               : "=l"(state)
               : "r"(barrier), "r"(count)
               : "memory");
  return state;
}
HERE uint64_t barrier_drop_early(uint32_t barrier, uint32_t count) {
  uint64_t state;
  asm volatile("mbarrier.arrive_drop.noComplete.shared.b64 %0, [%1], %2;"
               : "=l"(state)
               : "r"(barrier), "r"(count)
               : "memory");
  return state;
}
HERE uint32_t barrier_pending(uint64_t state) {
  uint32_t count;
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
  return count;
}
HERE uint32_t barrier_passed(uint32_t barrier, uint64_t state) {
  uint32_t passed;
  asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
               : "=r"(passed)
               : "r"(barrier), "l"(state)
               : "memory");
  return passed;
}
HERE void barrier_wait(uint32_t barrier, uint64_t state) {
  while (!barrier_passed(barrier, state)) {
  }
}

/// Ring of neighbours: each phase every thread reads what another wrote in the one before.
KERNEL(barrier_phases) {
  __shared__ alignas(8) uint64_t barriers[2];
  __shared__ uint32_t data[2][256];
  const uint32_t even = shared_address(barriers), odd = shared_address(barriers + 1);
  if (threadIdx.x < 2) barrier_init(even + 8 * threadIdx.x, blockDim.x);
  __syncthreads();
  uint32_t h = in[TID];
  for (int phase = 0; phase < 7; phase++) {
    data[phase & 1][threadIdx.x] = h;
    const uint32_t barrier = phase & 1 ? odd : even;
    const uint64_t state = barrier_arrive(barrier);
    h = mix(h, in[(TID + 31 * phase) % n]);
    barrier_wait(barrier, state);
    h = mix(h, data[phase & 1][(threadIdx.x + 37 * (phase + 1)) % 256]);
  }
  out[TID] = h;
}

/// One thread at a time: what each kind of arrival leaves pending, and which phases have passed.
KERNEL(barrier_counts) {
  __shared__ alignas(8) uint64_t barrier;
  const uint32_t b = shared_address(&barrier);
  uint32_t h = in[TID];
  if (threadIdx.x == 0) {
    barrier_init(b, 20 + blockIdx.x);
    const uint64_t first = barrier_arrive_early(b, 3);
    h = mix(mix(h, barrier_pending(first)), barrier_passed(b, first));
    const uint64_t second = barrier_arrive_early(b, 2);
    h = mix(mix(h, barrier_pending(second)), barrier_passed(b, second));
    h = mix(h, barrier_passed(b, barrier_drop(b)));
    h = mix(h, barrier_pending(barrier_drop_early(b, 4)));
    h = mix(h, barrier_pending(barrier_arrive_early(b, 9 + blockIdx.x)));
    const uint64_t last = barrier_arrive(b);
    h = mix(mix(h, barrier_passed(b, last)), barrier_passed(b, first));
    const uint64_t next = barrier_arrive_early(b, 1);
    h = mix(mix(h, barrier_pending(next)), barrier_passed(b, next));
    for (uint32_t i = 0; i < 14 + blockIdx.x; i++) h = mix(h, barrier_passed(b, barrier_arrive(b)));
    h = mix(h, barrier_passed(b, next));
  }
  __syncthreads();
  out[TID] = h;
}

/// Half the warps fill a buffer, the others empty it; some leave early.
KERNEL(barrier_producers) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ SharedBarrier full, empty;
  __shared__ uint32_t data[128];
  if (threadIdx.x == 0) {
    init(&full, 256);
    init(&empty, 256);
  }
  __syncthreads();
  uint32_t h = in[TID];
  const uint32_t t = threadIdx.x & 127;
  if (threadIdx.x < 128) {
    for (int round = 0; round < 4; round++) {
      data[t] = mix(h, uint32_t(round)) ^ in[(TID + round) % n];
      (void)full.arrive();
      empty.arrive_and_wait();
    }
  } else {
    for (int round = 0; round < 4; round++) {
      if (round == 3 && t >= 100) {
        full.arrive_and_drop();
        empty.arrive_and_drop();
        break;
      }
      full.arrive_and_wait();
      h = mix(h, data[(t * 5 + round) & 127]);
      (void)empty.arrive();
    }
  }
  out[TID] = h;
}

/// The threads of one warp arrive in two parts, at different barriers.
KERNEL(barrier_lanes) {
  __shared__ alignas(8) uint64_t barriers[8];
  __shared__ uint32_t data[256];
  const uint32_t b = shared_address(barriers + (threadIdx.x & 7));
  if (threadIdx.x < 8) barrier_init(b, 32);
  __syncthreads();
  uint32_t h = in[TID];
  for (int phase = 0; phase < 3; phase++) {
    data[threadIdx.x] = h;
    uint64_t state = 0;
    if (h >> 5 & 1)
      state = barrier_arrive(b);
    else
      state = barrier_arrive(b);
    barrier_wait(b, state);
    const uint32_t other = data[(threadIdx.x + 8 * phase + 16) & 255];
    __syncthreads();
    h = mix(h, other);
  }
  out[TID] = h;
}

/// Copies past the registers arrive by themselves.
KERNEL(barrier_copies) {
  __shared__ alignas(8) uint64_t barriers[2];
  __shared__ alignas(16) uint32_t data[2][256];
  const uint32_t b = shared_address(barriers), more = shared_address(barriers + 1);
  if (threadIdx.x == 0) {
    barrier_init(b, blockDim.x);
    barrier_init(more, blockDim.x);
  }
  __syncthreads();
  const uint32_t to = shared_address(&data[0][threadIdx.x]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + TID) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(b) : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to + 1024), "l"(in + (TID ^ 5))
               : "memory");
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(more) : "memory");
  uint32_t h = TID;
  const uint64_t state = barrier_arrive(more);
  while (!barrier_passed(b, 0)) {
  }
  h = mix(h, data[0][(threadIdx.x * 3) & 255]);
  barrier_wait(more, state);
  out[TID] = mix(h, data[1][(threadIdx.x * 5 + 1) & 255]);
}

/// A pipeline of the C++ library, three stages deep, shared by the block.
KERNEL(barrier_pipeline) {
  namespace cg = cooperative_groups;
  constexpr int kStages = 3;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> shared;
  __shared__ alignas(16) uint32_t data[kStages][256];
  const cg::thread_block block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &shared);
  uint32_t h = 0;
  for (int fetched = 0, used = 0; used < 6; used++) {
    for (; fetched < 6 && fetched < used + kStages; fetched++) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, data[fetched % kStages], in + (256 * (blockIdx.x + fetched)) % n,
                         cuda::aligned_size_t<16>(1024), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    h = mix(h, data[used % kStages][(threadIdx.x * 11 + used) & 255]);
    pipeline.consumer_release();
  }
  out[TID] = h;
}

/// Copies of a whole group.
KERNEL(group_copies) {
  namespace cg = cooperative_groups;
  __shared__ alignas(16) uint32_t data[2][256];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, data[0], in + blockIdx.x * 256, cuda::aligned_size_t<16>(1024));
  cg::memcpy_async(block, data[1], in + ((blockIdx.x + 1) * 256) % n, 1020);
  cg::wait_prior<1>(block);
  uint32_t h = mix(TID, data[0][255 - threadIdx.x]);
  cg::wait(block);
  out[TID] = mix(h, data[1][(threadIdx.x * 7) % 255]);
}
