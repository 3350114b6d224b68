// Separate compilation: device functions, variables, constants and function pointers of two
// translation units; C linkage; a static library's style of calls.
#include <cstdio>
#include "two_files.h"
__device__ int hidden_here = 3;
__constant__ Params params;
__device__ op_t chosen;
extern __device__ int counter;
extern __constant__ float weights[4];
__device__ float callback(float x) { return x * 2 + hidden_here; }
__global__ void here(float* o, int n) {
  int i = threadIdx.x;
  if (i < n) {
    o[i] = apply(callback, params.a * i) + weights[i & 3];
    atomicAdd(&counter, i);
    Shape* s = make_shape(i & 1, i);
    o[i] += s->area();
    free_shape(s);
  }
}
__global__ void pick(int which) { chosen = ops[which]; }
__global__ void run(float* o) { o[threadIdx.x] = chosen(o[threadIdx.x]); }
int main() {
  float* o;
  cudaMallocManaged(&o, 128);
  Params p{1.5f, 7};
  cudaMemcpyToSymbol(params, &p, sizeof p);
  float w[4] = {1, 2, 3, 4};
  set_weights(w);
  here<<<1, 32>>>(o, 32);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i < 32; i += 7) printf("%g ", o[i]);
  printf("\ncounter %d\n", get_counter());
  for (int k = 0; k < 3; ++k) {
    pick<<<1, 1>>>(k);
    run<<<1, 32>>>(o);
    cudaDeviceSynchronize();
    printf("%g %g\n", o[1], o[31]);
  }
  c_style_launch(o, 32);
  cudaDeviceSynchronize();
  printf("%g %s\n", o[5], cudaGetErrorName(cudaGetLastError()));
}
// nvcc: -rdc=true two_files_part.cu
