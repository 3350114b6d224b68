// SPDX-License-Identifier: Apache-2.0
// Bit fields, masks, short products, and tests of floats.
#include "isa/ptx/library/library_text.h"

namespace shflsim::isa::ptx {
namespace {

const char* const kMasks = R"(
.func (.param .b32 d) fns.b32 (.param .b32 mask, .param .b32 base, .param .b32 offset) {
  .reg .pred p, q;
  .reg .b32 n, m, t;
  setp.lt.s32 q, offset, 0;
  abs.s32 n, offset;
  @q brev.b32 mask, mask;
  @q sub.s32 base, 31, base;
  shl.b32 m, -1, base;
  and.b32 m, m, mask;
  shl.b32 t, 1, base;
  setp.eq.s32 p, offset, 0;
  @p and.b32 m, m, t;
again:
  sub.s32 n, n, 1;
  setp.le.s32 p, n, 0;
  setp.eq.or.s32 p, m, 0, p;
  @p bra found;
  sub.s32 t, m, 1;
  and.b32 m, m, t;
  bra again;
found:
  neg.s32 t, m;
  and.b32 m, m, t;
  bfind.u32 d, m;
  setp.ge.and.s32 p, d, 0, q;
  @p sub.s32 d, 31, d;
}
.func (.param .b32 d) bmsk.clamp.b32 (.param .b32 a, .param .b32 b) {
  .reg .b32 t;
  shl.b32 t, 1, b;
  sub.u32 t, t, 1;
  shl.b32 d, t, a;
}
.func (.param .b32 d) bmsk.wrap.b32 (.param .b32 a, .param .b32 b) {
  and.b32 a, a, 31;
  and.b32 b, b, 31;
  bmsk.clamp.b32 d, a, b;
}
.func (.param .b32 d) cnot.b32 (.param .b32 a) {
  .reg .pred p;
  setp.eq.u32 p, a, 0;
  selp.b32 d, 1, 0, p;
}
.func (.param .b32 d) cnot.b16 (.param .b32 a) {
  and.b32 a, a, 0xFFFF;
  cnot.b32 d, a;
}
.func (.param .b64 d) cnot.b64 (.param .b64 a) {
  .reg .pred p;
  setp.eq.u64 p, a, 0;
  selp.b64 d, 1, 0, p;
}
)";

const char* const kExtension = R"(
.func (.param .b32 d) szext.clamp.@TYPE@ (.param .b32 a, .param .b32 b) {
  min.u32 b, b, 32;
  bfe.@TYPE@ d, a, 0, b;
}
.func (.param .b32 d) szext.wrap.@TYPE@ (.param .b32 a, .param .b32 b) {
  and.b32 b, b, 31;
  bfe.@TYPE@ d, a, 0, b;
}
.func (.param .b32 d) mul24.lo.@TYPE@ (.param .b32 a, .param .b32 b) {
  bfe.@TYPE@ a, a, 0, 24;
  bfe.@TYPE@ b, b, 0, 24;
  mul.lo.@TYPE@ d, a, b;
}
.func (.param .b32 d) mul24.hi.@TYPE@ (.param .b32 a, .param .b32 b) {
  .reg .b32 l, h;
  .reg .b64 t;
  bfe.@TYPE@ a, a, 0, 24;
  bfe.@TYPE@ b, b, 0, 24;
  mul.wide.@TYPE@ t, a, b;
  mov.b64 {l, h}, t;
  shf.r.wrap.b32 d, l, h, 16;
}
.func (.param .b32 d) mad24.lo.@TYPE@ (.param .b32 a, .param .b32 b, .param .b32 c) {
  mul24.lo.@TYPE@ d, a, b;
  add.@TYPE@ d, d, c;
}
.func (.param .b32 d) mad24.hi.@TYPE@ (.param .b32 a, .param .b32 b, .param .b32 c) {
  mul24.hi.@TYPE@ d, a, b;
  add.@TYPE@ d, d, c;
}
)";

const char* const kSaturated = R"(
.func (.param .b32 d) mad24.hi.sat.s32 (.param .b32 a, .param .b32 b, .param .b32 c) {
  mul24.hi.s32 d, a, b;
  add.sat.s32 d, d, c;
}
.func (.param .b32 d) mad.hi.sat.s32 (.param .b32 a, .param .b32 b, .param .b32 c) {
  mul.hi.s32 d, a, b;
  add.sat.s32 d, d, c;
}
)";

// Factors of 8 bits, signed or unsigned, fit into signed halves of words: one XMAD each.
const char* const kDot = R"(
.func (.param .b32 d) dp4a.@A@.@B@ (.param .b32 a, .param .b32 b, .param .b32 c) {
  .reg .b32 x, y;
  bfe.@A@ x, a, 0, 8;
  bfe.@B@ y, b, 0, 8;
  mad.wide.s16 d, x, y, c;
  bfe.@A@ x, a, 8, 8;
  bfe.@B@ y, b, 8, 8;
  mad.wide.s16 d, x, y, d;
  bfe.@A@ x, a, 16, 8;
  bfe.@B@ y, b, 16, 8;
  mad.wide.s16 d, x, y, d;
  bfe.@A@ x, a, 24, 8;
  bfe.@B@ y, b, 24, 8;
  mad.wide.s16 d, x, y, d;
}
.func (.param .b32 d) dp2a.lo.@A@.@B@ (.param .b32 a, .param .b32 b, .param .b32 c) {
  .reg .b32 x, y;
  bfe.@A@ x, a, 0, 16;
  bfe.@B@ y, b, 0, 8;
  mad.lo.s32 d, x, y, c;
  bfe.@A@ x, a, 16, 16;
  bfe.@B@ y, b, 8, 8;
  mad.lo.s32 d, x, y, d;
}
.func (.param .b32 d) dp2a.hi.@A@.@B@ (.param .b32 a, .param .b32 b, .param .b32 c) {
  shr.u32 b, b, 16;
  dp2a.lo.@A@.@B@ d, a, b, c;
}
)";

const char* const kPairs = R"(
.func (.param .b64 d) bfe.u64 (.param .b64 a, .param .b32 b, .param .b32 c) {
  .reg .b64 m;
  min.u32 b, b, 64;
  min.u32 c, c, 64;
  shr.u64 d, a, b;
  shl.b64 m, 1, c;
  sub.u64 m, m, 1;
  and.b64 d, d, m;
}
.func (.param .b64 d) bfe.s64 (.param .b64 a, .param .b32 b, .param .b32 c) {
  .reg .pred p;
  .reg .b32 t;
  min.u32 b, b, 64;
  min.u32 c, c, 64;
  add.u32 t, b, c;
  sub.s32 t, 64, t;
  max.s32 t, t, 0;
  shl.b64 d, a, t;
  add.u32 t, t, b;
  shr.s64 d, d, t;
  setp.eq.u32 p, c, 0;
  @p mov.b64 d, 0;
}
.func (.param .b64 d) bfi.b64 (.param .b64 a, .param .b64 b, .param .b32 c, .param .b32 n) {
  .reg .b64 m, t;
  min.u32 c, c, 64;
  min.u32 n, n, 64;
  shl.b64 m, 1, n;
  sub.u64 m, m, 1;
  shl.b64 m, m, c;
  shl.b64 t, a, c;
  xor.b64 t, t, b;
  and.b64 t, t, m;
  xor.b64 d, t, b;
}
.func (.param .b32 d) bfind.u64 (.param .b64 a) {
  .reg .pred p;
  .reg .b32 l, h;
  mov.b64 {l, h}, a;
  bfind.u32 l, l;
  bfind.u32 d, h;
  add.s32 h, d, 32;
  setp.ge.s32 p, d, 0;
  selp.b32 d, h, l, p;
}
.func (.param .b32 d) bfind.s64 (.param .b64 a) {
  .reg .b64 s;
  shr.s64 s, a, 63;
  xor.b64 a, a, s;
  bfind.u64 d, a;
}
)";

const char* const kOfBothSigns = R"(
.func (.param .b64 d) sad.@TYPE@ (.param .b64 a, .param .b64 b, .param .b64 c) {
  .reg .b64 m;
  max.@TYPE@ m, a, b;
  min.@TYPE@ a, a, b;
  sub.u64 m, m, a;
  add.u64 d, m, c;
}
.func (.param .b32 d) bfind.shiftamt.@TYPE@ (.param .b64 a) {
  .reg .pred p;
  bfind.@TYPE@ d, a;
  setp.ge.s32 p, d, 0;
  @p sub.s32 d, 63, d;
}
)";

// Zero counts as normal. Magnitudes have the same order as integers and as floats.
const char* const kTests = R"(
.func (.param .pred d) testp.finite.f@BITS@ (.param .b@BITS@ a) {
  and.b@BITS@ a, a, @MAGNITUDE@;
  setp.lt.u@BITS@ d, a, @INFINITY@;
}
.func (.param .pred d) testp.infinite.f@BITS@ (.param .b@BITS@ a) {
  and.b@BITS@ a, a, @MAGNITUDE@;
  setp.eq.u@BITS@ d, a, @INFINITY@;
}
.func (.param .pred d) testp.number.f@BITS@ (.param .b@BITS@ a) {
  setp.num.f@BITS@ d, a, a;
}
.func (.param .pred d) testp.notanumber.f@BITS@ (.param .b@BITS@ a) {
  setp.nan.f@BITS@ d, a, a;
}
.func (.param .pred d) testp.subnormal.f@BITS@ (.param .b@BITS@ a) {
  and.b@BITS@ a, a, @MAGNITUDE@;
  sub.u@BITS@ a, a, 1;
  setp.lt.u@BITS@ d, a, @FRACTION@;
}
.func (.param .pred d) testp.normal.f@BITS@ (.param .b@BITS@ a) {
  .reg .pred p;
  testp.finite.f@BITS@ p, a;
  and.b@BITS@ a, a, @MAGNITUDE@;
  sub.u@BITS@ a, a, 1;
  setp.ge.and.u@BITS@ d, a, @FRACTION@, p;
}
)";

// Forms of min and max that MNMX lacks: .NaN, and .xorsign.abs, whose sign a NaN does not get.
const char* const kExtremes = R"(
.func (.param .f32 d) @OP@@FTZ@.NaN.f32 (.param .f32 a, .param .f32 b) {
  .reg .pred p;
  @OP@@FTZ@.f32 d, a, b;
  setp.nan.f32 p, a, b;
  @p mov.b32 d, 0x7FFFFFFF;
}
.func (.param .f32 d) @OP@@FTZ@.xorsign.abs.f32 (.param .f32 a, .param .f32 b) {
  .reg .pred p;
  .reg .b32 s;
  xor.b32 s, a, b;
  abs.f32 a, a;
  abs.f32 b, b;
  @OP@@FTZ@.f32 d, a, b;
  and.b32 s, s, 0x80000000;
  setp.num.f32 p, d, d;
  @p xor.b32 d, d, s;
}
.func (.param .f32 d) @OP@@FTZ@.NaN.xorsign.abs.f32 (.param .f32 a, .param .f32 b) {
  .reg .pred p;
  .reg .b32 s;
  xor.b32 s, a, b;
  abs.f32 a, a;
  abs.f32 b, b;
  @OP@@FTZ@.NaN.f32 d, a, b;
  and.b32 s, s, 0x80000000;
  setp.num.f32 p, d, d;
  @p xor.b32 d, d, s;
}
)";

std::string tests(const char* bits, const char* magnitude, const char* infinity,
                  const char* fraction) {
  std::string text = filled(kTests, "BITS", bits);
  text = filled(filled(text, "MAGNITUDE", magnitude), "INFINITY", infinity);
  return filled(text, "FRACTION", fraction);
}

}  // namespace

std::string library_of_bits() {
  std::string text = std::string(kMasks) + kSaturated + kPairs;
  for (const char* const type : {"u32", "s32"}) text += filled(kExtension, "TYPE", type);
  for (const char* const type : {"u64", "s64"}) text += filled(kOfBothSigns, "TYPE", type);
  for (const char* const a : {"u32", "s32"}) {
    for (const char* const b : {"u32", "s32"}) text += filled(filled(kDot, "A", a), "B", b);
  }
  for (const char* const operation : {"min", "max"}) {
    const std::string both = filled(kExtremes, "OP", operation);
    text += filled(both, "FTZ", "") + filled(both, "FTZ", ".ftz");
  }
  text += tests("32", "0x7FFFFFFF", "0x7F800000", "0x7FFFFF");
  return text + tests("64", "0x7FFFFFFFFFFFFFFF", "0x7FF0000000000000", "0xFFFFFFFFFFFFF");
}

}  // namespace shflsim::isa::ptx
