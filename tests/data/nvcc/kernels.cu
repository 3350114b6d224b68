// Kernels of the usual kinds: plain, a template, printf, a function that is not inlined, a constant
// table.
#include <cstdio>

__constant__ int table[4] = {3, 1, 4, 1};

__device__ __noinline__ int twice(int x) { return 2 * x + table[x & 3]; }

template <class T>
__global__ void scale(T* data, T factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * factor;
}
template __global__ void scale<float>(float*, float, int);
template __global__ void scale<int>(int*, int, int);

__global__ void sum(const int* in, int* out) {
  int x = twice(in[threadIdx.x]);
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffff, x, step);
  out[threadIdx.x] = x;
}

__global__ void print(int n) {
  if (static_cast<int>(threadIdx.x) < n) {
    const int done = printf("thread %d of %s: %5.2f %c %llx|\n", threadIdx.x, "block", 1.5 * threadIdx.x, 'a' + threadIdx.x, 0x123456789abcull);
    if (threadIdx.x == 0) printf("printed %d, no argument\n", done);
  }
}
