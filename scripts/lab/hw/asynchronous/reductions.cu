// SPDX-License-Identifier: Apache-2.0
// Reductions and atomics in global memory by their words and places, for `history`.
#include "probe.cuh"

HERE uint32_t place(uint32_t pattern, uint32_t i, uint32_t bytes) {
  const uint32_t l = threadIdx.x & 31, w = threadIdx.x / 32, n = w * 64 + i;
  switch (pattern) {
    case 0: return n * 32 * bytes + l * bytes;                       // in a row
    case 1: return n * 8192 + l * 256;                               // a line each
    case 2: return n * 1024 + l * 32;                                // a sector each
    case 3: return ((l * 0x9E3779B1u + n * 0x85EBCA6Bu) >> 26) * bytes + (i & 7) * 4096;  // one of 64 places
    case 4: return n * 256;                                          // one place
    case 5: return n * 2048 + l / 4 * 256 + l % 4 * bytes;           // eight rows
    default: return l * bytes;                                       // the same row each time
  }
}

#define CASE(K, N, TEXT, ...) \
  case K: \
    _Pragma("unroll 1") for (uint32_t i = 0; i < count; i++) asm volatile(TEXT ::"l"(room + place(pattern, i, N)), __VA_ARGS__ : "memory"); \
    break;

/// Two blocks an SM, one at a time, only SM 0's active. 16 words of a block: SM, begin, begin and end of the issue of warp 0, the last warp's end.
extern "C" __global__ void reductions(const uint32_t* in, uint32_t* out, uint32_t kind, uint32_t pattern, uint32_t count) {
  const uint32_t begin = now(), number = sm(), w = threadIdx.x / 32;
  char* const room = reinterpret_cast<char*>(out) + (1 << 20);
  if (threadIdx.x == 0) out[blockIdx.x * 32] = number, out[blockIdx.x * 32 + 1] = begin;
  __syncthreads();
  while (now() - begin < 3000) {}
  __syncthreads();
  const uint32_t t = now();
  const float f = 1.5f, g = 2.f;
  const uint32_t h = 0x3C003800;
  if (number == 0) switch (kind) {
    CASE(0, 4, "red.global.add.u32 [%0], %1;", "r"(t))
    CASE(1, 8, "red.global.add.u64 [%0], %1;", "l"(uint64_t(t)))
    CASE(2, 4, "red.global.add.f32 [%0], %1;", "f"(f))
    CASE(3, 8, "red.global.v2.f32.add [%0], {%1, %2};", "f"(f), "f"(g))
    CASE(4, 16, "red.global.v4.f32.add [%0], {%1, %2, %1, %2};", "f"(f), "f"(g))
    CASE(5, 4, "red.global.add.noftz.f16x2 [%0], %1;", "r"(h))
    CASE(6, 8, "red.global.v2.f16x2.add.noftz [%0], {%1, %1};", "r"(h))
    CASE(7, 16, "red.global.v4.f16x2.add.noftz [%0], {%1, %1, %1, %1};", "r"(h))
    CASE(8, 16, "red.global.v4.bf16x2.max.noftz [%0], {%1, %1, %1, %1};", "r"(h))
    CASE(9, 4, "st.global.u32 [%0], %1;", "r"(h))
    CASE(10, 16, "st.global.v4.u32 [%0], {%1, %1, %1, %1};", "r"(h))
    CASE(11, 4, "red.global.max.u32 [%0], %1;", "r"(t))
    CASE(12, 8, "red.global.add.f64 [%0], %1;", "d"(1.5))
  }
  const uint32_t end = now();
  if (threadIdx.x == 0) out[blockIdx.x * 32 + 2] = t - begin, out[blockIdx.x * 32 + 3] = end - begin;
  if (threadIdx.x % 32 == 0) out[blockIdx.x * 32 + 4 + w] = now() - begin;
}

#define RETURNING(K, N, TEXT, OUTS, ...) \
  case K: asm volatile(TEXT : OUTS : "l"(at), __VA_ARGS__ : "memory"); break;

/// One warp; the cycles of six atomics in a row, each of which waits for the one before: out[0] to out[5]. pattern as above.
extern "C" __global__ void returning(const uint32_t* in, uint32_t* out, uint32_t kind, uint32_t pattern, uint32_t lanes) {
  char* const room = reinterpret_cast<char*>(out) + (1 << 20);
  const uint32_t bytes = kind == 0 || kind == 8 ? 4 : kind == 1 || kind == 2 || kind == 9 ? 8 : 16;
  uint32_t v[4] = {0, 0, 0, 0};
  if (threadIdx.x >= lanes) return;
  for (uint32_t n = 0; n < 12; n++) {
    const uint32_t i = n % 6;
    char* const at = room + place(pattern, i, bytes);
    const uint32_t t = now();
    switch (kind) {
      case 0: asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(v[0]) : "l"(at), "r"(t) : "memory"); break;
      case 1: asm volatile("{.reg .b64 d; mov.b64 d, {%3, %3}; atom.global.add.u64 d, [%2], d; mov.b64 {%0, %1}, d;}" : "=r"(v[0]), "=r"(v[1]) : "l"(at), "r"(t) : "memory"); break;
      case 2: asm volatile("atom.global.v2.f16x2.add.noftz {%0, %1}, [%2], {%3, %3};" : "=r"(v[0]), "=r"(v[1]) : "l"(at), "r"(1) : "memory"); break;
      case 3: asm volatile("atom.global.v4.f16x2.add.noftz {%0, %1, %2, %3}, [%4], {%5, %5, %5, %5};" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(at), "r"(1) : "memory"); break;
      case 4: asm volatile("{.reg .b128 d, e; mov.b128 e, {%3, %3}; atom.global.exch.b128 d, [%2], e; mov.b128 {%0, %1}, d;}" : "=l"(*(uint64_t*)&v[0]), "=l"(*(uint64_t*)&v[2]) : "l"(at), "l"(uint64_t(t)) : "memory"); break;
      case 5: asm volatile("{.reg .b128 d, e; mov.b128 e, {%3, %3}; atom.global.cas.b128 d, [%2], e, e; mov.b128 {%0, %1}, d;}" : "=l"(*(uint64_t*)&v[0]), "=l"(*(uint64_t*)&v[2]) : "l"(at), "l"(uint64_t(t)) : "memory"); break;
      case 6: asm volatile("atom.global.v4.f32.add {%0, %1, %2, %3}, [%4], {%5, %5, %5, %5};" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(at), "r"(0) : "memory"); break;
      case 7: asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(at) : "memory"); break;
      case 8: asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[0]) : "l"(at) : "memory"); break;
      case 9: asm volatile("{.reg .b64 d; mov.b64 d, {%3, %3}; atom.global.cas.b64 d, [%2], d, d; mov.b64 {%0, %1}, d;}" : "=r"(v[0]), "=r"(v[1]) : "l"(at), "r"(t) : "memory"); break;
    }
    uint32_t sum = v[0] + v[1] + v[2] + v[3];
    asm volatile("" : "+r"(sum)::"memory");
    if (sum == 0x12345) out[40] = sum;
    const uint32_t took = now() - t;
    if (n >= 6 && threadIdx.x == 0) out[i] = took;
    uint32_t rest = now();
    while (now() - rest < 1500) {}
  }
}
