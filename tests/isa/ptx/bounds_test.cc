// SPDX-License-Identifier: Apache-2.0
// PTX that declares, nests or calls more than there is room for, or branches very often.
#include <gtest/gtest.h>

#include "tests/isa/ptx/support.h"

namespace shflsim::isa {
namespace ptx_bounds_test {

std::string kernel(const std::string& body, const std::string& before = "") {
  return ".version 7.0\n.target sm_50\n" + before + ".visible .entry k(.param .u64 o)\n{\n" + body +
         "}\n";
}

std::string repeated(const std::string& text, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

TEST(PtxBounds, A4NoOpcodeNeedsATypeToBeRefusedInWords) {
  EXPECT_EQ(ptx_error(kernel(".reg .b32 %r<4>;\ndiv %r1, %r2, %r3;\n")),
            "t.ptx:6:1: 'div' without a type; expected one such as .b32");
  for (const char* opcode :
       {"abs",  "add", "atom", "bar", "bfe",  "bfi", "cvt",  "cvta", "div", "fma",
        "ld",   "mad", "max",  "mov", "mul",  "neg", "prmt", "rcp",  "red", "rem",
        "selp", "set", "setp", "shf", "shfl", "shl", "sqrt", "st",   "sub", "vote"}) {
    for (const char* operands :
         {"", " %r1", " %r1, %r2", " %r1, %r2, %r3", " %r1, %r2, %r3, %r0"}) {
      const std::string line = opcode + std::string(operands) + ";\n";
      EXPECT_NE(ptx_error(kernel(".reg .b32 %r<4>;\n" + line)), "") << line;
    }
  }
}

TEST(PtxBounds, A5OperandsNestToALimit) {
  const std::string deep = repeated("{", 17500);
  EXPECT_EQ(ptx_error(kernel("mov.b32 " + deep))
                .rfind("t.ptx:5:209: brackets nested more than 200 deep; expected fewer levels", 0),
            0u);
}

TEST(PtxBounds, A5InitialisersNestToALimit) {
  const std::string deep = ".global .u32 x[2] = " + repeated("{", 27600);
  EXPECT_EQ(ptx_error(kernel("ret;\n", deep)),
            "t.ptx:3:222: braces nested more than 200 deep; expected fewer levels");
}

TEST(PtxBounds, A5BlocksNestToALimit) {
  EXPECT_EQ(ptx_error(kernel(repeated("{\n", 300))),
            "t.ptx:206:1: a depth of braces of 201; expected 200 at most");
}

/// f0 calls f1 calls f2 ..., each `times` times.
std::string chain(size_t length, size_t times) {
  std::string text;
  for (size_t i = length; i-- > 0;) {
    const std::string call = "call f" + std::to_string(i + 1) + ", ();\n";
    text += ".func f" + std::to_string(i) + "()\n{\n" +
            (i + 1 < length ? repeated(call, times) : std::string()) + "ret;\n}\n";
  }
  return text;
}

TEST(PtxBounds, A5ChainsOfCallsHaveALimit) {
  EXPECT_EQ(ptx_error(kernel("call f0, ();\nret;\n", chain(199, 1))), "");
  const std::string error = ptx_error(kernel("call f0, ();\nret;\n", chain(10000, 1)));
  EXPECT_NE(error.find("a chain of calls of 'f200' of 201; expected 200 at most"),
            std::string::npos)
      << error;
}

TEST(PtxBounds, A19CallsThatDoubleEndAtALimitWithTheFunctionsName) {
  const std::string error = ptx_error(kernel("call f0, ();\nret;\n", chain(28, 2)));
  EXPECT_NE(error.find("code with calls in place, 'f22' the last, of 262148 in"), std::string::npos)
      << error;
}

TEST(PtxBounds, A19AlignmentsAreBounded) {
  EXPECT_EQ(ptx_error(kernel(".shared .align 2147483648 .b8 s[4];\nret;\n")),
            "t.ptx:5:16: .align of 2147483648; expected 1024 at most");
  EXPECT_EQ(ptx_error(kernel(".shared .align 24 .b8 s[4];\nret;\n")),
            "t.ptx:5:16: an alignment that is no power of two; expected one such as 16");
}

TEST(PtxBounds, A19RowsOfRegistersCostWhatIsUsedOfThem) {
  std::string rows;
  for (int i = 0; i < 200; ++i) rows += ".reg .b32 %r" + std::to_string(i) + "x<65536>;\n";
  const Program program = ptx_program(kernel(rows + "mov.u32 %r7x65535, 1;\nret;\n"));
  EXPECT_EQ(program.registers, 1u);
  EXPECT_EQ(ptx_error(kernel(rows + "mov.u32 %r7x65536, 1;\nret;\n")),
            "t.ptx:205:9: no register '%r7x65536'; expected one that .reg declares");
  EXPECT_EQ(ptx_error(kernel(".reg .b32 %r<65537>;\nret;\n")),
            "t.ptx:5:11: a row of 65537 registers; expected 65536 at most");
}

TEST(PtxBounds, ARowsRegistersHaveNoZerosInFront) {
  EXPECT_EQ(ptx_error(kernel(".reg .b32 %r<20>;\nmov.u32 %r01, 1;\nret;\n")),
            "t.ptx:6:9: no register '%r01'; expected one that .reg declares");
}

TEST(PtxBounds, A34DimensionsThatOverflowAreRefused) {
  EXPECT_EQ(ptx_error(kernel("ret;\n", ".global .u32 x[4294967296][4294967296];\n")),
            "t.ptx:3:14: 'x' and what stands before it, in all of 18446744073709551615 bytes; "
            "expected 134217728 at most");
}

TEST(PtxBounds, A34AVariableBehindAnotherHasAnAddressOfItsOwn) {
  const Program program = ptx_program(
      kernel(".reg .b64 %d<4>;\nmov.u64 %d1, x;\nmov.u64 %d2, y;\nadd.u64 %d1, %d1, %d2;\n"
             "ld.param.u64 %d3, [o];\nst.global.u64 [%d3], %d1;\nret;\n",
             ".global .u32 x[3];\n.global .u32 y[3];\n"));
  ASSERT_EQ(program.variable_addresses.size(), 2u);
  EXPECT_EQ(program.variable_addresses[0].variable, 0u);
  EXPECT_EQ(program.variable_addresses[1].variable, 12u);
}

TEST(PtxBounds, AnAddressIsOfSixtyFourBits) {
  EXPECT_EQ(ptx_error(kernel("ret;\n", ".global .u32 x;\n.global .u32 y = x;\n")),
            "t.ptx:4:18: 'x' cannot stand here; expected a number, since an address has 64 bits");
}

TEST(PtxBounds, SharedAndLocalMemoryAreBoundedInAll) {
  const std::string shared = ".shared .b8 a[1048576];\n.shared .b8 b[1];\nret;\n";
  EXPECT_EQ(ptx_error(kernel(shared)),
            "t.ptx:6:13: 'b' and what stands before it, in all of 1048577 bytes; expected 1048576 "
            "at most");
  EXPECT_NE(ptx_error(kernel(".local .b8 a[524289];\nret;\n")), "");
}

/// Code with `count` branches in a row at which the warp diverges.
std::string branches(unsigned count) {
  std::string body =
      ".reg .b32 %r<3>;\n.reg .b64 %d<2>;\n.reg .pred %p<2>;\nmov.u32 %r0, %tid.x;\n"
      "mov.u32 %r1, 0;\n";
  for (unsigned i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    body += "setp.lt.u32 %p1, %r0, " + n + ";\n@%p1 bra L" + n + ";\nadd.u32 %r1, %r1, 1;\nL" + n +
            ":\n";
  }
  return kernel(body + "ld.param.u64 %d1, [o];\nst.global.u32 [%d1], %r1;\nret;\n");
}

TEST(PtxBounds, A12ThousandsOfBranchesAreJoinedInTheTimeThatTheirNumberTakes) {
  const Program program = ptx_program(branches(2000), "", Lowering::kPlain);
  size_t pushes = 0;
  size_t joins = 0;
  for (const Instruction& each : program.code) {
    pushes += each.op == Op::kSSY ? 1 : 0;
    joins += each.op == Op::kSYNC ? 1 : 0;
  }
  EXPECT_EQ(pushes, 2000u);
  EXPECT_EQ(joins, 4000u);
}

TEST(PtxBounds, LoopsNestToALimit) {
  std::string body = ".reg .b32 %r<2>;\n.reg .pred %p<2>;\n";
  for (int i = 0; i < 300; ++i) body += "L" + std::to_string(i) + ":\nadd.u32 %r1, %r1, 1;\n";
  for (int i = 300; i-- > 0;) {
    body +=
        "setp.lt.u32 %p1, %r1, " + std::to_string(i) + ";\n@%p1 bra L" + std::to_string(i) + ";\n";
  }
  EXPECT_NE(ptx_error(kernel(body + "ret;\n")).find("a nesting of loops of 201; expected 200"),
            std::string::npos);
}

}  // namespace ptx_bounds_test
}  // namespace shflsim::isa
