// A program with PTX alone: variables of all kinds, tables of functions, virtual functions, bounds.
#include <cstdio>

using Function = int (*)(int);

struct Shape {
  __device__ virtual int area(int x) const = 0;
};
struct Square : Shape {
  __device__ int area(int x) const override { return x * x; }
};
struct Bar : Shape {
  __device__ int area(int x) const override { return 3 * x; }
};

__device__ int next(int x) { return x + 1; }
__device__ int three(int x) { return 3 * x; }
__device__ Function table[2] = {next, three};
__device__ int numbers[3] = {7, 8, 9};
__device__ int* second = &numbers[1];
__constant__ int weights[2] = {2, 5};
__managed__ int total = 100;

__global__ void untouched(int* out) { *out = 1; }

__global__ void __launch_bounds__(64) sum(int* out) {
  const int i = threadIdx.x;
  Square square;
  Bar bar;
  const Shape* const shape = i % 3 == 0 ? static_cast<Shape*>(&square) : &bar;
  out[i] = table[i % 2](i) + numbers[i % 3] + *second + weights[i % 2] + shape->area(i);
  atomicAdd(&total, i);
}

int main() {
  const int n = 64;
  int *out, got[n], numbers_now[3] = {7, 80, 9};
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpyToSymbol(numbers, numbers_now, sizeof numbers_now);
  const int five = 6;
  cudaMemcpyToSymbol(weights, &five, sizeof five, sizeof five);
  sum<<<1, n>>>(out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const int want = (i % 2 ? 3 * i : i + 1) + numbers_now[i % 3] + 80 + (i % 2 ? 6 : 2) +
                     (i % 3 ? 3 * i : i * i);
    wrong += got[i] != want;
  }
  printf("%d wrong, total %d\n", wrong, total);
  sum<<<1, 2 * n>>>(out);
  printf("wide: %s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, sum);
  printf("bound %d\n", attributes.maxThreadsPerBlock);
}
// nvcc: -gencode arch=compute_75,code=compute_75
