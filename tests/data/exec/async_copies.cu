// Groups, asynchronous copies to shared memory, pipelines and atomics of cuda::.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
#define OK(x)                                       \
  do {                                              \
    cudaError_t e_ = (x);                           \
    if (e_ != cudaSuccess) {                        \
      printf("%s: %s\n", #x, cudaGetErrorName(e_)); \
    }                                               \
  } while (0)
__device__ int total;
__global__ void grid_sum(const int* in, int* part, int n) {
  cg::grid_group g = cg::this_grid();
  cg::thread_block b = cg::this_thread_block();
  __shared__ int t[32];
  int s = 0;
  for (int i = g.thread_rank(); i < n; i += g.size()) s += in[i];
  auto w = cg::tiled_partition<32>(b);
  s = cg::reduce(w, s, cg::plus<int>());
  if (w.thread_rank() == 0) t[w.meta_group_rank()] = s;
  b.sync();
  if (w.meta_group_rank() == 0) {
    int v = w.thread_rank() < w.meta_group_size() ? t[w.thread_rank()] : 0;
    v = cg::reduce(w, v, cg::plus<int>());
    if (!w.thread_rank()) part[b.group_index().x] = v;
  }
  g.sync();
  if (g.thread_rank() == 0) {
    int v = 0;
    for (int i = 0; i < gridDim.x; ++i) v += part[i];
    total = v;
  }
}
__global__ void tiles(int* out) {
  auto b = cg::this_thread_block();
  auto t8 = cg::tiled_partition<8>(b);
  out[threadIdx.x] = cg::inclusive_scan(t8, (int)threadIdx.x) + t8.shfl_xor(threadIdx.x, 3) +
                     cg::exclusive_scan(t8, 2);
  auto l = cg::labeled_partition(cg::coalesced_threads(), (int)threadIdx.x % 3);
  out[threadIdx.x] += 1000 * l.size() + 100000 * l.thread_rank();
  auto bp = cg::binary_partition(t8, threadIdx.x % 5 == 0);
  out[threadIdx.x] += 10000000 * bp.size();
}
__global__ void async_copy(const int* in, int* out) {
  __shared__ int t[256];
  auto b = cg::this_thread_block();
  cg::memcpy_async(b, t, in, sizeof t);
  cg::wait(b);
  out[threadIdx.x] = t[255 - threadIdx.x];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  b.sync();
  cuda::memcpy_async(b, t, in + 256, sizeof t, bar);
  bar.arrive_and_wait();
  out[256 + threadIdx.x] = t[threadIdx.x ^ 1];
  constexpr auto scope = cuda::thread_scope_thread;
  cuda::pipeline<scope> p = cuda::make_pipeline();
  p.producer_acquire();
  cuda::memcpy_async(&t[threadIdx.x], in + threadIdx.x, sizeof(int), p);
  p.producer_commit();
  p.consumer_wait();
  out[512 + threadIdx.x] = t[threadIdx.x] * 2;
  p.consumer_release();
}
__global__ void atomics(cuda::atomic<int, cuda::thread_scope_device>* a, unsigned long long* u,
                        float* f, double* d) {
  a->fetch_add(1);
  a->fetch_max(threadIdx.x);
  cuda::atomic_ref<unsigned long long> r(*u);
  r.fetch_xor(1ull << threadIdx.x);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
  atomicCAS_block(u + 1, 0ull, (unsigned long long)1);
  atomicInc((unsigned*)(u + 2), 9);
  atomicExch(f + 1, 3.0f);
}
int main() {
  const int n = 20000;
  int *in, *out, *part;
  OK(cudaMallocManaged(&in, n * 4));
  OK(cudaMallocManaged(&out, n * 4));
  OK(cudaMallocManaged(&part, 4096));
  for (int i = 0; i < n; ++i) in[i] = i % 100;
  int nn = n;
  void* args[] = {&in, &part, &nn};
  OK(cudaLaunchCooperativeKernel((void*)grid_sum, dim3(8), dim3(256), args, 0, 0));
  OK(cudaDeviceSynchronize());
  int t;
  OK(cudaMemcpyFromSymbol(&t, total, 4));
  printf("total %d\n", t);
  tiles<<<1, 64>>>(out);
  OK(cudaDeviceSynchronize());
  long long s = 0;
  for (int i = 0; i < 64; ++i) s = s * 31 + out[i];
  printf("%d %d %lld\n", out[0], out[45], s);
  async_copy<<<1, 256>>>(in, out);
  OK(cudaDeviceSynchronize());
  printf("%d %d %d\n", out[1], out[300], out[700]);
  cuda::atomic<int, cuda::thread_scope_device>* a;
  unsigned long long* u;
  float* f;
  double* d;
  OK(cudaMallocManaged(&a, 64));
  OK(cudaMallocManaged(&u, 64));
  OK(cudaMallocManaged(&f, 64));
  OK(cudaMallocManaged(&d, 64));
  atomics<<<2, 64>>>(a, u, f, d);
  OK(cudaDeviceSynchronize());
  printf("%llx %llu %llu %.2f %.2f %.1f\n", u[0], u[1], u[2], f[0], *d, f[1]);
}
