// SPDX-License-Identifier: Apache-2.0
// Accesses to shared memory by width and by the stride in bytes between lanes (of ldmatrix: between rows):
// NAME_STRIDE_TIMES, TIMES accesses in a row.
#include "passes.cuh"
#define SPACE __shared__ __align__(128) uint32_t words[8192]; const uint32_t base = uint32_t(__cvta_generic_to_shared(words)); uint32_t to = base + (threadIdx.x >> 5) * 512;
#define LOAD32(i) { uint32_t a; asm volatile("ld.shared.u32 %0, [%1+%2];" : "=r"(a) : "r"(to), "n"(16 * (i))); x += a; }
#define LOAD64(i) { uint32_t a, b; asm volatile("ld.shared.v2.u32 {%0,%1}, [%2+%3];" : "=r"(a), "=r"(b) : "r"(to), "n"(16 * (i))); x += a ^ b; }
#define LOAD128(i) { uint32_t a, b, c, d; asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4+%5];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(to), "n"(16 * (i))); x += a ^ b ^ c ^ d; }
#define STORE32(i) asm volatile("st.shared.u32 [%0+%1], %2;" :: "r"(to), "n"(16 * (i)), "r"(x) : "memory");
#define STORE64(i) asm volatile("st.shared.v2.u32 [%0+%1], {%2,%2};" :: "r"(to), "n"(16 * (i)), "r"(x) : "memory");
#define STORE128(i) asm volatile("st.shared.v4.u32 [%0+%1], {%2,%2,%2,%2};" :: "r"(to), "n"(16 * (i)), "r"(x) : "memory");
#define MATRIX(i) { uint32_t a, b, c, d; asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4+%5];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(to), "n"(16 * (i))); x += a ^ b ^ c ^ d; }
#define TRANSPOSED(i) { uint32_t a, b, c, d; asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4+%5];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(to), "n"(16 * (i))); x += a ^ b ^ c ^ d; }
#define ONE(DO) DO(0)
#define FOUR(DO) DO(0) DO(1) DO(2) DO(3)
#define ACCESS(NAME, DO, STRIDE) \
  PRE NAME##_##STRIDE##_1 ARGS { SPACE to += lane_of() * STRIDE; HEAD ONE(DO) TAIL \
  PRE NAME##_##STRIDE##_4 ARGS { SPACE to += lane_of() * STRIDE; HEAD FOUR(DO) TAIL
__device__ __forceinline__ uint32_t lane_of() { return threadIdx.x & 31; }
#define WIDTHS(NAME, DO) ACCESS(NAME, DO, 16) ACCESS(NAME, DO, 32) ACCESS(NAME, DO, 48) ACCESS(NAME, DO, 64) ACCESS(NAME, DO, 80) ACCESS(NAME, DO, 128) ACCESS(NAME, DO, 256)
WIDTHS(load128, LOAD128) WIDTHS(store128, STORE128) WIDTHS(matrix, MATRIX) WIDTHS(transposed, TRANSPOSED)
ACCESS(load64, LOAD64, 8) ACCESS(load64, LOAD64, 16) ACCESS(load64, LOAD64, 32) ACCESS(load64, LOAD64, 64) ACCESS(load64, LOAD64, 128)
ACCESS(store64, STORE64, 8) ACCESS(store64, STORE64, 16) ACCESS(store64, STORE64, 32) ACCESS(store64, STORE64, 64) ACCESS(store64, STORE64, 128)
ACCESS(load32, LOAD32, 4) ACCESS(load32, LOAD32, 8) ACCESS(load32, LOAD32, 16) ACCESS(load32, LOAD32, 32) ACCESS(load32, LOAD32, 64) ACCESS(load32, LOAD32, 128)
ACCESS(store32, STORE32, 4) ACCESS(store32, STORE32, 8) ACCESS(store32, STORE32, 16) ACCESS(store32, STORE32, 32) ACCESS(store32, STORE32, 64) ACCESS(store32, STORE32, 128)
