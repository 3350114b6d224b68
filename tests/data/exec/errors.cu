// What the runtime says of bad calls, launches and kernels.
#include <cstdio>
#include <cstdlib>

__global__ void store(int* p, int at) { p[at] = threadIdx.x; }
__global__ void misaligned(char* p) { *(int*)(p + 1) = 3; }
__global__ void shared(int* p) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = s[31 - threadIdx.x];
}

static void say(const char* what, cudaError_t e) {
  printf("%-28s %d %s: %s\n", what, (int)e, cudaGetErrorName(e), cudaGetErrorString(e));
}

int main(int argc, char** argv) {
  int* p = nullptr;
  int host[32];
  say("malloc", cudaMalloc(&p, 128));
  say("malloc too much", cudaMalloc((void**)&host[0], size_t(1) << 50));
  say("last", cudaGetLastError());
  say("last again", cudaGetLastError());
  say("copy to host pointer as device", cudaMemcpy(host, p, 128, cudaMemcpyHostToDevice));
  say("copy too much", cudaMemcpy(host, p, 256, cudaMemcpyDeviceToHost));
  say("copy bad kind", cudaMemcpy(host, p, 4, (cudaMemcpyKind)7));
  say("free host pointer", cudaFree(host));
  say("free null", cudaFree(nullptr));
  say("set device", cudaSetDevice(99));
  say("memset host", cudaMemset(host, 0, 4));
  cudaGetLastError();
  store<<<1, 2048>>>(p, 0);
  say("too many threads", cudaGetLastError());
  store<<<0, 32>>>(p, 0);
  say("no blocks", cudaGetLastError());
  shared<<<1, 32, 100 * 1024>>>(p);
  say("shared not opted in", cudaGetLastError());
  say("opt in too much",
      cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
  cudaGetLastError();
  say("opt in",
      cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
  shared<<<1, 32, 100 * 1024>>>(p);
  say("opted in", cudaGetLastError());
  say("wait", cudaDeviceSynchronize());
  cudaMemcpy(host, p, 128, cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[31]);
  say("event never recorded", [] {
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    float ms;
    return cudaEventElapsedTime(&ms, a, b);
  }());
  cudaGetLastError();
  if (argc > 1 && atoi(argv[1]) == 1)
    misaligned<<<1, 1>>>((char*)p);
  else
    store<<<1, 1>>>(p, 1 << 28);
  say("bad kernel launched", cudaGetLastError());
  say("wait", cudaDeviceSynchronize());
  say("sticky: last", cudaGetLastError());
  say("sticky: malloc", cudaMalloc(&p, 128));
  say("reset", cudaDeviceReset());
  say("malloc after reset", cudaMalloc(&p, 128));
  return 7;
}
