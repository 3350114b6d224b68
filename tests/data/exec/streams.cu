// Copies and kernels in several streams, ordered by events; a host function at the end.
#include <cstdio>
#include <cstring>

__global__ void add(int* data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += value;
}
static void CUDART_CB finish(void* p) { *(int*)p = 42; }

int main() {
  const int n = 4096, parts = 4, part = n / parts;
  int *host, *device, done = 0;
  cudaHostAlloc((void**)&host, n * sizeof(int), cudaHostAllocDefault);
  cudaMalloc((void**)&device, n * sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaStream_t streams[parts];
  cudaEvent_t start, stop, ready[parts];
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  int least, greatest;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  for (int s = 0; s < parts; ++s) {
    if (s % 2)
      cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
    else
      cudaStreamCreateWithPriority(&streams[s], cudaStreamNonBlocking, greatest);
    cudaEventCreateWithFlags(&ready[s], cudaEventDisableTiming);
  }
  cudaEventRecord(start);
  for (int s = 0; s < parts; ++s) {
    cudaMemcpyAsync(device + s * part, host + s * part, part * sizeof(int), cudaMemcpyHostToDevice,
                    streams[s]);
    add<<<(part + 255) / 256, 256, 0, streams[s]>>>(device + s * part, part, 10 * (s + 1));
    cudaEventRecord(ready[s], streams[s]);
  }
  for (int s = 0; s < parts; ++s) cudaStreamWaitEvent(streams[0], ready[s], 0);
  add<<<(n + 255) / 256, 256, 0, streams[0]>>>(device, n, 1000);
  cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, streams[0]);
  cudaLaunchHostFunc(streams[0], finish, &done);
  cudaStreamSynchronize(streams[0]);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float ms = -1;
  cudaEventElapsedTime(&ms, start, stop);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += host[i] != i + 10 * (i / part + 1) + 1000;
  printf("query %s\n", cudaGetErrorName(cudaStreamQuery(streams[1])));
  printf("wrong %d, host function %d, time %s: %s\n", wrong, done, ms >= 0 ? "there" : "missing",
         wrong == 0 && done == 42 ? "PASSED" : "FAILED");
  for (auto s : streams) cudaStreamDestroy(s);
  cudaFree(device);
  cudaFreeHost(host);
  return 0;
}
