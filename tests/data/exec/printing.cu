// Threads print, in the order of blocks and threads of one warp.
#include <cassert>
#include <cstdio>

__global__ void hello(int n, float x) {
  if (threadIdx.x < n)
    printf("block %d thread %2d: %.2f %5lld %c %x %%\n", blockIdx.x, threadIdx.x, x * threadIdx.x,
           (long long)threadIdx.x * 1000000007LL, 'a' + threadIdx.x, 255u + threadIdx.x);
}

int main() {
  hello<<<2, 4>>>(3, 1.5f);
  cudaError_t err = cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(err));
  return 0;
}
