// wmma with every element type: half with half and float sums, bf16, tf32, double, int8, uint8,
// bits; layouts and shapes; mma of inline PTX.
#include <cuda_bf16.h>
#include <mma.h>
#include <cstdio>
using namespace nvcuda;
template <class In, class Acc, int M, int N, int K, class LA, class LB, class St>
__global__ void mm(const St* a, const St* b, Acc* c, int la, int lb) {
  wmma::fragment<wmma::matrix_a, M, N, K, In, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, In, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Acc> fc;
  wmma::fill_fragment(fc, (Acc)1);
  for (int k = 0; k < 2; ++k) {
    wmma::load_matrix_sync(fa, a + k * 256, la);
    wmma::load_matrix_sync(fb, b + k * 256, lb);
    if constexpr (std::is_same<In, wmma::precision::tf32>::value) {
      for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
      for (int i = 0; i < fb.num_elements; ++i) fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
    }
    wmma::mma_sync(fc, fa, fb, fc);
  }
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = fc.x[i] + fc.x[i];
  wmma::store_matrix_sync(c, fc, N, wmma::mem_row_major);
}
__global__ void bits(const unsigned* a, const unsigned* b, int* c) {
  wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, wmma::experimental::precision::b1, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> fc;
  wmma::fill_fragment(fc, 0);
  wmma::load_matrix_sync(fa, a, 128);
  wmma::load_matrix_sync(fb, b, 128);
  wmma::bmma_sync(fc, fa, fb, fc, wmma::experimental::bmmaBitOpAND);
  wmma::store_matrix_sync(c, fc, 8, wmma::mem_row_major);
}
__global__ void inlined(const unsigned* in, float* out) {
  int t = threadIdx.x;
  unsigned a[4], b[2];
  for (int i = 0; i < 4; ++i) a[i] = in[t * 4 + i];
  b[0] = in[t + 200];
  b[1] = in[t + 300];
  float d[4] = {1, 2, 3, 4};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  int e[4] = {0, 1, 2, 3};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
      "{%8,%9}, {%0,%1,%2,%3};"
      : "+r"(e[0]), "+r"(e[1]), "+r"(e[2]), "+r"(e[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  __shared__ unsigned s[256];
  s[t] = a[0];
  s[t + 32] = a[1];
  s[t + 64] = a[2];
  s[t + 96] = a[3];
  __syncwarp();
  unsigned x, y;
  unsigned addr = (unsigned)__cvta_generic_to_shared(s + t * 4);
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(x), "=r"(y)
               : "r"(addr));
  for (int i = 0; i < 4; ++i)
    out[t * 8 + i] = d[i], out[t * 8 + 4 + i] = e[i] + (float)(x % 17) - (float)(y % 13);
}
template <class A, class S>
void run(const char* name, void (*k)(const S*, const S*, A*, int, int), const S* a, const S* b,
         int cells, int la, int lb) {
  A* c;
  cudaMallocManaged(&c, 1024 * 8);
  k<<<1, 32>>>(a, b, c, la, lb);
  cudaError_t e = cudaDeviceSynchronize();
  unsigned h = 0;
  for (unsigned i = 0; i < cells * sizeof(A) / 2; ++i) h = h * 131 + ((unsigned short*)c)[i];
  printf("%s %s %g %g %08x\n", name, cudaGetErrorName(e), (double)(float)c[0],
         (double)(float)c[cells - 1], h);
  cudaFree(c);
}
int main() {
  __half* h;
  __nv_bfloat16* b;
  float* f;
  double* d;
  signed char* s;
  unsigned char* u;
  unsigned* w;
  cudaMallocManaged(&h, 4096);
  cudaMallocManaged(&b, 4096);
  cudaMallocManaged(&f, 8192);
  cudaMallocManaged(&d, 16384);
  cudaMallocManaged(&s, 4096);
  cudaMallocManaged(&u, 4096);
  cudaMallocManaged(&w, 4096);
  for (int i = 0; i < 1024; ++i) {
    float v = (i * 37 % 101 - 50) * 0.03125f;
    h[i] = __float2half(v);
    b[i] = __float2bfloat16(v * 1.1f);
    f[i] = v * 1.001f;
    d[i] = v * 1.0000001;
    s[i] = i * 91;
    u[i] = i * 53;
    w[i] = i * 2654435761u;
  }
  for (int i = 0; i < 1024; ++i) {
    unsigned short lo = 0x3f80 + (i * 7 % 64), hi = 0xbf00 + (i * 11 % 100);
    w[i] = lo | hi << 16;
  }
  typedef wmma::row_major R;
  typedef wmma::col_major C;
  run<float, __half>("half rr", mm<__half, float, 16, 16, 16, R, R, __half>, h, h + 512, 256, 16,
                     16);
  run<float, __half>("half cr 32x8", mm<__half, float, 32, 8, 16, C, R, __half>, h, h + 512, 256,
                     32, 8);
  run<__half, __half>("half half", mm<__half, __half, 8, 32, 16, R, C, __half>, h, h + 512, 256, 16,
                      16);
  run<float, __nv_bfloat16>("bf16", mm<__nv_bfloat16, float, 16, 16, 16, R, C, __nv_bfloat16>, b,
                            b + 512, 256, 16, 16);
  run<float, float>("tf32", mm<wmma::precision::tf32, float, 16, 16, 8, R, C, float>, f, f + 512,
                    256, 8, 8);
  run<double, double>("double", mm<double, double, 8, 8, 4, R, C, double>, d, d + 512, 64, 4, 4);
  run<int, signed char>("int8", mm<signed char, int, 16, 16, 16, R, C, signed char>, s, s + 512,
                        256, 16, 16);
  run<int, unsigned char>("uint8", mm<unsigned char, int, 8, 32, 16, C, R, unsigned char>, u,
                          u + 512, 256, 16, 32);
  int* c;
  float* o;
  cudaMallocManaged(&c, 256);
  cudaMallocManaged(&o, 4096);
  bits<<<1, 32>>>(w, w + 300, c);
  inlined<<<1, 32>>>(w, o);
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  unsigned x = 0;
  for (int i = 0; i < 256; ++i) x = x * 131 + (unsigned)(int)(o[i] * 64);
  printf("bits %d %d inlined %a %a %08x\n", c[0], c[63], o[0], o[255], x);
}
