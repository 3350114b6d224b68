// SPDX-License-Identifier: Apache-2.0
// PTX control flow and arithmetic, compared with the same computation lane by lane.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_flow_test {

const char* const kBallotAtTheEnd = "activemask.b32 together;\n";

/// Runs the text with x = lane and returns the values of `name`; all lanes must be together at the
/// end.
std::vector<uint32_t> joined(const std::string& text, const std::string& name) {
  Fragment fragment("mov.u32 x, %laneid; mov.u32 y, 0;\n" + text + kBallotAtTheEnd);
  fragment.run();
  EXPECT_EQ(fragment.words("together"), by_lane([](uint32_t) { return kAllLanes; }));
  return fragment.words(name);
}

TEST(PtxControlFlow, joins_behind_a_branch_with_one_arm) {
  EXPECT_EQ(joined("setp.lt.u32 p, x, 9;\n@p bra skip;\nadd.u32 y, x, 100;\nskip:\n", "y"),
            by_lane([](uint32_t x) { return x < 9 ? 0 : x + 100; }));
}

TEST(PtxControlFlow, joins_behind_a_branch_with_two_arms) {
  EXPECT_EQ(joined("setp.lt.u32 p, x, 9;\n@!p bra other;\nadd.u32 y, x, 100;\nbra.uni end;\n"
                   "other: shl.b32 y, x, 1;\nend:\n",
                   "y"),
            by_lane([](uint32_t x) { return x < 9 ? x + 100 : 2 * x; }));
}

TEST(PtxControlFlow, joins_inside_an_arm_before_the_end_of_it) {
  EXPECT_EQ(joined("setp.lt.u32 p, x, 16;\n@!p bra end;\nsetp.lt.u32 q, x, 4;\n@q bra inner;\n"
                   "add.u32 y, y, 5;\ninner: activemask.b32 z;\nadd.u32 y, y, z;\nend:\n",
                   "y"),
            by_lane([](uint32_t x) { return x >= 16 ? 0
                                            : x < 4 ? 0xFFFFu
                                                    : 0xFFFFu + 5; }));
}

TEST(PtxControlFlow, joins_behind_a_loop_that_lanes_leave_one_by_one) {
  EXPECT_EQ(joined("mov.u32 i, 0;\nloop:\nadd.u32 y, y, i;\nadd.u32 i, i, 1;\n"
                   "setp.le.u32 p, i, x;\n@p bra loop;\n",
                   "y"),
            by_lane([](uint32_t x) { return x * (x + 1) / 2; }));
}

TEST(PtxControlFlow, joins_behind_a_loop_with_its_test_on_top) {
  EXPECT_EQ(joined("mov.u32 i, 0;\nloop: setp.ge.u32 p, i, x;\n@p bra done;\n"
                   "add.u32 y, y, 3;\nadd.u32 i, i, 1;\nbra loop;\ndone:\n",
                   "y"),
            by_lane([](uint32_t x) { return 3 * x; }));
}

TEST(PtxControlFlow, joins_behind_nested_loops) {
  EXPECT_EQ(joined("mov.u32 i, 0;\nouter: mov.u32 j, 0;\ninner: add.u32 y, y, 1;\n"
                   "add.u32 j, j, 1;\nsetp.le.u32 p, j, i;\n@p bra inner;\nadd.u32 i, i, 1;\n"
                   "setp.le.u32 q, i, x;\n@q bra outer;\n",
                   "y"),
            by_lane([](uint32_t x) { return (x + 1) * (x + 2) / 2; }));
}

TEST(PtxControlFlow, joins_in_a_loop_where_lanes_go_on_early_or_leave) {
  // for (i = 0; i < x; ++i) { if (i % 2) continue; if (i > 10) break; y += i; }
  EXPECT_EQ(joined("mov.u32 i, 0;\nloop: setp.ge.u32 p, i, x;\n@p bra done;\nand.b32 odd, i, 1;\n"
                   "setp.ne.u32 q, odd, 0;\n@q bra next;\nsetp.gt.u32 r, i, 10;\n@r bra done;\n"
                   "add.u32 y, y, i;\nnext: add.u32 i, i, 1;\nbra loop;\ndone:\n",
                   "y"),
            by_lane([](uint32_t x) {
              uint32_t y = 0;
              for (uint32_t i = 0; i < x; ++i) {
                if (i % 2 != 0) continue;
                if (i > 10) break;
                y += i;
              }
              return y;
            }));
}

TEST(PtxControlFlow, goes_round_a_loop_with_two_ways_back) {
  // do { ++i; y += i; if (i & 1) continue-at-top; y += 10; } while (i < x)
  const std::string text =
      "mov.u32 i, 0;\nloop: add.u32 i, i, 1;\nadd.u32 y, y, i;\n"
      "and.b32 odd, i, 1;\nsetp.ne.u32 q, odd, 0;\n@q bra loop;\n"
      "add.u32 y, y, 10;\nsetp.lt.u32 p, i, x;\n@p bra loop;\n";
  EXPECT_EQ(joined(text, "y"), by_lane([](uint32_t x) {
              uint32_t i = 0;
              uint32_t y = 0;
              do {
                do y += ++i;
                while (i % 2 != 0);
                y += 10;
              } while (i < x);
              return y;
            }));
}

TEST(PtxControlFlow, lets_lanes_end_early_without_parting_the_others) {
  Fragment fragment(
      "mov.u32 x, %laneid; mov.u32 y, 0; setp.ge.u32 p, x, 20;\n@p bra over;\n"
      "setp.lt.u32 q, x, 5;\n@q bra few;\nadd.u32 y, y, 1;\nfew:\n"
      "activemask.b32 y;\nover: ret;\n");
  EXPECT_EQ(fragment.run().words("y"), by_lane([](uint32_t x) { return x < 20 ? 0xFFFFFu : 0u; }));
}

struct Operation {
  const char* text;  ///< sets d from a = lane * 0x1234567 + 89, b = lane
  uint32_t (*expected)(uint32_t a, uint32_t b);
};

uint32_t signed_word(int64_t value) { return static_cast<uint32_t>(value); }
int64_t as_signed(uint32_t word) { return static_cast<int32_t>(word); }

class PtxOperation : public testing::TestWithParam<Operation> {};

TEST_P(PtxOperation, gives_what_its_page_says) {
  Fragment fragment(std::string("add.u32 d, a, b;\n") + GetParam().text);
  const auto a = [](uint32_t lane) { return lane * 0x12345678u + 89; };
  fragment.set("a", by_lane(a)).set("b", by_lane([](uint32_t lane) { return lane; }));
  EXPECT_EQ(fragment.run().words("d"),
            by_lane([&](uint32_t lane) { return GetParam().expected(a(lane), lane); }))
      << GetParam().text;
}

const Operation kOperations[] = {
    {"sub.s32 d, a, b;", [](uint32_t a, uint32_t b) { return a - b; }},
    {"sub.s32 d, a, 0x12345;", [](uint32_t a, uint32_t) { return a - 0x12345; }},
    {"add.s32 d, a, -3;", [](uint32_t a, uint32_t) { return a - 3; }},
    {"add.s32 d, a, 0x7654321;", [](uint32_t a, uint32_t) { return a + 0x7654321; }},
    {"mul.lo.u32 d, a, b;", [](uint32_t a, uint32_t b) { return a * b; }},
    {"mul.hi.u32 d, a, a;",
     [](uint32_t a, uint32_t) { return static_cast<uint32_t>((uint64_t{a} * a) >> 32); }},
    {"mul.hi.s32 d, a, a;",
     [](uint32_t a, uint32_t) { return signed_word((as_signed(a) * as_signed(a)) >> 32); }},
    {"mad.lo.s32 d, a, b, a;", [](uint32_t a, uint32_t b) { return a * b + a; }},
    {"mad.hi.u32 d, a, a, b;",
     [](uint32_t a, uint32_t b) { return static_cast<uint32_t>((uint64_t{a} * a) >> 32) + b; }},
    {"min.s32 d, a, b;",
     [](uint32_t a, uint32_t b) { return signed_word(std::min(as_signed(a), as_signed(b))); }},
    {"max.u32 d, a, b;", [](uint32_t a, uint32_t b) { return std::max(a, b); }},
    {"neg.s32 d, a;", [](uint32_t a, uint32_t) { return 0 - a; }},
    {"abs.s32 d, a;", [](uint32_t a, uint32_t) { return signed_word(std::abs(as_signed(a))); }},
    {"and.b32 d, a, 0xff00ff;", [](uint32_t a, uint32_t) { return a & 0xff00ffu; }},
    {"or.b32 d, a, b;", [](uint32_t a, uint32_t b) { return a | b; }},
    {"xor.b32 d, a, -1;", [](uint32_t a, uint32_t) { return ~a; }},
    {"not.b32 d, a;", [](uint32_t a, uint32_t) { return ~a; }},
    {"shl.b32 d, a, b;", [](uint32_t a, uint32_t b) { return a << b; }},
    {"shr.u32 d, a, 7;", [](uint32_t a, uint32_t) { return a >> 7; }},
    {"shr.s32 d, a, 7;", [](uint32_t a, uint32_t) { return signed_word(as_signed(a) >> 7); }},
    {"popc.b32 d, a;",
     [](uint32_t a, uint32_t) { return static_cast<uint32_t>(__builtin_popcount(a)); }},
    {"brev.b32 d, a; brev.b32 d, d;", [](uint32_t a, uint32_t) { return a; }},
    {"clz.b32 d, b;",
     [](uint32_t, uint32_t b) { return b == 0 ? 32u : static_cast<uint32_t>(__builtin_clz(b)); }},
    {"bfe.s32 d, a, 3, 5;",
     [](uint32_t a, uint32_t) { return signed_word(as_signed(a << 24) >> 27); }},
    {"bfe.u32 d, a, b, 4;", [](uint32_t a, uint32_t b) { return (a >> b) & 0xFu; }},
    {"bfi.b32 d, a, b, 8, 12;",
     [](uint32_t a, uint32_t b) { return (b & 0xFFF000FFu) | (a & 0xFFFu) << 8; }},
    {"prmt.b32 d, a, b, 0x4012;",
     [](uint32_t a, uint32_t b) {
       return ((a >> 16) & 0xFFu) | (a & 0xFF00u) | (a & 0xFFu) << 16 | b << 24;
     }},
    {"shf.l.wrap.b32 d, a, b, 8;", [](uint32_t a, uint32_t b) { return b << 8 | a >> 24; }},
    {"lop3.b32 d, a, b, 0xff, 0x96;", [](uint32_t a, uint32_t b) { return a ^ b ^ 0xFFu; }},
    {"add.u32 c, b, 7; div.u32 d, a, c;", [](uint32_t a, uint32_t b) { return a / (b + 7); }},
    {"add.u32 c, b, 7; rem.s32 d, a, c;",
     [](uint32_t a, uint32_t b) { return signed_word(as_signed(a) % as_signed(b + 7)); }},
    {"sad.s32 d, a, b, 5;",
     [](uint32_t a, uint32_t b) { return signed_word(std::abs(as_signed(a) - as_signed(b)) + 5); }},
    {"add.s16 h, a, b; setp.lt.s16 p, h, 0; selp.u32 d, 1, 2, p;",
     [](uint32_t a, uint32_t b) { return ((a + b) >> 15 & 1u) != 0 ? 1u : 2u; }},
    {"mul.wide.s16 d, a, b;",
     [](uint32_t a, uint32_t b) {
       return signed_word(static_cast<int16_t>(a) * static_cast<int16_t>(b));
     }},
    {"add.cc.u32 c, a, 0x90000000; addc.u32 d, b, 0;",
     [](uint32_t a, uint32_t b) { return b + (a >= 0x70000000u ? 1u : 0u); }},
    {"setp.eq.u32 p, b, 9; vote.sync.ballot.b32 d, p, 0xffff;",
     [](uint32_t, uint32_t) { return 0x200u; }},
    {"setp.eq.u32 p, b, 20; vote.sync.any.pred q, p, 0xffff; selp.u32 d, 1, 0, q;",
     [](uint32_t, uint32_t) { return 0u; }},
    {"setp.lt.s32 p|q, a, b; selp.u32 d, 1, 2, p; @q add.u32 d, d, 8;",
     [](uint32_t a, uint32_t b) { return as_signed(a) < as_signed(b) ? 1u : 10u; }},
    {"setp.hi.u32 p, a, b; setp.eq.and.b32 q, b, 3, p; selp.b32 d, a, b, q;",
     [](uint32_t a, uint32_t b) { return b == 3 ? a : b; }},
    {"setp.lt.u32 p, b, 4; setp.lt.u32 q, b, 20; xor.pred p, p, q; not.pred p, p; selp.b32 d, 7, "
     "9, p;",
     [](uint32_t, uint32_t b) { return b >= 4 && b < 20 ? 9u : 7u; }},
    {"cvt.u64.u32 w, a; add.u64 w, w, -1; shl.b64 w, w, 40; shr.u64 w, w, 36; cvt.u32.u64 d, w;",
     [](uint32_t a, uint32_t) { return static_cast<uint32_t>(((uint64_t{a} - 1) << 40) >> 36); }},
    {"cvt.s64.s32 w, a; shr.s64 w, w, 5; cvt.u32.u64 d, w;",
     [](uint32_t a, uint32_t) { return signed_word(as_signed(a) >> 5); }},
    {"mul.wide.s32 w, a, a; shr.s64 w, w, 20; cvt.u32.u64 d, w;",
     [](uint32_t a, uint32_t) { return signed_word((as_signed(a) * as_signed(a)) >> 20); }},
    {"mul.wide.u32 w, a, 8; mov.b64 {lo, hi}, w; xor.b32 d, lo, hi;",
     [](uint32_t a, uint32_t) { return (a << 3) ^ (a >> 29); }},
    {"mad.wide.u32 w, a, b, v; mov.b64 {d, hi}, w; mov.b64 v, {a, b}; sub.s64 v, v, w; mov.b64 "
     "{lo, d}, v;",
     [](uint32_t a, uint32_t b) {
       return static_cast<uint32_t>(((uint64_t{b} << 32 | a) - uint64_t{a} * b) >> 32);
     }},
    {"mov.b64 v, {a, b}; mov.b64 w, {b, a}; mul.lo.u64 v, v, w; mov.b64 {lo, d}, v;",
     [](uint32_t a, uint32_t b) {
       return static_cast<uint32_t>(((uint64_t{b} << 32 | a) * (uint64_t{a} << 32 | b)) >> 32);
     }},
    {"mov.b64 v, {a, b}; mov.b64 w, {b, a}; setp.lt.u64 p, v, w; selp.b32 d, 1, 0, p;",
     [](uint32_t a, uint32_t b) {
       return uint32_t{(uint64_t{b} << 32 | a) < (uint64_t{a} << 32 | b)};
     }},
    {"cvt.rn.f32.u32 f, b; mul.f32 f, f, 0f3F000000; fma.rn.f32 f, f, 4.0, 1.0; cvt.rzi.u32.f32 d, "
     "f;",
     [](uint32_t, uint32_t b) { return 2 * b + 1; }},
    {"cvt.rn.f64.u32 g, b; add.f64 g, g, 0.5; cvt.rn.f32.f64 f, g; neg.f32 f, f; abs.f32 f, f; "
     "cvt.rpi.s32.f32 d, f;",
     [](uint32_t, uint32_t b) { return b + 1; }},
    {"cvt.u16.u32 h, a; cvt.s32.s8 e, a; add.u32 d, h, e;",
     [](uint32_t a, uint32_t) { return (a & 0xFFFF) + signed_word(static_cast<int8_t>(a)); }},
    {"vote.sync.ballot.b32 d, p, -1; setp.lt.u32 p, b, 3; vote.ballot.b32 d, p;",
     [](uint32_t, uint32_t) { return 7u; }},
};

INSTANTIATE_TEST_SUITE_P(All, PtxOperation, testing::ValuesIn(kOperations));

TEST(PtxMemory, moves_each_width_through_shared_memory) {
  Fragment fragment(
      ".shared .align 8 .b8 pad[8];\n.shared .align 8 .b8 buffer[256];\n"
      "mov.u32 l, %laneid; shl.b32 at, l, 3; mov.u32 base, buffer; add.u32 at, at, base;\n"
      "st.shared.u32 [at], a; st.shared.u16 [at+4], a; st.shared.u8 [at+6], a;\n"
      "bar.sync 0;\nld.shared.u16 x, [at+2]; ld.shared.s8 y, [at+6]; ld.shared.u32 z, [buffer+8];\n"
      "ld.shared.v2.u32 {v, w}, [at];\n");
  fragment.set("a", by_lane([](uint32_t lane) { return lane * 0x01010101u + 0x80; }));
  fragment.run();
  const auto a = [](uint32_t lane) { return lane * 0x01010101u + 0x80; };
  EXPECT_EQ(fragment.words("x"), by_lane([&](uint32_t lane) { return a(lane) >> 16; }));
  EXPECT_EQ(fragment.words("y"),
            by_lane([&](uint32_t lane) { return signed_word(static_cast<int8_t>(a(lane))); }));
  EXPECT_EQ(fragment.words("z"), by_lane([&](uint32_t) { return a(1); }));
  EXPECT_EQ(fragment.words("v"), by_lane([&](uint32_t lane) { return a(lane); }));
  EXPECT_EQ(fragment.program().shared_bytes, 264u);
}

TEST(PtxMemory, PlacesArraysWithoutASizeBehindAllStaticMemory) {
  const Program program = ptx_program(
      ".version 8.0\n.target sm_50\n.address_size 64\n"
      ".extern .shared .align 16 .b8 first[];\n.extern .shared .align 4 .b32 second[];\n"
      ".func f()\n{\n.shared .b8 called[4];\nst.shared.u8 [called], 1;\nret;\n}\n"
      ".entry k()\n{\n.shared .align 4 .b8 own[20];\n.reg .u32 x, y;\n"
      "mov.u32 x, first; mov.u32 y, second;\nst.shared.u32 [own+16], x;\n"
      "st.shared.u32 [own+12], y;\nst.shared.u32 [first+4], x;\ncall f, ();\nret;\n}\n",
      "k");
  EXPECT_EQ(program.shared_bytes, 48u);  // 20, then 4 from 32 on, up to a multiple of 16
  Launch launch;
  launch.block = {kLanes, 1, 1};
  launch.shared_bytes = 8;
  DeviceMemory memory;
  Witness witness;
  execute(program, launch, memory, witness);
  std::vector<uint64_t> places;
  for (const LaneAddresses& each : witness.addresses) places.push_back(each[0]);
  EXPECT_EQ(places, (std::vector<uint64_t>{16, 12, 52, 32}));
}

}  // namespace ptx_flow_test
}  // namespace shflsim::isa
