// SPDX-License-Identifier: Apache-2.0
// The approximations of the special-function unit, bit by bit; another chip's may differ.
#pragma once
#include <cuda_fp16.h>

#include "kernel.cuh"

#define APPROXIMATION(NAME, OPERATION, VALUE) \
  KERNEL(NAME) {                              \
    const uint32_t v = in[TID];               \
    float y;                                  \
    asm(OPERATION : "=f"(y) : "f"(VALUE));    \
    out[TID] = __float_as_uint(y);            \
  }
APPROXIMATION(approx_ex2, "ex2.approx.ftz.f32 %0, %1;", float(int(v)) * 0x1p-27f)
APPROXIMATION(approx_ex2_denormal, "ex2.approx.f32 %0, %1;", float(int(v)) * 0x1p-24f)
APPROXIMATION(approx_lg2, "lg2.approx.ftz.f32 %0, %1;", any_float(v & 0x7fffffff))
APPROXIMATION(approx_lg2_near_one, "lg2.approx.f32 %0, %1;", __uint_as_float(0x3f000000 + (v >> 8)))
APPROXIMATION(approx_rcp, "rcp.approx.ftz.f32 %0, %1;", any_float(v))
APPROXIMATION(approx_rcp_mantissa, "rcp.approx.f32 %0, %1;", __uint_as_float(0x3f800000 | v >> 9))
APPROXIMATION(approx_rsqrt, "rsqrt.approx.ftz.f32 %0, %1;", any_float(v & 0x7fffffff))
APPROXIMATION(approx_rsqrt_mantissa, "rsqrt.approx.f32 %0, %1;",
              __uint_as_float(0x3f800000 + (v >> 8)))
APPROXIMATION(approx_sqrt, "sqrt.approx.ftz.f32 %0, %1;", any_float(v & 0x7fffffff))
APPROXIMATION(approx_sin, "sin.approx.ftz.f32 %0, %1;", float(int(v)) * 0x1p-29f)
APPROXIMATION(approx_cos, "cos.approx.ftz.f32 %0, %1;", float(int(v)) * 0x1p-26f)
APPROXIMATION(approx_tanh, "tanh.approx.f32 %0, %1;", float(int(v)) * 0x1p-29f)
KERNEL(approx_ex2_half) {
  const uint32_t v = in[TID];
  uint32_t y, z;
  asm("ex2.approx.f16x2 %0, %1;" : "=r"(y) : "r"(v & 0xbfffbfffu));
  asm("tanh.approx.f16x2 %0, %1;" : "=r"(z) : "r"(v));
  out[TID] = mix(y, z);
}
KERNEL(approx_rcp64h) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(any_double(in[TID], in[(TID + 1) % n])));
  out[TID] = __double2hiint(y);
}
KERNEL(approx_rsqrt64h) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(fabs(any_double(in[TID], in[(TID + 1) % n]))));
  out[TID] = __double2hiint(y);
}
KERNEL(approx_functions) {
  const float x = float(int(in[TID])) * 0x1p-26f, y = float(in[(TID + 1) % n] + 1) * 0x1p-20f;
  uint32_t h = mix(mix(0u, expf(x)), logf(y));
  h = mix(mix(h, sinf(x)), cosf(x * 4096.0f));
  h = mix(mix(h, powf(y, 0.3f)), tanhf(x));
  h = mix(mix(h, log1pf(y)), cbrtf(x));
  out[TID] = mix(mix(h, __fdividef(x, y)), __powf(y, x * 0.1f));
}
KERNEL(approx_softmax) {
  float v = whole(in[TID]) * 0.125f, most = v;
  for (int i = 16; i > 0; i /= 2) most = fmaxf(most, __shfl_xor_sync(FULL, most, i));
  const float e = expf(v - most);
  float sum = e;
  for (int i = 16; i > 0; i /= 2) sum += __shfl_xor_sync(FULL, sum, i);
  out[TID] = __float_as_uint(e / sum);
}
