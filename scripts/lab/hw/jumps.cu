// SPDX-License-Identifier: Apache-2.0
// Jumps to where a register says: jump tables and calls through pointers that K sets of a warp's lanes
// take to K places, once or twice in a row, and functions that call themselves.
#include "passes.cuh"
// a jump table of eight cases, of which K are taken; A additions in each
#define CASE(I, A) case I: MUL(I) adds<A>(f); break;
#define TABLE(K, A) switch (int(lane % K) + (n >> 20)) { CASE(0, A) CASE(1, A) CASE(2, A) CASE(3, A) CASE(4, A) CASE(5, A) CASE(6, A) CASE(7, A) }
#define JUMP(K, A) PRE jump_##K##_##A ARGS { HEAD TABLE(K, A) __syncwarp(); adds<4>(f); TAIL
JUMP(1, 4) JUMP(2, 4) JUMP(3, 4) JUMP(4, 4) JUMP(6, 4) JUMP(8, 4) JUMP(2, 12) JUMP(4, 12) JUMP(8, 12)
#define JUMPS(K) PRE jumps_##K ARGS { HEAD TABLE(K, 4) __syncwarp(); adds<4>(f); TABLE(K, 4) __syncwarp(); adds<4>(f); TAIL
JUMPS(1) JUMPS(2) JUMPS(4) JUMPS(8)
// a jump table in a side of a warp
#define INNER(K) PRE inner_##K ARGS { HEAD if (lane & 16) { TABLE(K, 4) adds<4>(f); } else { MUL(0) adds<8>(f); } __syncwarp(); adds<4>(f); TAIL
INNER(1) INNER(2) INNER(4)
// calls through pointers
typedef float (*Function)(float);
template <int I> __device__ __noinline__ float function(float a) { asm volatile("add.f32 %0, %0, 0f3F800000;" : "+f"(a)); return a * (1.5f + I); }
__device__ Function functions[4] = {function<0>, function<1>, function<2>, function<3>};
#define CALL(K, C) PRE call_##K##_##C ARGS { HEAD Function to = functions[lane % K]; _Pragma("unroll") for (int i = 0; i < C; ++i) { f[0] = to(f[0]); } adds<4>(f); TAIL
CALL(1, 1) CALL(2, 1) CALL(3, 1) CALL(4, 1) CALL(1, 2) CALL(2, 2) CALL(4, 2) CALL(1, 4) CALL(2, 4) CALL(4, 4)
// a function that calls itself DEPTH times, in all lanes or in those of a bit
__device__ __noinline__ int deeper(int a, int depth) { return depth == 0 ? a * 3 : deeper(a ^ depth, depth - 1) + a; }
#define DEPTH(D) PRE depth_##D ARGS { HEAD x = deeper(int(x), D + (n >> 20)); adds<4>(f); TAIL PRE depths_##D ARGS { HEAD x = deeper(int(x), int(lane % (D + 1)) + (n >> 20)); adds<4>(f); TAIL
DEPTH(1) DEPTH(2) DEPTH(4) DEPTH(8)
__device__ __noinline__ int twice(int a, int depth) { return depth == 0 ? a * 3 : twice(a ^ depth, depth - 1) + twice(a + depth, depth / 2); }
PRE tree_4 ARGS { HEAD x = twice(int(x), 4 + (n >> 20)); adds<4>(f); TAIL
PRE trees_4 ARGS { HEAD x = twice(int(x), int(lane & 3) + 1 + (n >> 20)); adds<4>(f); TAIL
