// SPDX-License-Identifier: Apache-2.0
// Quotients, reciprocals and roots of doubles.
#include "isa/ptx/library/library_text.h"

namespace shflsim::isa::ptx {
namespace {

// The fast paths, for most operands. The 1 in the seed's lower word is for a divisor of all ones,
// whose reciprocal would not be rounded up by any step. Within the bounds, all steps and the result
// are normal numbers.
const char* const kToNearest = R"(
.func (.param .f64 d) div.rn.f64 (.param .f64 a, .param .f64 b) {
  .reg .pred p;
  .reg .b32 al, ah, bl, bh, rl, rh, t;
  .reg .f64 r, e, q, m;
  mov.b64 {al, ah}, a;
  mov.b64 {bl, bh}, b;
  rcp.approx.ftz.f64 r, b;
  mov.b64 {rl, rh}, r;
  mov.b64 r, {1, rh};
  $fnma.f64 e, b, r, 0d3FF0000000000000;
  fma.rn.f64 e, e, e, e;
  fma.rn.f64 r, r, e, r;
  $fnma.f64 e, b, r, 0d3FF0000000000000;
  fma.rn.f64 r, r, e, r;
  mul.rn.f64 q, a, r;
  $fnma.f64 m, b, q, a;
  fma.rn.f64 d, r, m, q;
  mov.b64 {rl, rh}, d;
  fma.rn.f32 t, bh, 0f00000000, rh;
  $setp_abs.gt.f32 p, t, 0f00100000;
  @!p bra slow;
  $setp_abs.geu.f32 p, ah, 0f03600000;
  @p ret;
slow:
  $quotient.rn.f64 d, a, b;
}
.func (.param .f64 d) rcp.rn.f64 (.param .f64 b) {
  .reg .pred p;
  .reg .b32 bl, bh, rl, rh, t;
  .reg .f64 r, e;
  mov.b64 {bl, bh}, b;
  rcp.approx.ftz.f64 r, b;
  mov.b64 {rl, rh}, r;
  add.u32 t, bh, 0x300402;
  $setp_abs.geu.f32 p, t, 0f00400402;
  mov.b64 r, {t, rh};
  $fnma.f64 e, b, r, 0d3FF0000000000000;
  fma.rn.f64 e, e, e, e;
  fma.rn.f64 r, r, e, r;
  $fnma.f64 e, b, r, 0d3FF0000000000000;
  fma.rn.f64 d, r, e, r;
  @p ret;
  $quotient.rn.f64 d, 0d3FF0000000000000, b;
}
.func (.param .f64 d) sqrt.rn.f64 (.param .f64 x) {
  .reg .pred p;
  .reg .b32 l, h, t;
  mov.b64 {l, h}, x;
  sub.u32 t, h, 0x03500000;
  setp.lt.u32 p, t, 0x7CA00000;
  $root.f64 d, x;
  @p ret;
  $sqrt.rn.f64 d, x;
}
)";

// One step after the unit's seed. A denormal operand is multiplied by 2^54, which multiplies the
// result by 2^-27.
const char* const kInverseRoot = R"(
.func (.param .f64 d) $rsqrt.f64 (.param .f64 x) {
  .reg .f64 r, e, c;
  rsqrt.approx.ftz.f64 r, x;
  mul.rn.f64 e, r, r;
  $fnma.f64 e, x, e, 0d3FF0000000000000;
  fma.rn.f64 c, e, 0d3FD8000000000000, 0d3FE0000000000000;
  mul.rn.f64 e, r, e;
  fma.rn.f64 d, c, e, r;
}
.func (.param .f64 d) rsqrt.approx.f64 (.param .f64 x) {
  .reg .pred p;
  .reg .b32 l, h, t;
  mov.b64 {l, h}, x;
  sub.u32 t, h, 0x00100000;
  setp.lt.u32 p, t, 0x7FE00000;
  $rsqrt.f64 d, x;
  @p ret;
  setp.eq.f64 p, x, 0d0000000000000000;
  @p or.b32 h, h, 0x7FF00000;
  @p mov.b64 d, {0, h};
  @p ret;
  add.rn.f64 d, x, x;
  setp.nan.f64 p, x, x;
  @p ret;
  mov.b64 d, 0xFFF8000000000000;
  setp.lt.s32 p, h, 0;
  @p ret;
  mov.b64 d, 0;
  setp.ge.u32 p, h, 0x7FF00000;
  @p ret;
  mul.rn.f64 x, x, 0d4350000000000000;
  $rsqrt.f64 d, x;
  mul.rn.f64 d, d, 0d41A0000000000000;
}
)";

// The root, rounded to nearest, of a number far from the ends of the range.
const char* const kDoubleRoot = R"(
.func (.param .f64 d) $root.f64 (.param .f64 x) {
  .reg .b32 l, h, t;
  .reg .f64 r, e, c, s, m;
  mov.b64 {l, h}, x;
  rsqrt.approx.ftz.f64 r, x;
  sub.u32 t, h, 0x03500000;
  mov.b64 {l, h}, r;
  mov.b64 r, {t, h};
  mul.rn.f64 e, r, r;
  $fnma.f64 e, x, e, 0d3FF0000000000000;
  fma.rn.f64 c, e, 0d3FD8000000000000, 0d3FE0000000000000;
  mul.rn.f64 e, r, e;
  fma.rn.f64 r, c, e, r;
  mul.rn.f64 s, x, r;
  mov.b64 {l, h}, r;
  sub.u32 h, h, 0x00100000;
  mov.b64 r, {l, h};
  $fnma.f64 m, s, s, x;
  fma.rn.f64 d, m, r, s;
}
)";

// The root of any number. A small one is multiplied by 2^108, which multiplies the root by 2^54.
const char* const kSlowRoot = R"(
.func (.param .f64 d) $sqrt.@ROUND@.f64 (.param .f64 x) {
  .reg .pred p;
  .reg .b32 l, h, k;
  .reg .f64 m;
  .reg .b64 t;
  mov.b64 {l, h}, x;
  setp.lt.f64 p, x, 0d0000000000000000;
  @p mov.b64 d, 0xFFF8000000000000;
  @p ret;
  add.rn.f64 d, x, x;
  setp.equ.f64 p, d, x;
  @p ret;
  setp.lt.u32 p, h, 0x03600000;
  mov.u32 k, 0;
  @p mov.u32 k, 0x03600000;
  @p mul.rn.f64 x, x, 0d46B0000000000000;
  $root.f64 d, x;
  @ADJUST@
  mov.b64 {l, h}, d;
  sub.u32 h, h, k;
  mov.b64 d, {l, h};
}
)";

const char* const kDirectedRoot = R"(
.func (.param .f64 d) sqrt.@ROUND@.f64 (.param .f64 x) {
  $sqrt.@ROUND@.f64 d, x;
}
.func (.param .f64 d) rcp.@ROUND@.f64 (.param .f64 b) {
  $quotient.@ROUND@.f64 d, 0d3FF0000000000000, b;
}
.func (.param .f64 d) div.@ROUND@.f64 (.param .f64 a, .param .f64 b) {
  $quotient.@ROUND@.f64 d, a, b;
}
)";

// The quotient of any numbers. If one is zero, infinite or NaN, it is the product of a and 1 / b,
// for which only the kind of b matters.
const char* const kSpecialQuotient = R"(
.func (.param .f64 d) $quotient.@ROUND@.f64 (.param .f64 a, .param .f64 b) {
  .reg .pred p, q;
  .reg .b32 l, h, u, v, s, k, w;
  .reg .f64 x, y, r, e, m, t;
  .reg .b64 z, n;
  mov.b64 {l, u}, a;
  mov.b64 {l, v}, b;
  xor.b32 s, u, v;
  and.b32 s, s, 0x80000000;
  and.b32 w, v, 0x80000000;
  xor.b32 h, v, 0x7FF00000;
  and.b32 u, u, 0x7FFFFFFF;
  and.b32 v, v, 0x7FFFFFFF;
  setp.ge.u32 p, u, 0x7FF00000;
  setp.ge.or.u32 p, v, 0x7FF00000, p;
  setp.eq.or.f64 p, a, 0d0000000000000000, p;
  setp.eq.or.f64 p, b, 0d0000000000000000, p;
  @!p bra finite;
  abs.f64 y, b;
  setp.eq.f64 q, b, 0d0000000000000000;
  setp.eq.or.f64 q, y, 0d7FF0000000000000, q;
  or.b32 w, w, 0x3FF00000;
  selp.b32 h, h, w, q;
  mov.b64 t, {0, h};
  setp.nan.f64 q, b, b;
  selp.b64 t, b, t, q;
  mul.rn.f64 d, a, t;
  ret;
finite:
)";

// Both are scaled to exponent 0, as x and y; k is the biased exponent of their quotient.
const char* const kQuotientOfMantissas = R"(
  mov.u32 k, 1023;
  setp.lt.u32 p, u, 0x00100000;
  @p mul.rn.f64 a, a, 0d4350000000000000;
  @p add.s32 k, k, -54;
  setp.lt.u32 p, v, 0x00100000;
  @p mul.rn.f64 b, b, 0d4350000000000000;
  @p add.s32 k, k, 54;
  mov.b64 {l, h}, a;
  bfe.u32 u, h, 20, 11;
  add.s32 k, k, u;
  lop3.b32 h, h, 0x000FFFFF, 0x3FF00000, 0xEA;
  mov.b64 x, {l, h};
  mov.b64 {l, h}, b;
  bfe.u32 v, h, 20, 11;
  sub.s32 k, k, v;
  lop3.b32 h, h, 0x000FFFFF, 0x3FF00000, 0xEA;
  mov.b64 y, {l, h};
  rcp.approx.ftz.f64 r, y;
  mov.b64 {l, h}, r;
  mov.b64 r, {1, h};
  $fnma.f64 e, y, r, 0d3FF0000000000000;
  fma.rn.f64 e, e, e, e;
  fma.rn.f64 r, r, e, r;
  $fnma.f64 e, y, r, 0d3FF0000000000000;
  fma.rn.f64 r, r, e, r;
  mul.rn.f64 t, x, r;
  $fnma.f64 m, y, t, x;
  fma.rn.f64 t, r, m, t;
  $fnma.f64 m, y, t, x;
  mov.b64 z, t;
)";

// Truncates the quotient and appends ten bits that tell if nothing, less or more than half is lost
// (fewer bits remain in a denormal number), then rounds. Rounding up may carry into the exponent.
const char* const kRounded = R"(
  setp.lt.f64 p, m, 0d0000000000000000;
  @p add.s64 z, z, -1;
  mov.b64 {l, h}, z;
  shr.u32 u, h, 20;
  add.s32 k, k, u;
  sub.s32 k, k, 1023;
  lop3.b32 h, h, 0x000FFFFF, 0x00100000, 0xEA;
  mov.b64 z, {l, h};
  shl.b64 z, z, 10;
  @p or.b64 z, z, 0x300;
  setp.gt.f64 p, m, 0d0000000000000000;
  @p or.b64 z, z, 0x100;
  sub.s32 w, 1, k;
  max.s32 w, w, 0;
  min.s32 w, w, 63;
  max.s32 u, k, 1;
  shr.u64 n, z, w;
  shl.b64 t, n, w;
  setp.ne.s64 p, t, z;
  @p or.b64 n, n, 1;
  @ADD@
  shr.u64 n, n, 10;
  sub.s32 u, u, 1;
  shl.b32 u, u, 20;
  mov.b64 {l, h}, n;
  add.u32 h, h, u;
  setp.gt.s32 p, k, 2046;
  setp.ge.or.u32 p, h, 0x7FF00000, p;
  @p mov.u32 l, @MOST_LOW@;
  @p mov.u32 h, @MOST_HIGH@;
  @OVERFLOW@
  or.b32 h, h, s;
  mov.b64 d, {l, h};
}
)";

// Rounds to nearest, ties to even.
const char* const kAddHalf = R"(
  mov.b64 {l, h}, n;
  bfe.u32 l, l, 10, 1;
  add.u32 l, l, 0x1FF;
  cvt.u64.u32 z, l;
  add.s64 n, n, z;
)";

// Rounds away from zero if the sign is that of the direction (`q`): any lost bit counts.
const char* const kAddAll = R"(
  setp.@SIGN@.u32 q, s, 0;
  @q add.s64 n, n, 0x3FF;
)";
const char* const kInfinite = R"(
  and.pred q, p, q;
  @q mov.u32 l, 0;
  @q mov.u32 h, 0x7FF00000;
)";

std::string with_rounding(const std::string& round) {
  const bool nearest = round == "rn";
  const bool directed = round == "rp" || round == "rm";
  const std::string sign = round == "rp" ? "eq" : "ne";
  const std::string rest = "$fnma.f64 m, d, d, x;\n";
  const std::string less = rest + "setp.lt.f64 p, m, 0d0000000000000000;\n@p add.s64 d, d, -1;";
  const std::string more = rest + "setp.gt.f64 p, m, 0d0000000000000000;\n@p add.s64 d, d, 1;";
  std::string text = std::string(kSlowRoot) + kSpecialQuotient + kQuotientOfMantissas + kRounded;
  if (!nearest) text += kDirectedRoot;
  text = filled(text, "ROUND", round);
  text = filled(text, "ADJUST", nearest ? "" : round == "rp" ? more : less);
  text = filled(text, "ADD", nearest ? kAddHalf : directed ? filled(kAddAll, "SIGN", sign) : "");
  text = filled(text, "MOST_LOW", nearest ? "0" : "0xFFFFFFFF");
  text = filled(text, "MOST_HIGH", nearest ? "0x7FF00000" : "0x7FEFFFFF");
  return filled(text, "OVERFLOW", directed ? kInfinite : "");
}

}  // namespace

std::string library_of_doubles() {
  std::string text = std::string(kToNearest) + kDoubleRoot + kInverseRoot;
  for (const char* const round : {"rn", "rz", "rm", "rp"}) text += with_rounding(round);
  return text;
}

}  // namespace shflsim::isa::ptx
