// Fences, atomics of the system, votes, mapped memory and sorting in dynamic shared memory.
#include <cstdio>
#define OK(x)                                       \
  do {                                              \
    cudaError_t e_ = (x);                           \
    if (e_ != cudaSuccess) {                        \
      printf("%s: %s\n", #x, cudaGetErrorName(e_)); \
    }                                               \
  } while (0)
__device__ unsigned count = 0;
__shared__ extern int dyn[];
__global__ void fence_sum(const float* in, volatile float* part, float* out, int n) {
  __shared__ bool last;
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    s += in[i];
  for (int d = 16; d; d /= 2) s += __shfl_down_sync(~0u, s, d);
  __shared__ float w[8];
  if (threadIdx.x % 32 == 0) w[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    float t = 0;
    for (int i = 0; i < 8; ++i) t += w[i];
    part[blockIdx.x] = t;
    __threadfence();
    last = atomicInc(&count, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float t = 0;
    for (int i = 0; i < gridDim.x; ++i) t += part[i];
    *out = t;
  }
}
__global__ void hist(const unsigned char* in, unsigned* out, int n) {
  __shared__ unsigned h[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) h[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&h[in[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&out[i], h[i]);
}
__global__ void system_wide(int* a) {
  int i = threadIdx.x;
  atomicAdd_system(a, 10);
  atomicExch_system(a + 1, i);
  atomicMax_system(a + 2, i);
  atomicMin_system(a + 3, i);
  atomicInc_system((unsigned*)(a + 4), 17);
  atomicDec_system((unsigned*)(a + 5), 137);
  atomicAnd_system(a + 7, 2 * i + 7);
  atomicOr_system(a + 8, 1 << (i & 31));
  atomicXor_system(a + 9, i);
}
__global__ void vote(int* out) {
  int i = threadIdx.x;
  out[i] = __any_sync(~0u, i == 5) + 2 * __all_sync(~0u, i < 64) + 4 * __syncthreads_count(i & 1) +
           1000 * __syncthreads_or(i == 77) + 2000 * __syncthreads_and(i < 99);
  out[i] += __reduce_add_sync(~0u, i) * 10000;
}
__global__ void zero_copy(float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] * 2 + b[i];
}
__global__ void bitonic() {
  int i = threadIdx.x;
  dyn[i] = (i * 1103515245 + 12345) & 0xffff;
  __syncthreads();
  for (int k = 2; k <= 256; k *= 2)
    for (int j = k / 2; j; j /= 2) {
      int x = i ^ j;
      if (x > i) {
        bool up = !(i & k);
        if ((dyn[i] > dyn[x]) == up) {
          int t = dyn[i];
          dyn[i] = dyn[x];
          dyn[x] = t;
        }
      }
      __syncthreads();
    }
  if (i < 4) printf("%d: %d\n", i, dyn[i]);
}
int main() {
  const int n = 10000;
  float *in, *part, *out;
  OK(cudaMallocManaged(&in, n * 4));
  OK(cudaMallocManaged(&part, 4096));
  OK(cudaMallocManaged(&out, 4));
  for (int i = 0; i < n; ++i) in[i] = i % 10;
  for (int k = 0; k < 2; ++k) {
    fence_sum<<<12, 256>>>(in, part, out, n);
    OK(cudaDeviceSynchronize());
    printf("%.1f\n", *out);
  }
  unsigned char* b;
  unsigned* h;
  OK(cudaMallocManaged(&b, n));
  OK(cudaMallocManaged(&h, 1024));
  for (int i = 0; i < n; ++i) b[i] = i * i >> 4;
  hist<<<6, 128>>>(b, h, n);
  OK(cudaDeviceSynchronize());
  printf("%u %u %u\n", h[0], h[17], h[255]);
  int* a;
  OK(cudaMallocManaged(&a, 64));
  a[7] = 0xff;
  a[3] = 1000;
  system_wide<<<1, 256>>>(a);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 10; ++i)
    if (i != 1 && i != 6) printf("%d ", a[i]);
  printf("\n");
  int* v;
  OK(cudaMallocManaged(&v, 512));
  vote<<<1, 64>>>(v);
  OK(cudaDeviceSynchronize());
  printf("%d %d\n", v[0], v[63]);
  float *x, *y;
  OK(cudaHostAlloc(&x, 4000, cudaHostAllocMapped));
  y = (float*)malloc(4000);
  OK(cudaHostRegister(y, 4000, cudaHostRegisterMapped));
  for (int i = 0; i < 1000; ++i) x[i] = i, y[i] = 1;
  float *dx, *dy;
  OK(cudaHostGetDevicePointer(&dx, x, 0));
  OK(cudaHostGetDevicePointer(&dy, y, 0));
  zero_copy<<<8, 128>>>(dx, dy, 1000);
  OK(cudaDeviceSynchronize());
  printf("%.1f %.1f\n", x[1], x[999]);
  OK(cudaHostUnregister(y));
  OK(cudaFreeHost(x));
  bitonic<<<1, 256, 1024>>>();
  OK(cudaDeviceSynchronize());
}
