// SPDX-License-Identifier: Apache-2.0
// Floats of eight bits, and of bfloat16 to and from integers: each of the 1024 threads converts 16 pairs of them, some chosen to lie at
// the formats' ends and halfway between two of their numbers.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include "kernel.cuh"

/// Of all sizes that the formats tell apart, and of infinities and NaN: half of them have few bits,
/// as numbers halfway between two bytes have.
HERE uint32_t float_bits(uint32_t v) {
  const uint32_t exponent = (v >> 3) % 44 + 100;
  const uint32_t fraction = v & 1 ? v >> 9 : v >> 9 & 0x7c0000u;
  const uint32_t special = (v & 0x1e) == 2 ? 0x7f800000u | (v >> 9 & 0x400001u) : exponent << 23;
  return (v & 0x80000000u) | special | fraction;
}
HERE uint32_t half_bits(uint32_t v) {
  return v & 1 ? v >> 16 : v >> 16 & 0xffe0u;
}
HERE float2 pair_of(uint32_t v) {
  return make_float2(__uint_as_float(float_bits(v)), __uint_as_float(float_bits(v * 0x9e3779b9u)));
}

template <__nv_fp8_interpretation_t FORMAT, __nv_saturation_t RANGE>
HERE uint32_t bytes_of_floats(uint32_t v) {
  uint32_t sum = 0;
  for (int i = 0; i < 16; i++) {
    sum = mix(sum, uint32_t(__nv_cvt_float2_to_fp8x2(pair_of(v), RANGE, FORMAT)));
    v = v * 1664525u + 1013904223u;
  }
  return sum;
}
KERNEL(e4m3_of_floats) {
  out[TID] = bytes_of_floats<__NV_E4M3, __NV_SATFINITE>(in[TID]);
}
KERNEL(e5m2_of_floats) {
  out[TID] = bytes_of_floats<__NV_E5M2, __NV_SATFINITE>(in[TID]);
}

template <__nv_fp8_interpretation_t FORMAT>
HERE uint32_t bytes_of_halves(uint32_t v) {
  uint32_t sum = 0;
  for (int i = 0; i < 16; i++) {
    __half2_raw pair;
    pair.x = half_bits(v), pair.y = half_bits(v << 16);
    sum = mix(sum, uint32_t(__nv_cvt_halfraw2_to_fp8x2(pair, __NV_SATFINITE, FORMAT)));
    v = v * 1664525u + 1013904223u;
  }
  return sum;
}
KERNEL(e4m3_of_halves) { out[TID] = bytes_of_halves<__NV_E4M3>(in[TID]); }
KERNEL(e5m2_of_halves) { out[TID] = bytes_of_halves<__NV_E5M2>(in[TID]); }

/// All bytes twice, above and below.
template <__nv_fp8_interpretation_t FORMAT>
HERE uint32_t halves_of_bytes(uint32_t t) {
  const __half2_raw pair = __nv_cvt_fp8x2_to_halfraw2(uint16_t(t * 257u ^ (t << 6)), FORMAT);
  return uint32_t(pair.y) << 16 | pair.x;
}
KERNEL(halves_of_e4m3) { out[TID] = halves_of_bytes<__NV_E4M3>(TID); }
KERNEL(halves_of_e5m2) { out[TID] = halves_of_bytes<__NV_E5M2>(TID); }

/// Four bytes of a word, two at a time.
KERNEL(fours_of_floats) {
  const uint32_t v = in[TID], w = in[(TID + 7) % n];
  const float2 low = pair_of(v), high = pair_of(w);
  const __nv_fp8x4_e4m3 a(make_float4(low.x, low.y, high.x, high.y));
  const __nv_fp8x4_e5m2 b(make_float4(high.y, low.y, high.x, low.x));
  out[TID] = mix(a.__x, b.__x);
}
KERNEL(fours_and_back) {
  const uint32_t v = in[TID], w = in[(TID + 7) % n];
  const float2 low = pair_of(v), high = pair_of(w);
  const __nv_fp8x4_e4m3 a(make_float4(low.x, low.y, high.x, high.y));
  const float4 back = float4(a);
  out[TID] = mix(mix(mix(mix(0u, __float_as_uint(back.x)), __float_as_uint(back.y)),
                     __float_as_uint(back.z)), __float_as_uint(back.w));
}

HERE __nv_bfloat16 bfloat_of(uint32_t v) {
  return __ushort_as_bfloat16(uint16_t((float_bits(v) + ((v & 0x18) << 24)) >> 16));
}
KERNEL(integers_of_bfloats) {
  uint32_t v = in[TID], sum = 0;
  for (int i = 0; i < 16; i++) {
    const __nv_bfloat16 b = bfloat_of(v);
    sum = mix(mix(sum, uint32_t(__bfloat162int_rz(b))), uint32_t(__bfloat162int_rn(b)));
    sum = mix(mix(sum, __bfloat162uint_ru(b)), __bfloat162uint_rd(b));
    sum = mix(mix(sum, uint32_t(__bfloat162short_rn(b))), uint32_t(__bfloat162ushort_rz(b)));
    sum = mix(mix(sum, uint32_t(__bfloat162ll_rd(b))), uint32_t(__bfloat162ull_rn(b) >> 32));
    v = v * 1664525u + 1013904223u;
  }
  out[TID] = sum;
}
KERNEL(bfloats_of_integers) {
  const uint32_t v = in[TID];
  const int64_t w = int64_t(v) << 29 ^ in[(TID + 3) % n];
  uint32_t sum = mix(mix(0u, __bfloat16_as_ushort(__int2bfloat16_rn(int(v)))),
                     __bfloat16_as_ushort(__int2bfloat16_rd(int(v))));
  sum = mix(mix(sum, __bfloat16_as_ushort(__uint2bfloat16_ru(v))),
            __bfloat16_as_ushort(__uint2bfloat16_rz(v >> 7)));
  sum = mix(mix(sum, __bfloat16_as_ushort(__short2bfloat16_rn(short(v)))),
            __bfloat16_as_ushort(__ushort2bfloat16_rn(uint16_t(v >> 9))));
  sum = mix(mix(sum, __bfloat16_as_ushort(__ll2bfloat16_rn(w))),
            __bfloat16_as_ushort(__ull2bfloat16_rd(uint64_t(w))));
  out[TID] = sum;
}
