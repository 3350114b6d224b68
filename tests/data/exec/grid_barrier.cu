// Sums in two phases with a barrier of the whole grid between them.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void two_phases(const int* in, int* partial, int* out, int n) {
  cg::grid_group grid = cg::this_grid();
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int mine = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) mine += in[i];
  atomicAdd(&sum, mine);
  __syncthreads();
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  grid.sync();
  if (grid.thread_rank() == 0) {
    int all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += partial[b];
    *out = all;
  }
}

int main() {
  const int n = 10000, blocks = 8;
  int *in, *partial, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMalloc(&partial, blocks * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i % 7;
  int count = n;
  void* args[] = {&in, &partial, &out, &count};
  cudaError_t err =
      cudaLaunchCooperativeKernel((void*)two_phases, dim3(blocks), dim3(128), args, 0, 0);
  printf("launch: %s\n", cudaGetErrorName(err));
  err = cudaDeviceSynchronize();
  printf("sync: %s\n", cudaGetErrorName(err));
  int want = 0;
  for (int i = 0; i < n; ++i) want += i % 7;
  printf("%d, expected %d: %s\n", *out, want, *out == want ? "PASSED" : "FAILED");
  void* big[] = {&in, &partial, &out, &count};
  err = cudaLaunchCooperativeKernel((void*)two_phases, dim3(1000000), dim3(128), big, 0, 0);
  printf("too large: %s\n", cudaGetErrorName(err));
  cudaGetLastError();
  return 0;
}
