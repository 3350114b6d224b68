// SPDX-License-Identifier: Apache-2.0
// grid.smNN.cubin.gz: nvcc 13.0, -O3 -arch=sm_NN -cubin.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// Prefix sums over the grid's blocks in rounds, with the grid's barrier between them.
extern "C" __global__ void grid_scan(const unsigned* in, unsigned* out, int n) {
  cg::grid_group grid = cg::this_grid();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = in[i];
  for (unsigned step = 1; step < (unsigned)n; step *= 2) {
    out[i] = sum;
    grid.sync();
    if (i >= step) sum += out[i - step];
    grid.sync();
  }
  out[i] = sum;
}
extern "C" __global__ void arrive_and_wait(const unsigned* in, unsigned* out, int n) {
  cg::grid_group grid = cg::this_grid();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] ^ grid.block_rank();
  auto token = grid.barrier_arrive();
  unsigned own = in[(i * 7) % n];
  grid.barrier_wait(std::move(token));
  unsigned other = out[(i + n / 2) % n];
  grid.sync();
  out[i] = own + other + grid.num_blocks();
}
