// Occupancy, function attributes, large shared memory, launch errors that do and do not stay.
#include <cstdio>
#define OK(x)                                       \
  do {                                              \
    cudaError_t e_ = (x);                           \
    if (e_ != cudaSuccess) {                        \
      printf("%s: %s\n", #x, cudaGetErrorName(e_)); \
    }                                               \
  } while (0)
__global__ void sum(const float* in, float* out, int n) {
  extern __shared__ float t[];
  int i = threadIdx.x;
  t[i] = i < n ? in[i] : 0;
  __syncthreads();
  for (int s = blockDim.x / 2; s; s /= 2) {
    if (i < s) t[i] += t[i + s];
    __syncthreads();
  }
  if (!i) out[blockIdx.x] = t[0];
}
__global__ void __launch_bounds__(256) small(int* p) {
  __shared__ int t[2048];
  t[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = t[255 - threadIdx.x];
}
struct Bytes {
  __host__ __device__ size_t operator()(int b) const { return b * sizeof(float); }
};
int main() {
  int grid = 0, block = 0, blocks = 0;
  OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, sum, Bytes{}, 0));
  printf("block %d\n", block);
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, small, 0, 0));
  printf("small block %d\n", block);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 256, 0));
  printf("active %d\n", blocks);
  size_t dyn = 0;
  OK(cudaOccupancyAvailableDynamicSMemPerBlock(&dyn, small, 2, 256));
  printf("dynamic %d\n", dyn > 1000);
  cudaFuncAttributes a;
  OK(cudaFuncGetAttributes(&a, small));
  printf("static %zu most %d const %zu local %zu\n", a.sharedSizeBytes, a.maxThreadsPerBlock,
         a.constSizeBytes, a.localSizeBytes);
  float *in, *out, host[512];
  OK(cudaMallocManaged(&in, 4096));
  OK(cudaMallocManaged(&out, 4096));
  for (int i = 0; i < 512; ++i) in[i] = i;
  sum<<<1, 512, 100000>>>(in, out, 512);
  printf("%s\n", cudaGetErrorName(cudaPeekAtLastError()));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  OK(cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  OK(cudaFuncSetAttribute(sum, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
  OK(cudaFuncSetCacheConfig(sum, cudaFuncCachePreferShared));
  sum<<<2, 512, 100000>>>(in, out, 512);
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize());
  printf("%.1f %.1f\n", out[0], out[1]);
  OK(cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
  cudaGetLastError();
  small<<<1, 512>>>((int*)out);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  small<<<0, 32>>>((int*)out);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  small<<<1, dim3(1, 1, 65)>>>((int*)out);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  small<<<dim3(1, 65536), 32>>>((int*)out);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  small<<<1, 256>>>((int*)out);
  OK(cudaDeviceSynchronize());
  printf("%d\n", ((int*)out)[3]);
  int n;
  OK(cudaGetDeviceCount(&n));
  printf("set 7: %s\n", cudaGetErrorName(cudaSetDevice(7)));
  int dev = -1;
  OK(cudaGetDevice(&dev));
  printf("device %d\n", dev);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  int can = -1;
  cudaError_t e = cudaDeviceCanAccessPeer(&can, 0, 0);
  printf("peer %d %s\n", can, cudaGetErrorName(e));
  printf("%s\n", cudaGetErrorName(cudaDeviceEnablePeerAccess(0, 0)));
  cudaGetLastError();
  OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  OK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  size_t v;
  OK(cudaDeviceGetLimit(&v, cudaLimitStackSize));
  printf("stack %zu\n", v);
  void* p = host;
  printf("%s\n", cudaGetErrorName(cudaFree(p)));
  printf("%s\n", cudaGetErrorName(cudaFree(nullptr)));
  cudaGetLastError();
  printf("%s\n", cudaGetErrorName(cudaMalloc(&p, (size_t)1 << 50)));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaMemcpy(nullptr, in, 16, cudaMemcpyDeviceToDevice)));
  cudaGetLastError();
  printf("%s\n", cudaGetErrorName(cudaStreamSynchronize((cudaStream_t)0)));
}
