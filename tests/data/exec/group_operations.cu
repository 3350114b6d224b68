// Cooperative groups: tiles, coalesced, partitions, reduce, scan, grid sync, multi-step reduction,
// async copy.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void tiles(int* out) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto four = cg::tiled_partition<4>(warp);
  int i = block.thread_rank();
  int sum = cg::reduce(four, i, cg::plus<int>());
  int most = cg::reduce(warp, i ^ 5, cg::greater<int>());
  int before = cg::exclusive_scan(warp, i & 3);
  int odd = 0;
  if (i & 1) {
    auto active = cg::coalesced_threads();
    odd = active.thread_rank() * 100 + active.size();
  }
  auto third = cg::labeled_partition(warp, i % 3);
  out[i] = sum + 1000 * most + before * 7 + odd + third.size() + four.shfl_xor(i, 1) +
           warp.any(i == 40) + four.meta_group_rank();
}
__global__ void sum_all(const float* in, float* part, float* out, int n) {
  extern __shared__ float cache[];
  auto grid = cg::this_grid();
  auto block = cg::this_thread_block();
  float s = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) s += in[i];
  cache[threadIdx.x] = s;
  block.sync();
  for (int w = blockDim.x / 2; w; w /= 2) {
    if (threadIdx.x < w) cache[threadIdx.x] += cache[threadIdx.x + w];
    cg::sync(block);
  }
  if (threadIdx.x == 0) part[blockIdx.x] = cache[0];
  grid.sync();
  if (grid.thread_rank() == 0) {
    float t = 0;
    for (int b = 0; b < gridDim.x; ++b) t += part[b];
    *out = t;
  }
}
__global__ void staged(const int* in, int* out, int n) {
  __shared__ int room[128];
  auto block = cg::this_thread_block();
  int t = 0;
  for (int at = 0; at < n; at += 128) {
    cg::memcpy_async(block, room, in + at, sizeof room);
    cg::wait(block);
    t += room[127 - threadIdx.x];
    block.sync();
  }
  out[threadIdx.x] = t;
}
int main() {
  int* o;
  cudaMallocManaged(&o, 128 * 4);
  tiles<<<1, 64>>>(o);
  cudaDeviceSynchronize();
  long h = 0;
  for (int i = 0; i < 64; ++i) h = h * 31 + o[i];
  printf("tiles %d %d %ld\n", o[0], o[63], h);
  const int n = 5000;
  float *in, *part, *out;
  cudaMallocManaged(&in, n * 4);
  cudaMallocManaged(&part, 64 * 4);
  cudaMallocManaged(&out, 4);
  for (int i = 0; i < n; ++i) in[i] = i % 10;
  int blocks = 0, device = 0, can = 0;
  cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum_all, 128, 512);
  int count = n;
  void* args[] = {&in, &part, &out, &count};
  cudaError_t e = cudaLaunchCooperativeKernel((void*)sum_all, dim3(8), dim3(128), args, 512, 0);
  cudaDeviceSynchronize();
  printf("sum %g, can %d, fits %d, %s\n", *out, can, blocks > 0, cudaGetErrorName(e));
  int* q;
  cudaMallocManaged(&q, 512 * 4);
  for (int i = 0; i < 512; ++i) q[i] = i;
  staged<<<1, 128>>>(q, o, 512);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 128; ++i) wrong += o[i] != 4 * (127 - i) + 128 * 6;
  printf("staged %d wrong, %s\n", wrong, cudaGetErrorName(cudaGetLastError()));
}
