// SPDX-License-Identifier: Apache-2.0
// Intrinsics of CUDA for parts of words: minima that tell what they chose, products of complex numbers, bytes of floats, and
// conversions with each rounding.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "kernel.cuh"

HERE uint32_t other(const uint32_t* in, int n, int by) { return in[(TID * 7 + by) % n]; }
/// A half or a bfloat16 of each kind but NaN: all bits of the exponent are never set.
HERE uint32_t finite_pair(uint32_t v) { return v & 0xbfffbfffu; }
/// A float near the ends of a byte, or halfway between two of its numbers.
HERE float near_byte(uint32_t v) { return float(int(v % 1300u) - 600) * 0.5f; }

HERE __half2 halves(uint32_t v) { return *reinterpret_cast<__half2*>(&v); }
HERE __nv_bfloat162 bfloats(uint32_t v) { return *reinterpret_cast<__nv_bfloat162*>(&v); }
template <class Pair>
HERE uint32_t word(Pair pair) { return *reinterpret_cast<uint32_t*>(&pair); }

KERNEL(minimum_of_halves) {
  const uint32_t a = in[TID], b = TID & 1 ? other(in, n, 3) : a ^ (TID & 2 ? 0xffffu : 0xffff0000u);
  bool high, low;
  uint32_t h = __vibmin_u16x2(a, b, &high, &low);
  h = mix(h, uint32_t(high) * 2 + low);
  h = mix(h, __vibmax_s16x2(a, b, &high, &low));
  h = mix(h, uint32_t(high) * 2 + low);
  h = mix(h, __vibmax_u16x2(a, b, &high, &low));
  h = mix(h, uint32_t(high) * 2 + low);
  h = mix(h, __vibmin_s16x2(a, b, &high, &low));
  out[TID] = mix(h, uint32_t(high) * 2 + low);
}

KERNEL(minimum_of_words) {
  const uint32_t a = in[TID], b = TID & 1 ? other(in, n, 3) : a;
  bool chosen;
  uint32_t h = __vibmin_u32(a, b, &chosen);
  h = mix(h, uint32_t(chosen));
  h = mix(h, __vibmax_s32(int(a), int(b), &chosen));
  out[TID] = mix(h, uint32_t(chosen));
}

KERNEL(complex_halves) {
  const uint32_t a = finite_pair(in[TID]), b = finite_pair(other(in, n, 3)), c = finite_pair(other(in, n, 5));
  const __half2 first = __hcmadd(halves(a), halves(b), halves(c));
  out[TID] = mix(word(first), word(__hcmadd(halves(b), __hneg2(halves(c)), halves(a))));
}

KERNEL(complex_bfloats) {
  const uint32_t a = finite_pair(in[TID]), b = finite_pair(other(in, n, 3)), c = finite_pair(other(in, n, 5));
  const __nv_bfloat162 first = __hcmadd(bfloats(a), bfloats(b), bfloats(c));
  out[TID] = mix(word(first), word(__hcmadd(bfloats(b), __hneg2(bfloats(c)), bfloats(a))));
}

#define TO_BYTE(NAME, TYPE)                                                                                   \
  HERE uint32_t NAME(float v) {                                                                               \
    uint32_t r;                                                                                               \
    asm("{.reg .u16 h; cvt." #TYPE ".f32 h, %1; cvt.u32.u16 %0, h;}" : "=r"(r) : "f"(v));                     \
    return r;                                                                                                 \
  }
TO_BYTE(nearest_u8, rni.sat.u8)
TO_BYTE(truncated_u8, rzi.sat.u8)
TO_BYTE(lower_u8, rmi.sat.u8)
TO_BYTE(upper_u8, rpi.sat.u8)
TO_BYTE(nearest_s8, rni.sat.s8)
TO_BYTE(truncated_s8, rzi.sat.s8)
KERNEL(bytes_of_floats) {
  uint32_t h = 0;
  for (int i = 0; i < 8; i++) {
    const uint32_t v = other(in, n, i);
    const float f = i & 1 ? near_byte(v) : any_float(v);
    h = mix(h, nearest_u8(f) | truncated_u8(f) << 8 | lower_u8(f) << 16 | upper_u8(f) << 24);
    h = mix(h, nearest_s8(f) << 16 | truncated_s8(f));
  }
  out[TID] = h;
}

KERNEL(parts_of_words) {
  const uint32_t a = in[TID], b = other(in, n, 3), c = other(in, n, 5);
  uint32_t h = __vabsdiffs4(a, b);
  h = mix(h, __vaddss4(a, c));
  h = mix(h, __vsubus2(b, c));
  h = mix(h, __vhaddu4(a, b));
  h = mix(h, __vsetgts4(a, c));
  h = mix(h, __vcmpleu2(b, a));
  h = mix(h, __viaddmax_s16x2_relu(a, b, c));
  h = mix(h, __vimin3_u16x2(a, b, c));
  out[TID] = mix(h, __vsads4(a, c));
}
