// SPDX-License-Identifier: Apache-2.0
// How soon warps go on that wait for a barrier with a limit, or look at it and sleep; what fences cost by
// warps, clusters and what is behind them.
#include "probe.cuh"

HERE bool try_wait_limited(uint64_t* b, uint32_t parity, uint32_t nanoseconds) {
  uint32_t done;
  asm volatile(
      "{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2, %3; selp.u32 %0, 1, 0, p;}"
      : "=r"(done)
      : "r"(shared_at(b)), "r"(parity), "r"(nanoseconds)
      : "memory");
  return done != 0;
}
HERE bool test_wait(uint64_t* b, uint32_t parity) {
  uint32_t done;
  asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
               : "=r"(done)
               : "r"(shared_at(b)), "r"(parity)
               : "memory");
  return done != 0;
}

/// Words: 48 times from an arrival until the warp that waits for it goes on, then how long that has
/// waited; then its looks. The arrival is 60 cycles late, and 41 more each time. Warp 1 waits, or its
/// lane 0 alone while the others are elsewhere.
template <bool kLane, typename Wait>
__device__ void waited(uint32_t* out, uint32_t step, Wait wait_for) {
  __shared__ alignas(8) uint64_t b;
  __shared__ uint32_t times[4];
  if (threadIdx.x == 0) begin_barrier(&b, 1), publish_barriers();
  __syncthreads();
  for (uint32_t i = 0; i < 48; i++) {
    __syncthreads();
    if (threadIdx.x == 0) {
      for (uint32_t from = now(); now() - from < 60 + step * i;) {
      }
      const uint32_t t = now();
      arrive(&b);
      times[0] = t;
    }
    if (kLane ? threadIdx.x == 32 : threadIdx.x >= 32) {
      const uint32_t t = now();
      uint32_t looks = 0;
      wait_for(&b, i & 1, looks);
      const uint32_t end = now();
      if (threadIdx.x == 32) times[1] = end, times[2] = t, times[3] = looks;
    }
    __syncthreads();
    if (threadIdx.x == 0)
      out[i] = times[1] - times[0], out[48 + i] = times[0] - times[2], out[96 + i] = times[3];
  }
}

/// form: the limit of try_wait in ns.
#define LIMITED(NAME, LANE, STEP)                                                     \
  FORMED_PROBE(NAME) {                                                                \
    waited<LANE>(out, STEP, [&](uint64_t* b, uint32_t parity, uint32_t& looks) {      \
      do ++looks;                                                                     \
      while (!try_wait_limited(b, parity, form));                                     \
    });                                                                               \
  }
LIMITED(limited, false, 41)
LIMITED(limited_lane, true, 41)
LIMITED(limited_long, false, 331)

/// form: ns that the warp sleeps between two looks.
#define LOOKING(NAME, LANE, STEP)                                                     \
  FORMED_PROBE(NAME) {                                                                \
    waited<LANE>(out, STEP, [&](uint64_t* b, uint32_t parity, uint32_t& looks) {      \
      for (++looks; !test_wait(b, parity); ++looks) __nanosleep(form);                \
    });                                                                               \
  }
LOOKING(looking, false, 41)
LOOKING(looking_lane, true, 41)

/// Without a limit, by all lanes and by one.
FORMED_PROBE(unlimited) {
  waited<false>(out, 41, [&](uint64_t* b, uint32_t parity, uint32_t& looks) {
    do ++looks;
    while (!try_wait(b, parity));
  });
}
FORMED_PROBE(unlimited_lane) {
  waited<true>(out, 41, [&](uint64_t* b, uint32_t parity, uint32_t& looks) {
    do ++looks;
    while (!try_wait(b, parity));
  });
}

/// try_wait of a phase that does not end: cycles of one; of 8 in a row. form: ns of the limit, 0: none.
FORMED_PROBE(never) {
  __shared__ alignas(8) uint64_t b;
  if (threadIdx.x == 0) begin_barrier(&b, 1), publish_barriers();
  __syncthreads();
  uint32_t sum = 0;
  for (int i = 0; i < 3; i++) {
    const uint32_t t = now();
    sum += form ? try_wait_limited(&b, 0, form) : try_wait(&b, 0);
    const uint32_t one = now() - t + sum;
    for (int k = 0; k < 8; k++) sum += form ? try_wait_limited(&b, 0, form) : try_wait(&b, 0);
    if (threadIdx.x == 0) out[2 * i] = one, out[2 * i + 1] = now() - t;
  }
}

HERE void before_fence(uint32_t form, uint32_t* to, uint32_t there) {
  if (form % 4 == 1) *reinterpret_cast<volatile uint32_t*>(to) = form;
  if (form % 4 == 2) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(form) : "memory");
  if (form % 4 == 3) asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(there), "r"(form) : "memory");
}
/// All warps together, behind nothing, a store, a store or a sum in the next block's memory (form
/// modulo 4), of the GPU's scope or (form 4 and more) the cluster's: for each warp of block 0 the
/// fence, and 8 of them in a row.
template <unsigned kBlocks>
__device__ void fences(uint32_t* out, uint32_t form) {
  __shared__ uint32_t words[1024];
  words[threadIdx.x] = 0;
  if (kBlocks > 1) cluster_sync();
  uint32_t* const to = out + 4096 + blockIdx.x * 1024 + threadIdx.x;
  const uint32_t there = kBlocks > 1 ? mapped(shared_at(words), (cluster_rank() + 1) % kBlocks) + 4 * threadIdx.x
                                     : shared_at(words) + 4 * threadIdx.x;
  for (int i = 0; i < 3; i++) {
    __syncthreads();
    before_fence(form, to, there);
    uint32_t t = now();
    if (form < 4) asm volatile("fence.acq_rel.gpu;" ::: "memory");
    else asm volatile("fence.acq_rel.cluster;" ::: "memory");
    const uint32_t one = now() - t;
    __syncthreads();
    t = now();
#pragma unroll 1
    for (int k = 0; k < 8; k++) {
      before_fence(form, to, there);
      if (form < 4) asm volatile("fence.acq_rel.gpu;" ::: "memory");
      else asm volatile("fence.acq_rel.cluster;" ::: "memory");
    }
    const uint32_t eight = now() - t;
    if (blockIdx.x == 0 && threadIdx.x % 32 == 0) out[threadIdx.x / 16] = one, out[threadIdx.x / 16 + 1] = eight;
  }
  if (kBlocks > 1) cluster_sync();
}
FORMED_PROBE(fences_1) { fences<1>(out, form); }
FORMED_CLUSTER_PROBE(fences_2, 2) { fences<2>(out, form); }
FORMED_CLUSTER_PROBE(fences_4, 4) { fences<4>(out, form); }
FORMED_CLUSTER_PROBE(fences_8, 8) { fences<8>(out, form); }
