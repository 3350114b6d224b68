// SPDX-License-Identifier: Apache-2.0
// Division of 64-bit integers.
#include "isa/ptx/library_text.h"

namespace shflsim::isa::ptx {
namespace {

// Long division by a float that is 1 / b or up to 1.5 units in the last place less. Every step
// finds more than 21 bits of the quotient and never too much; after three the remainder is at most
// b, or less than 2 * b. Division by zero gives ones, as it does on silicon.
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

// Of magnitudes; `s` holds the sign of the result. Dividing by zero, it stays out.
const char* const kSigned = R"(
.func (.param .b64 d) @OP@.s64 (.param .b64 a, .param .b64 b) {
  .reg .b64 x, y, s, q;
  .reg .pred p;
  @SIGN@
  shr.s64 s, s, 63;
  abs.s64 x, a;
  abs.s64 y, b;
  @OP@.u64 q, x, y;
  xor.b64 q, q, s;
  sub.s64 q, q, s;
  setp.ne.s64 p, b, 0;
  selp.b64 d, q, 0xFFFFFFFFFFFFFFFF, p;
}
)";

}  // namespace

std::string library_of_integers() {
  const std::string quotient = filled(filled(kSigned, "OP", "div"), "SIGN", "xor.b64 s, a, b;");
  const std::string remainder = filled(filled(kSigned, "OP", "rem"), "SIGN", "mov.b64 s, a;");
  return filled(kUnsigned, "OP", "div") + kQuotient + filled(kUnsigned, "OP", "rem") + kRemainder +
         quotient + remainder;
}

}  // namespace shflsim::isa::ptx
