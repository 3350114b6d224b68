// Saturated sums, inline PTX, byte permutes and packed comparisons.
#include <cstdio>
#define OK(x)                                       \
  do {                                              \
    cudaError_t e_ = (x);                           \
    if (e_ != cudaSuccess) {                        \
      printf("%s: %s\n", #x, cudaGetErrorName(e_)); \
    }                                               \
  } while (0)
__device__ int add_sat(int a, int b) {
  int r;
  asm("add.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ int sub_sat(int a, int b) {
  int r;
  asm("sub.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__global__ void k(const int* in, int* out) {
  int i = threadIdx.x, a = in[i], b = in[(i * 7 + 3) & 63];
  out[i] = add_sat(a, b);
  out[64 + i] = sub_sat(a, b);
  out[128 + i] = add_sat(a, 0x7ffffff0) ^ sub_sat(-5, a) ^ add_sat(b, -2000000000);
  out[192 + i] = __vadd4(a, b) ^ __vsubss2(a, b) ^ __vmaxs2(a, b) ^ __vabsdiffu4(a, b) ^
                 __vcmpgts4(a, b) ^ __vavgu4(a, b);
  out[256 + i] = __byte_perm(a, b, 0x5140 + (i & 7)) ^ __funnelshift_l(a, b, i) ^ __brev(a) ^
                 __clz(b) ^ __popc(a) ^ __ffs(b) ^ __sad(a, b, i) ^ __usad(a, b, i) ^
                 __mulhi(a, b) ^ __umul24(a, b) ^ __hadd(a, b) ^ __rhadd(a, b) ^ __dp4a(a, b, i);
  long long x = (long long)a * b;
  out[320 + i] = (int)(x / (b | 1)) ^ (int)((unsigned long long)x % ((unsigned)a | 1)) ^
                 (int)(x >> (i & 63)) ^ (int)__mul64hi(x, x + i) ^ (a / 10) ^ (b % 10) ^
                 (int)((unsigned)a / 7u);
}
int main() {
  int *in, *out;
  OK(cudaMallocManaged(&in, 256));
  OK(cudaMallocManaged(&out, 384 * 4));
  unsigned s = 12345;
  for (int i = 0; i < 64; ++i) {
    s = s * 1664525u + 1013904223u;
    in[i] = i % 5 == 0   ? (int)(s | 0x70000000) & 0x7fffffff
            : i % 7 == 0 ? (int)(s | 0x80000000)
            : i == 9     ? 0x80000000
            : i == 11    ? -1
            : i == 13    ? 0
                         : (int)s;
  }
  k<<<1, 64>>>(in, out);
  OK(cudaDeviceSynchronize());
  for (int j = 0; j < 6; ++j) {
    unsigned h = 2166136261u;
    for (int i = 0; i < 64; ++i) h = (h ^ (unsigned)out[64 * j + i]) * 16777619u;
    printf("%d %08x %d %d\n", j, h, out[64 * j], out[64 * j + 9]);
  }
}
