// Streams that wait for each other, callbacks, priorities and attributes.
#include <cstdio>
#include <vector>
#define OK(x)                                       \
  do {                                              \
    cudaError_t e_ = (x);                           \
    if (e_ != cudaSuccess) {                        \
      printf("%s: %s\n", #x, cudaGetErrorName(e_)); \
    }                                               \
  } while (0)
__global__ void inc(int* a, int n, int v) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] += v;
}
static void CUDART_CB host_fn(void* p) { printf("host %d\n", *(int*)p); }
static void CUDART_CB cb(cudaStream_t s, cudaError_t e, void* p) {
  printf("callback %s %d\n", cudaGetErrorName(e), *(int*)p);
}
int main() {
  const int n = 1 << 12, k = 4;
  int* h;
  OK(cudaMallocHost(&h, n * k * 4));
  int* d;
  OK(cudaMalloc(&d, n * k * 4));
  cudaStream_t s[k];
  cudaEvent_t ev[k], start, stop;
  int lo, hi;
  OK(cudaDeviceGetStreamPriorityRange(&lo, &hi));
  printf("priorities %d %d\n", lo, hi);
  for (int i = 0; i < k; ++i) {
    OK(cudaStreamCreateWithPriority(&s[i], cudaStreamNonBlocking, i & 1 ? hi : lo));
    OK(cudaEventCreateWithFlags(&ev[i], cudaEventDisableTiming));
    int p;
    unsigned f;
    OK(cudaStreamGetPriority(s[i], &p));
    OK(cudaStreamGetFlags(s[i], &f));
    printf("%d %u\n", p, f);
  }
  for (int i = 0; i < n * k; ++i) h[i] = i;
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&stop));
  OK(cudaEventRecord(start, s[0]));
  for (int i = 0; i < k; ++i) {
    if (i) OK(cudaStreamWaitEvent(s[i], ev[i - 1], 0));
    OK(cudaMemcpyAsync(d + i * n, h + i * n, n * 4, cudaMemcpyHostToDevice, s[i]));
    inc<<<4, 128, 0, s[i]>>>(d, (i + 1) * n, 1 << i);
    OK(cudaEventRecord(ev[i], s[i]));
  }
  OK(cudaLaunchHostFunc(s[k - 1], host_fn, h + 5));
  OK(cudaStreamAddCallback(s[k - 1], cb, h + 6, 0));
  for (int i = 0; i < k; ++i)
    OK(cudaMemcpyAsync(h + i * n, d + i * n, n * 4, cudaMemcpyDeviceToHost, s[k - 1]));
  OK(cudaEventRecord(stop, s[k - 1]));
  OK(cudaEventSynchronize(stop));
  float ms = -1;
  OK(cudaEventElapsedTime(&ms, start, stop));
  printf("time %d\n", ms >= 0);
  printf("%d %d %d\n", h[0], h[n], h[3 * n + 7]);
  OK(cudaStreamQuery(s[0]));
  OK(cudaEventQuery(ev[2]));
  printf("%s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, ev[0], stop)));
  cudaGetLastError();
  cudaStreamCaptureStatus st;
  OK(cudaStreamIsCapturing(s[0], &st));
  printf("capturing %d\n", (int)st);
  unsigned long long id = 0;
  OK(cudaStreamGetId(s[0], &id));
  printf("id %d\n", id > 0);
  cudaStreamAttrValue av = {};
  av.accessPolicyWindow.base_ptr = d;
  av.accessPolicyWindow.num_bytes = 4096;
  av.accessPolicyWindow.hitRatio = 1;
  av.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  av.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  OK(cudaStreamSetAttribute(s[0], cudaStreamAttributeAccessPolicyWindow, &av));
  OK(cudaCtxResetPersistingL2Cache());
  for (int i = 0; i < k; ++i) {
    OK(cudaStreamDestroy(s[i]));
    OK(cudaEventDestroy(ev[i]));
  }
  OK(cudaFreeHost(h));
}
