// SPDX-License-Identifier: Apache-2.0
// What sm_90 added to barriers in shared memory: several arrivals at once, parities, and bytes.
#pragma once
#include "barriers.cuh"

HERE uint64_t barrier_arrive(uint32_t barrier, uint32_t count) {
  uint64_t state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;"
               : "=l"(state)
               : "r"(barrier), "r"(count)
               : "memory");
  return state;
}
HERE uint64_t barrier_expect(uint32_t barrier, uint32_t bytes) {
  uint64_t state;
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;"
               : "=l"(state)
               : "r"(barrier), "r"(bytes)
               : "memory");
  return state;
}
HERE void barrier_bytes(uint32_t barrier, uint32_t bytes) {
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier),
               "r"(bytes)
               : "memory");
}
HERE uint32_t barrier_parity(uint32_t barrier, uint32_t parity) {
  uint32_t passed;
  asm volatile(
      "{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
      : "=r"(passed)
      : "r"(barrier), "r"(parity)
      : "memory");
  return passed;
}
HERE void barrier_wait_parity(uint32_t barrier, uint32_t parity) {
  asm volatile(
      "{.reg .pred p; LOOP%=: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra LOOP%=;}" ::
          "r"(barrier),
      "r"(parity)
      : "memory");
}

KERNEL(barrier_parities) {
  __shared__ alignas(8) uint64_t barrier;
  __shared__ uint32_t data[256];
  const uint32_t b = shared_address(&barrier);
  if (threadIdx.x == 0) barrier_init(b, 8 * 5);
  __syncthreads();
  uint32_t h = in[TID];
  for (uint32_t phase = 0; phase < 5; phase++) {
    data[threadIdx.x] = h;
    __syncwarp();
    if (lane_id() == phase) barrier_arrive(b, 5);
    barrier_wait_parity(b, phase & 1);
    const uint32_t other = data[(threadIdx.x + 32 * phase + 1) & 255];
    __syncthreads();
    h = mix(h, other);
  }
  out[TID] = h;
}

/// A phase passes when all have arrived and all bytes have come.
KERNEL(barrier_transactions) {
  __shared__ alignas(8) uint64_t barrier;
  const uint32_t b = shared_address(&barrier);
  uint32_t h = in[TID];
  if (threadIdx.x == 0) {
    barrier_init(b, 3);
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(64)
                 : "memory");
    const uint64_t first = barrier_arrive(b, 1);
    h = mix(h, barrier_passed(b, first));
    barrier_bytes(b, 16);
    barrier_expect(b, 1000);
    h = mix(h, barrier_passed(b, barrier_arrive(b, 1)));
    barrier_bytes(b, 1000);
    h = mix(mix(h, barrier_passed(b, first)), barrier_parity(b, 0));
    barrier_bytes(b, 48);
    h = mix(mix(h, barrier_passed(b, first)), barrier_parity(b, 0));
    const uint64_t next = barrier_expect(b, 0xf0000 + blockIdx.x);
    h = mix(mix(h, barrier_parity(b, 1)), barrier_pending(barrier_arrive_early(b, 1)));
    barrier_drop(b);
    h = mix(h, barrier_passed(b, next));
    barrier_bytes(b, 0xf0000);
    barrier_bytes(b, blockIdx.x);
    h = mix(mix(h, barrier_passed(b, next)), barrier_parity(b, 1));
    h = mix(h, barrier_pending(barrier_arrive_early(b, 1)));
    barrier_arrive(b);
    h = mix(mix(h, barrier_parity(b, 0)), barrier_parity(b, 1));
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(b) : "memory");
  }
  __syncthreads();
  out[TID] = h;
}

/// Bytes that a bulk copy need not bring: each warp says how many of them have come.
KERNEL(barrier_bytes_of_warps) {
  __shared__ alignas(8) uint64_t barrier;
  __shared__ uint32_t data[256];
  const uint32_t b = shared_address(&barrier);
  if (threadIdx.x == 0) barrier_init(b, 1);
  __syncthreads();
  uint32_t h = in[TID];
  for (uint32_t phase = 0; phase < 3; phase++) {
    if (threadIdx.x == 0) barrier_expect(b, 1024);
    __syncthreads();
    data[threadIdx.x] = h;
    barrier_bytes(b, 4);
    barrier_wait_parity(b, phase & 1);
    const uint32_t other = data[(threadIdx.x * 3 + phase) & 255];
    __syncthreads();
    h = mix(h, other);
  }
  out[TID] = h;
}
