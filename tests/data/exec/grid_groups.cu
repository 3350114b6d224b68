// Reductions over a whole cooperative grid, tiles of several sizes, labeled and binary partitions,
// scans and asynchronous copies of cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cuda/barrier>
namespace cg = cooperative_groups;
extern __shared__ double sdata[];
__global__ void reduceSinglePass(const float* in, double* out, unsigned n) {
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  sdata[block.thread_rank()] = 0;
  for (unsigned i = grid.thread_rank(); i < n; i += grid.size())
    sdata[block.thread_rank()] += in[i];
  cg::sync(block);
  auto tile = cg::tiled_partition<32>(block);
  double b = cg::reduce(tile, sdata[block.thread_rank()], cg::plus<double>());
  cg::sync(block);
  if (tile.thread_rank() == 0) sdata[tile.meta_group_rank()] = b;
  cg::sync(block);
  if (block.thread_rank() == 0) {
    double s = 0;
    for (unsigned i = 0; i < tile.meta_group_size(); ++i) s += sdata[i];
    out[blockIdx.x] = s;
  }
  cg::sync(grid);
  if (grid.thread_rank() == 0)
    for (unsigned i = 1; i < gridDim.x; ++i) out[0] += out[i];
}
__global__ void groups(int* out, const int* in) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  int v = in[block.thread_rank()];
  auto four = cg::tiled_partition<4>(warp);
  int r0 = cg::reduce(four, v, cg::greater<int>());
  auto odd = cg::binary_partition(warp, v & 1);
  int r1 = cg::reduce(odd, v, cg::plus<int>());
  auto label = cg::labeled_partition(warp, v % 5);
  int r2 = cg::reduce(label, v, cg::bit_xor<int>()), r3 = label.size() * 100 + label.thread_rank();
  int r4 = cg::inclusive_scan(warp, v, cg::plus<int>());
  int r5 = cg::exclusive_scan(four, v, cg::less<int>());
  int r6 = 0;
  if (v % 3 == 0) {
    auto c = cg::coalesced_threads();
    r6 = c.shfl(v, 0) + c.size() * 1000 + c.num_threads();
    r6 += c.any(v > 90) * 1000000 + c.ballot(v & 2) % 1000;
    auto sub = cg::tiled_partition(c, 2);
    r6 += sub.shfl(v, 0) * 7;
    r6 += cg::exclusive_scan(c, 1);
  }
  int r7 = warp.shfl_xor(v, 5) + four.shfl_down(v, 1) + warp.match_any(v % 7) % 97;
  {
    int pr;
    r7 += warp.match_all(v > -1000, pr) % 89 + pr;
  }
  int r[8] = {r0, r1, r2, r3, r4, r5, r6, r7};
  for (int k = 0; k < 8; ++k) out[k * blockDim.x + threadIdx.x] = r[k];
}
__global__ void tiles_of_block(int* out) {
  __shared__ cg::block_tile_memory<256> scratch;
  auto block = cg::this_thread_block(scratch);
  auto tile = cg::tiled_partition<128>(block);
  int v = threadIdx.x * threadIdx.x % 31;
  out[threadIdx.x] = cg::reduce(tile, v, cg::plus<int>()) * 1000 + cg::inclusive_scan(tile, v) +
                     tile.shfl(v, 77) * 1000000 + tile.all(v < 31) + tile.meta_group_rank();
}
__global__ void copies(const int* in, int* out, int n) {
  auto block = cg::this_thread_block();
  __shared__ int buf[2][256];
  cg::memcpy_async(block, buf[0], in, sizeof(int) * 256);
  for (int s = 0; s < n; ++s) {
    if (s + 1 < n) {
      cg::memcpy_async(block, buf[(s + 1) & 1], in + (s + 1) * 256,
                       cuda::aligned_size_t<16>(sizeof(int) * 256));
      cg::wait_prior<1>(block);
    } else
      cg::wait(block);
    out[s * 256 + threadIdx.x] = buf[s & 1][255 - threadIdx.x] + s;
    block.sync();
  }
}
__global__ void dims(int* out) {
  auto b = cg::this_thread_block();
  auto g = cg::this_grid();
  if (g.thread_rank() == g.num_threads() - 1) {
    out[0] = b.group_index().x;
    out[1] = b.thread_index().y;
    out[2] = b.dim_threads().z;
    out[3] = g.block_rank();
    out[4] = g.num_blocks();
    out[5] = g.dim_blocks().y;
    out[6] = 1;
    out[7] = b.num_threads();
  }
}
int main() {
  const unsigned n = 1 << 16;
  float* in;
  double* out;
  int *a, *b;
  cudaMallocManaged(&in, n * 4);
  cudaMallocManaged(&out, 8 * 1024);
  cudaMallocManaged(&a, 4096 * 4);
  cudaMallocManaged(&b, 4096 * 4);
  for (unsigned i = 0; i < n; ++i) in[i] = (i * 31 % 1000) * 0.001f;
  for (int i = 0; i < 4096; ++i) a[i] = (i * 37 + 11) % 101;
  int threads = 256, per_sm = 0;
  unsigned count = n;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, reduceSinglePass, threads,
                                                threads * sizeof(double));
  printf("blocks an SM %d\n", per_sm);
  void* args[] = {&in, &out, &count};
  printf("%s\n",
         cudaGetErrorName(cudaLaunchCooperativeKernel(
             (void*)reduceSinglePass, dim3(20), dim3(threads), args, threads * sizeof(double), 0)));
  cudaDeviceSynchronize();
  printf("sum %.17g\n", out[0]);
  printf("too large: %s\n", cudaGetErrorName(cudaLaunchCooperativeKernel(
                                (void*)reduceSinglePass, dim3(100000), dim3(threads), args,
                                threads * sizeof(double), 0)));
  cudaGetLastError();
  groups<<<1, 64>>>(b, a);
  cudaDeviceSynchronize();
  for (int k = 0; k < 8; ++k) {
    unsigned h = 0;
    for (int i = 0; i < 64; ++i) h = h * 131 + b[k * 64 + i];
    printf("group %d: %d %d %08x\n", k, b[k * 64], b[k * 64 + 63], h);
  }
  tiles_of_block<<<1, 256>>>(b);
  cudaDeviceSynchronize();
  printf("tile of 128: %d %d %d\n", b[0], b[127], b[255]);
  copies<<<1, 256>>>(a, b, 16);
  cudaDeviceSynchronize();
  unsigned h = 0;
  for (int i = 0; i < 4096; ++i) h = h * 131 + b[i];
  printf("copies %08x\n", h);
  dims<<<dim3(2, 3, 2), dim3(4, 4, 2)>>>(b);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i) printf("%d ", b[i]);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
