// A failed assertion as the sample has it: the error that follows, what stays after it, and the
// reset of the device.
#include <cassert>
#include <cstdio>
#include <cstdlib>
__global__ void testKernel(int N) {
  int gtid = blockIdx.x * blockDim.x + threadIdx.x;
  assert(gtid < N);
}
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* d;
  printf("%s\n", cudaGetErrorName(cudaMalloc(&d, 128)));
  testKernel<<<2, 32>>>(60);
  printf("launch: %s\n", cudaGetErrorString(cudaGetLastError()));
  cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaErrorAssert)
    printf("Device assert failed as expected, CUDA error message is: %s\n\n",
           cudaGetErrorString(error));
  printf("again: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&d, 128)));
  fill<<<1, 32>>>(d);
  printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("peek: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
  cudaStream_t s;
  printf("stream: %s\n", cudaGetErrorName(cudaStreamCreate(&s)));
  printf("reset: %s\n", cudaGetErrorName(cudaDeviceReset()));
  printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&d, 128)));
  fill<<<1, 32>>>(d);
  printf("sync: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  int h[32] = {0};
  printf("copy: %s ", cudaGetErrorName(cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost)));
  printf("%d\n", h[31]);
  return error == cudaErrorAssert ? EXIT_SUCCESS : EXIT_FAILURE;
}
