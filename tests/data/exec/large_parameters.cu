// Large parameters, parameters whose address is taken, structures by value.
#include <cstdio>
#define OK(x)                                       \
  do {                                              \
    cudaError_t e_ = (x);                           \
    if (e_ != cudaSuccess) {                        \
      printf("%s: %s\n", #x, cudaGetErrorName(e_)); \
    }                                               \
  } while (0)
struct Big {
  int a[500];
  double d[64];
};
struct Two {
  Big b;
  short s;
  char c;
};
__global__ void sum(const __grid_constant__ Big b, int* out) {
  int s = 0;
  for (int i = threadIdx.x; i < 500; i += 32) s += b.a[i];
  out[threadIdx.x] = s + (int)b.d[threadIdx.x];
}
__device__ __noinline__ int at(const int* p, int i) { return p[i]; }
__global__ void taken(const __grid_constant__ Big b, int* out) {
  out[threadIdx.x] = at(b.a + threadIdx.x, 3);
}
__global__ void copied(Two t, int* out, short x, char y) {
  t.b.a[threadIdx.x] += 5;
  int* p = t.b.a;
  out[threadIdx.x] = p[(threadIdx.x + 1) % 500] + t.s + t.c + x + y;
}
int main() {
  Big b;
  for (int i = 0; i < 500; ++i) b.a[i] = i * 3;
  for (int i = 0; i < 64; ++i) b.d[i] = i / 2.0;
  int* out;
  OK(cudaMallocManaged(&out, 512));
  sum<<<1, 32>>>(b, out);
  OK(cudaDeviceSynchronize());
  printf("%d %d\n", out[0], out[31]);
  Two t;
  t.b = b;
  t.s = -7;
  t.c = 3;
  copied<<<1, 64>>>(t, out, -100, 'a');
  OK(cudaDeviceSynchronize());
  printf("%d %d\n", out[0], out[63]);
  taken<<<1, 64>>>(b, out);
  OK(cudaDeviceSynchronize());
  printf("%d %d\n", out[0], out[63]);
}
