// Names and texts of all errors of the runtime, and what bad calls return.
#include <cstdio>
#define E(x)                                                                                      \
  do {                                                                                            \
    cudaError_t e = (x);                                                                          \
    printf("%s -> %s; last %s\n", #x, cudaGetErrorName(e), cudaGetErrorName(cudaGetLastError())); \
  } while (0)
__global__ void k(int* p) {
  if (p) *p = 1;
}
__device__ int v;
__constant__ int c[4];
int notdevice;
int main() {
  for (int i = 0; i < 1001; ++i) {
    const char *n = cudaGetErrorName((cudaError_t)i), *s = cudaGetErrorString((cudaError_t)i);
    if (n[0] != 'u') printf("%d %s: %s\n", i, n, s);
  }
  printf("%s %s\n", cudaGetErrorName((cudaError_t)12345), cudaGetErrorString((cudaError_t)12345));
  void *d = nullptr, *h = nullptr;
  char buf[64];
  E(cudaMalloc(nullptr, 4));
  E(cudaMalloc(&d, 0));
  printf("%d\n", d == nullptr);
  E(cudaMalloc(&d, 1000));
  E(cudaMalloc(&h, size_t(1) << 48));
  E(cudaFree(buf));
  E(cudaFree(nullptr));
  E(cudaFree((char*)d + 4));
  E(cudaFreeHost(buf));
  E(cudaMemcpy(d, buf, 64, (cudaMemcpyKind)9));
  E(cudaMemcpy(nullptr, buf, 64, cudaMemcpyHostToDevice));
  E(cudaMemcpy(d, nullptr, 0, cudaMemcpyHostToDevice));
  E(cudaMemcpy(d, buf, 2000, cudaMemcpyHostToDevice));
  E(cudaMemset(nullptr, 0, 4));
  E(cudaMemset(d, 0, 5000));
  E(cudaMemcpyToSymbol(notdevice, buf, 4));
  E(cudaMemcpyToSymbol(v, buf, 8));
  E(cudaMemcpyToSymbol(c, buf, 8, 12));
  E(cudaMemcpyFromSymbol(buf, v, 4, 4));
  E(cudaGetSymbolSize((size_t*)buf, notdevice));
  E(cudaStreamCreate(nullptr));
  E(cudaStreamCreateWithFlags((cudaStream_t*)buf, 77));
  E(cudaEventCreateWithFlags((cudaEvent_t*)buf, 0x80));
  cudaEvent_t a, b, nt;
  E(cudaEventCreate(&a));
  E(cudaEventCreate(&b));
  E(cudaEventCreateWithFlags(&nt, cudaEventDisableTiming));
  float ms;
  E(cudaEventElapsedTime(&ms, a, b));
  E(cudaEventQuery(a));
  E(cudaEventSynchronize(a));
  E(cudaEventRecord(a));
  E(cudaEventRecord(nt));
  E(cudaDeviceSynchronize());
  E(cudaEventElapsedTime(&ms, a, nt));
  E(cudaEventElapsedTime(&ms, a, a));
  printf("%g\n", ms);
  E(cudaEventElapsedTime(nullptr, a, a));
  E(cudaEventRecord(nullptr));
  E(cudaStreamWaitEvent(0, a, 5));
  E(cudaHostAlloc(&h, 64, 1 << 20));
  E(cudaHostAlloc(&h, 64, cudaHostAllocMapped | cudaHostAllocWriteCombined));
  void* dh;
  E(cudaHostGetDevicePointer(&dh, h, 0));
  E(cudaHostGetDevicePointer(&dh, h, 1));
  unsigned f;
  E(cudaHostGetFlags(&f, h));
  printf("%u\n", f);
  E(cudaHostGetFlags(&f, buf));
  E(cudaHostGetDevicePointer(&dh, buf, 0));
  E(cudaHostRegister(nullptr, 64, 0));
  E(cudaHostRegister(h, 64, 0));
  E(cudaHostUnregister(buf));
  E(cudaMallocManaged(&d, 0));
  E(cudaMallocManaged(&d, 64, 99));
  E(cudaMallocPitch(&d, nullptr, 4, 4));
  E(cudaMallocHost(nullptr, 4));
  cudaPointerAttributes at;
  E(cudaPointerGetAttributes(&at, buf));
  printf("%d\n", at.type);
  E(cudaPointerGetAttributes(nullptr, buf));
  E(cudaSetDevice(-1));
  E(cudaDeviceCanAccessPeer((int*)buf, 0, 1));
  E(cudaDeviceCanAccessPeer((int*)buf, 0, 0));
  E(cudaDeviceEnablePeerAccess(0, 0));
  E(cudaDeviceSetLimit((cudaLimit)99, 4));
  E(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
  size_t lim;
  E(cudaDeviceGetLimit(&lim, cudaLimitStackSize));
  printf("%zu\n", lim);
  E(cudaDeviceGetLimit(&lim, (cudaLimit)99));
  E(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  E(cudaLaunchKernel((void*)main, dim3(1), dim3(1), nullptr, 0, 0));
  void* args[1] = {&d};
  d = nullptr;
  E(cudaLaunchKernel((void*)k, dim3(1), dim3(0), args, 0, 0));
  E(cudaLaunchKernel((void*)k, dim3(1), dim3(1), args, 0, 0));
  E(cudaMemAdvise(buf, 4, cudaMemAdviseSetReadMostly,
                  cudaMemLocation{cudaMemLocationTypeDevice, 0}));
  E(cudaMemPrefetchAsync(buf, 4, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0));
  E(cudaStreamEndCapture(0, nullptr));
  cudaStream_t s;
  E(cudaStreamCreate(&s));
  E(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  E(cudaStreamSynchronize(s));
  cudaGraph_t g;
  E(cudaStreamEndCapture(s, &g));
  E(cudaStreamQuery(s));
  E(cudaStreamDestroy(s));
  E(cudaGraphInstantiate((cudaGraphExec_t*)buf, nullptr, 0));
  E(cudaProfilerStart());
  E(cudaDeviceReset());
}
// nvcc: -include cuda_profiler_api.h
