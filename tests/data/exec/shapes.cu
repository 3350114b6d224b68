// Virtual functions, templates, constant tables and lambdas in kernels.
#include <cstdio>
#include <new>
#define OK(x)                                       \
  do {                                              \
    cudaError_t e_ = (x);                           \
    if (e_ != cudaSuccess) {                        \
      printf("%s: %s\n", #x, cudaGetErrorName(e_)); \
    }                                               \
  } while (0)
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
  int id;
};
struct Circle : Shape {
  float r;
  __device__ Circle(float r) : r(r) {}
  __device__ float area() const override { return 3.0f * r * r; }
};
struct Box : Shape {
  float a, b;
  __device__ Box(float a, float b) : a(a), b(b) {}
  __device__ float area() const override { return a * b; }
};
struct Square : Box {
  __device__ Square(float a) : Box(a, a) {}
  __device__ float area() const override { return Box::area() + 0.5f; }
};
__device__ char room[64][64];
__constant__ const char* const names[3] = {"circle", "box", "square"};
__constant__ int dims[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
__global__ void make() {
  int i = threadIdx.x;
  Shape* s;
  if (i % 3 == 0)
    s = new (room[i]) Circle(i);
  else if (i % 3 == 1)
    s = new (room[i]) Box(i, 2);
  else
    s = new (room[i]) Square(i);
  s->id = i;
}
__global__ void areas(float* out) {
  int i = threadIdx.x;
  out[i] = ((Shape*)room[i])->area() + dims[i % 3][i % 4];
}
__global__ void letters(char* out) {
  int i = threadIdx.x;
  const char* n = names[i % 3];
  int k = 0;
  while (n[k]) ++k;
  out[i] = n[i % k];
}
template <typename T, int N>
struct Poly {
  T c[N];
  __device__ T at(T x) const {
    T y = 0;
    for (int i = N - 1; i >= 0; --i) y = y * x + c[i];
    return y;
  }
};
template <typename T, int N>
__global__ void eval(Poly<T, N> p, T* out) {
  out[threadIdx.x] = p.at((T)threadIdx.x);
}
template <typename F>
__global__ void apply(F f, int* out) {
  out[threadIdx.x] = f(threadIdx.x);
}
typedef int (*Op)(int, int);
__device__ int plus_(int a, int b) { return a + b; }
__device__ int minus_(int a, int b) { return a - b; }
__device__ int times_(int a, int b) { return a * b; }
__device__ Op ops[3] = {plus_, minus_, times_};
__global__ void calc(int* out) {
  int i = threadIdx.x;
  out[i] = ops[i % 3](i, 7);
}
int main() {
  float* out;
  char* text;
  int* ints;
  OK(cudaMallocManaged(&out, 256));
  OK(cudaMallocManaged(&text, 65));
  OK(cudaMallocManaged(&ints, 256));
  make<<<1, 64>>>();
  areas<<<1, 64>>>(out);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; i += 9) printf("%.1f ", out[i]);
  printf("\n");
  letters<<<1, 64>>>(text);
  OK(cudaDeviceSynchronize());
  text[64] = 0;
  printf("%s\n", text);
  Poly<double, 5> p = {{1, -2, 3, -4, 5}};
  double* d;
  OK(cudaMallocManaged(&d, 512));
  eval<<<1, 64>>>(p, d);
  OK(cudaDeviceSynchronize());
  printf("%.1f %.1f\n", d[3], d[63]);
  int k = 11;
  auto f = [k] __device__(int i) { return i * k + 1; };
  apply<<<1, 64>>>(f, ints);
  OK(cudaDeviceSynchronize());
  printf("%d %d\n", ints[1], ints[63]);
  calc<<<1, 64>>>(ints);
  OK(cudaDeviceSynchronize());
  printf("%d %d %d\n", ints[0], ints[1], ints[2]);
}
