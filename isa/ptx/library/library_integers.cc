// SPDX-License-Identifier: Apache-2.0
// Division of integers.
#include "isa/ptx/library/library_text.h"

namespace shflsim::isa::ptx {
namespace {

// As in ptxas' code: 2^32 / b, slightly too small, by the special function unit and one Newton
// step; the quotient is then at most two too small, and is corrected.
const char* const kWordDivision = R"(
.func (.param .b32 d) @OP@.u32 (.param .b32 a, .param .b32 b) {
  .reg .pred p;
  .reg .f32 f;
  .reg .b32 g, e, q, r;
  cvt.rp.f32.u32 f, b;
  rcp.approx.ftz.f32 f, f;
  add.u32 f, f, 0x0FFFFFFE;
  cvt.rzi.ftz.u32.f32 g, f;
  mul.lo.u32 e, g, b;
  neg.s32 e, e;
  mad.hi.u32 g, g, e, g;
  mul.hi.u32 q, g, a;
  neg.s32 e, q;
  mad.lo.u32 r, e, b, a;
  setp.ge.u32 p, r, b;
  @p sub.u32 r, r, b;
  @QUOTIENT@ @p add.u32 q, q, 1;
  @QUOTIENT@ setp.ge.u32 p, r, b;
  @QUOTIENT@ @p add.u32 q, q, 1;
  @QUOTIENT@ mov.b32 d, q;
  @REMAINDER@ setp.ge.u32 p, r, b;
  @REMAINDER@ @p sub.u32 r, r, b;
  @REMAINDER@ mov.b32 d, r;
  setp.eq.u32 p, b, 0;
  @p mov.b32 d, -1;
}
.func (.param .b32 d) @OP@.u16 (.param .b32 a, .param .b32 b) {
  cvt.u32.u16 a, a;
  cvt.u32.u16 b, b;
  @OP@.u32 d, a, b;
}
.func (.param .b32 d) @OP@.s16 (.param .b32 a, .param .b32 b) {
  cvt.s32.s16 a, a;
  cvt.s32.s16 b, b;
  @OP@.s32 d, a, b;
}
)";

// Long division with a float for 1 / b that is at most 1.5 units in the last place too small. Each
// step finds more than 21 bits of the quotient, which is never too large; after three steps the
// remainder is at most b, or less than 2 * b. Division by zero gives ones, as on silicon.
const char* const kUnsigned = R"(
.func (.param .b64 d) @OP@.u64 (.param .b64 a, .param .b64 b) {
  .reg .pred p;
  .reg .f32 f, r, e, t;
  .reg .b64 q, g, m;
  .reg .b32 n, l, h, x, y;
  cvt.rp.f32.u64 f, b;
  rcp.approx.ftz.f32 r, f;
  $fnma.f32 e, f, r, 0f3F800000;
  fma.rn.f32 r, r, e, r;
  add.u32 r, r, -1;
  cvt.rz.f32.u64 t, a;
  mul.rz.f32 t, t, r;
  cvt.rzi.u64.f32 q, t;
  mul.lo.u64 m, q, b;
  sub.u64 a, a, m;
  cvt.rz.f32.u64 t, a;
  mul.rz.f32 t, t, r;
  cvt.rzi.u64.f32 g, t;
  mul.lo.u64 m, g, b;
  sub.u64 a, a, m;
  add.u64 q, q, g;
  cvt.rz.f32.u64 t, a;
  mul.rz.f32 t, t, r;
  cvt.rzi.u32.f32 n, t;
  mov.b64 {l, h}, b;
  mul.wide.u32 m, n, l;
  mov.b64 {x, y}, m;
  mad.lo.u32 y, n, h, y;
  mov.b64 m, {x, y};
  sub.u64 a, a, m;
  setp.ge.u64 p, a, b;
)";

const char* const kQuotient = R"(
  selp.b32 x, 1, 0, p;
  add.u32 n, n, x;
  cvt.u64.u32 g, n;
  add.u64 q, q, g;
  setp.ne.s64 p, b, 0;
  selp.b64 d, q, 0xFFFFFFFFFFFFFFFF, p;
}
)";

const char* const kRemainder = R"(
  sub.u64 m, a, b;
  selp.b64 a, m, a, p;
  setp.ne.s64 p, b, 0;
  selp.b64 d, a, 0xFFFFFFFFFFFFFFFF, p;
}
)";

// Divides magnitudes; `s` holds the sign of the result. Division by zero ignores the sign.
const char* const kSigned = R"(
.func (.param .b@BITS@ d) @OP@.s@BITS@ (.param .b@BITS@ a, .param .b@BITS@ b) {
  .reg .b@BITS@ x, y, s, q;
  .reg .pred p;
  @QUOTIENT@ xor.b@BITS@ s, a, b;
  @REMAINDER@ mov.b@BITS@ s, a;
  setp.lt.s@BITS@ p, s, 0;
  abs.s@BITS@ x, a;
  abs.s@BITS@ y, b;
  @OP@.u@BITS@ d, x, y;
  @p neg.s@BITS@ d, d;
  setp.eq.s@BITS@ p, b, 0;
  @p mov.b@BITS@ d, -1;
}
)";

}  // namespace

std::string library_of_integers() {
  const std::string words = filled(kSigned, "BITS", "32") + kWordDivision;
  const std::string pairs = filled(kSigned, "BITS", "64") + kUnsigned;
  const std::string quotients = words + pairs + kQuotient;
  const std::string remainders = words + pairs + kRemainder;
  const auto form = [](const std::string& text, const char* operation, const char* taken,
                       const char* left) {
    return filled(filled(filled(text, "OP", operation), taken, ""), left, "//");
  };
  return form(quotients, "div", "QUOTIENT", "REMAINDER") +
         form(remainders, "rem", "REMAINDER", "QUOTIENT");
}

}  // namespace shflsim::isa::ptx
