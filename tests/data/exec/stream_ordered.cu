// Allocation in stream order: reuse across streams by events, a threshold, exported nothing, pools
// per device, failures and attributes.
#include <climits>
#include <cstdio>
#define OK(x)                                                                       \
  do {                                                                              \
    cudaError_t e_ = (x);                                                           \
    if (e_ != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(e_)); \
  } while (0)
__global__ void vectorAddGPU(const float* a, const float* b, float* c, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) c[i] = a[i] + b[i];
}
int basic(int n, const float* a, const float* b, float* c, cudaStream_t s) {
  float *da, *db, *dc;
  OK(cudaMallocAsync(&da, n * 4, s));
  OK(cudaMallocAsync(&db, n * 4, s));
  OK(cudaMallocAsync(&dc, n * 4, s));
  OK(cudaMemcpyAsync(da, a, n * 4, cudaMemcpyHostToDevice, s));
  OK(cudaMemcpyAsync(db, b, n * 4, cudaMemcpyHostToDevice, s));
  vectorAddGPU<<<(n + 255) / 256, 256, 0, s>>>(da, db, dc, n);
  OK(cudaFreeAsync(da, s));
  OK(cudaFreeAsync(db, s));
  OK(cudaMemcpyAsync(c, dc, n * 4, cudaMemcpyDeviceToHost, s));
  OK(cudaFreeAsync(dc, s));
  OK(cudaStreamSynchronize(s));
  int bad = 0;
  for (int i = 0; i < n; ++i) bad += c[i] != a[i] + b[i];
  return bad;
}
int main() {
  int sup = 0;
  OK(cudaDeviceGetAttribute(&sup, cudaDevAttrMemoryPoolsSupported, 0));
  printf("pools %d\n", sup);
  const int n = 4097;
  float *a = new float[n], *b = new float[n], *c = new float[n];
  for (int i = 0; i < n; ++i) {
    a[i] = i * 0.5f;
    b[i] = 1.0f / (i + 1);
  }
  cudaStream_t s, s2;
  OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  OK(cudaStreamCreate(&s2));
  printf("bad %d\n", basic(n, a, b, c, s));
  cudaMemPool_t pool;
  OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long th = ULLONG_MAX;
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &th));
  for (int i = 0; i < 3; ++i) printf("bad %d\n", basic(n, a, b, c, i & 1 ? s2 : s));
  unsigned long long r = 0;
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &r));
  printf("used %llu\n", r);
  int flag = -1;
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &flag));
  printf("follow %d\n", flag);
  flag = 0;
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &flag));
  flag = 5;
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &flag));
  printf("opportunistic %d\n", flag);
  OK(cudaMemPoolTrimTo(pool, 0));
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &r));
  printf("reserved %llu\n", r);
  cudaMemPoolProps p = {};
  p.allocType = cudaMemAllocationTypePinned;
  p.location.type = cudaMemLocationTypeDevice;
  p.location.id = 0;
  p.maxSize = 0;
  cudaMemPool_t mine;
  OK(cudaMemPoolCreate(&mine, &p));
  float* x;
  OK(cudaMallocFromPoolAsync((void**)&x, 1 << 20, mine, s));
  cudaPointerAttributes at;
  OK(cudaStreamSynchronize(s));
  OK(cudaPointerGetAttributes(&at, x));
  printf("type %d device %d\n", at.type, at.device);
  OK(cudaMemPoolGetAttribute(mine, cudaMemPoolAttrUsedMemCurrent, &r));
  printf("mine %llu\n", r);
  cudaEvent_t e;
  OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  OK(cudaFreeAsync(x, s));
  OK(cudaEventRecord(e, s));
  OK(cudaStreamWaitEvent(s2, e, 0));
  float* y;
  OK(cudaMallocFromPoolAsync((void**)&y, 1 << 20, mine, s2));
  OK(cudaFree(y));
  OK(cudaDeviceSetMemPool(0, mine));
  cudaMemPool_t now;
  OK(cudaDeviceGetMemPool(&now, 0));
  printf("set %d\n", now == mine);
  OK(cudaDeviceSetMemPool(0, pool));
  OK(cudaMemPoolDestroy(mine));
  void* big = nullptr;
  printf("huge: %s %d\n", cudaGetErrorName(cudaMallocAsync(&big, size_t(1) << 45, s)),
         big == nullptr);
  printf("last %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("free null %s\n", cudaGetErrorName(cudaFreeAsync(nullptr, s)));
  cudaGetLastError();
  float ms = 0;
  printf("elapsed: %s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, e, e)));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  OK(cudaMallocAsync(&x, 256, 0));
  OK(cudaMemsetAsync(x, 0x3f, 256, 0));
  OK(cudaMemcpy(c, x, 256, cudaMemcpyDefault));
  printf("%g\n", c[63]);
  OK(cudaFreeAsync(x, 0));
  size_t fr, to;
  OK(cudaMemGetInfo(&fr, &to));
  printf("%d\n", fr <= to && fr > to / 2);
}
