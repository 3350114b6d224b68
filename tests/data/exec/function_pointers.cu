// Function pointers: a table in device memory, one read by the host and passed back, virtual
// functions.
#include <cstdio>

typedef int (*Operation)(int, int);
__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int multiply(int a, int b) { return a * b; }
__device__ __noinline__ int larger(int a, int b) { return a > b ? a : b; }
__device__ Operation table[3] = {add, multiply, larger};
__device__ Operation chosen = larger;

__global__ void by_table(int* out, int which) {
  out[threadIdx.x] = table[(which + threadIdx.x) % 3](threadIdx.x, 7);
}
__global__ void by_argument(int* out, Operation f) { out[threadIdx.x] = f(threadIdx.x, 9) + 1; }

struct Shape {
  __device__ virtual int area(int x) const { return x; }
};
struct Square : Shape {
  __device__ int area(int x) const override { return x * x; }
};
__global__ void by_class(int* out, int kind) {
  Shape shape;
  Square square;
  const Shape* it = (kind + threadIdx.x) % 2 ? (const Shape*)&square : &shape;
  out[threadIdx.x] = it->area(threadIdx.x);
}

int main() {
  int *out, host[32], wrong = 0;
  cudaMalloc(&out, sizeof host);
  by_table<<<1, 32>>>(out, 1);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) {
    int k = (1 + i) % 3;
    wrong += host[i] != (k == 0 ? i + 7 : k == 1 ? i * 7 : i > 7 ? i : 7);
  }
  printf("table: %d wrong\n", wrong);
  Operation f;
  cudaMemcpyFromSymbol(&f, chosen, sizeof f);
  by_argument<<<1, 32>>>(out, f);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) wrong += host[i] != (i > 9 ? i : 9) + 1;
  printf("argument: %d wrong\n", wrong);
  by_class<<<1, 32>>>(out, 1);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) wrong += host[i] != ((1 + i) % 2 ? i * i : i);
  printf("class: %d wrong, %s: %s\n", wrong, cudaGetErrorName(cudaDeviceSynchronize()),
         wrong == 0 ? "PASSED" : "FAILED");
  return 0;
}
