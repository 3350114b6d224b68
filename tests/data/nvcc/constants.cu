// Pointers to __constant__ variables: from data of both kinds, and made in code.
__constant__ float coefficients[4] = {1.f, 2.f, 3.f, 4.f};
__constant__ int scale = 3;
__device__ int counter = 5;
__device__ const int* where = &counter;
__constant__ const float* table[2] = {coefficients, coefficients + 2};
__device__ const float* pointers[2] = {coefficients + 1, coefficients + 3};

extern "C" __global__ void kernel(float* out, int i) {
  const float* own = coefficients + i;
  out[threadIdx.x] = own[threadIdx.x & 1] * scale + *where + table[1][0] + pointers[0][0];
}
