// sm_90 only: thread block clusters by attribute and at compile time, distributed shared memory, a
// histogram across a cluster, occupancy of clusters.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void histogram(int* bins, int nbins, int per_block, const int* in, int n) {
  extern __shared__ int smem[];
  auto cluster = cg::this_cluster();
  int tid = cg::this_grid().thread_rank();
  unsigned size = cluster.dim_blocks().x;
  for (int i = threadIdx.x; i < per_block; i += blockDim.x) smem[i] = 0;
  cluster.sync();
  for (int i = tid; i < n; i += blockDim.x * gridDim.x) {
    int b = in[i];
    if (b < 0) b = 0;
    if (b >= nbins) b = nbins - 1;
    int dst = b / per_block;
    int* p = cluster.map_shared_rank(smem, dst);
    atomicAdd(p + b % per_block, 1);
  }
  cluster.sync();
  int* mine = bins + cluster.block_rank() * per_block;
  for (int i = threadIdx.x; i < per_block; i += blockDim.x) atomicAdd(mine + i, smem[i]);
  (void)size;
}
__global__ void __cluster_dims__(2, 2, 1) fixed(int* out) {
  auto c = cg::this_cluster();
  __shared__ int x;
  if (threadIdx.x == 0) x = c.block_rank() * 10 + blockIdx.z;
  c.sync();
  int s = 0;
  for (unsigned r = 0; r < c.num_blocks(); ++r) s = s * 10 + *c.map_shared_rank(&x, r) / 10;
  if (threadIdx.x == 0) {
    int b = blockIdx.x + gridDim.x * blockIdx.y;
    out[b * 4] = s;
    out[b * 4 + 1] = c.block_index().x + 10 * c.block_index().y;
    out[b * 4 + 2] = c.query_shared_rank(c.map_shared_rank(&x, 3));
    out[b * 4 + 3] = c.dim_threads().x + c.num_threads();
  }
  auto t = c.barrier_arrive();
  c.barrier_wait(std::move(t));
}
__global__ void ring(float* out) {
  auto c = cg::this_cluster();
  __shared__ float v[32];
  v[threadIdx.x] = c.block_rank() + threadIdx.x * 0.5f;
  c.sync();
  const float* n = c.map_shared_rank(v, (c.block_rank() + 1) % c.num_blocks());
  float s = n[31 - threadIdx.x];
  c.sync();
  out[blockIdx.x * 32 + threadIdx.x] = s;
}
int main() {
  const int n = 5000, nb = 96;
  int *in, *bins;
  cudaMallocManaged(&in, n * 4);
  cudaMallocManaged(&bins, nb * 4);
  for (int i = 0; i < n; ++i) in[i] = (i * 7919 % 131) - 10;
  for (int cs : {1, 2, 4, 8}) {
    cudaMemset(bins, 0, nb * 4);
    cudaLaunchConfig_t c = {};
    c.gridDim = 8;
    c.blockDim = 128;
    c.dynamicSmemBytes = nb / cs * 4;
    cudaLaunchAttribute a[1];
    a[0].id = cudaLaunchAttributeClusterDimension;
    a[0].val.clusterDim.x = cs;
    a[0].val.clusterDim.y = 1;
    a[0].val.clusterDim.z = 1;
    c.attrs = a;
    c.numAttrs = 1;
    cudaError_t e = cudaLaunchKernelEx(&c, histogram, bins, nb, nb / cs, (const int*)in, n);
    cudaError_t s = cudaDeviceSynchronize();
    unsigned h = 0;
    for (int i = 0; i < nb; ++i) h = h * 131 + bins[i];
    printf("cluster %d: %s %s %d %d %08x\n", cs, cudaGetErrorName(e), cudaGetErrorName(s), bins[0],
           bins[nb - 1], h);
    int k = 0;
    e = cudaOccupancyMaxPotentialClusterSize(&k, histogram, &c);
    printf("potential %s %d ", cudaGetErrorName(e), k);
    int m = 0;
    e = cudaOccupancyMaxActiveClusters(&m, histogram, &c);
    printf("active %s %d\n", cudaGetErrorName(e), m > 0);
  }
  fixed<<<dim3(4, 2), 32>>>(bins);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i < 32; ++i) printf("%d ", bins[i]);
  printf("\n");
  fixed<<<dim3(3, 2), 32>>>(bins);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaLaunchConfig_t c = {};
  c.gridDim = 12;
  c.blockDim = 32;
  cudaLaunchAttribute a[1];
  a[0].id = cudaLaunchAttributeClusterDimension;
  a[0].val.clusterDim.x = 16;
  a[0].val.clusterDim.y = a[0].val.clusterDim.z = 1;
  c.attrs = a;
  c.numAttrs = 1;
  float* f = (float*)in;
  printf("16: %s\n", cudaGetErrorName(cudaLaunchKernelEx(&c, ring, f)));
  cudaGetLastError();
  a[0].val.clusterDim.x = 3;
  printf("3: %s\n", cudaGetErrorName(cudaLaunchKernelEx(&c, ring, f)));
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%g %g\n", f[0], f[12 * 32 - 1]);
  a[0].val.clusterDim.x = 5;
  printf("5: %s\n", cudaGetErrorName(cudaLaunchKernelEx(&c, ring, f)));
  cudaGetLastError();
  a[0].val.clusterDim.x = 16;
  c.gridDim = 16;
  printf("nonportable: %s\n", cudaGetErrorName(cudaFuncSetAttribute(
                                  ring, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)));
  printf("16: %s\n", cudaGetErrorName(cudaLaunchKernelEx(&c, ring, f)));
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%g %g\n", f[480], f[511]);
}
