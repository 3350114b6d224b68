// SPDX-License-Identifier: Apache-2.0
// Lines of the PTX lowering: their operations, their words, and properties that passes rely on.
#include <gtest/gtest.h>

#include <tuple>

#include "isa/codec/codec.h"
#include "isa/ptx/lines/check_lines.h"
#include "isa/ptx/lines/line_text.h"
#include "isa/ptx/lines/line_word.h"
#include "isa/ptx/lines/terms.h"

namespace shflsim::isa::ptx {
namespace ptx_lines_test {

TEST(PtxOperation, NamesTheValuesThatTheOpcodeTableHas) {
  const std::tuple<const char*, Mod, uint8_t> cases[] = {
      {"SHR.U32", Mod::k_unsigned_, value::kUnsigned},
      {"ISETP.LT.AND", Mod::k_icmp, value::kLess},
      {"ISETP.EQ.AND", Mod::k_icmp, value::kEqual},
      {"ISETP.LE.AND", Mod::k_icmp, value::kLessOrEqual},
      {"FSETP.GT.AND", Mod::k_fcmp, value::kGreater},
      {"FSETP.NE.AND", Mod::k_fcmp, value::kNotEqual},
      {"FSETP.GE.AND", Mod::k_fcmp, value::kGreaterOrEqual},
      {"FSETP.NUM.AND", Mod::k_fcmp, value::kNumbers},
      {"PSETP.AND.OR", Mod::k_bool_, value::kAnd},
      {"PSETP.AND.OR", Mod::k_bool2, value::kOr},
      {"LOP.XOR", Mod::k_logic, value::kXor},
      {"LOP.PASS_B", Mod::k_logic, value::kPassB},
      {"LOP.AND.Z", Mod::k_ptest, value::kTestZero},
      {"LOP.AND.NZ", Mod::k_ptest, value::kTestNotZero},
      {"ATOMS.ADD", Mod::k_atom, value::kAdd},
      {"ATOMS.MIN.S32", Mod::k_atom, value::kMin},
      {"ATOM.E.MAX", Mod::k_atom, value::kMax},
      {"ATOMS.AND", Mod::k_atom, value::kAtomicAnd},
      {"ATOMS.OR", Mod::k_atom, value::kAtomicOr},
      {"ATOMS.XOR", Mod::k_atom, value::kAtomicXor},
      {"LDG.E.U8", Mod::k_size, value::kU8},
      {"LDS.S16", Mod::k_size, value::kS16},
      {"LDL", Mod::k_size, value::k32},
      {"STG.E.128", Mod::k_size, value::k128},
      {"I2I.U32.U16", Mod::k_ito, value::kIntegerU32},
      {"I2I.S32.S16", Mod::k_ifrom, value::kIntegerS16},
      {"SHF.L.U64", Mod::k_funnel, value::kPairUnsigned},
      {"SHF.R.S64", Mod::k_funnel, value::kPairSigned},
      {"XMAD.PSL.CBCC", Mod::k_xmode, value::kAddLowerFactor},
  };
  for (const auto& [text, mod, value] : cases) {
    EXPECT_TRUE(Operation(text).is(mod, value)) << text;
  }
}

TEST(PtxOperation, IsOneObjectForEachText) {
  EXPECT_EQ(Operation("FADD.FTZ"), Operation(std::string("FADD.FTZ")));
  EXPECT_NE(Operation("FADD.FTZ"), Operation("FADD"));
  EXPECT_EQ(Operation("LOP32I.AND").op(), Op::kLOP);
  EXPECT_TRUE(Operation("LOP32I.AND").is_long());
  EXPECT_EQ(Operation("no such thing").op(), Op::kCount);
}

TEST(PtxOperation, ChangesByItsModifiers) {
  const Operation less = "ISETP.LT.U32.X.AND";
  EXPECT_EQ(less.with(Mod::k_icmp, value::kGreater).text(), "ISETP.GT.U32.X.AND");
  EXPECT_EQ(less.with(Mod::k_x, 0).text(), "ISETP.LT.U32.AND");
  EXPECT_EQ(Operation("LOP.OR").lengthened(), Operation("LOP32I.OR"));
  EXPECT_EQ(Operation("SHL").lengthened(), std::nullopt);
  EXPECT_EQ(Operation("ATOM.E.ADD").renamed("RED"), Operation("RED.E.ADD"));
  EXPECT_EQ(Operation("ATOM.E.EXCH").renamed("RED"), std::nullopt);
}

TEST(PtxOperation, IsExactlyWhatItPrints) {
  const Operation product = "XMAD.PSL";
  EXPECT_TRUE(product.is_exactly(Op::kXMAD, {{Mod::k_psl, 1}}));
  EXPECT_FALSE(product.is_exactly(Op::kXMAD));
  EXPECT_FALSE(Operation("IADD32I").is_exactly(Op::kIADD));
  EXPECT_FALSE(Operation("IADD.X").is_exactly(Op::kIADD));
}

/// Lines of each kind of operand. Virtual register n is Rn or Pn.
std::vector<Line> lines() {
  const Term d = written(register_term(1));
  const Term a = register_term(2);
  const Term b = register_term(3);
  const Term p = register_term(0, 0);
  const Term upper = piece_of(a, Piece::kUpperHalf);
  const Term both = register_term(4, 2);
  std::vector<Line> all = {
      line_of("IADD", {d, negated(a), number(-5)}),
      line_of("IADD.X", {d, a, constant(0, 0x140)}),
      line_of("MOV32I", {d, number(0xFFFFFFFF)}),
      line_of("FADD", {d, negated(a), float_term(0xBF800000)}),
      line_of("FADD32I", {d, a, float_term(0x3F8CCCCD)}),
      line_of("LOP.XOR", {d, a, inverted(b)}),
      line_of("LOP.AND.NZ", {written(p), rz(), a, number(0x10)}),
      line_of("XMAD.PSL.CBCC", {d, upper, upper, b}),
      line_of("XMAD.S16.S16", {d, a, constant(0, 0x8), b}),
      line_of("ISETP.GE.U32.AND", {written(p), pt(), a, b, truth(false)}),
      line_of("SEL", {d, a, b, negated(p)}),
      line_of("HADD2", {d, piece_of(a, Piece::kLowerHalfTwice), b}),
      line_of("VADD.UD.U8.U16", {d, piece_of(a, Piece::kByte2), upper, rz()}),
      line_of("S2R", {d, special("SR_LANEID")}),
      line_of("SHFL.BFLY", {pt(), d, a, number(1), number(0x1F)}),
      line_of("VOTE.ANY", {d, pt(), p}),
      line_of("VOTE.ALL", {written(p), p}),
      line_of("LDG.E.64", {written(both), memory(6, -8, 2)}),
      line_of("STS", {memory(-1, 0x20), a}),
      line_of("ATOM.E.CAS", {d, memory(6, 0, 2), both, register_term(5)}),
      line_of("BAR.SYNC", {number(0)}),
      line_of("EXIT", {}),
  };
  Line sum = line_of("IADD", {rz(), a, negated(b)});
  sum.sets_cc = true;
  all.push_back(sum);
  Line guarded = line_of("MOV", {d, b});
  guarded.guard = 0;
  guarded.guard_negate = true;
  all.push_back(guarded);
  return all;
}

TEST(PtxLineWord, IsThatOfTheLinesText) {
  const std::vector<uint8_t> numbers = {0, 1, 2, 3, 4, 5, 6, 7};
  for (const Line& line : lines()) {
    const std::string text = text_of_line(line, numbers);
    const std::optional<uint64_t> word = word_of(line, {numbers});
    ASSERT_TRUE(word) << text;
    EXPECT_EQ(*word, encode(text, 0).word.low) << text;
  }
}

TEST(PtxLineWord, IsNoneWhereOperandsDoNotFit) {
  const Term d = written(register_term(1));
  const Term a = register_term(2);
  EXPECT_FALSE(has_word(line_of("IADD", {d, a, number(1 << 19)})));
  EXPECT_FALSE(has_word(line_of("IADD", {d, number(1), a})));
  EXPECT_FALSE(has_word(line_of("IADD", {d, a})));
  EXPECT_FALSE(has_word(line_of("IADD", {d, inverted(a), a})));
  EXPECT_FALSE(has_word(line_of("FADD", {d, a, float_term(0x3F8CCCCD)})));
  EXPECT_FALSE(has_word(line_of("SEL", {d, a, a, a})));
}

/// One block that writes a temporary register and reads it.
Code plain_code() {
  Code code;
  code.registers = {{"", 1, false}, {"", 2, false}, {"", 0, false}};
  code.blocks.resize(2);
  code.blocks[0].next = 1;
  code.blocks[1].lines = {line_of("MOV", {written(register_term(0)), rz()}),
                          line_of("STS", {memory(0, 0), register_term(0)})};
  return code;
}

TEST(PtxCheckLines, FindsNothingInPlainCode) {
  EXPECT_EQ(fault_in(plain_code()), "");
  EXPECT_EQ(fault_in_uses(plain_code()), "");
}

TEST(PtxCheckLines, FindsATemporaryRegisterThatIsReadBeforeItIsWritten) {
  Code code = plain_code();
  code.blocks[1].lines.erase(code.blocks[1].lines.begin());
  EXPECT_EQ(fault_in_uses(code), "v0 is read before it is written");
  code.registers[0].name = "%r1";
  EXPECT_EQ(fault_in_uses(code), "");
}

TEST(PtxCheckLines, FindsOperandsThatTheOperationDoesNotTake) {
  Code code = plain_code();
  code.blocks[1].lines[0].terms[1] = pt();
  EXPECT_EQ(fault_in(code),
            "'MOV v0, PT' in block 1 has operands that its operation does not take");
}

TEST(PtxCheckLines, FindsOperandsThatAreNotAsWideAsTheirRegister) {
  Code code = plain_code();
  code.blocks[1].lines[0].terms[0] = high(written(register_term(0)));
  EXPECT_EQ(fault_in(code), "'MOV v0.1, RZ' in block 1 names more of a register than there is");
  code.blocks[1].lines[0].terms[0] = written(register_term(2));
  EXPECT_EQ(fault_in(code), "'MOV v2, RZ' in block 1 names more of a register than there is");
}

TEST(PtxCheckLines, FindsBlocksThatLeadNowhere) {
  Code code = plain_code();
  code.blocks[1].next = 2;
  EXPECT_EQ(fault_in(code), "block 1 leads to no block");
  code.blocks[1].next = 0;
  EXPECT_EQ(fault_in(code), "block 1 leads to the entry");
  code.blocks[1].next = -1;
  code.blocks[1].taken = 1;
  EXPECT_EQ(fault_in(code), "block 1 has a choice without a guard");
  code.blocks[1].guard = 0;
  EXPECT_EQ(fault_in(code), "block 1 has no predicate as guard");
}

}  // namespace ptx_lines_test
}  // namespace shflsim::isa::ptx
