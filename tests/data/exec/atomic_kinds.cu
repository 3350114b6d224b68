// Atomics of every kind: integers, floats, doubles, halves, vectors, scopes, compare-and-swap
// loops; cuda::atomic with orders, barriers, latches, semaphores.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/complex>
__global__ void ints(int* g) {
  const unsigned t = blockDim.x * blockIdx.x + threadIdx.x;
  atomicAdd(&g[0], 10);
  atomicSub(&g[1], 10);
  atomicExch(&g[2], 7);
  atomicMax(&g[3], t);
  atomicMin(&g[4], t);
  atomicInc((unsigned*)&g[5], 17);
  atomicDec((unsigned*)&g[6], 137);
  atomicCAS(&g[7], t - 1, t);
  atomicAnd(&g[8], 2 * t + 7);
  atomicOr(&g[9], 1 << (t & 31));
  atomicXor(&g[10], t);
  atomicAdd_system(&g[11], 3);
  atomicAdd_block(&g[12 + blockIdx.x], 5);
  atomicMax_system(&g[20], -(int)t);
}
__global__ void longs(unsigned long long* u, long long* s) {
  unsigned long long t = blockDim.x * blockIdx.x + threadIdx.x;
  atomicAdd(u, t << 33);
  atomicMax(u + 1, t << 40);
  atomicMin(u + 2, t + (1ull << 50));
  atomicAnd(u + 3, ~(1ull << (t & 63)));
  atomicOr(u + 4, 1ull << (t % 60));
  atomicXor(u + 5, t * t << 20);
  atomicExch(u + 6, 99ull);
  atomicMax(s, -(long long)t - 5);
  atomicMin(s + 1, -(long long)(t << 34));
  atomicCAS(u + 7, 0ull, 77ull);
}
__global__ void floats(float* f, double* d, __half* h, __half2* h2, __nv_bfloat16* b,
                       __nv_bfloat162* b2) {
  int t = threadIdx.x;
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
  atomicExch(f + 1, 3.0f);
  atomicAdd(h, __float2half(0.5f));
  atomicAdd(h2, __floats2half2_rn(1.f, 2.f));
  atomicAdd(b, __float2bfloat16(1.0f));
  atomicAdd(b2, __floats2bfloat162_rn(0.5f, 0.25f));
  // a maximum of floats by compare and swap
  int* as = (int*)(f + 2);
  int old = *as, seen;
  float v = (t * 37 % 101) * 0.5f;
  do {
    seen = old;
    if (__int_as_float(seen) >= v) break;
    old = atomicCAS(as, seen, __float_as_int(v));
  } while (seen != old);
  __shared__ double sd;
  __shared__ float sf;
  __shared__ unsigned long long sl;
  if (t == 0) {
    sd = 0;
    sf = 0;
    sl = 0;
  }
  __syncthreads();
  atomicAdd(&sd, 1.5);
  atomicAdd(&sf, 2.5f);
  atomicMax(&sl, (unsigned long long)t << 35);
  unsigned short* us = (unsigned short*)(f + 5);
  atomicCAS(us, (unsigned short)t, (unsigned short)(t + 1));
  __syncthreads();
  if (t == 0) {
    d[1] = sd;
    f[3] = sf;
    d[2] = (double)sl;
  }
}
__global__ void scoped(cuda::atomic<int, cuda::thread_scope_device>* a,
                       cuda::atomic<unsigned long long>* s, int* out) {
  a->fetch_add(1, cuda::memory_order_relaxed);
  a[1].fetch_max(threadIdx.x + blockIdx.x * 100, cuda::memory_order_acq_rel);
  s->fetch_xor(1ull << threadIdx.x % 64);
  int e = 5;
  a[2].compare_exchange_strong(e, 6, cuda::memory_order_seq_cst);
  cuda::atomic_ref<int, cuda::thread_scope_block> r(out[blockIdx.x]);
  r.fetch_sub(2);
  if (threadIdx.x == 0) {
    a[3].store(blockIdx.x, cuda::memory_order_release);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    a[4] += a[2].load(cuda::memory_order_acquire);
  }
  cuda::atomic_ref<float, cuda::thread_scope_device> f(((float*)out)[40]);
  f.fetch_add(0.5f);
}
__global__ void barriers(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar[2];
  __shared__ cuda::latch<cuda::thread_scope_block>* dummy;
  __shared__ int buf[128];
  if (threadIdx.x == 0) {
    init(&bar[0], blockDim.x);
    init(&bar[1], blockDim.x);
    dummy = nullptr;
  }
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    buf[threadIdx.x] = threadIdx.x * i;
    auto token = bar[0].arrive();
    sum += i;
    bar[0].wait(std::move(token));
    sum += buf[(threadIdx.x + 1) % 128];
    bar[1].arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}
__device__ cuda::counting_semaphore<cuda::thread_scope_device, 2> sem(2);
__device__ int inside, most;
__global__ void semaphore(int* out) {
  sem.acquire();
  int now = atomicAdd(&inside, 1) + 1;
  atomicMax(&most, now);
  atomicAdd(out, now > 2);
  atomicSub(&inside, 1);
  sem.release();
}
__global__ void complexes(cuda::std::complex<float>* c) {
  cuda::std::array<int, 4> a{1, 2, 3, 4};
  cuda::std::complex<float> z(0.5f * threadIdx.x, a[threadIdx.x & 3]);
  c[threadIdx.x] = z * cuda::std::conj(z) + z / cuda::std::complex<float>(1, 1);
}
int main() {
  int* g;
  cudaMallocManaged(&g, 4096);
  for (int i = 0; i < 64; ++i) g[i] = 0;
  g[8] = g[10] = 0xff;
  g[4] = 1 << 20;
  g[20] = -100000;
  ints<<<4, 64>>>(g);
  cudaDeviceSynchronize();
  for (int i = 0; i < 21; ++i)
    if (i != 7) printf("%d ", g[i]);
  printf("\n");
  unsigned long long* u;
  cudaMallocManaged(&u, 256);
  for (int i = 0; i < 16; ++i) u[i] = 0;
  u[2] = u[3] = ~0ull;
  u[8] = 1ull << 63;
  u[9] = 5;
  longs<<<2, 128>>>(u, (long long*)u + 8);
  cudaDeviceSynchronize();
  for (int i = 0; i < 10; ++i) printf("%llx ", u[i]);
  printf("\n");
  float* f;
  double* d;
  __half* h;
  cudaMallocManaged(&f, 64);
  cudaMallocManaged(&d, 64);
  cudaMallocManaged(&h, 64);
  for (int i = 0; i < 8; ++i) f[i] = d[i] = 0;
  for (int i = 0; i < 16; ++i) h[i] = __float2half(0.f);
  floats<<<1, 128>>>(f, d, h, (__half2*)(h + 2), (__nv_bfloat16*)(h + 4), (__nv_bfloat162*)(h + 6));
  cudaDeviceSynchronize();
  printf("%g %g %g %g %g %g %g %g %g %g %g\n", f[0], f[1], f[2], f[3], d[0], d[1], d[2],
         __half2float(h[0]), __half2float(h[2]), __half2float(h[3]),
         __bfloat162float(((__nv_bfloat16*)h)[4]));
  printf("%g %g\n", __bfloat162float(((__nv_bfloat16*)h)[6]),
         __bfloat162float(((__nv_bfloat16*)h)[7]));
  for (int i = 0; i < 64; ++i) g[i] = 0;
  g[10] = 0;
  auto* a = (cuda::atomic<int, cuda::thread_scope_device>*)g;
  g[2] = 5;
  u[0] = 0;
  scoped<<<4, 96>>>(a, (cuda::atomic<unsigned long long>*)u, g + 16);
  cudaDeviceSynchronize();
  printf("%d %d %d %d %llx %d %g\n", g[0], g[1], g[2], g[4], u[0], g[19], ((float*)g)[56]);
  barriers<<<1, 128>>>(g);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", g[0], g[64], g[127]);
  g[0] = 0;
  semaphore<<<8, 1>>>(g);
  cudaDeviceSynchronize();
  printf("semaphore %d\n", g[0]);
  auto* c = (cuda::std::complex<float>*)g;
  complexes<<<1, 32>>>(c);
  cudaDeviceSynchronize();
  printf("%g %g %g %g\n", c[3].real(), c[3].imag(), c[31].real(), c[31].imag());
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
