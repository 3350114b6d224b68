// Memory in stream order: the default pool, a pool of one's own, thresholds and what is used.
#include <cstdio>
#define OK(x)                                       \
  do {                                              \
    cudaError_t e_ = (x);                           \
    if (e_ != cudaSuccess) {                        \
      printf("%s: %s\n", #x, cudaGetErrorName(e_)); \
    }                                               \
  } while (0)
__global__ void fill(int* a, int n, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = v + i;
}
__global__ void add(const int* a, const int* b, int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
int main() {
  const int n = 1000;
  int supported = 0;
  OK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  printf("pools %d\n", supported);
  cudaMemPool_t pool, own;
  OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long threshold = ~0ull, got = 0;
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got));
  printf("threshold %llx\n", got);
  cudaStream_t s;
  OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  int *a, *b, *c, host[n];
  OK(cudaMallocAsync(&a, n * 4, s));
  OK(cudaMallocAsync(&b, n * 4, s));
  OK(cudaMallocFromPoolAsync(&c, n * 4, pool, s));
  fill<<<8, 128, 0, s>>>(a, n, 1);
  fill<<<8, 128, 0, s>>>(b, n, 1000);
  add<<<8, 128, 0, s>>>(a, b, c, n);
  OK(cudaMemcpyAsync(host, c, n * 4, cudaMemcpyDeviceToHost, s));
  OK(cudaFreeAsync(a, s));
  OK(cudaFreeAsync(b, s));
  OK(cudaFreeAsync(c, s));
  OK(cudaStreamSynchronize(s));
  printf("%d %d\n", host[0], host[n - 1]);
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &got));
  printf("used %llu\n", got);
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &got));
  printf("high %d\n", got >= 12000);
  OK(cudaMemPoolTrimTo(pool, 0));
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = 0;
  OK(cudaMemPoolCreate(&own, &props));
  OK(cudaMallocFromPoolAsync(&a, 4096, own, s));
  fill<<<8, 128, 0, s>>>(a, n, 7);
  OK(cudaMemcpyAsync(host, a, n * 4, cudaMemcpyDeviceToHost, s));
  OK(cudaStreamSynchronize(s));
  printf("own %d\n", host[5]);
  OK(cudaDeviceSetMemPool(0, own));
  cudaMemPool_t now;
  OK(cudaDeviceGetMemPool(&now, 0));
  printf("is own %d\n", now == own);
  OK(cudaMallocAsync(&b, 64, s));
  OK(cudaFreeAsync(b, s));
  OK(cudaFreeAsync(a, s));
  OK(cudaStreamSynchronize(s));
  OK(cudaDeviceSetMemPool(0, pool));
  OK(cudaMemPoolDestroy(own));
  cudaMemAccessDesc d = {};
  d.location.type = cudaMemLocationTypeDevice;
  d.location.id = 0;
  d.flags = cudaMemAccessFlagsProtReadWrite;
  OK(cudaMemPoolSetAccess(pool, &d, 1));
  cudaMemAccessFlags f;
  OK(cudaMemPoolGetAccess(&f, pool, &d.location));
  printf("access %d\n", (int)f);
}
