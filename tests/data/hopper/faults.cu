// SPDX-License-Identifier: Apache-2.0
// Kernels that wait for what is asynchronous, and the same with a wait or an arrival left out: FAULT n of each kernel has
// the n-th fault, 0 none. Compiled by nvcc 13.0 with -gencode=arch=compute_90a,code=sm_90a.
#include "../../../examples/attention/hopper.cuh"

namespace {

__device__ void bulk_load(uint32_t to, const uint32_t* from, uint32_t bytes, uint32_t barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
}
__device__ void bulk_store(uint32_t* to, uint32_t from, uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\ncp.async.bulk.commit_group;" ::"l"(to),
               "r"(from), "r"(bytes)
               : "memory");
}
__device__ void multiply(float (&d)[4], uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(a), "l"(b));
}

}  // namespace

// A warp copies rows into one place, another one reads them; each row has barriers of its own. 1: it copies without
// waiting for the readers; 2: the readers arrive before they have read; 3: the copying warp does not say how many bytes
// come; 4: the readers do not wait.
template <int kFault>
__device__ void read_rows(const uint32_t* in, uint32_t* out) {
  __shared__ __align__(128) uint32_t row[128];
  __shared__ __align__(8) uint64_t barriers[8];
  const uint32_t full = shared_address(barriers), empty = full + 32;
  if (threadIdx.x == 0) {
    for (uint32_t i = 0; i < 4; ++i) {
      start_barrier(full + 8 * i, 1);
      start_barrier(empty + 8 * i, 32);
    }
    publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x >= 32) {
    if (threadIdx.x != 32) return;
    for (uint32_t i = 0; i < 4; ++i) {
      if (i > 0 && kFault != 1) wait(empty + 8 * (i - 1), 0);
      kFault == 3 ? arrive(full + 8 * i) : expect(full + 8 * i, 512);
      bulk_load(shared_address(row), in + 128 * i, 512, full + 8 * i);
    }
    return;
  }
  for (uint32_t i = 0; i < 4; ++i) {
    if (kFault != 4) wait(full + 8 * i, 0);
    if (kFault == 2) arrive(empty + 8 * i);
    uint32_t sum = 0;
    for (uint32_t j = 0; j < 4; ++j) sum += row[threadIdx.x + 32 * j] * (j + 1);
    if (kFault != 2) arrive(empty + 8 * i);
    out[32 * i + threadIdx.x] = sum;
  }
}

// A warp copies factors, a group multiplies. 1: the group arrives before its products are over; 2: the copies do not
// wait for the group.
template <int kFault>
__device__ void multiply_rows(const uint32_t* in, uint32_t* out) {
  __shared__ __align__(1024) uint32_t factors[1024];
  __shared__ __align__(8) uint64_t barriers[6];
  const uint32_t full = shared_address(barriers), empty = full + 24, at = shared_address(factors);
  if (threadIdx.x == 0) {
    for (uint32_t i = 0; i < 6; ++i) start_barrier(full + 8 * i, 1);
    publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x >= 128) {
    if (threadIdx.x != 128) return;
    for (uint32_t i = 0; i < 3; ++i) {
      if (i > 0 && kFault != 2) wait(empty + 8 * (i - 1), 0);
      expect(full + 8 * i, 4096);
      bulk_load(at, in + 1024 * i, 4096, full + 8 * i);
    }
    return;
  }
  float d[4] = {0, 0, 0, 0};
  for (uint32_t i = 0; i < 3; ++i) {
    wait(full + 8 * i, 0);
    fence_products();
    multiply(d, descriptor(at, 128, 256, 0), descriptor(at + 2048, 128, 256, 0));
    commit_products();
    if (kFault == 1 && threadIdx.x == 0) arrive(empty + 8 * i);
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])::"memory");
    if (kFault != 1 && threadIdx.x == 0) arrive(empty + 8 * i);
  }
  for (uint32_t j = 0; j < 4; ++j) out[4 * threadIdx.x + j] = __float_as_uint(d[j]);
}

// Rows in and out through one place. 1: the next row comes before the store has read the last one.
template <int kFault>
__device__ void pass_rows(const uint32_t* in, uint32_t* out) {
  __shared__ __align__(128) uint32_t row[128];
  __shared__ __align__(8) uint64_t barrier;
  const uint32_t full = shared_address(&barrier);
  if (threadIdx.x == 0) {
    start_barrier(full, 1);
    publish_barriers();
  }
  __syncthreads();
  for (uint32_t i = 0; i < 4; ++i) {
    if (threadIdx.x == 0) {
      expect(full, 512);
      bulk_load(shared_address(row), in + 128 * i, 512, full);
    }
    wait(full, i & 1);
    __syncthreads();
    if (threadIdx.x == 0) {
      bulk_store(out + 128 * i, shared_address(row), 512);
      if (kFault != 1) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
  }
  if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// One block of a cluster copies for both. 1: it does not wait until the other one has read.
template <int kFault>
__device__ void share_rows(const uint32_t* in, uint32_t* out) {
  __shared__ __align__(128) uint32_t row[64];
  __shared__ __align__(8) uint64_t barriers[2];
  const uint32_t full = shared_address(barriers), empty = full + 8;
  uint32_t rank, first;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(first) : "r"(empty));
  if (threadIdx.x == 0) {
    start_barrier(full, 1);
    start_barrier(empty, 64);
    publish_barriers();
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  for (uint32_t i = 0; i < 3; ++i) {
    if (threadIdx.x == 0) expect(full, 256);
    if (threadIdx.x == 0 && rank == 0) {
      if (i > 0 && kFault != 1) wait(empty, (i - 1) & 1);
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 256, [%2], "
          "%3;" ::"r"(shared_address(row)),
          "l"(in + 64 * i), "r"(full), "h"(static_cast<unsigned short>(3))
          : "memory");
    }
    __syncwarp();
    wait(full, i & 1);
    const uint32_t sum = row[threadIdx.x] + row[threadIdx.x + 32] * 3;
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(first) : "memory");
    out[(i * 2 + rank) * 32 + threadIdx.x] = sum;
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

#define KERNEL(NAME, THREADS, FAULT)                                                                          \
  extern "C" __global__ void __launch_bounds__(THREADS) NAME##_##FAULT(const uint32_t* in, uint32_t* out) { \
    NAME<FAULT>(in, out);                                                                                     \
  }
KERNEL(read_rows, 64, 0)
KERNEL(read_rows, 64, 1)
KERNEL(read_rows, 64, 2)
KERNEL(read_rows, 64, 3)
KERNEL(read_rows, 64, 4)
KERNEL(multiply_rows, 160, 0)
KERNEL(multiply_rows, 160, 1)
KERNEL(multiply_rows, 160, 2)
KERNEL(pass_rows, 32, 0)
KERNEL(pass_rows, 32, 1)
#define CLUSTER_KERNEL(NAME, FAULT)                                                                                       \
  extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(32) NAME##_##FAULT(const uint32_t* in,           \
                                                                                          uint32_t* out) {              \
    NAME<FAULT>(in, out);                                                                                                 \
  }
CLUSTER_KERNEL(share_rows, 0)
CLUSTER_KERNEL(share_rows, 1)

// Products in the second block of a cluster: descriptors name the block's own memory.
extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128)
    products_of_cluster(const uint32_t* in, uint32_t* out) {
  __shared__ __align__(1024) uint32_t factors[1024];
  for (uint32_t i = threadIdx.x; i < 1024; i += 128)
    factors[i] = (in[i + 1024 * blockIdx.x] & 0x81FF81FF) | 0x3E003E00;
  fence_shared();
  __syncthreads();
  float d[4] = {1, 2, 3, 4};
  fence_products();
  multiply(d, descriptor(shared_address(factors), 128, 256, 0), descriptor(shared_address(factors) + 2048, 128, 256, 0));
  commit_products();
  asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])::"memory");
  for (uint32_t j = 0; j < 4; ++j) out[(blockIdx.x * 128 + threadIdx.x) * 4 + j] = __float_as_uint(d[j]);
}
