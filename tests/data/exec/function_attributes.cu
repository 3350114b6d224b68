// Function attributes, carveouts, launch bounds, occupancy for block sizes and shared memory, names
// by cudaFuncGetName, clusters refused or not.
#include <cstdio>
#define E(x) printf("%s: %s\n", #x, cudaGetErrorName(x))
__global__ void square(int* a, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) a[i] *= a[i];
}
__global__ void __launch_bounds__(192, 2) bounded(float* p) {
  __shared__ float s[192];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[191 - threadIdx.x];
}
__global__ void locals(int* p, int k) {
  int a[64];
  for (int i = 0; i < 64; ++i) a[i] = p[i] * k;
  p[threadIdx.x] = a[(k * threadIdx.x) & 63];
}
extern __shared__ double dyn[];
__global__ void dynamic(double* p, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) dyn[i] = p[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = dyn[n - 1 - i] + 1;
}
__constant__ int table[100];
__global__ void constant(int* p) { p[threadIdx.x] = table[threadIdx.x]; }
static size_t smem_of(int b) { return b * 40; }
template <class F>
void show(const char* n, F f) {
  cudaFuncAttributes a;
  cudaError_t e = cudaFuncGetAttributes(&a, f);
  printf(
      "%s %s shared %zu const %zu local %d max %d dyn %d carve %d ptx>=%d bin>=%d regs>%d cluster "
      "%d %d\n",
      n, cudaGetErrorName(e), a.sharedSizeBytes, a.constSizeBytes, a.localSizeBytes > 0,
      a.maxThreadsPerBlock, a.maxDynamicSharedSizeBytes, a.preferredShmemCarveout,
      a.ptxVersion >= 80, a.binaryVersion >= 80, a.numRegs > 3, a.clusterDimMustBeSet,
      a.nonPortableClusterSizeAllowed);
}
int main() {
  show("square", square);
  show("bounded", bounded);
  show("locals", locals);
  show("dynamic", dynamic);
  show("constant", constant);
  int nb = 0, grid = 0, block = 0;
  for (int b = 32; b <= 1024; b *= 2) {
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, square, b, 0);
    printf("%d ", nb);
  }
  printf("\n");
  E(cudaOccupancyMaxPotentialBlockSize(&grid, &block, square, 0, 0));
  printf("%d\n", block);
  E(cudaOccupancyMaxPotentialBlockSize(&grid, &block, square, 0, 100));
  printf("%d\n", block);
  E(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, dynamic, smem_of, 0));
  printf("%d\n", block);
  for (int kb : {1, 8, 40, 48}) {
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, dynamic, 128, kb * 1024);
    printf("%dK %d ", kb, nb);
  }
  printf("\n");
  E(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, bounded, 256, 0));
  printf("%d\n", nb);
  E(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&nb, bounded, 192, 0,
                                                           cudaOccupancyDisableCachingOverride));
  printf("%d\n", nb);
  size_t dynsm = 0;
  E(cudaOccupancyAvailableDynamicSMemPerBlock(&dynsm, square, 4, 128));
  printf("%zu\n", dynsm);
  double* d;
  cudaMallocManaged(&d, 1 << 17);
  for (int i = 0; i < 12000; ++i) d[i] = i;
  dynamic<<<1, 256, 96000>>>(d, 12000);
  E(cudaGetLastError());
  E(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 96000));
  dynamic<<<1, 256, 96000>>>(d, 12000);
  E(cudaGetLastError());
  E(cudaDeviceSynchronize());
  printf("%g %g\n", d[0], d[11999]);
  show("dynamic", dynamic);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, dynamic, 128, 90000);
  printf("%d\n", nb);
  E(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
  E(cudaGetLastError());
  E(cudaFuncSetAttribute(square, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  show("square", square);
  E(cudaFuncSetAttribute(square, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  E(cudaGetLastError());
  E(cudaFuncSetAttribute(square, (cudaFuncAttribute)77, 1));
  E(cudaGetLastError());
  E(cudaFuncSetCacheConfig(square, cudaFuncCachePreferEqual));
  bounded<<<1, 193>>>((float*)d);
  E(cudaGetLastError());
  bounded<<<1, 192>>>((float*)d);
  E(cudaGetLastError());
  square<<<0, 32>>>((int*)d, 0);
  E(cudaGetLastError());
  square<<<1, dim3(1, 1, 65)>>>((int*)d, 0);
  E(cudaGetLastError());
  square<<<dim3(1, 65536), 1>>>((int*)d, 0);
  E(cudaGetLastError());
  square<<<1, 1025>>>((int*)d, 0);
  E(cudaGetLastError());
  square<<<1, 32, 60000>>>((int*)d, 0);
  E(cudaGetLastError());
  const char* name = nullptr;
  E(cudaFuncGetName(&name, (const void*)square));
  printf("%s\n", name ? name : "-");
  E(cudaFuncGetAttributes((cudaFuncAttributes*)d, (const void*)main));
  E(cudaGetLastError());
  size_t off = 0, size = 0;
  E(cudaFuncGetParamInfo((const void*)square, 1, &off, &size));
  printf("%zu %zu\n", off, size);
  E(cudaFuncGetParamInfo((const void*)square, 2, &off, &size));
  E(cudaGetLastError());

  cudaLaunchConfig_t c = {};
  c.gridDim = 4;
  c.blockDim = 64;
  cudaLaunchAttribute at[2];
  at[0].id = cudaLaunchAttributePriority;
  at[0].val.priority = 0;
  at[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  at[1].val.programmaticStreamSerializationAllowed = 1;
  c.attrs = at;
  c.numAttrs = 2;
  int* q = (int*)d;
  for (int i = 0; i < 256; ++i) q[i] = i;
  E(cudaLaunchKernelEx(&c, square, q, 256));
  E(cudaDeviceSynchronize());
  printf("%d\n", q[255]);
}
