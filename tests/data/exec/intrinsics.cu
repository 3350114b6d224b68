// Votes, matches, reductions of a warp, integer and SIMD-in-a-word intrinsics, inline PTX and
// special registers.
#include <cstdio>
__global__ void votes(const unsigned* in, unsigned* r) {
  int t = threadIdx.x;
  r[t] = __any_sync(~0u, in[t]);
  r[64 + t] = __all_sync(~0u, in[t]);
  r[128 + t] = __ballot_sync(~0u, in[t] & 1);
  r[192 + t] = __match_any_sync(~0u, in[t] % 4);
  int p;
  r[256 + t] = __match_all_sync(~0u, in[t] >> 31, &p) + p;
  r[320 + t] = __reduce_add_sync(~0u, in[t]) ^ __reduce_max_sync(~0u, in[t]) ^
               __reduce_min_sync(~0u, (int)in[t]) ^ __reduce_or_sync(~0u, in[t]) ^
               __reduce_and_sync(~0u, in[t] | 7) ^ __reduce_xor_sync(~0u, in[t]);
  if (t & 1)
    r[384 + t] = __activemask();
  else
    r[384 + t] = __popc(__activemask());
  __syncwarp();
  r[448 + t] = __syncthreads_count(in[t] & 2) + 100 * __syncthreads_and(in[t] & 4) +
               1000 * __syncthreads_or(in[t] == 12345);
}
__global__ void ints(const unsigned* in, unsigned* r) {
  int t = threadIdx.x;
  unsigned a = in[t], b = in[(t + 1) & 63], c = in[(t + 2) & 63];
  int s = a;
  unsigned* o = r + t * 48;
  int k = 0;
  o[k++] = __clz(a);
  o[k++] = __ffs(a);
  o[k++] = __popc(a);
  o[k++] = __brev(a);
  o[k++] = __byte_perm(a, b, c & 0x7777);
  o[k++] = __umulhi(a, b);
  o[k++] = __mulhi(s, (int)b);
  o[k++] = __mul24(s, b);
  o[k++] = __umul24(a, b);
  o[k++] = __sad(s, (int)b, c);
  o[k++] = __usad(a, b, c);
  o[k++] = __hadd(s, (int)b);
  o[k++] = __rhadd(s, (int)b);
  o[k++] = __uhadd(a, b);
  o[k++] = __funnelshift_l(a, b, c);
  o[k++] = __funnelshift_r(a, b, c);
  o[k++] = __funnelshift_lc(a, b, c & 63);
  o[k++] = __funnelshift_rc(a, b, c & 63);
  o[k++] = __dp4a(s, (int)b, (int)c);
  o[k++] = __dp4a(a, b, c);
  o[k++] = __dp2a_lo(s, (int)b, (int)c);
  o[k++] = __dp2a_hi(a, b, c);
  o[k++] = __clzll(((long long)a << 32) | b);
  o[k++] = __popcll(((unsigned long long)a << 32) | c);
  o[k++] = __ffsll(((long long)a << 20));
  o[k++] = (unsigned)(__brevll(((unsigned long long)a << 32) | c) >> 16);
  o[k++] =
      (unsigned)__umul64hi(((unsigned long long)a << 32) | b, ((unsigned long long)c << 32) | a);
  o[k++] = __vadd4(a, b);
  o[k++] = __vadd2(a, b);
  o[k++] = __vaddss4(a, b);
  o[k++] = __vaddus2(a, b);
  o[k++] = __vsub4(a, b);
  o[k++] = __vabsdiffs4(a, b);
  o[k++] = __vabsdiffu2(a, b);
  o[k++] = __vmaxs4(a, b);
  o[k++] = __vminu2(a, b);
  o[k++] = __vcmpgts4(a, b);
  o[k++] = __vseteq2(a & 0x00ff00ff, b & 0x00ff00ff);
  o[k++] = __vavgs4(a, b);
  o[k++] = __vhaddu4(a, b);
  o[k++] = __vsadu4(a, b);
  o[k++] = __vneg4(a);
  o[k++] = __vabs2(a);
  o[k++] = __vimax3_s32(s, b, c);
  o[k++] = __viaddmax_s16x2(a, b, c);
  o[k++] = __vibmax_u32(a, b, (bool*)0 == nullptr ? (bool*)(o + 47) : nullptr);
}
__global__ void ptx(unsigned* r) {
  unsigned lane, warp, lt, ge, v;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(ge));
  asm("{ .reg .pred p; setp.gt.u32 p, %1, 15; selp.u32 %0, 111, 222, p; }" : "=r"(v) : "r"(lane));
  unsigned x, y;
  asm("bfe.u32 %0, %2, 3, 7; bfi.b32 %1, %2, %3, 9, 5;"
      : "=r"(x), "=r"(y)
      : "r"(lt * 77 + lane), "r"(ge));
  unsigned long long w;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(w) : "r"(lt), "r"(ge), "l"(5ull << 40));
  unsigned l3;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(l3) : "r"(lt), "r"(ge), "r"(lane));
  unsigned p;
  asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(p) : "r"(lt), "r"(ge), "r"(lane));
  unsigned fl;
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(fl) : "r"(lt));
  unsigned cc, cd;
  asm("add.cc.u32 %0, %2, %3; addc.u32 %1, %2, 0;"
      : "=r"(cc), "=r"(cd)
      : "r"(ge), "r"(0x90000000u));
  int sh;
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(sh) : "r"(lt), "r"(ge), "r"(lane));
  float f;
  asm("fma.rz.ftz.sat.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(lane * 0.01f), "f"(1.5f), "f"(0.1f));
  unsigned cx;
  asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(cx) : "f"(lane * 9.5f - 3));
  unsigned pk;
  asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(pk) : "r"(lt), "r"(-(int)ge));
  unsigned is;
  asm("{ .reg .pred q; isspacep.global q, %1; selp.u32 %0, 1, 0, q; }" : "=r"(is) : "l"(r));
  unsigned dim;
  asm("mov.u32 %0, %%nctaid.x;" : "=r"(dim));
  unsigned* o = r + threadIdx.x * 16;
  const unsigned all[] = {lane,
                          warp < 64u,
                          lt,
                          ge,
                          v,
                          x,
                          y,
                          (unsigned)(w >> 20),
                          l3,
                          p,
                          fl,
                          cc ^ cd,
                          (unsigned)sh,
                          __float_as_uint(f),
                          cx ^ pk,
                          is + dim};
  for (int i = 0; i < 16; ++i) o[i] = all[i];
}
static unsigned h[4096];
static void show(const char* n, int from, int count) {
  unsigned x = 0;
  for (int i = 0; i < count; ++i) x = x * 16777619u ^ h[from + i];
  printf("%s %x %x %08x\n", n, h[from], h[from + count - 1], x);
}
int main() {
  unsigned *in, *r, seed = 12345;
  for (int i = 0; i < 64; ++i) {
    seed = seed * 1664525 + 1013904223;
    h[i] = seed;
  }
  cudaMalloc(&in, 256);
  cudaMalloc(&r, sizeof h);
  cudaMemcpy(in, h, 256, cudaMemcpyHostToDevice);
  votes<<<1, 64>>>(in, r);
  cudaMemcpy(h, r, sizeof h, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 8; ++k) show("votes", k * 64, 64);
  cudaMemset(r, 0, sizeof h);
  ints<<<1, 64>>>(in, r);
  cudaMemcpy(h, r, sizeof h, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 47; ++k) {
    unsigned x = 0;
    for (int t = 0; t < 64; ++t) x = x * 16777619u ^ h[t * 48 + k];
    printf("int %d %08x\n", k, x);
  }
  ptx<<<2, 32>>>(r);
  cudaMemcpy(h, r, sizeof h, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 16; ++k) {
    unsigned x = 0;
    for (int t = 0; t < 32; ++t) x = x * 16777619u ^ h[t * 16 + k];
    printf("ptx %d %08x\n", k, x);
  }
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
