// Streams and events: pinned memory, waits across streams, callbacks, priorities, elapsed times.
#include <cstdio>
#include <vector>
__global__ void scale(float* x, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
__global__ void add(float* x, const float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[i] += y[i];
}
static int calls = 0;
void CUDART_CB called(cudaStream_t, cudaError_t status, void* data) {
  ++calls;
  *(int*)data += status == cudaSuccess;
}
void CUDART_CB host(void* data) { *(int*)data += 10; }
int main() {
  const int n = 1 << 12, parts = 4;
  float* h;
  cudaMallocHost(&h, n * 4 * parts);
  for (int i = 0; i < n * parts; ++i) h[i] = i % 97;
  float* d[parts];
  cudaStream_t s[parts];
  cudaEvent_t done[parts], start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  int least, greatest;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  printf("priorities %d\n", least >= greatest);
  cudaEventRecord(start);
  int seen = 0;
  for (int p = 0; p < parts; ++p) {
    cudaMalloc(&d[p], n * 4);
    p % 2 ? cudaStreamCreateWithPriority(&s[p], cudaStreamNonBlocking, greatest)
          : cudaStreamCreate(&s[p]);
    cudaEventCreateWithFlags(&done[p], cudaEventDisableTiming);
    cudaMemcpyAsync(d[p], h + p * n, n * 4, cudaMemcpyHostToDevice, s[p]);
    scale<<<(n + 255) / 256, 256, 0, s[p]>>>(d[p], n, p + 1.f);
    cudaEventRecord(done[p], s[p]);
    cudaStreamAddCallback(s[p], called, &seen, 0);
  }
  for (int p = 1; p < parts; ++p) {
    cudaStreamWaitEvent(s[0], done[p], 0);
    add<<<4, 128, 0, s[0]>>>(d[0], d[p], n);
  }
  cudaLaunchHostFunc(s[0], host, &seen);
  cudaMemcpyAsync(h, d[0], n * 4, cudaMemcpyDeviceToHost, s[0]);
  cudaStreamSynchronize(s[0]);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float ms = -1;
  cudaError_t e = cudaEventElapsedTime(&ms, start, stop);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    float want = 0;
    for (int p = 0; p < parts; ++p) want += float((p * n + i) % 97) * (p + 1);
    wrong += h[i] != want;
  }
  cudaDeviceSynchronize();
  printf("wrong %d, called %d, seen %d, time %d %s\n", wrong, calls, seen, ms >= 0,
         cudaGetErrorName(e));
  printf("%s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, done[0], stop)));
  cudaGetLastError();
  printf("%s %s\n", cudaGetErrorName(cudaEventQuery(stop)),
         cudaGetErrorName(cudaStreamQuery(s[1])));
  for (int p = 0; p < parts; ++p) {
    cudaStreamDestroy(s[p]);
    cudaEventDestroy(done[p]);
    cudaFree(d[p]);
  }
  cudaFreeHost(h);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
