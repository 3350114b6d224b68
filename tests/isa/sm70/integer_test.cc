// SPDX-License-Identifier: Apache-2.0
// Integer, logic and uniform operations of sm_70 and later: literal rows, and random operands
// compared with other ways to compute the results.
#include <gtest/gtest.h>

#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace sm70_integer_test {

constexpr uint32_t kOld = 0xAAAABBBB;  // initial value of R0 and R1

/// An operation that reads R2, R4, R6, the lower words of pairs, and writes R0.
struct Row {
  Arch arch;
  const char* text;
  uint64_t r2, r4, r6;
  uint32_t r0;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.text; }

void set_pair(Experiment& one, uint8_t index, uint64_t value) {
  one.set(index, static_cast<uint32_t>(value));
  one.set(static_cast<uint8_t>(index + 1), static_cast<uint32_t>(value >> 32));
}

Experiment with_operands(const Row& row, const std::vector<std::string>& lines) {
  Experiment one(lines, row.arch);
  one.set(0, kOld);
  one.set(1, kOld);
  set_pair(one, 2, row.r2);
  set_pair(one, 4, row.r4);
  set_pair(one, 6, row.r6);
  one.run();
  return one;
}

class Sm70Operation : public testing::TestWithParam<Row> {};

TEST_P(Sm70Operation, GivesTheLiteralResultInEveryLane) {
  const Row& row = GetParam();
  const Experiment one = with_operands(row, {row.text});
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    ASSERT_EQ(one.value(0, lane), row.r0) << row.text << std::hex << ", 0x" << one.value(0, lane);
  }
}

constexpr Arch kSm70 = Arch::kSm70, kSm75 = Arch::kSm75, kSm80 = Arch::kSm80, kSm90 = Arch::kSm90,
               kSm100 = Arch::kSm100, kSm120 = Arch::kSm120;

const Row kSums[] = {
    {kSm70, "IADD3 R0, R2, R4, R6", 1, 2, 3, 6},
    {kSm70, "IADD3 R0, R2, -R4, R6", 10, 3, 1, 8},
    {kSm70, "IADD3 R0, -R2, -R4, R6", 10, 3, 1, 0xFFFFFFF4},
    {kSm70, "IADD3 R0, R2, 0x7fffffff, -R6", 2, 0, 1, 0x80000000},
    {kSm70, "IADD3 R0, R2, -0x10, RZ", 5, 0, 0, 0xFFFFFFF5},
    {kSm120, "IADD3 R0, PT, PT, R2, -R4, R6", 10, 3, 1, 8},
    {kSm120, "IADD R0, R2, -R4", 10, 3, 0, 7},
    {kSm90, "VIADD R0, R2, -R4", 10, 30, 0, 0xFFFFFFEC},
    {kSm90, "VIADD R0, R2, 0xffffffff", 10, 0, 0, 9},
    {kSm90, "VIADD.16x2 R0, R2, R4", 0xFFFFFFFF, 0x00010002, 0, 1},
    {kSm90, "VIADD.16x2 R0, R2, -R4", 0x00000005, 0x00010000, 0, 0xFFFF0005},
    {kSm120, "VIADD.U8x4 R0, R2, R4", 0xFF80FF01, 0x01800102, 0, 3},
    {kSm120, "VIADD.U8x4 R0, R2, -R4", 0x05000080, 0x01010080, 0, 0x04FF0000},
    {kSm90, "VABSDIFF R0, R2, R4, R6", 0xFFFFFFFF, 2, 10, 13},
    {kSm90, "VABSDIFF.U32 R0, R2, R4, R6", 0xFFFFFFFF, 2, 10, 7},
    {kSm70, "IABS R0, R4", 0, 0xFFFFFFF0, 0, 16},
    {kSm70, "IABS R0, R4", 0, 0x80000000, 0, 0x80000000},
    {kSm70, "LEA R0, R2, R4, 0x3", 5, 7, 0, 47},
    {kSm70, "LEA R0, R2, -R4, 0x3", 5, 7, 0, 33},
    {kSm70, "LEA R0, -R2, R4, 0x3", 5, 7, 0, 0xFFFFFFDF},
    {kSm70, "LEA.HI R0, R2, R4, R6, 0x4", 0xF0000000, 1, 2, 0x30},
    {kSm70, "LEA.HI R0, R2, -R4, RZ, 0x1", 0x80000000, 1, 0, 0},
    {kSm70, "LEA.HI.SX32 R0, R2, R4, 0x4", 0xF0000000, 3, 0, 2},
    {kSm70, "LEA.HI.SX32 R0, R2, R4, 0x1f", 0x80000000, 1, 0, 0xC0000001},
};
INSTANTIATE_TEST_SUITE_P(Sums, Sm70Operation, testing::ValuesIn(kSums));

const Row kProducts[] = {
    {kSm70, "IMAD R0, R2, R4, R6", 5, 6, 7, 37},
    {kSm70, "IMAD R0, R2, R4, -R6", 5, 6, 7, 23},
    {kSm70, "IMAD R0, R2, -0x3, R6", 5, 0, 7, 0xFFFFFFF8},
    {kSm70, "IMAD.MOV.U32 R0, RZ, RZ, R6", 5, 6, 7, 7},
    {kSm70, "IMAD.MOV R0, RZ, RZ, -R6", 5, 6, 7, 0xFFFFFFF9},
    {kSm70, "IMAD.IADD R0, R2, 0x1, R6", 5, 6, 7, 12},
    {kSm70, "IMAD.SHL.U32 R0, R2, 0x8, RZ", 5, 6, 7, 40},
    {kSm70, "IMAD.HI R0, R2, R4, RZ", 0xFFFFFFFE, 3, 0, 0xFFFFFFFF},
    {kSm70, "IMAD.HI.U32 R0, R2, R4, RZ", 0xFFFFFFFE, 3, 0, 2},
    {kSm70, "IMAD.HI.U32 R0, R2, R4, R6", 0xFFFFFFFF, 0xFFFFFFFF, 0x00000002FFFFFFFF, 1},
    {kSm70, "IMAD.HI.U32 R0, R2, R4, R6", 2, 3, 0xFFFFFFFA, 1},
    {kSm70, "IDP.4A.U8.U8 R0, R2, R4, R6", 0x01020304, 0x05060708, 10, 80},
    {kSm70, "IDP.4A.S8.U8 R0, R2, R4, R6", 0xFF, 2, 0, 0xFFFFFFFE},
    {kSm70, "IDP.4A.U8.S8 R0, R2, R4, -R6", 2, 0xFF, 3, 0xFFFFFFFB},
    {kSm70, "IDP.2A.LO.S16.U8 R0, R2, R4, R6", 0xFFFF0002, 0x0304, 1, 6},
    {kSm90, "IDP.2A.HI.U16.U8 R0, R2, R4, R6", 0x00030002, 0x05040302, 1, 24},
    {kSm70, "VABSDIFF4.U8 R0, R2, R4, R6", 0x01FF0A00, 0x030105FF, 0, 0x02FE05FF},
    {kSm70, "VABSDIFF4.U8.ACC R0, R2, R4, R6", 0x01FF0A00, 0x030105FF, 9, 0x20D},
};
INSTANTIATE_TEST_SUITE_P(Products, Sm70Operation, testing::ValuesIn(kProducts));

const Row kMinima[] = {
    {kSm70, "IMNMX R0, R2, R4, PT", 0xFFFFFFFF, 1, 0, 0xFFFFFFFF},
    {kSm70, "IMNMX R0, R2, R4, !PT", 0xFFFFFFFF, 1, 0, 1},
    {kSm70, "IMNMX.U32 R0, R2, R4, PT", 0xFFFFFFFF, 1, 0, 1},
    {kSm90, "VIMNMX R0, R2, R4, PT", 0x80000000, 1, 0, 0x80000000},
    {kSm90, "VIMNMX.U32 R0, R2, R4, PT", 0x80000000, 1, 0, 1},
    {kSm90, "VIMNMX.S16x2 R0, R2, R4, PT", 0x80000001, 0x00017FFF, 0, 0x80000001},
    {kSm90, "VIMNMX.S16x2 R0, R2, R4, !PT", 0x80000001, 0x0001FFFF, 0, 0x00010001},
    {kSm90, "VIMNMX.U16x2 R0, R2, R4, !PT", 0x80000001, 0x0001FFFF, 0, 0x8000FFFF},
    {kSm90, "VIMNMX.RELU R0, R2, R4, PT", 0x80000000, 1, 0, 0},
    {kSm90, "VIMNMX.S16x2.RELU R0, R2, R4, !PT", 0x80000001, 0xFFFFFFFF, 0, 1},
    {kSm100, "IMNMX PT, PT, R0, R2, R4, PT, !PT", 0x80000000, 1, 0, 0x80000000},
    {kSm100, "IMNMX.U32 PT, PT, R0, R2, R4, PT, !PT", 0x80000000, 1, 0, 1},
    {kSm120, "VIMNMX.S32 R0, R2, R4, !PT", 0x80000000, 1, 0, 1},
    {kSm120, "VIMNMX.S8x4 R0, R2, R4, PT", 0x80017FFF, 0x7F027F01, 0, 0x80017FFF},
    {kSm120, "VIMNMX.U8x4 R0, R2, R4, !PT", 0x80017FFF, 0x7F027F01, 0, 0x80027FFF},
    {kSm90, "VIMNMX3 R0, R2, R4, R6, PT", 3, 0xFFFFFFFF, 2, 0xFFFFFFFF},
    {kSm90, "VIMNMX3.U32 R0, R2, R4, R6, PT", 3, 0xFFFFFFFF, 2, 2},
    {kSm90, "VIADDMNMX R0, R2, R4, R6, PT", 3, 4, 6, 6},
    {kSm90, "VIADDMNMX R0, R2, -R4, R6, !PT", 3, 4, 0xFFFFFFF0, 0xFFFFFFFF},
    {kSm90, "VIADDMNMX R0, R2, R4, R6, PT", 0x7FFFFFFF, 1, 6, 0x80000000},
    {kSm90, "VIADDMNMX.RELU R0, R2, R4, R6, PT", 0xFFFFFFF0, 1, 6, 0},
    {kSm90, "VIADDMNMX.S16x2 R0, R2, R4, R6, !PT", 0x0001FFFF, 0x00010001, 0, 0x00020000},
    {kSm90, "VIADDMNMX.U16x2 R0, R2, R4, R6, PT", 0x0001FFFF, 0x00010001, 0xFFFFFFFF, 0x00020000},
};
INSTANTIATE_TEST_SUITE_P(Minima, Sm70Operation, testing::ValuesIn(kMinima));

const Row kBits[] = {
    {kSm70, "MOV R0, R4", 0, 0x1234, 0, 0x1234},
    {kSm70, "MOV R0, 0xfedcba98", 0, 0, 0, 0xFEDCBA98},
    {kSm70, "SEL R0, R2, R4, PT", 7, 8, 0, 7},
    {kSm70, "SEL R0, R2, R4, !PT", 7, 8, 0, 8},
    {kSm70, "SHF.L.U32 R0, R2, 0x4, RZ", 0x80000001, 0, 0, 0x10},
    {kSm70, "SHF.L.U32 R0, R2, R4, RZ", 0x80000001, 32, 0, 0},
    {kSm70, "SHF.L.U32 R0, R2, R4, RZ", 0x80000001, 0xFFFFFFFF, 0, 0},
    {kSm70, "SHF.L.W.U32 R0, R2, R4, RZ", 0x80000001, 33, 0, 2},
    {kSm70, "SHF.R.U32.HI R0, RZ, 0x4, R6", 0, 0, 0x80000001, 0x08000000},
    {kSm70, "SHF.R.U32.HI R0, RZ, R4, R6", 0, 32, 0x80000001, 0},
    {kSm70, "SHF.R.S32.HI R0, RZ, 0x1f, R6", 0, 0, 0x80000001, 0xFFFFFFFF},
    {kSm70, "SHF.R.S32.HI R0, RZ, R4, R6", 0, 99, 0x80000001, 0xFFFFFFFF},
    {kSm70, "SHF.L.W.U32.HI R0, R2, 0x8, R2", 0x12345678, 0, 0, 0x34567812},
    {kSm70, "SHF.R.W.U32 R0, R2, 0x8, R2", 0x12345678, 0, 0, 0x78123456},
    {kSm70, "SHF.L.U64.HI R0, R2, R4, R6", 0x80000001, 4, 0x5, 0x58},
    {kSm70, "SHF.L.U64.HI R0, R2, R4, R6", 0x80000001, 36, 0x5, 0x10},
    {kSm70, "SHF.R.U64 R0, R2, R4, R6", 0x12345678, 36, 0xAB0, 0xAB},
    {kSm70, "SHF.R.S64 R0, R2, R4, R6", 0x12345678, 63, 0x80000000, 0xFFFFFFFF},
    {kSm70, "BMSK R0, R2, R4", 4, 8, 0, 0xFF0},
    {kSm70, "BMSK R0, R2, R4", 0, 32, 0, 0xFFFFFFFF},
    {kSm70, "BMSK R0, R2, R4", 32, 4, 0, 0},
    {kSm70, "BMSK.W R0, R2, R4", 33, 33, 0, 2},
    {kSm70, "SGXT R0, R2, R4", 0x80, 8, 0, 0xFFFFFF80},
    {kSm70, "SGXT R0, R2, R4", 0x17F, 8, 0, 0x7F},
    {kSm70, "SGXT R0, R2, R4", 0xFFFFFFFF, 0, 0, 0},
    {kSm70, "SGXT.U32 R0, R2, R4", 0xFFFFFFFF, 5, 0, 0x1F},
    {kSm70, "SGXT.W.U32 R0, R2, R4", 0xFFFFFFFF, 37, 0, 0x1F},
    {kSm70, "BREV R0, R4", 0, 0x00000013, 0, 0xC8000000},
    {kSm70, "POPC R0, R4", 0, 0xF00F, 0, 8},
    {kSm70, "FLO.U32 R0, R4", 0, 0x00010000, 0, 16},
    {kSm70, "FLO.U32.SH R0, R4", 0, 0x00010000, 0, 15},
    {kSm70, "FLO R0, R4", 0, 0xFFFFFEFF, 0, 8},
    {kSm70, "FLO.U32 R0, R4", 0, 0, 0, 0xFFFFFFFF},
    {kSm70, "PRMT R0, R2, R4, R6", 0x33221100, 0x7250, 0x77665544, 0x77225500},
    {kSm70, "PRMT R0, R2, 0x8880, RZ", 0x80, 0, 0, 0xFFFFFF80},
    {kSm70, "PRMT.RC16 R0, R2, R4, R6", 0x33221100, 1, 0, 0x33223322},
    {kSm80, "I2I.U8.S32.SAT R0, R4", 0, 300, 0, 255},
    {kSm80, "I2I.S8.S32.SAT R0, R4", 0, 0xFFFFFF00, 0, 0xFFFFFF80},
    {kSm80, "I2I.U16.S32.SAT R0, R4", 0, 0xFFFFFF00, 0, 0},
    {kSm80, "I2I.S16.S32.SAT R0, R4", 0, 40000, 0, 32767},
    {kSm80, "I2IP.S8.S32.SAT R0, R2, R4, R6", 0xFFFFFF00, 300, 0xABCD1234, 0x1234807F},
    {kSm80, "I2IP.U8.S32.SAT R0, R2, R4, R6", 0xFFFFFF00, 300, 0xABCD1234, 0x123400FF},
    {kSm80, "I2IP.S16.S32.SAT R0, R2, R4, RZ", 0xFFFFFF00, 300, 0, 0xFF00012C},
    {kSm80, "I2IP.U16.S32.SAT R0, R2, R4, RZ", 0xFFFFFF00, 70000, 0, 0x0000FFFF},
    {kSm80, "I2IP.U4.S32.SAT R0, R2, R4, R6.24", 0xFFFFFF00, 300, 0xABCD1234, 0xCD12340F},
    {kSm80, "I2IP.S2.S32.SAT R0, R2, R4, R6.28", 0xFFFFFF00, 300, 0xABCD1234, 0xBCD12349},
};
INSTANTIATE_TEST_SUITE_P(Bits, Sm70Operation, testing::ValuesIn(kBits));

/// An operation on the 64-bit pairs R3:R2, R5:R4 and R7:R6; the result is in R1:R0.
struct WideRow {
  Arch arch;
  const char* text;
  uint64_t r2, r4, r6, r0;
};

void PrintTo(const WideRow& row, std::ostream* out) { *out << row.text; }

class Sm70WideOperation : public testing::TestWithParam<WideRow> {};

TEST_P(Sm70WideOperation, GivesTheLiteralResultInEveryLane) {
  const WideRow& row = GetParam();
  const Row narrow{row.arch, row.text, row.r2, row.r4, row.r6, 0};
  const Experiment one = with_operands(narrow, {row.text});
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t value = uint64_t{one.value(1, lane)} << 32 | one.value(0, lane);
    ASSERT_EQ(value, row.r0) << row.text << std::hex << ", 0x" << value;
  }
}

const WideRow kWideRows[] = {
    {kSm70, "IMAD.WIDE R0, R2, R4, R6", 0xFFFFFFFF, 3, 10, 7},
    {kSm70, "IMAD.WIDE.U32 R0, R2, R4, R6", 0xFFFFFFFF, 3, 10, 0x300000007},
    {kSm70, "IMAD.WIDE.U32 R0, R2, R4, -R6", 2, 3, 10, 0xFFFFFFFFFFFFFFFC},
    {kSm70, "IMAD.WIDE R0, R2, -0x4, R6", 5, 0, 0x100000000, 0xFFFFFFEC},
    {kSm120, "IADD.64 R0, R2, R4", 0xFFFFFFFF, 1, 0, 0x100000000},
    {kSm120, "IADD.64 R0, R2, -R4", 0, 1, 0, 0xFFFFFFFFFFFFFFFF},
    {kSm120, "IADD.64 R0, R2, -0x8", 0x100000000, 0, 0, 0xFFFFFFF8},
    {kSm120, "MOV.64 R0, R4", 0, 0x123456789ABCDEF0, 0, 0x123456789ABCDEF0},
    {kSm120, "MOV.64 R0, 0x8000000000000001", 0, 0, 0, 0x8000000000000001},
    {kSm120, "SEL.64 R0, R2, R4, PT", 0x123456789ABCDEF0, 5, 0, 0x123456789ABCDEF0},
    {kSm120, "SEL.64 R0, R2, -0x1, !PT", 0x123456789ABCDEF0, 5, 0, 0xFFFFFFFFFFFFFFFF},
    {kSm120, "SEL.64 R0, R2, 0x80000001, !PT", 0x123456789ABCDEF0, 5, 0, 0x80000001},
    {kSm120, "SEL.64 R0, R2, -0x80000001, !PT", 0x123456789ABCDEF0, 5, 0, 0xFFFFFFFF7FFFFFFF},
    {kSm120, "IMNMX.S64 PT, PT, R0, R2, R4, PT, !PT", 0xFFFFFFFFFFFFFFFF, 5, 0, 0xFFFFFFFFFFFFFFFF},
    {kSm120, "IMNMX.U64 PT, PT, R0, R2, R4, PT, !PT", 0xFFFFFFFFFFFFFFFF, 5, 0, 5},
    {kSm120, "IMNMX.U64 PT, PT, R0, R2, R4, !PT, !PT", 0x100000000, 0xFFFFFFFF, 0, 0x100000000},
};
INSTANTIATE_TEST_SUITE_P(Rows, Sm70WideOperation, testing::ValuesIn(kWideRows));

/// An operation that reads UR2, UR4, UR6, the lower words of pairs, and writes UR0, UR1.
class Sm70UniformOperation : public testing::TestWithParam<WideRow> {};

TEST_P(Sm70UniformOperation, GivesTheLiteralResult) {
  const WideRow& row = GetParam();
  std::vector<std::string> lines;
  for (const char* number : {"0", "1", "2", "3", "4", "5", "6", "7"})
    lines.push_back(std::string("R2UR UR") + number + ", R" + number);
  lines.insert(lines.end(), {row.text, "MOV R0, UR0", "MOV R1, UR1"});
  const Row narrow{row.arch, row.text, row.r2, row.r4, row.r6, 0};
  const Experiment one = with_operands(narrow, lines);
  const uint64_t value = uint64_t{one.value(1)} << 32 | one.value(0);
  EXPECT_EQ(value, row.r0) << row.text << std::hex << ", 0x" << value;
}

constexpr uint64_t kUpperOld = uint64_t{kOld} << 32;
const WideRow kUniformRows[] = {
    {kSm75, "UIADD3 UR0, UR2, -UR4, UR6", 10, 3, 1, kUpperOld | 8},
    {kSm75, "UIADD3 UR0, UR2, -0x1, URZ", 10, 3, 1, kUpperOld | 9},
    {kSm100, "UIADD3.64 UR0, UPT, UPT, UR2, UR4, UR6", 0xFFFFFFFF, 1, 5, 0x100000005},
    {kSm100, "UIADD3.64 UR0, UPT, UPT, UR2, -0x1, URZ", 0, 0, 0, 0xFFFFFFFFFFFFFFFF},
    {kSm75, "UIMAD UR0, UR2, UR4, UR6", 5, 6, 7, kUpperOld | 37},
    {kSm75, "UIMAD.WIDE UR0, UR2, UR4, UR6", 0xFFFFFFFF, 3, 10, 7},
    {kSm75, "UIMAD.WIDE.U32 UR0, UR2, UR4, UR6", 0xFFFFFFFF, 3, 10, 0x300000007},
    {kSm120, "UIMAD.HI.U32 UR0, UR2, UR4, URZ", 0xFFFFFFFE, 3, 0, kUpperOld | 2},
    {kSm75, "ULEA UR0, UR2, UR4, 0x3", 5, 7, 0, kUpperOld | 47},
    {kSm75, "ULEA.HI UR0, UR2, UR4, UR6, 0x4", 0xF0000000, 1, 2, kUpperOld | 0x30},
    {kSm75, "ULOP3.LUT UR0, UR2, UR4, UR6, 0x96, !UPT", 0xF0, 0xCC, 0xAA, kUpperOld | 0x96},
    {kSm75, "USHF.L.U32 UR0, UR2, 0x4, URZ", 0x80000001, 0, 0, kUpperOld | 0x10},
    {kSm75, "USHF.R.S32.HI UR0, URZ, 0x1f, UR6", 0, 0, 0x80000001, kUpperOld | 0xFFFFFFFF},
    {kSm75, "UPRMT UR0, UR2, 0x3210, UR6", 0x33221100, 0, 0, kUpperOld | 0x33221100},
    {kSm75, "USEL UR0, UR2, UR4, UPT", 7, 8, 0, kUpperOld | 7},
    {kSm75, "USEL UR0, UR2, 0x9, !UPT", 7, 8, 0, kUpperOld | 9},
    {kSm120, "USEL.64 UR0, UR2, -0x2, !UPT", 7, 8, 0, 0xFFFFFFFFFFFFFFFE},
    {kSm120, "USEL.64 UR0, UR2, 0x90000000, !UPT", 7, 8, 0, 0x90000000},
    {kSm75, "UBMSK UR0, UR2, UR4", 4, 8, 0, kUpperOld | 0xFF0},
    {kSm75, "USGXT UR0, UR2, 0x8", 0x80, 0, 0, kUpperOld | 0xFFFFFF80},
    {kSm75, "UFLO.U32 UR0, UR4", 0, 0x00010000, 0, kUpperOld | 16},
    {kSm75, "UBREV UR0, UR4", 0, 1, 0, kUpperOld | 0x80000000},
    {kSm75, "UPOPC UR0, ~UR4", 0, 0xF00F, 0, kUpperOld | 24},
    {kSm75, "UMOV UR0, 0xfedcba98", 0, 0, 0, kUpperOld | 0xFEDCBA98},
    {kSm120, "UMOV.64 UR0, UR4", 0, 0x123456789ABCDEF0, 0, 0x123456789ABCDEF0},
    {kSm120, "UIMNMX.U64 UPT, UPT, UR0, UR2, UR4, UPT, !UPT", 0xFFFFFFFFFFFFFFFF, 5, 0, 5},
    {kSm120, "UVIMNMX.S32 UR0, UR2, UR4, !UPT", 0xFFFFFFFF, 5, 0, kUpperOld | 5},
};
INSTANTIATE_TEST_SUITE_P(Rows, Sm70UniformOperation, testing::ValuesIn(kUniformRows));

/// A form that no source documents is refused by name, before anything runs.
TEST(Sm70Refusals, NameTheFormThatCannotBeExecuted) {
  const auto failure = [](Arch arch, const char* text) {
    Experiment one({text}, arch);
    return one.failure();
  };
  EXPECT_EQ(failure(kSm70, "LEA.HI R0, -R2, R4, RZ, 0x4"),
            "kernel 'test' at 0x0000 (LEA.HI R0, -R2, R4, RZ, 0x4): the form .HI with a minus on "
            "its first source cannot be executed");
  EXPECT_EQ(failure(kSm70, "MOV R0, R2, 0x3"),
            "kernel 'test' at 0x0000 (MOV R0, R2, 0x3): the form with a mask of lanes cannot be "
            "executed");
  EXPECT_EQ(failure(kSm80, "FLO.U32 R0, P0, R2"),
            "kernel 'test' at 0x0000 (FLO.U32 R0, P0, R2): the form that writes a predicate "
            "cannot be executed");
  EXPECT_EQ(failure(kSm70, "S2R R0, SR_REGALLOC"),
            "kernel 'test' at 0x0000 (S2R R0, SR_REGALLOC): special register SR_REGALLOC cannot "
            "be executed");
  EXPECT_EQ(failure(kSm90, "DEPBAR.LE SB0, 0x1, {2,0}"),
            "kernel 'test' at 0x0000 (DEPBAR.LE SB0, 0x1, {2,0}): a list with the scoreboard that "
            "is counted cannot be executed");
  EXPECT_EQ(failure(kSm90, "DEPBAR.LE SB0, 0x1, {2,1}"), "");
}

}  // namespace sm70_integer_test
}  // namespace shflsim::isa
