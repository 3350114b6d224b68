// Tiles of several warps, whose state is in reserved shared memory, beside the block's own; the
// SMs of the chip and the sizes of shared memory that a kernel reads. Prints what the host checks.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>
namespace cg = cooperative_groups;
__global__ void tiles(int* out) {
  extern __shared__ int own[];
  auto block = cg::this_thread_block();
  const int rank = block.thread_rank();
  own[rank] = 1000 + rank;
  block.sync();
  auto tile = cg::tiled_partition<64>(block);
  int* at = out + rank * 5;
  at[0] = cg::reduce(tile, rank, cg::plus<int>());
  at[1] = cg::inclusive_scan(tile, 1);
  at[2] = tile.shfl(rank * 3, 5);
  tile.sync();
  at[3] = tile.any(rank == 70);
  block.sync();
  at[4] = own[rank];
}
__global__ void sizes(unsigned* out) {
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(out[0]));
  asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(out[1]));
  asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(out[2]));
}
int main() {
  int* out;
  cudaMallocManaged(&out, 128 * 5 * sizeof(int));
  tiles<<<1, 128, 512>>>(out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  int wrong[5] = {};
  for (int i = 0; i < 128; ++i) {
    const int first = i / 64 * 64;
    const int right[5] = {first * 64 + 63 * 32, i - first + 1, (first + 5) * 3, first == 64,
                          1000 + i};
    for (int j = 0; j < 5; ++j) wrong[j] += out[i * 5 + j] != right[j];
  }
  printf("wrong: %d %d %d %d %d\n", wrong[0], wrong[1], wrong[2], wrong[3], wrong[4]);
  unsigned* seen;
  cudaMallocManaged(&seen, 3 * sizeof(unsigned));
  sizes<<<1, 32, 1000>>>(seen);
  cudaDeviceSynchronize();
  cudaDeviceProp of;
  cudaGetDeviceProperties(&of, 0);
  printf("SMs %d, shared %u of %u\n", seen[0] == unsigned(of.multiProcessorCount), seen[2], seen[1]);
}
