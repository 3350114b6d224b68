// Constant and device variables, written and read by the host.
#include <cstdio>

__constant__ float coefficients[16];
__constant__ int shift = 3;
__device__ int total;
__device__ int history[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ int* pointer = &history[2];

__global__ void evaluate(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 15; k >= 0; --k) sum = sum * x[i] + coefficients[(k + shift) % 16];
  y[i] = sum;
  atomicAdd(&total, 1);
  if (i < 8) history[i] += i;
}
__global__ void through_pointer(int* out) { *out = pointer[0] + pointer[1]; }

int main() {
  const int n = 300;
  float c[16], x[n], y[n];
  for (int k = 0; k < 16; ++k) c[k] = (k % 3) - 1.0f;
  for (int i = 0; i < n; ++i) x[i] = (i % 5) - 2;
  float *dx, *dy;
  cudaMalloc(&dx, sizeof x);
  cudaMalloc(&dy, sizeof y);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(coefficients, c, sizeof c);
  int s = 5, zero = 0, count = 0, h[8];
  cudaMemcpyToSymbol(shift, &s, sizeof s);
  cudaMemcpyToSymbol(total, &zero, sizeof zero);
  evaluate<<<3, 128>>>(dx, dy, n);
  cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&count, total, sizeof count);
  cudaMemcpyFromSymbol(h, history, sizeof h);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 15; k >= 0; --k) sum = sum * x[i] + c[(k + s) % 16];
    wrong += sum != y[i];
  }
  for (int i = 0; i < 8; ++i) wrong += h[i] != i + 1 + i;
  size_t size = 0;
  void* address = nullptr;
  cudaGetSymbolSize(&size, history);
  cudaGetSymbolAddress(&address, history);
  int second = 0;
  cudaMemcpy(&second, (int*)address + 1, 4, cudaMemcpyDeviceToHost);
  int* out;
  cudaMallocHost(&out, 4);
  through_pointer<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf(
      "wrong %d total %d size %zu second %d pointer %d: %s\n", wrong, count, size, second, *out,
      wrong == 0 && count == n && size == 32 && second == 3 && *out == 5 + 7 ? "PASSED" : "FAILED");
  printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol(shift, c, sizeof c)));
  printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol(y, c, 4)));
  return 0;
}
