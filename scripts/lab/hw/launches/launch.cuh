// SPDX-License-Identifier: Apache-2.0
// What the launches of this folder share. The line `//@` before a kernel says how it is launched; inputs.py reads it.
#pragma once
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define LAUNCH extern "C" __global__ void
using u32 = uint32_t;
using u64 = unsigned long long;

__device__ inline u32 thread_of_grid() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline u32 lane_id() { return threadIdx.x & 31; }

template <typename T>
__device__ inline T warp_sum(T value) {
#pragma unroll
  for (int by = 16; by > 0; by >>= 1) value += __shfl_xor_sync(~0u, value, by);
  return value;
}

__device__ inline float warp_max(float value) {
#pragma unroll
  for (int by = 16; by > 0; by >>= 1) value = fmaxf(value, __shfl_xor_sync(~0u, value, by));
  return value;
}

// Sum over the block, in every thread; `room` holds a value for each warp.
template <typename T>
__device__ inline T block_sum(T value, T* room) {
  value = warp_sum(value);
  __syncthreads();
  if (lane_id() == 0) room[threadIdx.x / 32] = value;
  __syncthreads();
  value = lane_id() < blockDim.x / 32 ? room[lane_id()] : T(0);
  return warp_sum(value);
}

__device__ inline u32 mix(u32 x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}
