// malloc and free of single threads and blocks, placement new, virtual calls, function pointers
// copied by symbol, recursion, __ldg, __nanosleep, trap and errors of kernels; printf with many
// arguments.
#include <cstdio>
#include <new>
#define E(x) printf("%s: %s\n", #x, cudaGetErrorName(x))
class Container {
 public:
  __device__ Container() {}
  __device__ virtual ~Container() {}
  __device__ virtual void push(int) = 0;
  __device__ virtual bool pop(int&) = 0;
};
template <class T>
class Stack : public Container {
  int top, max;
  T* data;

 public:
  __device__ Stack(int m) : top(0), max(m), data(new T[m]) {}
  __device__ ~Stack() override { delete[] data; }
  __device__ void push(int e) override {
    int i = atomicAdd(&top, 1);
    if (i < max) data[i] = e;
  }
  __device__ bool pop(int& e) override {
    int i = atomicSub(&top, 1);
    if (i <= 0) return false;
    e = data[i - 1];
    return true;
  }
};
__device__ Container* shared_stack;
__global__ void create() { shared_stack = new Stack<int>(1024); }
__global__ void consume(int* sum) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  shared_stack->push(i);
  __syncthreads();
  int e;
  if (shared_stack->pop(e)) atomicAdd(sum, e);
}
__global__ void destroy() { delete shared_stack; }
struct Complex {
  float re, im;
  int n;
  __device__ Complex() : re(threadIdx.x), im(blockIdx.x), n(1) {}
};
__global__ void placement(float* o) {
  __shared__ unsigned char raw[64 * sizeof(Complex)];
  Complex* c = new (raw + threadIdx.x * sizeof(Complex)) Complex;
  c->n += 5;
  __syncthreads();
  Complex* other = (Complex*)raw + (63 - threadIdx.x);
  o[threadIdx.x] = other->re + other->n * 0.25f;
}
__global__ void per_block(int* out) {
  __shared__ int* p;
  if (threadIdx.x == 0) p = (int*)malloc(blockDim.x * 64);
  __syncthreads();
  if (p == nullptr) return;
  p[threadIdx.x] = threadIdx.x * 2;
  __syncthreads();
  int v = p[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) free(p);
  atomicAdd(out, v);
}
typedef unsigned char (*Block)(unsigned char, unsigned char, int);
__device__ unsigned char blur(unsigned char a, unsigned char b, int t) {
  return (a + b) / 2 > t ? 255 : 0;
}
__device__ unsigned char edge(unsigned char a, unsigned char b, int t) {
  return a > b ? a - b : b - a;
}
__device__ Block table[2] = {blur, edge};
__device__ Block one = edge;
__global__ void filter(unsigned char* o, const unsigned char* i, Block f, int which, int t) {
  int x = threadIdx.x;
  o[x] = which < 0 ? f(i[x], i[(x + 1) & 127], t) : table[which](i[x], i[(x + 1) & 127], t);
}
__device__ int ack(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}
__global__ void recursive(int* o) { o[threadIdx.x] = ack(threadIdx.x % 3, threadIdx.x % 5); }
__device__ __noinline__ unsigned long long fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__global__ void fibs(int* o) {
  o[threadIdx.x] = fib(threadIdx.x);
  __nanosleep(50);
  o[threadIdx.x] += __ldg(o + 0) * 0;
}
__global__ void many() {
  if (threadIdx.x == 1) {
    int r =
        printf("%d %u %x %c %s %5.2f %-6d| %08.3e %lld %p %% %hd %g %i %o %X %+d % d %#x %.3s\n",
               -1, 2u, 0xabc, 'z', "text", 3.14159, 42, 12345.678, 1ll << 40, (void*)0, (short)-3,
               1e-10, 5, 8, 255, 6, 7, 16, "abcdef");
    printf("returned %d\n", r);
  }
}
__global__ void none() {
  int r = printf("");
  r += printf("no arguments\n");
  printf("%d\n", r);
}
__global__ void loop_print(int n) {
  for (int i = 0; i < n; ++i)
    if (i % 2 == threadIdx.x) printf("[%d, %d] step %d\n", blockIdx.y, threadIdx.x, i);
}
__global__ void trap(int w) {
  if (threadIdx.x == w) __trap();
}
__global__ void write(int* p) { *p = 5; }
int main(int argc, char** argv) {
  int* s;
  cudaMallocManaged(&s, 4096);
  *s = 0;
  size_t hs;
  cudaDeviceGetLimit(&hs, cudaLimitMallocHeapSize);
  printf("heap %zu\n", hs);
  E(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
  create<<<1, 1>>>();
  consume<<<2, 128>>>(s);
  destroy<<<1, 1>>>();
  E(cudaDeviceSynchronize());
  printf("sum %d\n", *s);
  float* f = (float*)(s + 512);
  placement<<<1, 64>>>(f);
  E(cudaDeviceSynchronize());
  printf("%g %g\n", f[0], f[63]);
  *s = 0;
  per_block<<<8, 64>>>(s);
  E(cudaDeviceSynchronize());
  printf("%d\n", *s);
  unsigned char *i = (unsigned char*)s, *o = i + 128;
  for (int k = 0; k < 128; ++k) i[k] = k * 37;
  Block h;
  E(cudaMemcpyFromSymbol(&h, one, sizeof h));
  for (int w = -1; w < 2; ++w) {
    filter<<<1, 128>>>(o, i, h, w, 100);
    cudaDeviceSynchronize();
    unsigned x = 0;
    for (int k = 0; k < 128; ++k) x = x * 31 + o[k];
    printf("filter %d %08x\n", w, x);
  }
  recursive<<<1, 32>>>(s);
  cudaDeviceSynchronize();
  printf("ackermann %d %d\n", s[5], s[29]);
  fibs<<<1, 16>>>(s);
  cudaDeviceSynchronize();
  printf("fib %d\n", s[15]);
  many<<<1, 2>>>();
  E(cudaDeviceSynchronize());
  none<<<1, 1>>>();
  E(cudaDeviceSynchronize());
  loop_print<<<1, 2>>>(3);
  E(cudaDeviceSynchronize());
  trap<<<1, 32>>>(3);
  E(cudaGetLastError());
  E(cudaDeviceSynchronize());
  E(cudaGetLastError());
  E(cudaMalloc(&s, 4));
  fflush(stdout);
  return 0;
}
