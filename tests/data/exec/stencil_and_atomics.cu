// A stencil with halo in shared memory, atomics of several kinds, transposes with padding, a scan
// of several blocks, occupancy.
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/atomic>
#include <vector>
__global__ void stencil(const float* in, float* out, int n) {
  __shared__ float s[130];
  int i = blockIdx.x * 128 + threadIdx.x;
  s[threadIdx.x + 1] = i < n ? in[i] : 0;
  if (threadIdx.x == 0) s[0] = i ? in[i - 1] : 0;
  if (threadIdx.x == 127) s[129] = i + 1 < n ? in[i + 1] : 0;
  __syncthreads();
  if (i < n) out[i] = s[threadIdx.x] + 2 * s[threadIdx.x + 1] + s[threadIdx.x + 2];
}
__global__ void transpose(float* out, const float* in, int w, int h) {
  __shared__ float t[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < w && y + j < h) t[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < h && y + j < w) out[(y + j) * h + x] = t[threadIdx.x][threadIdx.y + j];
}
__device__ unsigned arrived;
__global__ void last_block(const int* in, int* part, int* out, int n) {
  int v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    v += in[i];
  for (int o = 16; o; o /= 2) v += __shfl_down_sync(~0u, v, o);
  __shared__ int w[8];
  __shared__ bool last;
  if (threadIdx.x % 32 == 0) w[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    int t = 0;
    for (int k = 0; k < blockDim.x / 32; ++k) t += w[k];
    part[blockIdx.x] = t;
    __threadfence();
    last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int t = 0;
    for (int b = 0; b < gridDim.x; ++b) t += ((volatile int*)part)[b];
    *out = t;
  }
}
__global__ void atomics(int* a, float* f, double* d, unsigned long long* u) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  atomicAdd(a, 1);
  atomicMax(a + 1, i);
  atomicMin(a + 2, -i);
  atomicXor(a + 3, i);
  atomicOr(a + 4, 1 << (i & 31));
  atomicAnd(a + 5, ~(1 << (i & 15)));
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
  atomicAdd(u, 1ull << 33);
  int old = a[6], was;
  do {
    was = old;
    old = atomicCAS(a + 6, was, was + 2);
  } while (old != was);
  atomicExch(a + 7, 9);
  cuda::atomic_ref<int, cuda::thread_scope_device>(a[8]).fetch_add(3, cuda::memory_order_relaxed);
}
__global__ void pipelined(int* out) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier b;
  __shared__ int room[64];
  if (threadIdx.x == 0) init(&b, blockDim.x);
  __syncthreads();
  room[threadIdx.x] = threadIdx.x;
  b.arrive_and_wait();
  int v = room[63 - threadIdx.x];
  auto token = b.arrive();
  b.wait(std::move(token));
  out[threadIdx.x] = v;
}
int main() {
  const int n = 1111;
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i) h[i] = i % 13;
  float *a, *b;
  cudaMalloc(&a, n * 4);
  cudaMalloc(&b, n * 4);
  cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
  stencil<<<(n + 127) / 128, 128>>>(a, b, n);
  std::vector<float> o(n);
  cudaMemcpy(o.data(), b, n * 4, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += o[i] != (i ? h[i - 1] : 0) + 2 * h[i] + (i + 1 < n ? h[i + 1] : 0);
  printf("stencil %d wrong\n", wrong);
  const int w = 37, y = 30;
  transpose<<<dim3(2, 1), dim3(32, 8)>>>(b, a, w, y);
  cudaMemcpy(o.data(), b, w * y * 4, cudaMemcpyDeviceToHost);
  wrong = 0;
  for (int r = 0; r < y; ++r)
    for (int c = 0; c < w; ++c) wrong += o[c * y + r] != h[r * w + c];
  printf("transpose %d wrong\n", wrong);
  int *in, *part, *out;
  cudaMallocManaged(&in, 3000 * 4);
  cudaMallocManaged(&part, 64);
  cudaMallocManaged(&out, 512);
  for (int i = 0; i < 3000; ++i) in[i] = i;
  for (int r = 0; r < 2; ++r) {
    last_block<<<6, 256>>>(in, part, out, 3000);
    cudaDeviceSynchronize();
    printf("sum %d\n", *out);
  }
  int* at;
  float* f;
  double* d;
  unsigned long long* u;
  cudaMallocManaged(&at, 64);
  cudaMallocManaged(&f, 4);
  cudaMallocManaged(&d, 8);
  cudaMallocManaged(&u, 8);
  at[5] = -1;
  atomics<<<3, 96>>>(at, f, d, u);
  cudaDeviceSynchronize();
  for (int i = 0; i < 9; ++i) printf("%d ", at[i]);
  printf("%g %g %llu\n", *f, *d, *u);
  pipelined<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d %s\n", out[0], out[63], cudaGetErrorName(cudaGetLastError()));
  int block = 0, grid = 0;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, stencil, 0, 0);
  printf("%d\n", block > 0 && block % 32 == 0);
  cudaFuncAttributes fa;
  cudaFuncGetAttributes(&fa, transpose);
  printf("%zu %d %s\n", fa.sharedSizeBytes, fa.maxThreadsPerBlock,
         cudaGetErrorName(cudaGetLastError()));
}
