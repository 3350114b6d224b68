// SPDX-License-Identifier: Apache-2.0
// What a branch, a loop, two sides of a warp, a call and a barrier cost: each kernel times the last of
// `reps` passes of its body in one block, with `times[2w]` and `times[2w + 1]` warp w's clock reads.
#include "passes.cuh"
// a counted loop of N additions, n/64 = 16 passes
#define LOOP(N) PRE loop_##N ARGS { HEAD _Pragma("unroll 1") for (int k = 0; k < n; k += 64) { adds<N>(f); } TAIL
LOOP(4) LOOP(8) LOOP(12) LOOP(16) LOOP(24) LOOP(32) LOOP(48) LOOP(64) LOOP(96) LOOP(128) LOOP(192) LOOP(256) LOOP(320)
// uniform forward branches that are taken, over G multiplications, after A additions, 16 times
template <int J, int A, int G> __device__ __forceinline__ void hops(float (&f)[8], int n) {
#pragma unroll
  for (int j = 0; j < J; ++j) { adds<A>(f); if (n != 1024 + j) { asm volatile("" ::: "memory"); continue; }
#pragma unroll
    for (int i = 0; i < G; ++i) MUL(i) } }
#define HOP(J, A, G) PRE hop_##J##_##A##_##G ARGS { HEAD hops<J, A, G>(f, n + 4096); TAIL
HOP(8, 7, 8) HOP(8, 7, 24) HOP(8, 3, 24) HOP(8, 15, 24) HOP(4, 7, 24) HOP(2, 7, 24) HOP(16, 7, 4) HOP(8, 7, 56)
// the same in a loop of 8 passes: are they quicker when they were just taken?
#define LOOPHOP(J, A, G) PRE loophop_##J##_##A##_##G ARGS { HEAD _Pragma("unroll 1") for (int k = 0; k < n; k += 128) { hops<J, A, G>(f, n + 4096); } TAIL
LOOPHOP(2, 7, 24) LOOPHOP(4, 7, 24) LOOPHOP(8, 7, 24) LOOPHOP(2, 7, 8)
// divergence: both sides A additions
#define DIVERGE(A) PRE diverge_##A ARGS { HEAD if (lane & 16) { adds<A>(f); } else { asm volatile("mul.f32 %0, %0, 0f3FC00000;" : "+f"(f[0])); adds<A>(f); } __syncwarp(); adds<4>(f); TAIL
DIVERGE(4) DIVERGE(8) DIVERGE(16) DIVERGE(32)
// uniform: all take one side (branch on a warp-uniform value that the compiler does not know)
#define ONESIDE(A) PRE oneside_##A ARGS { HEAD if (in[lane & 0] == 12345u) { adds<A>(f); } else { asm volatile("mul.f32 %0, %0, 0f3FC00000;" : "+f"(f[0])); adds<A>(f); } __syncwarp(); adds<4>(f); TAIL
ONESIDE(8) ONESIDE(32)
// divergent loops: lane-dependent counts
#define DIVLOOP(A, M) PRE divloop_##A##_##M ARGS { HEAD int c = lane & M; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<A>(f); } __syncwarp(); adds<4>(f); TAIL
DIVLOOP(4, 1) DIVLOOP(4, 3) DIVLOOP(4, 7) DIVLOOP(8, 3)
// nested: four ways
PRE switch_4 ARGS { HEAD switch (x & 3) { case 0: adds<8>(f); break; case 1: MUL(0) adds<8>(f); break; case 2: MUL(1) adds<8>(f); break; default: MUL(2) adds<8>(f); } __syncwarp(); adds<4>(f); TAIL
// calls
__device__ __noinline__ float far(float a) { asm volatile("add.f32 %0, %0, 0f3F800000;" : "+f"(a)); return a * 1.5f; }
PRE calls_4 ARGS { HEAD f[0] = far(f[0]); f[0] = far(f[0]); f[0] = far(f[0]); f[0] = far(f[0]); TAIL
// warp synchronisation alone, votes, block barriers
PRE syncwarp_8 ARGS { HEAD
#pragma unroll
  for (int i = 0; i < 8; ++i) { ADD(i) __syncwarp(0xffffffffu); } TAIL
PRE syncwarp_part ARGS { HEAD if (lane < 16) { _Pragma("unroll") for (int i = 0; i < 4; ++i) { ADD(i) __syncwarp(0xffffu); } } __syncwarp(); TAIL
PRE barrier_4 ARGS { HEAD
#pragma unroll
  for (int i = 0; i < 4; ++i) { ADD(i) __syncthreads(); } TAIL
PRE ballot_8 ARGS { HEAD
#pragma unroll
  for (int i = 0; i < 8; ++i) x += __ballot_sync(0xffffffffu, x & 1); TAIL
PRE exit_early ARGS { HEAD if (x == 12345u && n == 3) return; adds<8>(f); TAIL
