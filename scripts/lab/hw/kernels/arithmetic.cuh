// SPDX-License-Identifier: Apache-2.0
// Arithmetic: every width, every rounding, and what is made of several instructions.
#pragma once
#include "kernel.cuh"

KERNEL(int_division) {
  const uint32_t a = in[TID], b = in[(TID * 7 + 1) % n] >> (a & 31);
  const uint32_t d = b | 1u;
  const int sa = int(a), sd = int(d) == -1 ? 3 : int(d);
  uint32_t h = mix(a / d, a % d);
  h = mix(mix(h, sa / sd), sa % sd);
  h = mix(mix(h, a / 10u), sa / -7);
  h = mix(mix(h, sa % 1000), a / 641u);
  h = mix(h, uint32_t(uint16_t(a)) / uint32_t(uint16_t(d)));
  out[TID] = mix(h, int(int8_t(a)) / int(int8_t(d | 4)));
}

KERNEL(long_division) {
  const uint64_t a = uint64_t(in[TID]) << 32 | in[(TID + 1) % n];
  const uint64_t b = (uint64_t(in[(TID + 2) % n]) << 32 | in[(TID + 3) % n]) >> (a & 63) | 1;
  const int64_t sa = int64_t(a), sb = int64_t(b) == -1 ? 5 : int64_t(b);
  uint32_t h = mix(0u, a / b);
  h = mix(mix(h, a % b), sa / sb);
  h = mix(mix(h, sa % sb), a / 1000000007ull);
  out[TID] = mix(h, sa % 97);
}

KERNEL(wide_products) {
  const uint64_t a = uint64_t(in[TID]) << 32 | in[(TID + 1) % n];
  const uint64_t b = uint64_t(in[(TID + 5) % n]) << 32 | in[(TID + 9) % n];
  const unsigned __int128 p = (unsigned __int128)a * b;
  const __int128 q = (__int128)int64_t(a) * int64_t(b);
  uint32_t h = mix(mix(0u, uint64_t(p)), uint64_t(p >> 64));
  h = mix(mix(h, uint64_t(q >> 37)), __umul64hi(a, b));
  h = mix(mix(h, __mul64hi(int64_t(a), int64_t(b))), __umulhi(uint32_t(a), uint32_t(b)));
  h = mix(mix(h, __mulhi(int(a), int(b))), __mul24(int(a), int(b)));
  h = mix(h, uint64_t(p / ((uint64_t(b) >> 20) | 1)));
  out[TID] = mix(h, uint64_t(p % (uint64_t(a) | 1)));
}

/// 256-bit sum and product by carry chains.
KERNEL(carry_chains) {
  uint32_t a[8], b[8], s[8];
  for (int i = 0; i < 8; i++) a[i] = in[(TID + i) % n], b[i] = ~in[(TID * 3 + i) % n];
  asm("add.cc.u32 %0, %8, %16; addc.cc.u32 %1, %9, %17; addc.cc.u32 %2, %10, %18;"
      "addc.cc.u32 %3, %11, %19; addc.cc.u32 %4, %12, %20; addc.cc.u32 %5, %13, %21;"
      "addc.cc.u32 %6, %14, %22; addc.u32 %7, %15, %23;"
      : "=r"(s[0]), "=r"(s[1]), "=r"(s[2]), "=r"(s[3]), "=r"(s[4]), "=r"(s[5]), "=r"(s[6]),
        "=r"(s[7])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]),
        "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]));
  uint32_t p[16] = {};
  for (int i = 0; i < 8; i++) {
    uint64_t carry = 0;
    for (int j = 0; j < 8; j++) {
      carry += uint64_t(s[i]) * b[j] + p[i + j];
      p[i + j] = uint32_t(carry);
      carry >>= 32;
    }
    p[i + 8] = uint32_t(carry);
  }
  uint32_t lo, hi;
  asm("sub.cc.u32 %0, %2, %3; subc.u32 %1, %4, %5;"
      : "=r"(lo), "=r"(hi)
      : "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(p[4]));
  asm("mad.lo.cc.u32 %0, %2, %3, %0; madc.hi.u32 %1, %2, %3, %1;"
      : "+r"(lo), "+r"(hi)
      : "r"(p[5]), "r"(p[6]));
  uint32_t h = mix(lo, hi);
  for (int i = 0; i < 16; i++) h = mix(h, p[i]);
  out[TID] = h;
}

/// Modular power by Montgomery's product, 64 bits.
HERE uint64_t montgomery(uint64_t a, uint64_t b, uint64_t m, uint64_t inverse) {
  const uint64_t lo = a * b, hi = __umul64hi(a, b);
  const uint64_t q = lo * inverse;
  const uint64_t r = hi + __umul64hi(q, m) + (lo != 0);
  return r >= m || r < hi ? r - m : r;
}
KERNEL(modular_power) {
  const uint64_t m = (uint64_t(in[TID] & 0x3fffffff) << 32 | in[(TID + 1) % n]) | 1;
  uint64_t inverse = m;
  for (int i = 0; i < 5; i++) inverse *= 2 - m * inverse;
  uint64_t base = in[(TID + 2) % n], result = in[(TID + 3) % n];
  for (uint32_t e = in [(TID + 4) % n]; e != 0; e >>= 1) {
    if (e & 1) result = montgomery(result, base, m, 0 - inverse);
    base = montgomery(base, base, m, 0 - inverse);
  }
  out[TID] = mix(mix(0u, result), base);
}

KERNEL(float_roundings) {
  const float a = any_float(in[TID]), b = any_float(in[(TID * 5 + 3) % n]),
              c = any_float(in[(TID + 17) % n]);
  uint32_t h = 0;
#define EACH(OP, ...)                                                                         \
  h = mix(mix(mix(mix(h, OP##_rn(__VA_ARGS__)), OP##_rz(__VA_ARGS__)), OP##_ru(__VA_ARGS__)), \
          OP##_rd(__VA_ARGS__))
  EACH(__fadd, a, b);
  EACH(__fmul, a, b);
  EACH(__fmaf, a, b, c);
  EACH(__fsub, b, c);
  EACH(__fmaf, -a, c, b);
  out[TID] = h;
}

/// Division, root and reciprocal as IEEE 754 rounds them, in every rounding.
KERNEL(float_division) {
  const float a = any_float(in[TID]), b = any_float(in[(TID * 5 + 3) % n]);
  uint32_t h = mix(mix(mix(0u, a / b), sqrtf(fabsf(a))), 1.0f / b);
  EACH(__fdiv, a, b);
  EACH(__fsqrt, fabsf(b));
  EACH(__frcp, a);
  out[TID] = mix(h, __frsqrt_rn(fabsf(a)));
}

KERNEL(double_roundings) {
  const double a = any_double(in[TID], in[(TID + 1) % n]),
               b = any_double(in[(TID + 7) % n], in[(TID + 3) % n]);
  const double c = any_double(in[(TID + 11) % n], in[(TID + 5) % n]);
  uint32_t h = 0;
  EACH(__dadd, a, b);
  EACH(__dmul, a, b);
  EACH(__fma, a, b, c);
  EACH(__dsub, c, b);
  EACH(__fma, -a, b, a);
  out[TID] = h;
}

KERNEL(double_division) {
  const double a = any_double(in[TID], in[(TID + 1) % n]),
               b = any_double(in[(TID + 7) % n], in[(TID + 3) % n]);
  uint32_t h = mix(mix(mix(0u, a / b), sqrt(fabs(a))), 1.0 / b);
  EACH(__ddiv, a, b);
  EACH(__dsqrt, fabs(b));
  EACH(__drcp, a);
  out[TID] = h;
}

/// To integers and back, every rounding, all widths; out of range and not a number too.
KERNEL(conversions) {
  const uint32_t v = in[TID];
  const float f = any_float(v);
  const double d = any_double(v, in[(TID + 1) % n]);
  const uint64_t l = uint64_t(v) << 32 | in[(TID + 2) % n];
  const float nan = __uint_as_float(0x7fc00000u | v);
  uint32_t h = 0;
  EACH(__float2int, f);
  EACH(__float2uint, f);
  EACH(__float2ll, f);
  EACH(__float2ull, f);
  EACH(__double2int, d);
  EACH(__double2uint, d);
  EACH(__double2ll, d);
  EACH(__double2ull, d);
  EACH(__int2float, int(v));
  EACH(__uint2float, v);
  EACH(__ll2float, int64_t(l));
  EACH(__ull2float, l);
  EACH(__ll2double, int64_t(l));
  EACH(__ull2double, l);
  EACH(__double2float, d);
  h = mix(mix(h, __int2double_rn(int(v))), __uint2double_rn(v));
  h = mix(mix(h, double(f)), __float2int_rn(nan));
  h = mix(mix(h, int(int8_t(f * 0.25f))), uint32_t(uint8_t(fabsf(whole(v)))));
  h = mix(mix(h, float(int8_t(v))), float(uint16_t(v >> 3)));
  h = mix(mix(h, truncf(f)), ceilf(f));
  h = mix(mix(h, floorf(f)), rintf(f));
  h = mix(mix(h, trunc(d)), floor(d));
  h = mix(mix(h, rint(d)), roundf(f));
  out[TID] = mix(mix(h, __double2hiint(d)), __hiloint2double(int(v), 5));
}
#undef EACH

/// Comparisons, signs, least and greatest with zeros, infinities, denormals and NaN.
KERNEL(float_specials) {
  uint32_t h = 0;
  const float table[8] = {0.0f,
                          -0.0f,
                          __uint_as_float(1),
                          __uint_as_float(0x80000001u),
                          __uint_as_float(0x7f800000u),
                          __uint_as_float(0xff800000u),
                          __uint_as_float(0x7fc00000u),
                          1.0f};
  const float a = (in[TID] & 8) != 0 ? table[in[TID] & 7] : any_float(in[TID]);
#pragma unroll
  for (int i = 0; i < 8; i++) {
    const float b = table[i];
    uint32_t bit =
        (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5;
    bit |= (!(a > b)) << 6 | (isnan(a) | isnan(b)) << 7 | !(a < b) << 8 | !(a >= b) << 9;
    h = mix(mix(mix(h, bit), fminf(a, b)), fmaxf(a, b));
    h = mix(mix(h, copysignf(a, b)), fabsf(a) - fabsf(b));
    h = mix(h, a * b);
    h = mix(h, fmaf(a, b, b));
  }
  h = mix(h, uint32_t(isnan(a) | isinf(a) << 1 | isfinite(a) << 2 | signbit(a) << 3));
  h = mix(mix(h, __saturatef(a)), ldexpf(a, int(in[(TID + 1) % n] & 63) - 32));
  int e;
  h = mix(h, frexpf(a, &e));
  h = mix(mix(h, e), nextafterf(a, 2.0f));
  h = mix(h, fmodf(a, 3.25f));
  out[TID] = mix(h, remainderf(whole(in[TID]) * 1.375f, 2.5f));
}

KERNEL(bit_operations) {
  const uint32_t a = in[TID], b = in[(TID + 1) % n], c = in[(TID + 2) % n];
  const uint64_t l = uint64_t(a) << 32 | b;
  uint32_t h = mix(__popc(a), __clz(int(b >> (a & 31))));
  h = mix(mix(h, __brev(a)), __ffs(int(a << (b & 31))));
  h = mix(mix(h, __popcll(l)), __clzll(int64_t(l >> (c & 63))));
  h = mix(mix(h, __brevll(l)), __ffsll(int64_t(l << (c & 63))));
  h = mix(mix(h, __byte_perm(a, b, c)), __funnelshift_l(a, b, c));
  h = mix(mix(h, __funnelshift_r(a, b, c)), __funnelshift_lc(a, b, c & 63));
  h = mix(h, __funnelshift_rc(a, b, c & 63));
  uint32_t r;
  int s;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b & 63), "r"(c & 63));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(a), "r"(b & 31), "r"(c & 31));
  h = mix(mix(h, r), s);
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c & 31), "r"(b & 31));
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(s) : "r"(a >> (c & 31)));
  h = mix(mix(h, r), s);
  asm("szext.wrap.s32 %0, %1, %2;" : "=r"(s) : "r"(a), "r"(b & 31));
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(a & 31), "r"(b & 31));
  h = mix(mix(h, r), s);
  h = mix(mix(h, (a & b) | (~a & c)), (a & b) ^ (a & c) ^ (b & c));
  h = mix(mix(h, l << (c & 63)), l >> (c & 63));
  h = mix(mix(h, int64_t(l) >> (c & 63)), int(a) >> (c & 31));
  asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(c & 127));
  asm("shr.s32 %0, %1, %2;" : "=r"(s) : "r"(a), "r"(c & 127));
  h = mix(mix(h, r), s);
  out[TID] = mix(mix(h, abs(int(a))), __sad(int(a), int(b), c));
}

/// Bytes and halves of a word, dot products, three-input least and greatest.
KERNEL(packed_integers) {
  const uint32_t a = in[TID], b = in[(TID + 1) % n], c = in[(TID + 2) % n];
  uint32_t h = mix(__vadd4(a, b), __vsub4(a, b));
  h = mix(mix(h, __vabsdiffu4(a, b)), __vmaxs4(a, b));
  h = mix(mix(h, __vminu2(a, b)), __vaddss2(a, b));
  h = mix(mix(h, __vavgu4(a, b)), __vcmpgtu4(a, b));
  h = mix(mix(h, __vsetles2(a, b)), __vabs2(a));
  h = mix(mix(h, __vsadu4(a, b)), __vneg4(a));
  h = mix(mix(h, __dp4a(int(a), int(b), int(c))), __dp4a(a, b, c));
  h = mix(mix(h, __dp2a_lo(int(a), int(b), int(c))), __dp2a_hi(a, b, c));
  h = mix(mix(h, __hadd(int(a), int(b))), __urhadd(a, b));
  h = mix(mix(h, __vimax3_s32(int(a), int(b), int(c))), __vimin3_u32(a, b, c));
  h = mix(mix(h, __viaddmax_s32(int(a), int(b), int(c))), __viaddmin_u32(a, b, c));
  out[TID] = mix(mix(h, __vimax3_s16x2(a, b, c)), __vimin_s32_relu(int(a), int(b)));
}

/// Double functions: polynomials, slow paths, calls. Built of exactly rounded operations.
KERNEL(double_functions) {
  const double x = double(int(in[TID])) * 0x1p-20, y = double(in[(TID + 1) % n]) * 0x1p-24;
  uint32_t h = mix(mix(0u, exp(x * 0.125)), log(y));
  h = mix(mix(h, sin(x)), cos(x * 1e6));
  h = mix(mix(h, atan2(x, y)), erf(x * 0x1p-9));
  out[TID] = mix(mix(h, tanh(x * 0x1p-8)), hypot(x, y));
}
