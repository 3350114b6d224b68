// What each fault of a kernel returns, one process each: the program runs itself; a bad address,
// misalignment, a null pointer, a stack, a launch too deep.
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
__global__ void null(int* p) { p[threadIdx.x] = 1; }
__global__ void misaligned(char* p) { *(int*)(p + 1 + threadIdx.x * 4) = 1; }
__global__ void far(int* p) { p[1ll << 40] = 1; }
__global__ void shared_out(int* o, int n) {
  extern __shared__ int s[];
  s[n] = 1;
  o[0] = s[n];
}
__global__ void trap() { __trap(); }
__global__ void misaligned_load(char* p, int* o) { *o = *(int*)(p + 2); }
__global__ void misaligned_shared(int* o, int k) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  o[0] = *(int*)((char*)s + k);
}
__global__ void bad_call(int* o, int (*f)(int)) { o[0] = f(3); }
__global__ void ok(int* p) { *p = 3; }
__global__ void bad_vector(float* p) {
  float4 v = *(float4*)(p + 1);
  p[0] = v.x;
}
__global__ void atomic_bad(int* p) { atomicAdd((int*)((char*)p + 2), 1); }
__global__ void read_null(int* p, int* q) { *q = *p; }
int main(int c, char** v) {
  if (c > 1) {
    int* d;
    cudaMalloc(&d, 1024);
    cudaEvent_t e;
    cudaEventCreate(&e);
    switch (atoi(v[1])) {
      case 0: null<<<1, 32>>>(nullptr); break;
      case 1: misaligned<<<1, 32>>>((char*)d); break;
      case 2: far<<<1, 1>>>(d); break;
      case 3: shared_out<<<1, 1, 1024>>>(d, 1 << 20); break;
      case 4: trap<<<1, 32>>>(); break;
      case 5: misaligned_load<<<1, 1>>>((char*)d, d); break;
      case 6: misaligned_shared<<<1, 32>>>(d, 3); break;
      case 7: bad_vector<<<1, 1>>>((float*)d); break;
      case 8: atomic_bad<<<1, 1>>>(d); break;
      case 9: read_null<<<1, 1>>>(nullptr, d); break;
    }
    printf("%s: launch %s, ", v[1], cudaGetErrorName(cudaGetLastError()));
    printf("record %d, ", cudaEventRecord(e) >= 0);
    cudaError_t a = cudaDeviceSynchronize();
    printf("sync %s (%s), ", cudaGetErrorName(a), cudaGetErrorString(a));
    ok<<<1, 1>>>(d);
    printf("next %s, ", cudaGetErrorName(cudaGetLastError()));
    int h;
    printf("copy %s, ", cudaGetErrorName(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost)));
    printf("free %s, ", cudaGetErrorName(cudaFree(d)));
    printf("last %s\n", cudaGetErrorName(cudaPeekAtLastError()));
    return 0;
  }
  for (int i = 0; i < 10; ++i) {
    fflush(stdout);
    pid_t p = fork();
    if (p == 0) {
      char n[8];
      snprintf(n, 8, "%d", i);
      execl("/proc/self/exe", v[0], n, (char*)nullptr);
      _exit(9);
    }
    int st;
    waitpid(p, &st, 0);
    if (st) printf("%d ended with %x\n", i, st);
  }
}
