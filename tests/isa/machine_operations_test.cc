// SPDX-License-Identifier: Apache-2.0
// One operation at a time: literal operands, literal results.
#include <gtest/gtest.h>

#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace machine_operations_test {

constexpr uint32_t kOld = 0xAAAABBBB;  // initial value of R0

struct Row {
  const char* text;  ///< reads R1, R2, R3, writes R0
  uint32_t r1, r2, r3;
  uint32_t r0;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.text; }

class OneOperation : public testing::TestWithParam<Row> {};

TEST_P(OneOperation, GivesTheLiteralResultInEveryLane) {
  const Row& row = GetParam();
  Experiment one({row.text});
  one.set(0, kOld);
  one.set(1, row.r1);
  one.set(2, row.r2);
  one.set(3, row.r3);
  one.run();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    ASSERT_EQ(one.value(0, lane), row.r0) << row.text << std::hex << ", 0x" << one.value(0, lane);
  }
}

const Row kIntegerRows[] = {
    {"IADD R0, R1, R2", 0xFFFFFFFF, 2, 0, 1},
    {"IADD R0, -R1, R2", 5, 3, 0, 0xFFFFFFFE},
    {"IADD R0, R1, -R2", 5, 3, 0, 2},
    {"IADD.PO R0, R1, R2", 5, 3, 0, 9},
    {"IADD.SAT R0, R1, R2", 0x7FFFFFFF, 1, 0, 0x7FFFFFFF},
    {"IADD.SAT R0, R1, R2", 0x80000000, 0xFFFFFFFF, 0, 0x80000000},
    {"IADD32I R0, R1, -0x10", 5, 0, 0, 0xFFFFFFF5},
    {"IADD3 R0, R1, R2, R3", 1, 2, 3, 6},
    {"IADD3 R0, R1, 0xfffff, R3", 1, 0, 3, 3},
    {"IADD3 R0, -R1, 0x80000, R3", 1, 0, 3, 0xFFF80002},
    {"IADD3 R0, R1, -R2, R3", 10, 3, 1, 8},
    {"IADD3.RS R0, R1, R2, R3", 0xFFFF0000, 0x00020000, 1, 0x10002},
    {"IADD3.LS R0, R1, R2, R3", 1, 2, 5, 0x30005},
    {"IADD3 R0, R1.H1, R2.H0, R3", 0x00070001, 0x00090002, 0, 9},
    {"ISCADD R0, R1, R2, 0x4", 3, 1, 0, 49},
    {"ISCADD R0, -R1, R2, 0x4", 3, 1, 0, 0xFFFFFFD1},
    {"LEA R0, R1, R2, 0x3", 5, 7, 0, 47},
    {"LEA.HI R0, R1, R2, R3, 0x4", 0xF0000000, 1, 2, 0x30},
    {"IMNMX R0, R1, R2, PT", 0xFFFFFFFF, 1, 0, 0xFFFFFFFF},
    {"IMNMX R0, R1, R2, !PT", 0xFFFFFFFF, 1, 0, 1},
    {"IMNMX.U32 R0, R1, R2, PT", 0xFFFFFFFF, 1, 0, 1},
    {"IMAD.HI.SAT R0, R1, R2, R3", 0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF},
    {"IMAD.HI.SAT R0, R1, R2, R3", 0x80000000, 0x7FFFFFFF, 0x80000000, 0x80000000},
    {"IMAD.HI.SAT R0, R1, R2, R3", 0xFFFFFFFF, 1, 5, 4},
    {"XMAD.S16.S16.CSFU R0, R1.H1, R2.H1, R3", 0xFFFF0001, 0xFFFE0001, 0x100000, 0xE0002},
    {"XMAD.S16.S16.CSFU R0, R1.H1, R2.H1, R3", 0, 0xFFFE0001, 0, 0},
    {"XMAD.S16.S16.CSFU R0, R1.H1, R2.H1, R3", 0xFFFF0000, 0xFFFE0001, 0, 0xFFFF0002},
    {"IDP.4A.U8.U8 R0, R1, R2, R3", 0x01020304, 0x05060708, 10, 80},
    {"IDP.4A.S8.U8 R0, R1, R2, R3", 0xFF, 2, 0, 0xFFFFFFFE},
    {"IDP.2A.HI.S16.S8 R0, R1, R2, R3", 0xFFFF0002, 0x03FF0000, 1, 0xFFFFFFFC},
    {"VMAD R0, R1, R2, R3", 0xFFFFFFFF, 3, 5, 2},
    {"XMAD R0, R1, R2, R3", 0x1FFFF, 0x20003, 7, 0x30004},
    {"XMAD R0, R1.H1, R2, R3", 0x20000, 3, 1, 7},
    {"XMAD.S16.S16 R0, R1, R2, R3", 0xFFFF, 3, 10, 7},
    {"XMAD.PSL R0, R1, R2, R3", 2, 3, 1, 0x60001},
    {"XMAD.MRG R0, R1, R2.H1, R3", 2, 0x00031234, 1, 0x12340007},
    {"XMAD.CLO R0, R1, R2, R3", 2, 3, 0xABCD0001, 7},
    {"XMAD.CHI R0, R1, R2, R3", 2, 3, 0x00050001, 11},
    {"XMAD.CBCC R0, R1, R2, R3", 2, 3, 1, 0x30007},
    {"XMAD.PSL.CBCC R0, R1.H1, R2.H1, R3", 0x20000, 0x30005, 1, 0xB0001},
    {"XMAD.S16.S16.CSFU R0, R1, R2, R3", 0xFFFF, 0xFFFE, 0, 0xFFFE0002},
    {"IMUL R0, R1, R2", 0xFFFFFFFE, 3, 0, 0xFFFFFFFA},
    {"IMUL.HI R0, R1, R2", 0xFFFFFFFE, 3, 0, 0xFFFFFFFF},
    {"IMUL.U32.U32.HI R0, R1, R2", 0xFFFFFFFE, 3, 0, 2},
    {"IMAD R0, R1, R2, R3", 5, 6, 7, 37},
    {"IMAD R0, R1, R2, -R3", 5, 6, 7, 23},
};
INSTANTIATE_TEST_SUITE_P(Integer, OneOperation, testing::ValuesIn(kIntegerRows));

const Row kLogicRows[] = {
    {"LOP.AND R0, R1, R2", 0xF0F0, 0xFF00, 0, 0xF000},
    {"LOP.OR R0, ~R1, R2", 0xFFFFFF00, 0x1200, 0, 0x12FF},
    {"LOP.XOR R0, R1, ~R2", 0xFF, 0xFF, 0, 0xFFFFFFFF},
    {"LOP.PASS_B R0, RZ, ~R2", 0, 0xF, 0, 0xFFFFFFF0},
    {"LOP32I.XOR R0, R1, 0x12345678", 0x12345678, 0, 0, 0},
    {"LOP3.LUT R0, R1, R2, R3, 0x96", 0xF0, 0xCC, 0xAA, 0x96},
    {"LOP3.LUT R0, R1, R2, R3, 0xe8", 0xF0, 0xCC, 0xAA, 0xE8},
    {"LOP3.LUT R0, R1, R2, R3, 0x1", 0xF0, 0xCC, 0xAA, 0xFFFFFF01},
    {"MOV R0, R2", 0, 0x1234, 0, 0x1234},
    {"MOV R0, R2, 0x1", 0, 0x12345678, 0, 0xAAAABB78},
    {"MOV32I R0, 0x12345678, 0xc", 0, 0, 0, 0x1234BBBB},
    {"SEL R0, R1, R2, PT", 7, 8, 0, 7},
    {"SEL R0, R1, R2, !PT", 7, 8, 0, 8},
    {"SHL R0, R1, R2", 3, 30, 0, 0xC0000000},
    {"SHL R0, R1, R2", 3, 32, 0, 0},
    {"SHL.W R0, R1, R2", 3, 33, 0, 6},
    {"SHR R0, R1, R2", 0x80000000, 31, 0, 0xFFFFFFFF},
    {"SHR R0, R1, R2", 0x80000000, 99, 0, 0xFFFFFFFF},
    {"SHR.U32 R0, R1, R2", 0x80000000, 31, 0, 1},
    {"SHR.U32 R0, R1, R2", 0x80000000, 32, 0, 0},
    {"SHR.U32.W R0, R1, R2", 0x80000000, 32, 0, 0x80000000},
    {"SHF.L R0, R1, R2, R3", 0x80000001, 4, 0x5, 0x58},
    {"SHF.L R0, R1, R2, R3", 0x80000001, 40, 0x5, 0x80000001},
    {"SHF.L.W R0, R1, R2, R3", 0x80000001, 36, 0x5, 0x58},
    {"SHF.L.U64 R0, R1, R2, R3", 0x80000001, 36, 0x5, 0x10},
    {"SHF.R R0, R1, R2, R3", 0x12345678, 8, 0xAB, 0xAB123456},
    {"SHF.R.U64 R0, R1, R2, R3", 0x12345678, 36, 0xAB0, 0xAB},
    {"SHF.R.S64 R0, R1, R2, R3", 0x12345678, 63, 0x80000000, 0xFFFFFFFF},
    {"BFE.U32 R0, R1, R2", 0x12345678, 0x0804, 0, 0x67},
    {"BFE R0, R1, R2", 0x00000F80, 0x0507, 0, 0xFFFFFFFF},
    {"BFE R0, R1, R2", 0x80000000, 0x1010, 0, 0xFFFF8000},
    {"BFE.U32 R0, R1, R2", 0x80000000, 0x0820, 0, 0},
    {"BFE.U32.BREV R0, R1, R2", 0x1, 0x2000, 0, 0x80000000},
    {"BFI R0, R1, R2, R3", 0xFFF, 0x0804, 0, 0xFF0},
    {"BFI R0, R1, R2, R3", 0x5, 0x081C, 0x0FFFFFFF, 0x5FFFFFFF},
    {"POPC R0, R2", 0, 0xF00F, 0, 8},
    {"POPC R0, ~R2", 0, 0xF00F, 0, 24},
    {"FLO.U32 R0, R2", 0, 0x00010000, 0, 16},
    {"FLO.U32.SH R0, R2", 0, 0x00010000, 0, 15},
    {"FLO.U32 R0, R2", 0, 0, 0, 0xFFFFFFFF},
    {"FLO R0, R2", 0, 0xFFFFFEFF, 0, 8},
    {"PRMT R0, R1, R2, R3", 0x33221100, 0x7250, 0x77665544, 0x77225500},
    {"PRMT R0, R1, R2, R3", 0x000080FF, 0x9801, 0, 0xFFFFFF80},
    {"PRMT.F4E R0, R1, R2, R3", 0x33221100, 1, 0x77665544, 0x44332211},
    {"PRMT.B4E R0, R1, R2, R3", 0x33221100, 1, 0x77665544, 0x66770011},
    {"PRMT.RC8 R0, R1, R2, R3", 0x33221100, 2, 0, 0x22222222},
    {"PRMT.RC16 R0, R1, R2, R3", 0x33221100, 1, 0, 0x33223322},
};
INSTANTIATE_TEST_SUITE_P(Logic, OneOperation, testing::ValuesIn(kLogicRows));

const Row kCompareRows[] = {
    {"ISET.LT.AND R0, R1, R2, PT", 0xFFFFFFFF, 0, 0, 0xFFFFFFFF},
    {"ISET.LT.U32.AND R0, R1, R2, PT", 0xFFFFFFFF, 0, 0, 0},
    {"ISET.BF.GE.AND R0, R1, R2, PT", 4, 4, 0, 0x3F800000},
    {"ISET.NE.XOR R0, R1, R2, PT", 4, 5, 0, 0},
    {"ICMP.GE R0, R1, R2, R3", 10, 20, 0, 10},
    {"ICMP.LT R0, R1, R2, R3", 10, 20, 0, 20},
    {"ICMP.LT R0, R1, R2, R3", 10, 20, 0x80000000, 10},
    {"ICMP.LT.U32 R0, R1, R2, R3", 10, 20, 0x80000000, 20},
    {"FSET.BF.LT.AND R0, R1, R2, PT", 0x3F800000, 0x40000000, 0, 0x3F800000},
    {"FSET.BF.LTU.AND R0, R1, R2, PT", 0x7FC00000, 0x40000000, 0, 0x3F800000},
    {"FSET.BF.NUM.AND R0, R1, R2, PT", 0x7FC00000, 0x40000000, 0, 0},
    {"FSET.BF.EQ.AND R0, R1, R2, PT", 0x80000000, 0, 0, 0x3F800000},
    {"FSET.BF.GT.FTZ.AND R0, R1, R2, PT", 0x00000001, 0, 0, 0},
    {"FCMP.GE R0, R1, R2, R3", 10, 20, 0xBF800000, 20},
    {"FMNMX R0, R1, R2, PT", 0x80000000, 0, 0, 0x80000000},
    {"FMNMX R0, R1, R2, !PT", 0x80000000, 0, 0, 0},
    {"FMNMX R0, R1, R2, PT", 0x7FC00000, 0x40000000, 0, 0x40000000},
    {"FMNMX R0, R1, R2, PT", 0x7FC00000, 0x7FC00001, 0, 0x7FFFFFFF},
    {"PSET.AND.AND R0, PT, PT, PT", 0, 0, 0, 0xFFFFFFFF},
    {"PSET.BF.AND.AND R0, PT, !PT, PT", 0, 0, 0, 0},
    {"P2R R0, PR, R1, 0x7f", 0xFF00, 0, 0, 0xFF00},
};
INSTANTIATE_TEST_SUITE_P(Compare, OneOperation, testing::ValuesIn(kCompareRows));

const Row kFloatRows[] = {
    {"FADD R0, R1, R2", 0x3F800000, 0x33800000, 0, 0x3F800000},
    {"FADD.RP R0, R1, R2", 0x3F800000, 0x33800000, 0, 0x3F800001},
    {"FADD R0, R1, -|R2|", 0x3F800000, 0xBF800000, 0, 0},
    {"FADD.RM R0, R1, -R2", 0x3F800000, 0x3F800000, 0, 0x80000000},
    {"FADD R0, R1, R2", 0x00000001, 0x00000001, 0, 2},
    {"FADD.FTZ R0, R1, R2", 0x80000001, 0x80000001, 0, 0x80000000},
    {"FADD.SAT R0, R1, R2", 0x3F800000, 0x3F800000, 0, 0x3F800000},
    {"FADD.SAT R0, R1, R2", 0x7FC00000, 0x3F800000, 0, 0},
    {"FADD R0, R1, R2", 0x7F800000, 0xFF800000, 0, 0x7FFFFFFF},
    {"FADD R0, R1, R2", 0x7FC01234, 0x3F800000, 0, 0x7FFFFFFF},
    {"FMUL R0, R1, R2", 0x40400000, 0x40800000, 0, 0x41400000},
    {"FMUL R0, R1, -R2", 0x40400000, 0x40800000, 0, 0xC1400000},
    {"FMUL.D2 R0, R1, R2", 0x40400000, 0x40800000, 0, 0x40C00000},
    {"FMUL.FMZ R0, R1, R2", 0x7F800000, 0, 0, 0},
    {"FMUL R0, R1, R2", 0x7F800000, 0, 0, 0x7FFFFFFF},
    {"FMUL R0, R1, R2", 0x00800000, 0x3F000000, 0, 0x00400000},
    {"FMUL.FTZ R0, R1, R2", 0x00800000, 0x3F000000, 0, 0},
    {"FMUL.RZ R0, R1, R2", 0x7F7FFFFF, 0x40000000, 0, 0x7F7FFFFF},
    {"FMUL32I R0, R1, 2", 0x3F800000, 0, 0, 0x40000000},
    {"FFMA R0, R1, R2, R3", 0x3F800001, 0x3F800001, 0xBF800002, 0x28800000},
    {"FFMA R0, R1, -R2, R3", 0x40000000, 0x40400000, 0x40C00000, 0},
    {"FFMA.RM R0, R1, -R2, R3", 0x40000000, 0x40400000, 0x40C00000, 0x80000000},
    {"FFMA.FMZ R0, R1, R2, R3", 0x7F800000, 0, 0x40C00000, 0x40C00000},
    {"I2F.F32.U32 R0, R2", 0, 0xFFFFFFFF, 0, 0x4F800000},
    {"I2F.F32.U32.RZ R0, R2", 0, 0xFFFFFFFF, 0, 0x4F7FFFFF},
    {"I2F.F32.S32 R0, R2", 0, 0xFFFFFFFF, 0, 0xBF800000},
    {"I2F.F32.S32 R0, |R2|", 0, 0x80000000, 0, 0x4F000000},
    {"I2F.F32.U8 R0, R2.B2", 0, 0x00FF0000, 0, 0x437F0000},
    {"F2I.S32.F32 R0, R2", 0, 0x40200000, 0, 2},
    {"F2I.S32.F32.CEIL R0, R2", 0, 0x40200000, 0, 3},
    {"F2I.S32.F32.FLOOR R0, -R2", 0, 0x40200000, 0, 0xFFFFFFFD},
    {"F2I.S32.F32.TRUNC R0, R2", 0, 0x4F800000, 0, 0x7FFFFFFF},
    {"F2I.U32.F32.TRUNC R0, R2", 0, 0xBF800000, 0, 0},
    {"F2I.S32.F32 R0, R2", 0, 0x7FC00000, 0, 0},
    {"F2F.F16.F32 R0, R2", 0, 0x3F800000, 0, 0x3C00},
    {"F2F.F16.F32 R0, R2", 0, 0x33000001, 0, 0x0001},
    {"F2F.F16.F32 R0, R2", 0, 0x477FF000, 0, 0x7C00},
    {"F2F.F16.F32.RZ R0, R2", 0, 0x477FF000, 0, 0x7BFF},
    {"F2F.F32.F16 R0, R2", 0, 0x00000001, 0, 0x33800000},
    {"F2F.F32.F16 R0, R2.H1", 0, 0x3C000000, 0, 0x3F800000},
    {"F2F.F32.F32.ROUND R0, R2", 0, 0x40200000, 0, 0x40000000},
    {"F2F.F32.F32.FLOOR R0, R2", 0, 0xBF000000, 0, 0xBF800000},
    {"F2F.F32.F32.TRUNC R0, R2", 0, 0xBF000000, 0, 0x80000000},
    {"I2I.S16.S32 R0, R2", 0, 0x00018001, 0, 0x8001},
    {"I2I.S16.S8 R0, R2", 0, 0xCC, 0, 0xFFCC},
    {"I2I.S8.S32.SAT R0, R2", 0, 0xFFFF0000, 0, 0xFFFFFF80},
    {"I2I.S16.S32.SAT R0, R2", 0, 0x00018001, 0, 0x7FFF},
    {"I2I.U8.S32.SAT R0, R2", 0, 0xFFFFFFFF, 0, 0},
    {"I2I.S32.S32 R0, |R2|", 0, 0xFFFFFFFB, 0, 5},
    {"MUFU.RCP R0, R1", 0x40000000, 0, 0, 0x3F000000},
    {"MUFU.RSQ R0, R1", 0x40800000, 0, 0, 0x3F000000},
    {"MUFU.EX2 R0, R1", 0x40400000, 0, 0, 0x41000000},
    {"MUFU.LG2 R0, R1", 0x41000000, 0, 0, 0x40400000},
    {"MUFU.RCP R0, -R1", 0x00000001, 0, 0, 0xFF800000},
};
INSTANTIATE_TEST_SUITE_P(Float, OneOperation, testing::ValuesIn(kFloatRows));

const Row kVideoRows[] = {
    {"VADD.UD.U8.S16.SAT R0, R1.B1, R2.H1, RZ", 0x0500, 0xFFF00000, 0, 0},
    {"VABSDIFF.S16.S16.ACC R0, R1, R2.H1, R3", 0x0005, 0xFFFF0000, 10, 16},
    {"VMNMX.S8.S16.MX R0, R1.B3, R2, RZ", 0x80000000, 0xFF90, 0, 0xFFFFFF90},
    {"VSET.LT.U16.S8 R0, R1.H1, R2.B2, RZ", 0x00010000, 0x00020000, 0, 1},
    {"VABSDIFF4.U8.U8.ACC R0, R1, R2, R3", 0x01020304, 0x04030201, 100, 108},
    {"VABSDIFF4.U8.U8 R0, R1, R2, R3", 0x01020304, 0x04030201, 100, 0x03010103},
};
INSTANTIATE_TEST_SUITE_P(Video, OneOperation, testing::ValuesIn(kVideoRows));

const Row kHalfRows[] = {
    {"HADD2 R0, R1, R2", 0x3C004000, 0x3C00C000, 0, 0x40000000},
    {"HADD2 R0, R1.H0_H0, -R2.H1_H1", 0x00004000, 0x3C000000, 0, 0x3C003C00},
    {"HADD2.MRG_H1 R0, R1, R2", 0x3C003C00, 0x3C003C00, 0, 0x4000BBBB},
    {"HADD2.F32 R0, R1, R2", 0x3C003C00, 0x3C003C00, 0, 0x40000000},
    {"HMUL2 R0, R1, R2", 0x3C00FBFF, 0x00014000, 0, 0x0001FC00},
    {"HMUL2 R0, R1, R2", 0x80003C00, 0x3C007E00, 0, 0x80007FFF},
    {"HFMA2 R0, R1, R2, R3", 0x3C014000, 0x3C014200, 0xBC023C00, 0x00104700},
    {"HFMA2.SAT R0, R1, R2, R3", 0x4000C000, 0x40004000, 0, 0x3C000000},
};
INSTANTIATE_TEST_SUITE_P(Half, OneOperation, testing::ValuesIn(kHalfRows));

struct PredicateRow {
  const char* text;  ///< reads R1, R2, writes P0 and P1
  uint32_t r1, r2;
  bool p0, p1;
};

TEST(OnePredicateOperation, WritesBothPredicates) {
  const PredicateRow rows[] = {
      {"ISETP.LT.AND P0, P1, R1, R2, PT", 1, 2, true, false},
      {"ISETP.LT.AND P0, P1, R1, R2, !PT", 1, 2, false, false},
      {"ISETP.GE.OR P0, P1, R1, R2, PT", 1, 2, true, true},
      {"FSETP.NAN.AND P0, P1, R1, R2, PT", 0x7FC00000, 0, true, false},
      {"FSETP.GEU.AND P0, P1, |R1|, -R2, PT", 0xC0000000, 0x40000000, true, false},
      {"PSETP.AND.OR P0, P1, PT, !PT, !PT", 0, 0, false, true},
      {"PSETP.XOR.AND P0, P1, PT, !PT, PT", 0, 0, true, false},
      {"VSETP.GT.U16.U8.AND P0, P1, R1.H1, R2.B1, PT", 0x90000, 0x800, true, false},
  };
  for (const PredicateRow& row : rows) {
    Experiment one({row.text});
    one.set(1, row.r1);
    one.set(2, row.r2);
    one.run();
    EXPECT_EQ(one.predicate(0), row.p0 ? kAllLanes : 0) << row.text;
    EXPECT_EQ(one.predicate(1), row.p1 ? kAllLanes : 0) << row.text;
  }
}

TEST(LogicTest, TellsZeroFromNonZeroThroughItsPredicate) {
  Experiment one({"LOP.AND.NZ P0, RZ, R1, 0x1", "LOP.AND.Z P1, RZ, R1, 0x1"});
  std::vector<uint32_t> lanes;
  for (uint32_t lane = 0; lane < kLanes; ++lane) lanes.push_back(lane);
  one.set_lanes(1, lanes);
  one.run();
  EXPECT_EQ(one.predicate(0), 0xAAAAAAAAu);
  EXPECT_EQ(one.predicate(1), 0x55555555u);
}

TEST(Predicates, GoToARegisterAndBack) {
  Experiment one({"ISETP.LT.AND P0, PT, R1, 0x10, PT", "P2R R2, PR, RZ, 0x7f", "SHL R3, R2, 0x1",
                  "R2P PR, R3, 0x2"});
  std::vector<uint32_t> lanes;
  for (uint32_t lane = 0; lane < kLanes; ++lane) lanes.push_back(lane);
  one.set_lanes(1, lanes);
  one.run();
  EXPECT_EQ(one.predicate(0), 0x0000FFFFu);
  EXPECT_EQ(one.predicate(1), 0x0000FFFFu);
  EXPECT_EQ(one.value(2, 15), 1u);
  EXPECT_EQ(one.value(2, 16), 0u);
}

TEST(VoteTest, CountsOnlyExecutingLanes) {
  Experiment one({"ISETP.LT.AND P0, PT, R1, 0x8, PT", "ISETP.LT.AND P1, PT, R1, 0x4, PT",
                  "@P0 VOTE.ANY R2, P2, P1", "@P0 VOTE.ALL R3, P3, P1", "@P1 VOTE.ALL R4, P4, P0"});
  std::vector<uint32_t> lanes;
  for (uint32_t lane = 0; lane < kLanes; ++lane) lanes.push_back(lane);
  one.set_lanes(1, lanes);
  one.run();
  EXPECT_EQ(one.value(2, 7), 0x0Fu);
  EXPECT_EQ(one.value(2, 8), 0u);
  EXPECT_EQ(one.predicate(2), 0xFFu);
  EXPECT_EQ(one.predicate(3), 0u);
  EXPECT_EQ(one.predicate(4), 0x0Fu);
}

TEST(SpecialRegister, SaysWhichThreadThisIs) {
  Experiment one({"S2R R0, SR_TID.X", "S2R R1, SR_TID.Y", "S2R R2, SR_CTAID.Y", "S2R R3, SR_LANEID",
                  "S2R R4, SR_LTMASK", "S2R R5, SR_GEMASK"});
  one.launch.block = {8, 6, 1};
  one.launch.grid = {1, 2, 1};
  one.run();
  ASSERT_EQ(one.outcome.warps.size(), 4u);
  EXPECT_EQ(one.value(0, 13, 1), 5u);  // thread 45 = (5, 5)
  EXPECT_EQ(one.value(1, 13, 1), 5u);
  EXPECT_EQ(one.value(2, 0, 1), 0u);
  EXPECT_EQ(one.value(2, 0, 2), 1u);
  EXPECT_EQ(one.value(3, 13, 1), 13u);
  EXPECT_EQ(one.value(4, 13, 1), 0x1FFFu);
  EXPECT_EQ(one.value(5, 13, 1), 0xFFFFE000u);
  EXPECT_EQ(one.value(0, 16, 1), 0u);  // beyond the block: never active
}

TEST(DoublePrecision, RoundsInEveryDirection) {
  struct {
    const char* text;
    uint64_t a, b, c, result;
  } const rows[] = {
      {"DADD R8, R2, R4", 0x3FF0000000000000, 0x3CA0000000000000, 0, 0x3FF0000000000000},
      {"DADD.RP R8, R2, R4", 0x3FF0000000000000, 0x3CA0000000000000, 0, 0x3FF0000000000001},
      {"DADD.RM R8, R2, -R4", 0x3FF0000000000000, 0x3FF0000000000000, 0, 0x8000000000000000},
      {"DMUL R8, R2, R4", 0x4008000000000000, 0x4010000000000000, 0, 0x4028000000000000},
      {"DMUL.RZ R8, R2, R4", 0x7FEFFFFFFFFFFFFF, 0x4000000000000000, 0, 0x7FEFFFFFFFFFFFFF},
      {"DFMA R8, R2, R4, -R6", 0x3FF0000000000001, 0x3FF0000000000001, 0x3FF0000000000002,
       0x3970000000000000},
      {"DMNMX R8, R2, R4, PT", 0x8000000000000000, 0, 0, 0x8000000000000000},
      {"DMNMX R8, R2, R4, !PT", 0x7FF8000000000000, 0x4000000000000000, 0, 0x4000000000000000},
      {"F2F.F64.F64.FLOOR R8, R4", 0, 0xBFE0000000000000, 0, 0xBFF0000000000000},
      {"F2F.F64.F32 R8, R4", 0, 0x00000001, 0, 0x36A0000000000000},
      {"I2F.F64.S64 R8, R4", 0, 0xFFFFFFFFFFFFFFFF, 0, 0xBFF0000000000000},
      {"I2F.F64.U64 R8, R4", 0, 0xFFFFFFFFFFFFFFFF, 0, 0x43F0000000000000},
      {"F2I.S64.F64.TRUNC R8, R4", 0, 0xC3F0000000000000, 0, 0x8000000000000000},
      {"F2I.U64.F64.TRUNC R8, R4", 0, 0x43E0000000000000, 0, 0x8000000000000000},
      {"F2I.S64.F64.TRUNC R8, R4", 0, 0x7FF8000000000000, 0, 0x8000000000000000},
  };
  for (const auto& row : rows) {
    Experiment one({row.text});
    const uint64_t pairs[] = {row.a, row.b, row.c};
    for (uint8_t i = 0; i < 3; ++i) {
      one.set(static_cast<uint8_t>(2 + 2 * i), static_cast<uint32_t>(pairs[i]));
      one.set(static_cast<uint8_t>(3 + 2 * i), static_cast<uint32_t>(pairs[i] >> 32));
    }
    one.run();
    EXPECT_EQ(uint64_t{one.value(9)} << 32 | one.value(8), row.result) << row.text;
  }
}

}  // namespace machine_operations_test
}  // namespace shflsim::isa
