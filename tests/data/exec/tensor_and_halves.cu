// wmma products and arithmetic on halves.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <cstdio>
using namespace nvcuda;
#define OK(x)                                       \
  do {                                              \
    cudaError_t e_ = (x);                           \
    if (e_ != cudaSuccess) {                        \
      printf("%s: %s\n", #x, cudaGetErrorName(e_)); \
    }                                               \
  } while (0)
__global__ void gemm(const half* a, const half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 1.0f);
  for (int k = 0; k < 64; k += 16) {
    wmma::load_matrix_sync(fa, a + k, 64);
    wmma::load_matrix_sync(fb, b + k, 64);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] *= 2;
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
__global__ void igemm(const signed char* a, const signed char* b, int* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
  wmma::fill_fragment(fc, 0);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
__global__ void halves(const half* a, float* o) {
  int i = threadIdx.x;
  half2 x = __halves2half2(a[i], a[i + 32]);
  half2 y = __hfma2(x, x, __float2half2_rn(0.5f));
  o[i] = __low2float(y) + __high2float(__hmax2(x, y)) + __half2float(hsqrt(__habs(a[i])));
  __nv_bfloat16 b = __float2bfloat16(o[i]);
  o[i + 32] = __bfloat162float(__hmul(b, b)) + (float)__hgt(a[i], a[i + 1]);
  atomicAdd((half2*)(o + 64), x);
}
int main() {
  half *a, *b;
  float* c;
  int* ci;
  signed char* sa;
  OK(cudaMallocManaged(&a, 16 * 64 * 2));
  OK(cudaMallocManaged(&b, 16 * 64 * 2));
  OK(cudaMallocManaged(&c, 4096));
  OK(cudaMallocManaged(&ci, 4096));
  OK(cudaMallocManaged(&sa, 512));
  for (int i = 0; i < 1024; ++i) {
    a[i] = __float2half((i % 17 - 8) / 8.0f);
    b[i] = __float2half((i % 13 - 6) / 4.0f);
  }
  for (int i = 0; i < 512; ++i) sa[i] = i * 37 % 255 - 127;
  gemm<<<1, 32>>>(a, b, c);
  OK(cudaDeviceSynchronize());
  printf("%.4f %.4f %.4f\n", c[0], c[100], c[255]);
  igemm<<<1, 32>>>(sa, sa + 256, ci);
  OK(cudaDeviceSynchronize());
  printf("%d %d\n", ci[0], ci[255]);
  c[64] = 0;
  halves<<<1, 32>>>(a, c);
  OK(cudaDeviceSynchronize());
  double s = 0;
  for (int i = 0; i < 64; ++i) s += c[i];
  printf("%.6f %08x\n", s, *(unsigned*)(c + 64));
}
