// SPDX-License-Identifier: Apache-2.0
// Kernels that differ in what a cubin says of them: nvcc -cubin -arch=sm_NN (13.0.88).
extern "C" __global__ void plain(int* out) { out[threadIdx.x] = 1; }

extern "C" __global__ void three_barriers(int* out, char c, double d, float4 f) {
  out[threadIdx.x] = c;
  asm volatile("bar.sync 0;");
  asm volatile("bar.sync 2;");
  out[threadIdx.x ^ 1] = static_cast<int>(d + f.y);
}

extern "C" __global__ void static_and_local(const int* in, int* out, int n) {
  __shared__ int shared[50];
  int local[60];
#pragma unroll 1
  for (int i = 0; i < 60; ++i) local[i] = in[i];
  shared[threadIdx.x] = local[n];
  __syncthreads();
  out[threadIdx.x] = shared[threadIdx.x ^ 1];
}
