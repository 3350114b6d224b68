// Function pointers and virtual functions on the device, device symbols, recursion, __noinline__,
// switch tables.
#include <cstdio>
typedef int (*Op)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ int times(int a, int b) { return a * b; }
__device__ Op table[3] = {plus, minus, times};
__device__ Op chosen = times;
#include <new>
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float a;
  __device__ Square(float x) : a(x) {}
  __device__ float area() const override { return a * a; }
};
struct Circle : Shape {
  float r;
  __device__ Circle(float x) : r(x) {}
  __device__ float area() const override { return 3 * r * r; }
};
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ int depth_total;
__global__ void ops(int* out) {
  int i = threadIdx.x;
  out[i] = table[i % 3](i, 7) + chosen(i, 2);
}
__global__ void shapes(float* out, char* room) {
  int i = threadIdx.x;
  Shape* s = i & 1 ? (Shape*)new ((void*)(room + 32 * i)) Square(i)
                   : (Shape*)new ((void*)(room + 32 * i)) Circle(i);
  out[i] = s->area();
}
__global__ void fibs(int* out) {
  out[threadIdx.x] = fib(threadIdx.x);
  atomicAdd(&depth_total, fib(threadIdx.x));
}
__global__ void call(Op f, int* out) { out[threadIdx.x] = f(threadIdx.x, 100); }
__global__ void words(int* out) {
  int i = threadIdx.x, r;
  switch (i) {
    case 0: r = 5; break;
    case 1: r = i * 3; break;
    case 2: r = 1; break;
    case 3: r = __popc(i); break;
    case 4: r = __clz(i); break;
    case 5: r = __ffs(i); break;
    case 6: r = __brev(i) >> 29; break;
    default: r = -i;
  }
  out[i] = r;
}
int main() {
  int* o;
  float* f;
  char* room;
  cudaMallocManaged(&o, 4 * 32);
  cudaMallocManaged(&f, 4 * 32);
  cudaMalloc(&room, 32 * 32);
  ops<<<1, 12>>>(o);
  cudaDeviceSynchronize();
  for (int i = 0; i < 12; ++i) printf("%d ", o[i]);
  printf("\n");
  Op h;
  cudaMemcpyFromSymbol(&h, chosen, sizeof h);
  call<<<1, 4>>>(h, o);
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", o[0], o[1], o[2], o[3]);
  Op t[3];
  cudaMemcpyFromSymbol(t, table, sizeof t);
  cudaMemcpyToSymbol(chosen, &t[1], sizeof(Op));
  ops<<<1, 6>>>(o);
  cudaDeviceSynchronize();
  for (int i = 0; i < 6; ++i) printf("%d ", o[i]);
  printf("\n");
  shapes<<<1, 8>>>(f, room);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i) printf("%g ", f[i]);
  printf("\n");
  fibs<<<1, 12>>>(o);
  cudaDeviceSynchronize();
  int total;
  cudaMemcpyFromSymbol(&total, depth_total, 4);
  printf("%d %d\n", o[11], total);
  words<<<1, 9>>>(o);
  cudaDeviceSynchronize();
  for (int i = 0; i < 9; ++i) printf("%d ", o[i]);
  printf("\n");
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
