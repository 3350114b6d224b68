// Calls, variables and tables of functions of another file (-rdc=true, separate_code_functions.cu).
#include <cstdio>
#define OK(x)                                       \
  do {                                              \
    cudaError_t e_ = (x);                           \
    if (e_ != cudaSuccess) {                        \
      printf("%s: %s\n", #x, cudaGetErrorName(e_)); \
    }                                               \
  } while (0)
extern __device__ int counter;
extern __constant__ int factors[4];
__device__ int helper(int x);
typedef int (*F)(int);
extern __device__ F table[2];
void launch_other(int* p);
__global__ void main_kernel(int* p) {
  int i = threadIdx.x;
  p[i] = helper(i) * factors[i & 3] + table[i & 1](i);
  atomicAdd(&counter, 1);
}
int main() {
  int* p;
  OK(cudaMallocManaged(&p, 512));
  main_kernel<<<1, 64>>>(p);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; i += 7) printf("%d ", p[i]);
  launch_other(p);
  OK(cudaDeviceSynchronize());
  printf("\n%d %d\n", p[0], p[1]);
  int c;
  OK(cudaMemcpyFromSymbol(&c, counter, 4));
  printf("counter %d\n", c);
}
