// What separate_code.cu calls.
__device__ int counter = 5;
__constant__ int factors[4] = {1, 10, 100, 1000};
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ int helper(int x) { return fib(x % 10) + 1; }
__device__ int one(int x) { return x + 1; }
__device__ int two(int x) { return x * 2; }
typedef int (*F)(int);
__device__ F table[2] = {one, two};
__global__ void other(int* p) { p[threadIdx.x] = counter + threadIdx.x; }
void launch_other(int* p) { other<<<1, 2>>>(p); }
