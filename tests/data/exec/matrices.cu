// Matrix products: tiled with static and with opted-in dynamic shared memory, and by tensor cores
// (wmma).
#include <cuda_fp16.h>
#include <mma.h>
#include <cstdio>
#include <cstdlib>
template <int T>
__global__ void tiled(float* c, const float* a, const float* b, int n) {
  __shared__ float as[T][T], bs[T][T];
  int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
  float s = 0;
  for (int m = 0; m < n; m += T) {
    as[threadIdx.y][threadIdx.x] = a[y * n + m + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(m + threadIdx.y) * n + x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < T; ++k) s += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = s;
}
__global__ void whole(float* c, const float* a, const float* b, int n) {
  extern __shared__ float room[];
  for (int i = threadIdx.x; i < n * n; i += blockDim.x) {
    room[i] = a[i];
    room[n * n + i] = b[i];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n * n; i += blockDim.x) {
    float s = 0;
    for (int k = 0; k < n; ++k) s += room[i / n * n + k] * room[n * n + k * n + i % n];
    c[i] = s;
  }
}
__global__ void tensor(float* c, const half* a, const half* b, int n) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.f);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(fa, a + blockIdx.y * 16 * n + k, n);
    wmma::load_matrix_sync(fb, b + k * n + blockIdx.x * 16, n);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, fc, n, wmma::mem_row_major);
}
int main() {
  const int n = 96;
  float *a, *b, *c;
  half *ha, *hb;
  cudaMallocManaged(&a, n * n * 4);
  cudaMallocManaged(&b, n * n * 4);
  cudaMallocManaged(&c, n * n * 4);
  cudaMallocManaged(&ha, n * n * 2);
  cudaMallocManaged(&hb, n * n * 2);
  for (int i = 0; i < n * n; ++i) {
    a[i] = i % 7 - 3;
    b[i] = i % 5 - 2;
    ha[i] = __float2half(a[i]);
    hb[i] = __float2half(b[i]);
  }
  auto check = [&](const char* what) {
    cudaError_t e = cudaDeviceSynchronize();
    int wrong = 0;
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        float s = 0;
        for (int k = 0; k < n; ++k) s += a[y * n + k] * b[k * n + x];
        wrong += s != c[y * n + x];
      }
    printf("%s: %d wrong, %s\n", what, wrong, cudaGetErrorName(e));
    cudaMemset(c, 0, n * n * 4);
  };
  tiled<16><<<dim3(n / 16, n / 16), dim3(16, 16)>>>(c, a, b, n);
  check("tiles of 16");
  tiled<32><<<dim3(n / 32, n / 32), dim3(32, 32)>>>(c, a, b, n);
  check("tiles of 32");
  size_t bytes = 2 * n * n * 4;
  whole<<<1, 256, bytes>>>(c, a, b, n);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaFuncSetAttribute(
                     whole, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)));
  whole<<<1, 256, bytes>>>(c, a, b, n);
  check("dynamic");
  tensor<<<dim3(n / 16, n / 16), 32>>>(c, ha, hb, n);
  check("tensor");
}
