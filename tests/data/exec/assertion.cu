// A failed assertion ends the kernel; what was printed before stays.
#include <cassert>
#include <cstdio>

__global__ void check(int n) {
  if (threadIdx.x == 0) printf("in block %d\n", blockIdx.x);
  assert(threadIdx.x < n);
}
int main() {
  check<<<2, 32>>>(32);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  check<<<1, 32>>>(30);
  cudaError_t e = cudaDeviceSynchronize();
  printf("%d %s\n", (int)e, cudaGetErrorString(e));
  return 0;
}
