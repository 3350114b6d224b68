// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/library/library_text.h"

namespace shflsim::isa::ptx {
namespace {

// The fast paths, for most operands, are those of ptxas: a seed of the special function unit, a
// Newton step, and a correction of the quotient or root by its remainder.
const char* const kFloatsToNearest = R"(
.func (.param .f32 d) div.rn@FTZ@.f32 (.param .f32 a, .param .f32 b) {
  .reg .pred p;
  .reg .f32 r, e, q, m;
  $fchk.f32 p, a, b;
  rcp.approx.ftz.f32 r, b;
  $fnma.f32 e, b, r, 0f3F800000;
  fma.rn.f32 r, r, e, r;
  mul.rn.f32 q, a, r;
  $fnma.f32 m, b, q, a;
  fma.rn.f32 d, r, m, q;
  @!p ret;
  $div.rn@FTZ@.f32 d, a, b;
}
.func (.param .f32 d) rcp.rn@FTZ@.f32 (.param .f32 b) {
  .reg .pred p;
  .reg .b32 t;
  .reg .f32 r, e;
  add.u32 t, b, 0x1800000;
  and.b32 t, t, 0x7F800000;
  setp.gt.u32 p, t, 0x1FFFFFF;
  rcp.approx.ftz.f32 r, b;
  $fnma.f32 e, b, r, 0f3F800000;
  fma.rn.f32 d, r, e, r;
  @p ret;
  $rcp.rn@FTZ@.f32 d, b;
}
)";

// All other operands: the quotient of the significands, rounded to nearest, becomes a double with
// the remainder's sign added to its last bit, and is rounded again, to fewer bits if denormal. For
// zeros, infinities and NaNs: a times the reciprocal of b, or of b's sign if b is none of these.
const char* const kSafeQuotient = R"(
.func (.param .f32 d) $div.rn.f32 (.param .f32 a, .param .f32 b) {
  .reg .pred p, q, s;
  .reg .b32 x, y, ea, eb, sign, t, u, l, h;
  .reg .f32 r, e, m;
  .reg .b64 w;
  and.b32 x, a, 0x7FFFFFFF;
  and.b32 y, b, 0x7FFFFFFF;
  sub.u32 t, x, 1;
  setp.ge.u32 p, t, 0x7F7FFFFF;
  sub.u32 t, y, 1;
  setp.ge.u32 q, t, 0x7F7FFFFF;
  or.pred p, p, q;
  @!p bra finite;
  and.b32 u, b, 0x80000000;
  or.b32 u, u, 0x3F800000;
  selp.b32 u, b, u, q;
  rcp.approx.ftz.f32 r, u;
  mul.rn.f32 d, a, r;
  ret;
finite:
  xor.b32 sign, a, b;
  and.b32 sign, sign, 0x80000000;
  setp.lt.u32 p, x, 0x00800000;
  @p mul.rn.f32 x, x, 0f4B800000;
  shr.u32 ea, x, 23;
  sub.s32 ea, ea, 127;
  shl.b32 t, ea, 23;
  sub.s32 x, x, t;
  @p sub.s32 ea, ea, 24;
  setp.lt.u32 s, y, 0x00800000;
  @s mul.rn.f32 y, y, 0f4B800000;
  shr.u32 eb, y, 23;
  sub.s32 eb, eb, 127;
  shl.b32 t, eb, 23;
  sub.s32 y, y, t;
  @s sub.s32 eb, eb, 24;
  rcp.approx.ftz.f32 r, y;
  $fnma.f32 e, y, r, 0f3F800000;
  fma.rn.f32 r, r, e, r;
  mul.rn.f32 e, x, r;
  $fnma.f32 m, y, e, x;
  fma.rn.f32 e, r, m, e;
  $fnma.f32 m, y, e, x;
  min.s32 t, m, 1;
  max.s32 t, t, -1;
  shr.s32 u, t, 31;
  sub.s32 ea, ea, eb;
  add.s32 ea, ea, 896;
  shl.b32 ea, ea, 20;
  shr.u32 h, e, 3;
  add.s32 h, h, ea;
  shl.b32 l, e, 29;
  add.cc.u32 l, l, t;
  addc.u32 h, h, u;
  or.b32 h, h, sign;
  mov.b64 w, {l, h};
  cvt.rn.f32.f64 d, w;
}
.func (.param .f32 d) $rcp.rn.f32 (.param .f32 b) {
  $div.rn.f32 d, 0f3F800000, b;
}
)";

// The root, rounded to nearest, then one step down or up if the remainder shows that it was rounded
// in the other direction.
const char* const kRoot = R"(
.func (.param .f32 d) $root.@ROUND@.f32 (.param .f32 x) {
  .reg .pred p;
  .reg .f32 r, s, h, m;
  rsqrt.approx.ftz.f32 r, x;
  mul.rn.ftz.f32 s, x, r;
  mul.rn.ftz.f32 h, r, 0f3F000000;
  $fnma.f32 m, s, s, x;
  fma.rn.f32 d, m, h, s;
  @ADJUST@
}
)";

// Numbers far from the ends of the range take the fast path. A zero, infinity or NaN is its own
// root, as twice the number shows; other small numbers are multiplied by 2^64.
const char* const kSafeRoot = R"(
.func (.param .f32 d) sqrt.@ROUND@@FTZ@.f32 (.param .f32 x) {
  .reg .pred p;
  .reg .b32 t;
  sub.u32 t, x, 0x0D000000;
  setp.le.u32 p, t, 0x727FFFFF;
  $root.@ROUND@.f32 d, x;
  @p ret;
  mov.b32 d, 0x7FFFFFFF;
  setp.lt@FTZ@.f32 p, x, 0f00000000;
  @p ret;
  add.rn@FTZ@.f32 d, x, x;
  setp.equ@FTZ@.f32 p, d, x;
  @p ret;
  mul.rn.f32 x, x, 0f5F800000;
  $root.@ROUND@.f32 d, x;
  mul.rn.f32 d, d, 0f2F800000;
}
)";

// The special function unit treats denormal operands as zero, and flushes denormal results to zero:
// without .ftz the operands are scaled into its range, as in ptxas' code.
const char* const kApproximate = R"(
.func (.param .f32 d) rcp.approx.f32 (.param .f32 a) {
  .reg .pred p;
  .reg .f32 s, r;
  mov.f32 s, 0f3F800000;
  $setp_abs.geu.f32 p, a, 0f00800000;
  @!p mov.f32 s, 0f4B800000;
  $setp_abs.gt.f32 p, a, 0f7E800000;
  @p mov.f32 s, 0f3E800000;
  mul.rn.f32 r, a, s;
  rcp.approx.ftz.f32 r, r;
  mul.rn.f32 d, s, r;
}
.func (.param .f32 d) rsqrt.approx.f32 (.param .f32 a) {
  .reg .pred p;
  $setp_abs.geu.f32 p, a, 0f00800000;
  @!p mul.rn.f32 a, a, 0f4B800000;
  rsqrt.approx.ftz.f32 d, a;
  @!p mul.rn.f32 d, d, 0f45800000;
}
.func (.param .f32 d) sqrt.approx.f32 (.param .f32 a) {
  .reg .pred p;
  $setp_abs.geu.f32 p, a, 0f00800000;
  @!p mul.rn.f32 a, a, 0f4B800000;
  sqrt.approx.ftz.f32 d, a;
  @!p mul.rn.f32 d, d, 0f39800000;
}
.func (.param .f32 d) div.approx.f32 (.param .f32 a, .param .f32 b) {
  .reg .pred p;
  $setp_abs.geu.f32 p, b, 0f00800000;
  @!p mul.rn.f32 b, b, 0f4B800000;
  @!p mul.rn.f32 a, a, 0f4B800000;
  rcp.approx.ftz.f32 b, b;
  mul.rn.f32 d, b, a;
}
.func (.param .f32 d) div.full.f32 (.param .f32 a, .param .f32 b) {
  .reg .pred p;
  $setp_abs.gt.f32 p, b, 0f7E800000;
  @p mul.rn.f32 b, b, 0f3E800000;
  @p mul.rn.f32 a, a, 0f3E800000;
  div.approx.f32 d, a, b;
}
.func (.param .f32 d) div.full.ftz.f32 (.param .f32 a, .param .f32 b) {
  .reg .pred p;
  $setp_abs.gt.f32 p, b, 0f7E800000;
  @p mul.rn.ftz.f32 b, b, 0f3E800000;
  @p mul.rn.ftz.f32 a, a, 0f3E800000;
  div.approx.ftz.f32 d, a, b;
}
)";

std::string root(const std::string& round, const std::string& adjust) {
  const std::string safe = filled(filled(kSafeRoot, "ROUND", round), "FTZ", "") +
                           filled(filled(kSafeRoot, "ROUND", round), "FTZ", ".ftz");
  return filled(filled(kRoot, "ROUND", round), "ADJUST", adjust) + safe;
}

std::string roots() {
  const std::string rest = "$fnma.f32 m, d, d, x;\n";
  const std::string down = rest + "setp.lt.f32 p, m, 0f00000000;\n@p add.s32 d, d, -1;\n";
  const std::string up = rest + "setp.gt.f32 p, m, 0f00000000;\n@p add.s32 d, d, 1;\n";
  return root("rn", "") + root("rz", down) + root("rm", down) + root("rp", up);
}

}  // namespace

std::string filled(std::string text, const std::string& name, const std::string& by) {
  const std::string place = "@" + name + "@";
  for (size_t at = text.find(place); at != std::string::npos; at = text.find(place, at)) {
    text.replace(at, place.size(), by);
  }
  return text;
}

std::string library_of_floats() {
  return filled(kFloatsToNearest, "FTZ", "") + filled(kFloatsToNearest, "FTZ", ".ftz") +
         kSafeQuotient + kApproximate + roots();
}

std::string library_text() {
  return library_of_floats() + library_of_doubles() + library_of_integers() + library_of_bits() +
         library_of_atomics();
}

}  // namespace shflsim::isa::ptx
