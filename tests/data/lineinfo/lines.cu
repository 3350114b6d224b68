#include "lines.h"

// One row a warp: each lane takes its share of the columns.
extern "C" __global__ void row_sums(const int* in, int* out, int columns) {
  const int lane = threadIdx.x % 32;
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int sum = 0;
  for (int column = lane; column < columns; column += 32)
    sum += in[row * columns + column];
  sum = warp_sum(sum);
  if (lane == 0) out[row] = sum;
}

extern "C" __global__ void row_maxima(const int* in, int* out, int columns) {
  __shared__ int greatest[32];
  const int warp = threadIdx.x / 32;
  int most = in[blockIdx.x * columns + threadIdx.x];
  for (int d = 16; d > 0; d /= 2)
    most = max(most, __shfl_down_sync(0xffffffffu, most, d));
  if (threadIdx.x % 32 == 0) greatest[warp] = most;
  __syncthreads();
  if (warp == 0 && threadIdx.x < blockDim.x / 32) {
    atomicMax(out + blockIdx.x, greatest[threadIdx.x]);
  }
}
