// Memory in stream order, zero copy, registered memory, peer copies in one device, host threads.
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

struct Big {
  int values[500];
  int scale;
};
__global__ void big(Big b, int* out) { out[threadIdx.x] = b.values[threadIdx.x * 3] * b.scale; }
__global__ void cube(int* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  out[(z * 6 + y) * 8 + x] = x * 100 + y * 10 + z;
}
__global__ void increment(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++p[i];
}

int main() {
  int wrong = 0;
  cudaStream_t s;
  cudaStreamCreate(&s);
  int* p;
  cudaMallocAsync(&p, 400, s);
  cudaMemsetAsync(p, 0, 400, s);
  increment<<<1, 128, 0, s>>>(p, 100);
  int h[100];
  cudaMemcpyAsync(h, p, 400, cudaMemcpyDeviceToHost, s);
  cudaFreeAsync(p, s);
  cudaStreamSynchronize(s);
  for (int v : h) wrong += v != 1;
  printf("async: %d wrong\n", wrong);
  int *mapped, *view;
  cudaHostAlloc(&mapped, 400, cudaHostAllocMapped);
  for (int i = 0; i < 100; ++i) mapped[i] = i;
  cudaHostGetDevicePointer(&view, mapped, 0);
  increment<<<1, 128>>>(view, 100);
  cudaDeviceSynchronize();
  for (int i = 0; i < 100; ++i) wrong += mapped[i] != i + 1;
  printf("zero copy: %d wrong\n", wrong);
  int* own = (int*)aligned_alloc(4096, 4096);
  for (int i = 0; i < 1024; ++i) own[i] = -i;
  printf("%s %s\n", cudaGetErrorName(cudaHostRegister(own, 4096, cudaHostRegisterDefault)),
         cudaGetErrorName(cudaHostRegister(own, 4096, 0)));
  cudaGetLastError();
  cudaHostGetDevicePointer(&view, own, 0);
  increment<<<8, 128>>>(view, 1024);
  cudaDeviceSynchronize();
  for (int i = 0; i < 1024; ++i) wrong += own[i] != 1 - i;
  printf("registered: %d wrong %s\n", wrong, cudaGetErrorName(cudaHostUnregister(own)));
  int *a, *b;
  cudaMalloc(&a, 400);
  cudaMalloc(&b, 400);
  cudaMemcpy(a, mapped, 400, cudaMemcpyDefault);
  cudaMemcpyPeer(b, 0, a, 0, 400);
  cudaMemcpy(h, b, 400, cudaMemcpyDefault);
  for (int i = 0; i < 100; ++i) wrong += h[i] != i + 1;
  Big arg;
  for (int i = 0; i < 500; ++i) arg.values[i] = i;
  arg.scale = 3;
  big<<<1, 100>>>(arg, a);
  cudaMemcpy(h, a, 400, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 100; ++i) wrong += h[i] != i * 9;
  printf("large argument: %d wrong\n", wrong);
  int* c;
  int hc[8 * 6 * 4];
  cudaMalloc(&c, sizeof hc);
  cube<<<dim3(2, 3, 2), dim3(4, 2, 2)>>>(c);
  cudaMemcpy(hc, c, sizeof hc, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 192; ++i) wrong += hc[i] != i % 8 * 100 + i / 8 % 6 * 10 + i / 48;
  std::vector<std::thread> threads;
  std::vector<int> results(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t, &results] {
      int *q, host[64];
      cudaStream_t mine;
      cudaStreamCreate(&mine);
      cudaMalloc(&q, 256);
      cudaMemsetAsync(q, 0, 256, mine);
      for (int i = 0; i <= t; ++i) increment<<<1, 64, 0, mine>>>(q, 64);
      cudaMemcpyAsync(host, q, 256, cudaMemcpyDeviceToHost, mine);
      cudaStreamSynchronize(mine);
      results[t] = host[63];
      cudaFree(q);
    });
  for (auto& t : threads) t.join();
  for (int t = 0; t < 4; ++t) wrong += results[t] != t + 1;
  printf("threads: %d wrong: %s\n", wrong, wrong == 0 ? "PASSED" : "FAILED");
  return 0;
}
