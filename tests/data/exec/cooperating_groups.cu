// Warp-aggregated atomics by coalesced and labeled groups, a split barrier in a reduction, atomics
// that the host joins afterwards, binary partitions.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
namespace cg = cooperative_groups;
__device__ int atomicAggInc(int* counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int res = 0;
  if (active.thread_rank() == 0) res = atomicAdd(counter, active.size());
  res = active.shfl(res, 0);
  return active.thread_rank() + res;
}
__global__ void filter_arr(int* dst, int* nres, const int* src, int n) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  for (int i = id; i < n; i += gridDim.x * blockDim.x)
    if (src[i] > 0) dst[atomicAggInc(nres)] = src[i];
}
__device__ int aggIncMulti(int bucket, int* counter) {
  cg::coalesced_group g = cg::labeled_partition(cg::coalesced_threads(), bucket);
  int r = 0;
  if (g.thread_rank() == 0) r = atomicAdd(&counter[bucket], g.size());
  return g.shfl(r, 0) + g.thread_rank();
}
__global__ void mapToBuckets(const int* src, int* idx, int* counters, int n, int nb) {
  for (int i = cg::this_grid().thread_rank(); i < n; i += cg::this_grid().size()) {
    int b = src[i];
    if (b < nb) idx[i] = aggIncMulti(b, counters);
  }
}
__device__ int aggMax(const int& v, int* counter) {
  cg::coalesced_group g = cg::labeled_partition(cg::coalesced_threads(), v & 3);
  int m = cg::reduce(g, v, cg::greater<int>());
  if (g.thread_rank() == 0) atomicMax(counter + (v & 3), m);
  return m;
}
__global__ void maxima(const int* src, int* out, int n) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x)
    aggMax(src[i], out);
}
__global__ void oddEven(const int* in, int* odd, int* sumOE, unsigned n) {
  auto grid = cg::this_grid();
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) {
    int e = in[i];
    auto sub = cg::binary_partition(tile, e & 1);
    if (e & 1) {
      int s = cg::reduce(sub, e, cg::plus<int>());
      if (sub.thread_rank() == 0) {
        atomicAdd(odd, sub.size());
        atomicAdd(&sumOE[0], s);
      }
    } else {
      int s = cg::reduce(sub, e, cg::plus<int>());
      if (sub.thread_rank() == 0) atomicAdd(&sumOE[1], s);
    }
    cg::sync(tile);
  }
}
__device__ float blockSum(float v, float* s, cuda::barrier<cuda::thread_scope_block>& bar,
                          int warps) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  v = cg::reduce(tile, v, cg::plus<float>());
  if (tile.thread_rank() == 0) s[tile.meta_group_rank()] = v;
  auto token = bar.arrive();
  bar.wait(std::move(token));
  float r = 0;
  if (tile.meta_group_rank() == 0) {
    float x = (int)tile.thread_rank() < warps ? s[tile.thread_rank()] : 0;
    r = cg::reduce(tile, x, cg::plus<float>());
  }
  return r;
}
__global__ void normVecByDotProduct(const float* a, const float* b, float* partial, int n) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ float s[8];
  auto cta = cg::this_thread_block();
  if (cta.thread_rank() == 0) init(&bar, cta.size());
  cg::sync(cta);
  float d = 0;
  for (int i = cg::this_grid().thread_rank(); i < n; i += cg::this_grid().size()) d += a[i] * b[i];
  d = blockSum(d, s, bar, cta.size() / 32);
  if (cta.thread_rank() == 0) partial[blockIdx.x] = d;
}
__global__ void systemAtomics(int* m) {
  unsigned t = blockDim.x * blockIdx.x + threadIdx.x;
  for (int i = 0; i < 4; ++i) {
    atomicAdd_system(&m[0], 10);
    atomicExch_system(&m[1], 7);
    atomicMax_system(&m[2], t);
    atomicMin_system(&m[3], t);
    atomicInc_system((unsigned*)&m[4], 17);
    atomicDec_system((unsigned*)&m[5], 137);
    atomicCAS_system(&m[6], t - 1, t);
    atomicAnd_system(&m[7], 2 * t + 7);
    atomicOr_system(&m[8], 1 << t % 31);
    atomicXor_system(&m[9], t);
  }
}
int main() {
  const int n = 10000;
  int *src, *dst, *cnt, *idx;
  cudaMallocManaged(&src, n * 4);
  cudaMallocManaged(&dst, n * 4);
  cudaMallocManaged(&cnt, 256);
  cudaMallocManaged(&idx, n * 4);
  srand(3);
  long long want = 0;
  int pos = 0;
  for (int i = 0; i < n; ++i) {
    src[i] = rand() % 20 - 4;
    if (src[i] > 0) {
      ++pos;
      want += src[i];
    }
  }
  cnt[0] = 0;
  filter_arr<<<8, 256>>>(dst, cnt, src, n);
  cudaDeviceSynchronize();
  long long got = 0;
  for (int i = 0; i < cnt[0]; ++i) got += dst[i];
  printf("filter %d of %d, sums equal %d\n", cnt[0], pos, got == want);
  for (int i = 0; i < n; ++i) src[i] = rand() % 16;
  for (int i = 0; i < 16; ++i) cnt[i] = 0;
  mapToBuckets<<<4, 128>>>(src, idx, cnt, n, 16);
  cudaDeviceSynchronize();
  int c[16] = {0};
  bool seen[16][2000] = {};
  bool ok = true;
  for (int i = 0; i < n; ++i) {
    ++c[src[i]];
    ok &= !seen[src[i]][idx[i]];
    seen[src[i]][idx[i]] = true;
  }
  for (int i = 0; i < 16; ++i) ok &= c[i] == cnt[i];
  printf("buckets %s\n", ok ? "ok" : "FAIL");
  for (int i = 0; i < 4; ++i) cnt[i] = 0;
  for (int i = 0; i < n; ++i) src[i] = rand() % 100000;
  maxima<<<4, 128>>>(src, cnt, n);
  cudaDeviceSynchronize();
  printf("maxima %d %d %d %d\n", cnt[0], cnt[1], cnt[2], cnt[3]);
  cnt[0] = cnt[1] = cnt[2] = 0;
  for (int i = 0; i < n; ++i) src[i] %= 50;
  oddEven<<<6, 128>>>(src, cnt, cnt + 1, 9984);
  cudaDeviceSynchronize();
  printf("odd %d sums %d %d\n", cnt[0], cnt[1], cnt[2]);
  float *a = (float*)idx, *p = (float*)dst;
  for (int i = 0; i < n; ++i) a[i] = (i % 9) * 0.125f;
  normVecByDotProduct<<<8, 256>>>(a, a, p, n);
  cudaDeviceSynchronize();
  float s = 0;
  for (int i = 0; i < 8; ++i) s += p[i];
  printf("dot %a\n", s);
  int* m;
  cudaHostAlloc(&m, 64, cudaHostAllocMapped | cudaHostAllocPortable);
  for (int i = 0; i < 16; ++i) m[i] = 0;
  m[3] = 1 << 20;
  m[7] = m[9] = 0xff;
  systemAtomics<<<8, 64>>>(m);
  cudaDeviceSynchronize();
  for (int i = 0; i < 10; ++i) __sync_fetch_and_add(&m[i], 1);
  printf("%d %d %d %d %d %d %d %d\n", m[0], m[1], m[2], m[3], m[4], m[7], m[8], m[9]);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
