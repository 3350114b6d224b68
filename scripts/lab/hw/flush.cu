// SPDX-License-Identifier: Apache-2.0
// More code than the caches of an SM hold: behind it, that of other kernels has to come anew.
#include "frame.cuh"

extern "C" __global__ void __launch_bounds__(kBlock) flush(const float* in, float* out) {
  float values[kValues];
#pragma unroll
  for (int i = 0; i < kValues; ++i) values[i] = in[threadIdx.x + kBlock * i];
#pragma unroll
  for (int i = 0; i < 20000; ++i) values[i % kValues] += 1.0f;
#pragma unroll
  for (int i = 0; i < kValues; ++i) out[threadIdx.x + kBlock * i] = values[i];
}
