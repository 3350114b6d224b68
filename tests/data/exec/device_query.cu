// Properties, attributes and limits of the device, as deviceQuery asks for them.
#include <cuda_runtime.h>
#include <cstdio>
int main() {
  int n = 0, drv = 0, rt = 0;
  cudaError_t e = cudaGetDeviceCount(&n);
  printf("%s %s %d\n", cudaGetErrorName(e), cudaGetErrorString(e), n);
  cudaDriverGetVersion(&drv);
  cudaRuntimeGetVersion(&rt);
  printf("runtime %d, driver at least: %d\n", rt, drv >= 12000);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("cc %d.%d sms %d\n", p.major, p.minor, p.multiProcessorCount);
  printf("name %s total %zu\n", p.name, p.totalGlobalMem);
  size_t fr, to;
  cudaMemGetInfo(&fr, &to);
  printf("info total %zu\n", to);
  printf("const %zu shared/block %zu shared/sm %zu optin %zu reserved %zu\n", p.totalConstMem,
         p.sharedMemPerBlock, p.sharedMemPerMultiprocessor, p.sharedMemPerBlockOptin,
         p.reservedSharedMemPerBlock);
  printf("regs/block %d regs/sm %d warp %d threads/sm %d threads/block %d blocks/sm %d\n",
         p.regsPerBlock, p.regsPerMultiprocessor, p.warpSize, p.maxThreadsPerMultiProcessor,
         p.maxThreadsPerBlock, p.maxBlocksPerMultiProcessor);
  printf("block %d %d %d grid %d %d %d\n", p.maxThreadsDim[0], p.maxThreadsDim[1],
         p.maxThreadsDim[2], p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]);
  printf("pitch %zu texalign %zu texpitch %zu surf %zu\n", p.memPitch, p.textureAlignment,
         p.texturePitchAlignment, p.surfaceAlignment);
  printf("l2 %d persisting %d window %d bus %d\n", p.l2CacheSize, p.persistingL2CacheMaxSize,
         p.accessPolicyMaxWindowSize, p.memoryBusWidth);
  printf("tex1d %d tex2d %d %d tex3d %d %d %d layered %d %d\n", p.maxTexture1D, p.maxTexture2D[0],
         p.maxTexture2D[1], p.maxTexture3D[0], p.maxTexture3D[1], p.maxTexture3D[2],
         p.maxTexture1DLayered[0], p.maxTexture1DLayered[1]);
  printf(
      "integrated %d map %d ecc %d uva %d managed %d concurrentManaged %d pageable %d hostTables "
      "%d direct %d\n",
      p.integrated, p.canMapHostMemory, p.ECCEnabled, p.unifiedAddressing, p.managedMemory,
      p.concurrentManagedAccess, p.pageableMemoryAccess, p.pageableMemoryAccessUsesHostPageTables,
      p.directManagedMemAccessFromHost);
  printf("engines %d concurrent %d prio %d l1 %d %d coop %d preempt %d hostreg %d\n",
         p.asyncEngineCount, p.concurrentKernels, p.streamPrioritiesSupported,
         p.globalL1CacheSupported, p.localL1CacheSupported, p.cooperativeLaunch,
         p.computePreemptionSupported, p.canUseHostPointerForRegisteredMem);
  printf("mips %d %d %d lin %d %d %d gather %d %d alt %d cubemap %d layered %d surf %d %d %d %d",
         p.maxTexture1DMipmap, p.maxTexture2DMipmap[0], p.maxTexture2DMipmap[1],
         p.maxTexture2DLinear[0], p.maxTexture2DLinear[1], p.maxTexture2DLinear[2],
         p.maxTexture2DGather[0], p.maxTexture2DGather[1], p.maxTexture3DAlt[0],
         p.maxTextureCubemap, p.maxTextureCubemapLayered[0], p.maxSurface1D, p.maxSurface2D[0],
         p.maxSurface3D[0], p.maxSurfaceCubemap);
  printf(" 2dlayered %d %d %d\n", p.maxTexture2DLayered[0], p.maxTexture2DLayered[1],
         p.maxTexture2DLayered[2]);
  printf("tcc %d multi %d native atomic %d pools %d cluster %d ipc %d\n", p.tccDriver,
         p.isMultiGpuBoard, p.hostNativeAtomicSupported, p.memoryPoolsSupported, p.clusterLaunch,
         p.ipcEventSupported);
  const int ids[] = {13,  22,  23,  24,  25,  26,  27,  28,  36,  42,  43,  50,  35,  47,  48,  49,
                     52,  53,  54,  55,  56,  57,  58,  59,  60,  61,  62,  63,  64,  65,  66,  67,
                     68,  69,  70,  71,  72,  73,  74,  77,  84,  87,  125, 1,   2,   3,   4,   5,
                     6,   7,   8,   9,   10,  11,  12,  14,  15,  18,  16,  17,  20,  21,  29,  30,
                     31,  32,  37,  39,  40,  41,  38,  45,  46,  51,  75,  76,  78,  79,  80,  81,
                     82,  83,  86,  88,  89,  90,  91,  95,  96,  97,  98,  99,  100, 101, 102, 103,
                     106, 108, 109, 111, 112, 113, 114, 115, 116, 117, 119, 120, 121, 122, 123};
  for (int id : ids) {
    int v = -7;
    e = cudaDeviceGetAttribute(&v, (cudaDeviceAttr)id, 0);
    printf("attr %d: %d %s\n", id, v, cudaGetErrorName(e));
  }
  for (int l = 0; l < 7; ++l) {
    if (l == 1) continue;
    size_t v = 0;
    e = cudaDeviceGetLimit(&v, (cudaLimit)l);
    printf("limit %d: %zu %s\n", l, v, cudaGetErrorName(e));
  }
  cudaFuncCache fc;
  cudaDeviceGetCacheConfig(&fc);
  unsigned flags;
  cudaGetDeviceFlags(&flags);
  printf("cache %d flags %u\n", fc, flags);
  int v;
  printf("%s\n", cudaGetErrorName(cudaDeviceGetAttribute(&v, (cudaDeviceAttr)1, 3)));
  printf("%s\n", cudaGetErrorName(cudaSetDevice(7)));
  printf("%s\n", cudaGetErrorName(cudaGetDeviceProperties(&p, 9)));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  char bus[32];
  e = cudaDeviceGetPCIBusId(bus, 32, 0);
  printf("bus id %s %d\n", cudaGetErrorName(e), bus[4] == ':');
  int d = -1;
  e = cudaDeviceGetByPCIBusId(&d, bus);
  printf("by bus %s %d\n", cudaGetErrorName(e), d);
  e = cudaChooseDevice(&d, &p);
  printf("choose %s %d\n", cudaGetErrorName(e), d);
  return 0;
}
