// Functions with constants of their own, which a linker puts behind the kernel's:
// nvcc -rdc=true -cubin -arch=sm_80 function_constants.cu
__device__ __noinline__ double cubic(double x) {
  return ((1.37e-3 * x + 2.11e-2) * x - 3.77e-1) * x + 4.93;
}

__device__ __noinline__ double even(double x) {
  const double square = x * x;
  return (5.19e-4 * square - 6.71e-2) * square + 7.83e-1 + cubic(0.1 * x);
}

__global__ void sums(double* out, float exponent) {
  const double x = threadIdx.x + 0.5;
  out[threadIdx.x] = cubic(x) + 8.59 * even(1.07 * x) + pow(x, exponent);
}
