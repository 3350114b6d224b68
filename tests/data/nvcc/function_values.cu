// Functions that code chooses by their addresses: out[thread] is 3 thread, or thread + 100 in threads of odd numbers.
using Function = int (*)(int);
__device__ __noinline__ int triple(int x) { return 3 * x; }
__device__ __noinline__ int add_hundred(int x) { return x + 100; }
__device__ Function other;

extern "C" __global__ void choose(int* out) {
  Function chosen = threadIdx.x % 2 == 0 ? triple : add_hundred;
  if (threadIdx.x == 40) chosen = other;
  out[threadIdx.x] = chosen(static_cast<int>(threadIdx.x));
}
