// SPDX-License-Identifier: Apache-2.0
// Fences of warps out of step and behind accesses, for `behind`.
#include <cstdint>

__device__ __forceinline__ uint32_t now() {
  uint32_t t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}

// out[(warp * 8 + k) * 2 + {0, 1}]: when the warp's fence k began, behind the barrier, and its cycles. form 1: behind a store.
template <bool kCluster> __device__ void steps(uint32_t* out, uint32_t apart, uint32_t form, uint32_t fences) {
  const uint32_t w = threadIdx.x / 32;
  volatile uint32_t* const to = out + 4096 + blockIdx.x * 1024 + threadIdx.x;
  for (int i = 0; i < 3; i++) {
    if (kCluster) asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    __syncthreads();
    const uint32_t begin = now();
    while (now() - begin < 200 + w * apart) {}
#pragma unroll 1
    for (uint32_t k = 0; k < fences; k++) {
      if (form & 1) *to = k + i;
      const uint32_t t = now();
      if (form & 2) asm volatile("fence.acq_rel.cluster;" ::: "memory"); else asm volatile("fence.acq_rel.gpu;" ::: "memory");
      const uint32_t took = now() - t;
      if (blockIdx.x == 0 && threadIdx.x % 32 == 0 && i == 2) out[(w * 8 + k) * 2] = t - begin, out[(w * 8 + k) * 2 + 1] = took;
    }
    __syncthreads();
  }
  if (kCluster) asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
extern "C" __global__ void alone(uint32_t* out, uint32_t apart, uint32_t form, uint32_t fences) { steps<false>(out, apart, form, fences); }
extern "C" __global__ void __cluster_dims__(2, 1, 1) pair(uint32_t* out, uint32_t apart, uint32_t form, uint32_t fences) { steps<true>(out, apart, form, fences); }

// A fence behind accesses of its warp, 1,000 cycles behind an earlier fence. form % 16: which; from 16 on the fence is 1,000
// cycles behind them. out[2 * warp + {0, 1}]: the fence's cycles, then those of a second one.
template <bool kCluster> __device__ void behind(uint32_t* out, uint32_t form) {
  __shared__ uint32_t words[256];
  uint32_t* const to = out + 8192 + blockIdx.x * 4096 + threadIdx.x;
  for (int i = 0; i < 3; i++) {
    if (kCluster) asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    __syncthreads();
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    uint32_t begin = now(), x = 0;
    while (now() - begin < 1000) {}
    switch (form & 15) {
      case 1: asm volatile("st.global.u32 [%0], %1;" ::"l"(to), "r"(i) : "memory"); break;
      case 2: if (threadIdx.x % 32 == 0) asm volatile("st.global.u32 [%0], %1;" ::"l"(to), "r"(i) : "memory"); break;
      case 3: asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(to) : "memory"); break;
      case 4: asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(to) : "memory"); break;
      case 5: asm volatile("st.volatile.global.u32 [%0], %1;" ::"l"(to), "r"(i) : "memory"); break;
      case 6: words[threadIdx.x] = i; break;
      case 7: for (int k = 0; k < 16; k++) asm volatile("st.global.u32 [%0], %1;" ::"l"(to + 1024 * k), "r"(i) : "memory"); break;
      case 8: asm volatile("red.global.add.u32 [%0], %1;" ::"l"(to), "r"(i) : "memory"); break;
      case 9: asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"((uint32_t)__cvta_generic_to_shared(words + threadIdx.x)), "r"(i) : "memory"); break;
    }
    if (x == 0x12345) out[7] = x;
    begin = now();
    if (form & 16) while (now() - begin < 1000) {}
    uint32_t t = now();
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    const uint32_t one = now() - t;
    t = now();
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    const uint32_t two = now() - t;
    if (blockIdx.x == 0 && threadIdx.x % 32 == 0) out[threadIdx.x / 16] = one, out[threadIdx.x / 16 + 1] = two;
  }
  if (kCluster) asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
extern "C" __global__ void behind_alone(uint32_t* out, uint32_t form) { behind<false>(out, form); }
extern "C" __global__ void __cluster_dims__(2, 1, 1) behind_pair(uint32_t* out, uint32_t form) { behind<true>(out, form); }
