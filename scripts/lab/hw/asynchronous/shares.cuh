// SPDX-License-Identifier: Apache-2.0
// Operations beside products of a warp group, for the kernels that `shares` writes. ptxas takes loads of unchanged words out of
// the loop, so operations 1, 2, 6, 11, 22, 23 and 25 time no such operations beside products.
#pragma once
#include <cstdint>
using u32 = uint32_t;
#define HERE __device__ __forceinline__
HERE u32 now() { u32 t; asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory"); return t; }
HERE uint64_t rows_at(u32 address) { return (address >> 4 & 0x3FFF) | uint64_t{1} << 16 | uint64_t{64} << 32 | uint64_t{1} << 62; }
#define FENCE asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define COMMIT asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
// 16 operations; v: registers that they change.
template <int K> HERE void sixteen(u32 (&v)[16], u32 at, const u32* from, u32* to) {
  const u32 wide = at + threadIdx.x % 128 * 12, twice = at + threadIdx.x % 128 * 4;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    u32 &x = v[i], y = v[(i + 5) % 16], z = v[(i + 9) % 16];
    if constexpr (K == 1) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(at + i * 512) : "memory");
    if constexpr (K == 2) asm volatile("{.reg .b32 a, b, c; ld.shared.v4.u32 {%0, a, b, c}, [%1]; xor.b32 %0, %0, c;}" : "=r"(x) : "r"(wide + i % 4 * 2048) : "memory");
    if constexpr (K == 3) asm volatile("st.shared.u32 [%1], %0;" :: "r"(x), "r"(at + i * 512) : "memory");
    if constexpr (K == 4) asm volatile("st.shared.v4.u32 [%1], {%0, %0, %0, %0};" :: "r"(x), "r"(wide + i % 4 * 2048) : "memory");
    if constexpr (K == 5) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(wide + i % 4 * 2048), "l"(from + i * 512 + threadIdx.x % 128 * 4) : "memory");
    if constexpr (K == 6) asm volatile("{.reg .b32 a, b, c; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, a, b, c}, [%1]; xor.b32 %0, %0, c;}" : "=r"(x) : "r"(wide + i % 4 * 2048) : "memory");
    if constexpr (K == 7) { asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[0]) : "r"(at + v[0]) : "memory"); }
    if constexpr (K == 8) asm volatile("shfl.sync.idx.b32 %0, %0, %1, 31, -1;" : "+r"(x) : "r"(y));
    if constexpr (K == 9) asm volatile("shfl.sync.idx.b32 %0, %0, %1, 31, -1;" : "+r"(v[0]) : "r"(y));
    if constexpr (K == 10) asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(x) : "r"(at + i * 512), "r"(y) : "memory");
    if constexpr (K == 11) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(from + i * 128 + threadIdx.x % 128) : "memory");
    if constexpr (K == 12) asm volatile("st.global.u32 [%0], %1;" :: "l"(to + 1024 + i * 128 + threadIdx.x % 128), "r"(x) : "memory");
    if constexpr (K == 13) asm volatile("add.f32 %0, %0, %1;" : "+f"(reinterpret_cast<float&>(v[0])) : "f"(__uint_as_float(y)));
    if constexpr (K == 14) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(reinterpret_cast<float&>(v[0])) : "f"(__uint_as_float(v[5])), "f"(__uint_as_float(v[9])));
    if constexpr (K == 15) asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(v[0]) : "r"(v[5]), "r"(v[9]));
    if constexpr (K == 16) asm volatile("ex2.approx.f32 %0, %0;" : "+f"(reinterpret_cast<float&>(v[0])));
    if constexpr (K == 17) asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(v[0]) : "r"(v[5]), "r"(v[9]));
    if constexpr (K == 18) asm volatile("add.f32 %0, %0, %1;" : "+f"(reinterpret_cast<float&>(v[i % 2])) : "f"(__uint_as_float(v[5])));
    if constexpr (K == 19) asm volatile("add.f32 %0, %0, %1;" : "+f"(reinterpret_cast<float&>(v[i % 4])) : "f"(__uint_as_float(v[5])));
    if constexpr (K == 20) asm volatile("add.f32 %0, %0, 0f3F800000;" : "+f"(reinterpret_cast<float&>(v[0])));
    if constexpr (K == 21) asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" :: "r"(wide + i % 4 * 2048), "r"(x) : "memory");
    if constexpr (K == 22) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(twice + i * 64) : "memory");  // two passes
    if constexpr (K == 23) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(at & 0xFFFFFE00) : "memory");  // one word
    if constexpr (K == 24) asm volatile("min.u32 %0, %0, %1;" : "+r"(v[0]) : "r"(v[5]));
    if constexpr (K == 25) asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[i % 4 * 4]), "=r"(v[i % 4 * 4 + 1]), "=r"(v[i % 4 * 4 + 2]), "=r"(v[i % 4 * 4 + 3]) : "l"(from + i * 512 + threadIdx.x % 128 * 4) : "memory");
  }
  if constexpr (K == 5) asm volatile("cp.async.wait_all;" ::: "memory");
  if constexpr (K == 21 || K == 3 || K == 4) asm volatile("" ::: "memory");
}
#define OPERATIONS(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25)
// out[16 + 4w]: how often warp w has done 16 operations beside the products, and in how many cycles.
template <int K> HERE void repeat(u32 (&v)[16], u32 at, const u32* in, u32* out, volatile u32* over, u32 slot, u32 most) {
  u32 count = 0, stop = 0, t0 = now(), last = t0;
  do {
    stop = *over;
    sixteen<K>(v, at, in, out);
    ++count;
    if (K == 11 || K == 12) last = now();
  } while (count < most && stop == 0);
  u32 sum = 0;
  for (u32 x : v) sum += x;
  if (sum == 0x12345678) out[1] = last;
  const u32 t1 = now();
  if (threadIdx.x % 32 == 0) out[16 + 4 * slot] = count, out[17 + 4 * slot] = t1 - t0;
}
template <typename P> HERE void beside(const u32* in, u32* out, u32 operation, u32 groups, u32 rounds) {
  extern __shared__ __align__(1024) u32 data[];
  __shared__ volatile u32 over;
  const u32 base = static_cast<u32>(__cvta_generic_to_shared(data));
  for (u32 i = threadIdx.x; i < 16384; i += blockDim.x) data[i] = 0;
  if (threadIdx.x == 0) over = 0;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x < 128 * groups) {
    float d[P::kCount];
    for (float& each : d) each = 0;
    u32 r[4] = {in[0], in[1], in[2], in[3]};
    const uint64_t a = rows_at(base), b = rows_at(base + 16384);
    for (u32 from = now(); now() - from < 2000;) {}
    const u32 t0 = now();
    for (u32 i = 0; i < rounds; ++i) {
      FENCE;
#pragma unroll
      for (int part = 0; part < 4; ++part) P::go(d, a + 2 * part, r, b + 2 * part);
      COMMIT;
      asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (float& each : d) asm volatile("" : "+f"(each)::"memory");
    const u32 t1 = now();
    over = 1;
    for (float& each : d) if (each != 0) out[2] = 1;
    if (threadIdx.x % 128 == 0) out[4 + threadIdx.x / 128] = t1 - t0;
    return;
  }
  u32 v[16];
  for (u32 i = 0; i < 16; ++i) v[i] = in[i];
  const u32 beside = threadIdx.x - 128 * groups, slot = beside / 32, at = base + 32768 + beside % 128 * 4;
  for (u32 from = now(); now() - from < 3000;) {}
  const u32 most = groups == 0 ? rounds : ~0u;
  switch (operation) {
#define ONE(k) case k: repeat<k>(v, at, in, out, &over, slot, most); break;
    OPERATIONS(ONE)
#undef ONE
  }
}
// The group's own operations behind four products: cycles of each round from its first product to behind the products' issue, to
// behind 16 operations (and the wait for their results), to behind the products.
template <int K, typename P> HERE void own_rounds(float (&d)[P::kCount], u32 (&v)[16], u32 base, const u32* in, u32* out, u32 rounds) {
  const uint64_t a = rows_at(base), b = rows_at(base + 16384);
  u32 r[4] = {in[0], in[1], in[2], in[3]};
  const u32 at = base + 32768 + threadIdx.x % 128 * 4;
  for (u32 i = 0; i < rounds; ++i) {
    __syncthreads();
    const u32 t0 = now();
    FENCE;
#pragma unroll
    for (int part = 0; part < 4; ++part) P::go(d, a + 2 * part, r, b + 2 * part);
    COMMIT;
    const u32 t1 = now();
    if constexpr (K != 0) sixteen<K>(v, at, in, out);
    const u32 t2 = now();
    u32 sum = 0;
    for (u32 x : v) sum += x;
    asm volatile("" ::"r"(sum) : "memory");
    if (sum == 0x12345678) out[1] = 1;
    const u32 t3 = now();
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (float& each : d) asm volatile("" : "+f"(each)::"memory");
    const u32 t4 = now();
    if (threadIdx.x == 0) out[16] = t1 - t0, out[17] = t2 - t0, out[18] = t3 - t0, out[19] = t4 - t0;
  }
}
template <typename P> HERE void own(const u32* in, u32* out, u32 operation, u32 rounds) {
  extern __shared__ __align__(1024) u32 data[];
  for (u32 i = threadIdx.x; i < 16384; i += blockDim.x) data[i] = 0;
  asm volatile("fence.proxy.async;" ::: "memory");
  float d[P::kCount];
  for (float& each : d) each = 0;
  u32 v[16];
  for (u32 i = 0; i < 16; ++i) v[i] = in[i];
  const u32 base = static_cast<u32>(__cvta_generic_to_shared(data));
  switch (operation) {
    case 0: own_rounds<0, P>(d, v, base, in, out, rounds); break;
#define ONE(k) case k: own_rounds<k, P>(d, v, base, in, out, rounds); break;
    ONE(1) ONE(2) ONE(3) ONE(5) ONE(13) ONE(25)
#undef ONE
  }
  for (float& each : d) if (each != 0) out[2] = 1;
}
