// SPDX-License-Identifier: Apache-2.0
// Which SM each block of a grid runs on, alone and in clusters.
#include "clock.cuh"

#define PLACES(name, CLUSTER) \
  extern "C" __global__ void CLUSTER name(u32* out, u32 cycles) { \
    const u32 begin = now(); \
    while (now() - begin < cycles) {} \
    if (threadIdx.x == 0) out[blockIdx.x] = sm(); \
  }

PLACES(blocks, )
PLACES(clusters_2, __cluster_dims__(2))
PLACES(clusters_4, __cluster_dims__(4))
PLACES(clusters_8, __cluster_dims__(8))
