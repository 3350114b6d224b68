// SPDX-License-Identifier: Apache-2.0
// Words, numbers, vectors, variables and initial values that ptxas accepts. Expected numbers are
// those of code that ptxas 13.0 made from the same text.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_reader_test {

using Words = std::vector<uint32_t>;

/// A kernel with the address of `out` in %d1.
std::string kernel_of(const std::string& body, const std::string& before = "") {
  return ".version 8.0\n.target sm_75\n.address_size 64\n" + before +
         "\n.visible.entry k(.param.u64 in, .param .u64.ptr.global.align 8 out, .param.u32 n)\n{\n"
         ".reg.b32%r<9>;\n.reg.b64 %d<9>;\n.reg.f32 %f<9>;\n.reg.b16 %h<9>;\n"
         "ld.param.u64 %d1, [out];\n" +
         body + "\nret;\n}\n";
}

/// The first `count` words that a single thread writes.
Words run(const std::string& text, size_t count) {
  Words words;
  for (const Lowering lowering : {Lowering::kPlain, Lowering::kOptimised}) {
    Witness witness;
    const Words out = run_kernel(ptx_program(text, "", lowering), 1, 1, {7}, count, &witness);
    EXPECT_TRUE(words.empty() || words == out);
    words = out;
  }
  return words;
}

uint64_t value_of(const std::string& expression) {
  const Words words =
      run(kernel_of("mov.s64 %d2, " + expression + ";\nst.global.u64 [%d1], %d2;"), 2);
  return uint64_t{words[1]} << 32 | words[0];
}

TEST(PtxReader, DirectivesNeedNoBlanks) {
  EXPECT_EQ(
      run(kernel_of("ld.global.u32 %r1,[g];\nst.global.u32 [%d1],%r1;", ".global.u32 g=5;"), 1),
      Words{5});
  EXPECT_EQ(run(kernel_of("ld.const.u32 %r1,[c+4];\nst.global.u32 [%d1],%r1;",
                          ".visible.const.align 8 .u32 c[2]={5,6};"),
                1),
            Words{6});
  EXPECT_EQ(run(kernel_of(".shared.b32 s[2];\n.local.b32 l;\nst.shared.u32 [s+4],8;\n"
                          "ld.shared.u32 %r1,[s+4];\nst.local.u32 [l],%r1;\n"
                          "ld.local.u32 %r2,[l];\nst.global.u32 [%d1],%r2;"),
                1),
            Words{8});
  EXPECT_EQ(ptx_error(kernel_of("", ".global.align 8.u32 g;")),
            "t.ptx:4:16: '.' in a number; expected digits");
}

TEST(PtxReader, AFileMayBeginWithADirectiveWithoutBlanks) {
  EXPECT_EQ(ptx_program(".global.u32 g=1;\n.visible.entry k()\n{\nret;\n}\n").name, "k");
  EXPECT_EQ(ptx_program(".visible.entry k()\n{\nret;\n}\n").name, "k");
}

TEST(PtxReader, ExpressionsOfSignedNumbers) {
  EXPECT_EQ(value_of("(1<<5)|3"), 35u);
  EXPECT_EQ(value_of("-7/2"), static_cast<uint64_t>(-3));
  EXPECT_EQ(value_of("-7 % 3"), (~uint64_t{0} - 6) % 3);
  EXPECT_EQ(value_of("-8>>1"), static_cast<uint64_t>(-4));
  EXPECT_EQ(value_of("2+3*4-(10-4-3)"), 11u);
  EXPECT_EQ(value_of("1<<2+1"), 8u);
  EXPECT_EQ(value_of("6&3^5|8"), 15u);
  EXPECT_EQ(value_of("!5+!0"), 1u);
  EXPECT_EQ(value_of("3>2?10:20"), 10u);
  EXPECT_EQ(value_of("1&&0||1"), 1u);
  EXPECT_EQ(value_of("1?2:0?3:4"), 2u);
  EXPECT_EQ(value_of("1<<64"), 1u);
}

TEST(PtxReader, ExpressionsOfUnsignedNumbers) {
  EXPECT_EQ(value_of("-1<1"), 1u);
  EXPECT_EQ(value_of("-1<1U"), 0u);
  EXPECT_EQ(value_of("~0>>1"), ~uint64_t{0} >> 1);
  EXPECT_EQ(value_of("0xffffffffffffffff>>60"), 15u);
  EXPECT_EQ(value_of("(.u64)-1>>63"), 1u);
  EXPECT_EQ(value_of("(.s64)0xffffffffffffffff>>63"), ~uint64_t{0});
  EXPECT_EQ(value_of("0b1011"), 11u);
  EXPECT_EQ(value_of("017"), 15u);
  EXPECT_EQ(value_of("WARP_SZ*2"), 64u);
}

TEST(PtxReader, ExpressionsThatAreNoneAreRefused) {
  const auto error_of = [](const std::string& expression) {
    return ptx_error(kernel_of("mov.s64 %d2, " + expression + ";"));
  };
  EXPECT_EQ(error_of("1/0"), "t.ptx:12:15: a division by 0; expected another divisor");
  EXPECT_EQ(error_of("1+"),
            "t.ptx:12:16: ';' cannot stand here; expected a register, a number or '['");
  EXPECT_EQ(error_of("(1"), "t.ptx:12:16: ';' cannot stand here; expected ')'");
  EXPECT_EQ(error_of("~1.5"), "t.ptx:12:14: '~' of a float; expected an integer");
  EXPECT_NE(error_of("1+2.0").find("t.ptx:12:15: '+' between numbers of two kinds"),
            std::string::npos);
}

TEST(PtxReader, ExpressionsStandWhereNumbersDo) {
  EXPECT_EQ(run(kernel_of("ld.global.u32 %r1,[g+4*2];\nld.global.u32 %r2,g[1];\n"
                          "st.global.v2.u32 [%d1+(1<<2)-4],{%r1,%r2};\nmov.u64 %d2,g[3];\n"
                          "mov.u64 %d3,g+4;\nsub.u64 %d2,%d2,%d3;\nst.global.u64 [%d1+8],%d2;",
                          ".global.u32 g[2*2]={1,2,1<<2,-1};"),
                4),
            (Words{4, 2, 8, 0}));
  EXPECT_EQ(run(kernel_of("mov.f32 %f1,1.5+2.25*2.0;\nst.global.f32 [%d1],%f1;\n"
                          "mov.f32 %f1,1e2;\nst.global.f32 [%d1+4],%f1;"),
                2),
            (Words{0x40C00000, 0x42C80000}));
}

TEST(PtxReader, FloatsNeedNoDigitsOnBothSidesOfThePoint) {
  const auto bits_of = [](const std::string& number) {
    return run(kernel_of("mov.f32 %f1," + number + ";\nst.global.f32 [%d1],%f1;"), 1);
  };
  EXPECT_EQ(bits_of("1."), Words{0x3F800000});
  EXPECT_EQ(bits_of("1.e2"), Words{0x42C80000});
  EXPECT_EQ(bits_of("1.E+2"), Words{0x42C80000});
  EXPECT_EQ(bits_of(".5"), Words{0x3F000000});
  EXPECT_EQ(bits_of("-.5e1"), Words{0xC0A00000});
  EXPECT_EQ(bits_of("1.e2+.5"), Words{0x42C90000});
}

TEST(PtxReader, LinesOfAPreprocessorAreNoCode) {
  const std::string body = "st.global.u32 [%d1],5;";
  for (const char* line : {"# 1 \"a.ptx\"", "#line 5 \"a.ptx\"", "  # 5 \"a.cu\" 2"}) {
    EXPECT_EQ(run(std::string(line) + "\n" + kernel_of(body), 1), Words{5}) << line;
    EXPECT_EQ(run(kernel_of(body, std::string(line) + "\n"), 1), Words{5}) << line;
  }
  EXPECT_EQ(ptx_error(kernel_of(body, "#define A 5\n")).rfind("t.ptx:4:1: '#' is no part", 0), 0u);
  EXPECT_EQ(ptx_error(kernel_of(body, "; # 5\n")).rfind("t.ptx:4:3: '#' is no part", 0), 0u);
}

TEST(PtxReader, TablesNameRowsOfLabels) {
  const std::string code =
      "N0: mov.u32 %r3,10;\nbra E;\nN1: mov.u32 %r3,20;\nbra E;\nM: mov.u32 %r3,30;\n"
      "E: st.global.u32 [%d1],%r3;";
  for (const auto& [index, value] :
       {std::pair("0", 10u), std::pair("1", 20u), std::pair("2", 30u)}) {
    EXPECT_EQ(run(kernel_of("ld.param.u64 %d2,[in];\nld.global.u32 %r2,[%d2];\nsub.u32 %r2,%r2,7-" +
                            std::string(index) + ";\nt: .branchtargets N<2>, M;\nbrx.idx %r2,t;\n" +
                            code),
                  1),
              Words{value});
  }
  EXPECT_EQ(ptx_error(kernel_of("t: .branchtargets N<40000>,M<40000>;")),
            "t.ptx:12:28: a table of 80000 names; expected 65536 at most");
}

TEST(PtxReader, VectorsAreRegistersWithParts) {
  EXPECT_EQ(run(kernel_of(".reg .v4 .u32 v;\nld.global.v4.u32 v,[g];\nst.global.v4.u32 [%d1],v;\n"
                          "mov.u32 v.w,v.y;\nst.global.v4.u32 [%d1+16],{v.r,v.g,v.b,v.a};",
                          ".global.v4.u32 g={1,2,3,4};"),
                8),
            (Words{1, 2, 3, 4, 1, 2, 3, 2}));
  EXPECT_EQ(run(kernel_of(".reg.v2.u32 v,w;\nmov.u32 v.x,3;\nmov.u32 v.y,4;\nmov.v2.u32 w,v;\n"
                          "mov.b64 %d2,w;\nst.global.u64 [%d1],%d2;"),
                2),
            (Words{3, 4}));
  EXPECT_EQ(run(kernel_of(".reg.v2.f32 w<2>;\nmov.f32 w1.x,1.0;\nmov.f32 w1.y,w1.x;\n"
                          "st.global.v2.f32 [%d1],w1;"),
                2),
            (Words{0x3F800000, 0x3F800000}));
  EXPECT_EQ(
      ptx_error(kernel_of(".reg.v2.u32 v;\nmov.u32 v.z,1;")).rfind("t.ptx:13:9: no register", 0),
      0u);
}

TEST(PtxReader, BodiesDeclareVariables) {
  EXPECT_EQ(run(kernel_of(".global.u32 g=6;\n.const.u32 c=9;\nld.global.u32 %r1,[g];\n"
                          "ld.const.u32 %r2,[c];\nst.global.v2.u32 [%d1],{%r1,%r2};",
                          ".global.u32 g=1;"),
                2),
            (Words{6, 9}));
  EXPECT_EQ(run(kernel_of("{\n.local.b32 l[2];\nst.local.u32 [l+4],3;\nld.local.u32 %r1,[l+4];\n}\n"
                          "{\n.local.b32 l;\nst.local.u32 [l],4;\nld.local.u32 %r2,[l];\n}\n"
                          "st.global.v2.u32 [%d1],{%r1,%r2};"),
                2),
            (Words{3, 4}));
  EXPECT_EQ(ptx_error(kernel_of(".shared.b32 s;\n.shared.b32 s;")),
            "t.ptx:13:13: 's' is declared twice; expected a new name");
}

TEST(PtxReader, ParametersHaveAddresses) {
  EXPECT_EQ(run(kernel_of("mov.b64 %d2,n;\nld.param.u32 %r1,[%d2];\nmov.u32 %r3,n;\n"
                          "ld.param.u32 %r2,[%r3];\nst.global.v2.u32 [%d1],{%r1,%r2};"),
                2),
            (Words{1, 1}));
  EXPECT_EQ(
      run(kernel_of("mov.b64 %d2,in+16;\nld.param.u32 %r1,[%d2];\nst.global.u32 [%d1],%r1;"), 1),
      Words{1});
  EXPECT_NE(ptx_error(kernel_of("cvta.param.u64 %d2,%d2;")).find("'cvta' of .param"),
            std::string::npos);
}

TEST(PtxReader, FirstValuesNameConstants) {
  EXPECT_EQ(run(kernel_of("ld.const.u64 %d2,[q+8];\nld.const.u32 %r1,[%d2];\n"
                          "ld.const.u32 %r3,[p];\nld.const.u32 %r2,[%r3];\n"
                          "st.global.v2.u32 [%d1],{%r1,%r2};\nld.global.u64 %d2,[h];\n"
                          "ld.const.u32 %r1,[%d2];\nst.global.u32 [%d1+8],%r1;",
                          ".const.u32 a[3]={1,2,3};\n.const.u32 b[2]={4,5};\n"
                          ".const.u64 q[2]={a,b+4};\n.const.u32 p=a+8;\n.global.u64 h=b;"),
                3),
            (Words{5, 3, 4}));
}

TEST(PtxReader, FirstValuesAreGenericAddressesOfConstants) {
  EXPECT_EQ(
      run(kernel_of("ld.const.u64 %d2,[q+8];\nld.u32 %r1,[%d2];\nld.global.u64 %d2,[h];\n"
                    "ld.u32 %r2,[%d2];\nst.global.v2.u32 [%d1],{%r1,%r2};\n"
                    "ld.global.u64 %d2,[m];\nld.u32 %r1,[%d2];\nst.global.u32 [%d1+8],%r1;",
                    ".const.u32 a[3]={1,2,3};\n.const.u32 b[2]={4,5};\n"
                    ".const.u64 q[2]={generic(a),generic(b)+4};\n.global.u64 h=generic(a)+8;\n"
                    ".global.align 8 .u8 m[8]={0xFF(generic(b)),0xFF00(generic(b)),"
                    "0xFF0000(generic(b)),0xFF000000(generic(b)),0xFF00000000(generic(b)),"
                    "0xFF0000000000(generic(b)),0xFF000000000000(generic(b)),"
                    "0xFF00000000000000(generic(b))};"),
          3),
      (Words{5, 3, 4}));
  EXPECT_NE(ptx_error(kernel_of("", ".const.u32 a;\n.global.u8 m=0xFF00(generic(a));"))
                .find("t.ptx:5:14: a byte of the address of 'a' alone is not supported"),
            std::string::npos);
}

TEST(PtxReader, FirstValuesNameVariablesAndWhatIsAdded) {
  EXPECT_EQ(run(kernel_of("ld.global.u64 %d2,[p];\nld.u32 %r1,[%d2];\nld.global.u64 %d2,[p+8];\n"
                          "ld.u32 %r2,[%d2];\nst.global.v2.u32 [%d1],{%r1,%r2};\n"
                          "ld.global.u64 %d2,[m];\nld.u32 %r1,[%d2];\nst.global.u32 [%d1+8],%r1;",
                          ".global.u32 g[4]={1,2,3,4};\n.global.u64 p[2]={generic(g)+8,g+16-4};\n"
                          ".global.align 8 .u8 m[8]={0xFF(g),0xFF00(g),0xFF0000(g),0xFF000000(g),"
                          "0xFF00000000(g),0xFF0000000000(g),0xFF000000000000(g),"
                          "0xFF00000000000000(g)};"),
                3),
            (Words{3, 4, 1}));
  EXPECT_NE(ptx_error(kernel_of("", ".global.u32 g;\n.global.u8 m=0xFF00(g);"))
                .find("t.ptx:5:14: a byte of the address of 'g' alone is not supported"),
            std::string::npos);
  EXPECT_NE(ptx_error(kernel_of("", ".global.u32 g;\n.global.u8 m=0xF0(g);"))
                .find("t.ptx:5:14: a part of an address"),
            std::string::npos);
}

TEST(PtxReader, InnerBracesOfFirstValuesLeaveNothingOut) {
  EXPECT_EQ(run(kernel_of("ld.global.u32 %r1,[g+4];\nld.global.u32 %r2,[h];\n"
                          "st.global.v2.u32 [%d1],{%r1,%r2};",
                          ".global.u32 g[2][3]={{1},{4,5}};\n.global.u32 o[]={1,2},h=9;"),
                2),
            (Words{4, 9}));
}

TEST(PtxReader, AttributesChangeNothing) {
  EXPECT_EQ(run(kernel_of("ld.global.u32 %r1,[g];\nst.global.u32 [%d1],%r1;",
                          ".global .attribute(.managed) .align 4 .u32 g = 3;"),
                1),
            Words{3});
  EXPECT_EQ(ptx_error(kernel_of("", ".global .attribute(.managed .u32 g = 3;")).empty(), false);
}

TEST(PtxReader, SetTakesHalvesAndGivesThem) {
  EXPECT_EQ(run(kernel_of("mov.b16 %h1,0x3c00;\nmov.b16 %h2,0x4000;\nset.lt.u32.f16 %r1,%h1,%h2;\n"
                          "mov.f32 %f1,1.0;\nset.eq.f16.f32 %h3,%f1,%f1;\ncvt.u32.u16 %r2,%h3;\n"
                          "set.lt.f16.s32 %h4,%r2,7;\ncvt.u32.u16 %r3,%h4;\n"
                          "set.gt.u16.f16 %h4,%h2,%h1;\ncvt.u32.u16 %r4,%h4;\n"
                          "st.global.v4.u32 [%d1],{%r1,%r2,%r3,%r4};"),
                4),
            (Words{0xFFFFFFFF, 0x3C00, 0, 0xFFFF}));
}

}  // namespace ptx_reader_test
}  // namespace shflsim::isa
