// SPDX-License-Identifier: Apache-2.0
// Calls in calls, and accesses to local memory. The compiler does not see that `at` and `at2` are the same address.
#include "passes.cuh"
#define R1(X) X
#define R2(X) X X
#define R4(X) R2(X) R2(X)
#define R8(X) R4(X) R4(X)
// functions that call functions
template <int D> __device__ __noinline__ uint32_t deep(uint32_t a) { if constexpr (D == 0) return a * 3; else { uint32_t r = deep<D - 1>(a ^ D); return r + a; } }
#define NESTED(D) PRE nested_##D ARGS { HEAD x = deep<D>(x); adds<4>(f); TAIL
NESTED(1) NESTED(2) NESTED(4) NESTED(8)
// the same behind a branch
template <int D> __device__ __noinline__ uint32_t deeper(uint32_t a, int n) { if constexpr (D == 0) return a * 3; else { uint32_t r = a; if (n > D) r = deeper<D - 1>(a ^ D, n); return r + a; } }
#define BRANCHED(D) PRE branched_##D ARGS { HEAD x = deeper<D>(x, n); adds<4>(f); TAIL
BRANCHED(1) BRANCHED(2) BRANCHED(4) BRANCHED(8)
#define LOC uint32_t b[16]; _Pragma("unroll") for (int i = 0; i < 16; ++i) b[i] = in[threadIdx.x + i] & 15; uint32_t at; asm volatile("{ .reg .u64 t; cvta.to.local.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(at) : "l"(b) : "memory"); uint32_t at2 = at + (n >> 20);
#define S(K) asm volatile("st.local.u32 [%0+%1], %2;" :: "r"(at), "n"(4 * (K)), "r"(x) : "memory");
#define L(V, K) asm volatile("ld.local.u32 %0, [%1+%2];" : "=r"(V) : "r"(at2), "n"(4 * (K)) : "memory");
// loads whose addresses depend on the one before, and loads side by side
#define CHAIN(N) PRE chain_ldl_##N ARGS { LOC HEAD uint32_t to = at; R##N(asm volatile("ld.local.u32 %0, [%1];" : "=r"(x) : "r"(to) : "memory"); to = at + (x & 15) * 4;) TAIL
CHAIN(1) CHAIN(2) CHAIN(4) CHAIN(8)
PRE loads_4 ARGS { LOC HEAD uint32_t a1, a2, a3, a4; L(a1, 1) L(a2, 2) L(a3, 3) L(a4, 4) x += a1 + a2 + a3 + a4; TAIL
PRE loads_8 ARGS { LOC HEAD uint32_t a1, a2, a3, a4, a5, a6, a7, a8; L(a1, 1) L(a2, 2) L(a3, 3) L(a4, 4) L(a5, 5) L(a6, 6) L(a7, 7) L(a8, 8) x += (a1 + a2 + a3 + a4) ^ (a5 + a6 + a7 + a8); TAIL
// a store and a load of its word, in turn
#define PAIRS(N) PRE store_load_##N ARGS { LOC HEAD R##N(S(5) L(x, 5) x += 1;) TAIL
PAIRS(1) PAIRS(2) PAIRS(4) PAIRS(8)
