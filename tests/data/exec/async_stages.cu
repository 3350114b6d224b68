// Asynchronous copies from global to shared memory: cuda::pipeline of several stages,
// cuda::memcpy_async with barriers, __pipeline_ primitives; matrix products.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#define BS 16
__global__ void staged(float* C, const float* A, const float* B, int w) {
  constexpr int ST = 4;
  __shared__ alignas(16) float a[ST][BS][BS], b[ST][BS][BS];
  auto block = cooperative_groups::this_thread_block();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, ST> state;
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  int tx = threadIdx.x, ty = threadIdx.y;
  const float* pa = A + (blockIdx.y * BS + ty) * w + tx;
  const float* pb = B + ty * w + blockIdx.x * BS + tx;
  int n = w / BS;
  for (int i = 0, f = 0; i < n; ++i) {
    for (; f < n && f < i + ST; ++f) {
      pipe.producer_acquire();
      cuda::memcpy_async(&a[f % ST][ty][tx], pa + f * BS, cuda::aligned_size_t<4>(4), pipe);
      cuda::memcpy_async(&b[f % ST][ty][tx], pb + f * BS * w, cuda::aligned_size_t<4>(4), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BS; ++k) sum += a[i % ST][ty][k] * b[i % ST][k][tx];
    pipe.consumer_release();
    __syncthreads();
  }
  C[(blockIdx.y * BS + ty) * w + blockIdx.x * BS + tx] = sum;
}
__global__ void barriers(float* C, const float* A, const float* B, int w) {
  __shared__ alignas(16) float a[BS][BS], b[BS][BS];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  int t = threadIdx.y * BS + threadIdx.x;
  if (t == 0) init(&bar, BS * BS);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < w / BS; ++i) {
    if (t < 64) {
      int r = t / 4, q = t % 4;
      cuda::memcpy_async((float4*)&a[r][q * 4],
                         (const float4*)(A + (blockIdx.y * BS + r) * w + i * BS + q * 4),
                         cuda::aligned_size_t<16>(16), bar);
      cuda::memcpy_async((float4*)&b[r][q * 4],
                         (const float4*)(B + (i * BS + r) * w + blockIdx.x * BS + q * 4),
                         cuda::aligned_size_t<16>(16), bar);
    }
    bar.arrive_and_wait();
    for (int k = 0; k < BS; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    bar.arrive_and_wait();
  }
  C[(blockIdx.y * BS + threadIdx.y) * w + blockIdx.x * BS + threadIdx.x] = sum;
}
__global__ void primitives(float* o, const float* in) {
  __shared__ float4 s[2][64];
  __pipeline_memcpy_async(&s[0][threadIdx.x], (const float4*)in + threadIdx.x, 16);
  __pipeline_commit();
  for (int i = 0; i < 8; ++i) {
    if (i < 7) {
      __pipeline_memcpy_async(&s[(i + 1) & 1][threadIdx.x],
                              (const float4*)in + (i + 1) * 64 + threadIdx.x, 16, i == 3 ? 8 : 0);
      __pipeline_commit();
      __pipeline_wait_prior(1);
    } else
      __pipeline_wait_prior(0);
    __syncthreads();
    float4 v = s[i & 1][63 - threadIdx.x];
    o[i * 64 + threadIdx.x] = v.x + v.y * 2 + v.z * 4 + v.w * 8;
    __syncthreads();
  }
}
__global__ void producer_consumer(const int* in, int* out, int batches) {
  auto block = cooperative_groups::this_thread_block();
  __shared__ int buf[2][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> st;
  auto role = threadIdx.x < 64 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &st, role);
  if (role == cuda::pipeline_role::producer) {
    for (int b = 0; b < batches; ++b) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buf[b & 1][threadIdx.x], in + b * 128 + threadIdx.x, 4, pipe);
      cuda::memcpy_async(&buf[b & 1][threadIdx.x + 64], in + b * 128 + threadIdx.x + 64, 4, pipe);
      pipe.producer_commit();
    }
  } else {
    for (int b = 0; b < batches; ++b) {
      pipe.consumer_wait();
      int t = threadIdx.x - 64;
      out[b * 64 + t] = buf[b & 1][127 - t] * 3 + buf[b & 1][t];
      pipe.consumer_release();
    }
  }
}
int main() {
  const int w = 64;
  float *a, *b, *c;
  cudaMallocManaged(&a, w * w * 4);
  cudaMallocManaged(&b, w * w * 4);
  cudaMallocManaged(&c, w * w * 4);
  for (int i = 0; i < w * w; ++i) {
    a[i] = (i % 23) * 0.125f;
    b[i] = (i % 19) * 0.25f - 1;
  }
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < w * w; ++i) c[i] = -1;
    if (k)
      barriers<<<dim3(4, 4), dim3(16, 16)>>>(c, a, b, w);
    else
      staged<<<dim3(4, 4), dim3(16, 16)>>>(c, a, b, w);
    printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
    int bad = 0;
    for (int y = 0; y < w; ++y)
      for (int x = 0; x < w; ++x) {
        float s = 0;
        for (int i = 0; i < w; ++i) s += a[y * w + i] * b[i * w + x];
        bad += s != c[y * w + x];
      }
    printf("bad %d %g\n", bad, c[100]);
  }
  primitives<<<1, 64>>>(c, a);
  cudaDeviceSynchronize();
  unsigned h = 0;
  for (int i = 0; i < 512; ++i) h = h * 131 + (unsigned)(c[i] * 64);
  printf("%08x\n", h);
  int *in = (int*)a, *out = (int*)c;
  for (int i = 0; i < 1024; ++i) in[i] = i * i;
  producer_consumer<<<1, 128>>>(in, out, 8);
  printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
  h = 0;
  for (int i = 0; i < 512; ++i) h = h * 131 + out[i];
  printf(" %08x\n", h);
}
