// SPDX-License-Identifier: Apache-2.0
// Float, half and double operations and conversions of sm_70 and later: literal rows, and random
// operands compared with SPA 5.0's operations, which are implemented differently.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "isa/machine/rounding.h"
#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace sm70_float_test {

constexpr Arch kSm70 = Arch::kSm70, kSm75 = Arch::kSm75, kSm80 = Arch::kSm80, kSm86 = Arch::kSm86,
               kSm90 = Arch::kSm90, kSm100 = Arch::kSm100;

/// An operation that reads R2, R4, R6, the lower words of pairs, and writes R0 or the pair R0, R1.
struct Row {
  Arch arch;
  const char* text;
  uint64_t r2, r4, r6;
  uint64_t r0;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.text; }

void set_pair(Experiment& one, uint8_t index, uint64_t value) {
  one.set(index, static_cast<uint32_t>(value));
  one.set(static_cast<uint8_t>(index + 1), static_cast<uint32_t>(value >> 32));
}

class Sm70Float : public testing::TestWithParam<Row> {};

TEST_P(Sm70Float, GivesTheLiteralResultInEveryLane) {
  const Row& row = GetParam();
  Experiment one({row.text}, row.arch);
  set_pair(one, 0, 0);
  set_pair(one, 2, row.r2);
  set_pair(one, 4, row.r4);
  set_pair(one, 6, row.r6);
  one.run();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t got = uint64_t{one.value(1, lane)} << 32 | one.value(0, lane);
    ASSERT_EQ(got, row.r0) << row.text << std::hex << ", 0x" << got;
  }
}

constexpr uint64_t kOne = 0x3F800000, kTwo = 0x40000000, kThree = 0x40400000;
constexpr uint64_t kMinusOne = 0xBF800000, kNan = 0x7FC01234, kInfinity = 0x7F800000;

/// Results of an H100, which truncates.
const Row kNarrowFunctions[] = {
    {kSm90, "MUFU.EX2.F16 R0, R2", 0x11C5, 0, 0, 0x3C00},
    {kSm90, "MUFU.EX2.F16 R0, R2", 0x8001, 0, 0, 0x3C00},
    {kSm90, "MUFU.EX2.F16 R0, R2", 0xCE3D, 0, 0, 0},
    {kSm90, "MUFU.EX2.F16 R0, R2", 0x4C00, 0, 0, 0x7C00},
    {kSm90, "MUFU.EX2.F16 R0, R2", 0xFC00, 0, 0, 0},
    {kSm90, "MUFU.TANH.F16 R0, R2.H1", 0x3C000000, 0, 0, 0x3A17},
    {kSm90, "MUFU.TANH.F16 R0, R2", 0x1C07, 0, 0, 0x1C07},
    {kSm90, "MUFU.TANH.F16 R0, R2", 0x1C08, 0, 0, 0x1C07},
    {kSm90, "MUFU.TANH.F16 R0, R2", 0xC7FF, 0, 0, 0xBBFF},
    {kSm90, "MUFU.TANH.F16 R0, R2", 0xC800, 0, 0, 0xBC00},
    {kSm90, "MUFU.TANH.F16 R0, R2", 0x7E01, 0, 0, 0x7FFF},
    {kSm90, "MUFU.TANH.BF16 R0, R2", 0x3B81, 0, 0, 0x3B80},
    {kSm90, "MUFU.EX2.BF16 R0, R2", 0xC303, 0, 0, 0},
    {kSm90, "MUFU.EX2.BF16 R0, R2", 0x4300, 0, 0, 0x7F80},
};
INSTANTIATE_TEST_SUITE_P(NarrowFunctions, Sm70Float, testing::ValuesIn(kNarrowFunctions));

const Row kBytesOfFloats[] = {
    {kSm90, "F2IP.U8.F32.NTZ R0, RZ, R2, RZ", 0x40200000, 0, 0, 2},
    {kSm90, "F2IP.U8.F32.NTZ R0, RZ, R2, RZ", 0x40600000, 0, 0, 4},
    {kSm90, "F2IP.U8.F32.NTZ R0, RZ, R2, RZ", 0x43960000, 0, 0, 255},
    {kSm90, "F2IP.U8.F32.NTZ R0, RZ, R2, RZ", kMinusOne, 0, 0, 0},
    {kSm90, "F2IP.U8.F32.NTZ R0, RZ, R2, RZ", kNan, 0, 0, 0},
    {kSm90, "F2IP.U8.F32.TRUNC.NTZ R0, RZ, R2, RZ", 0x40600000, 0, 0, 3},
    {kSm90, "F2IP.U8.F32.TRUNC.NTZ R0, RZ, R2, RZ", 0x43960000, 0, 0, 255},
};
INSTANTIATE_TEST_SUITE_P(BytesOfFloats, Sm70Float, testing::ValuesIn(kBytesOfFloats));

const Row kSingles[] = {
    {kSm70, "FADD R0, R2, -R4", kThree, kOne, 0, kTwo},
    {kSm70, "FADD.FTZ R0, R2, R4", 1, 0x80000001, 0, 0},
    {kSm70, "FADD.RP R0, R2, R4", kOne, 1, 0, 0x3F800001},
    {kSm70, "FADD.SAT R0, R2, R4", kOne, kOne, 0, kOne},
    {kSm100, "FADD R0, |R2|, R4", kMinusOne, kNan, 0, kNan32},
    {kSm70, "FMUL R0, R2, R4", kTwo, kThree, 0, 0x40C00000},
    {kSm70, "FMUL.D2 R0, R2, R4", kTwo, kThree, 0, kThree},
    {kSm70, "FMUL.M4 R0, R2, R4", kOne, kThree, 0, 0x41400000},
    {kSm70, "FFMA R0, R2, R4, -R6", kTwo, kThree, kTwo, 0x40800000},
    {kSm70, "FFMA.RZ R0, R2, R4, R6", kOne, kOne, 0x80000001, 0x3F7FFFFF},
    {kSm70, "FMNMX R0, R2, R4, PT", kNan, kOne, 0, kOne},
    {kSm70, "FMNMX R0, R2, R4, !PT", 0x80000000, 0, 0, 0},
    {kSm70, "FMNMX R0, R2, R4, PT", 0x80000000, 0, 0, 0x80000000},
    {kSm80, "FMNMX.NAN R0, R2, R4, PT", kNan, kOne, 0, kNan32},
    {kSm86, "FMNMX.XORSIGN R0, |R2|, |R4|, PT", kMinusOne, kTwo, 0, kMinusOne},
    {kSm86, "FMNMX.XORSIGN R0, |R2|, |R4|, !PT", kMinusOne, 0xC0000000, 0, kTwo},
    {kSm100, "FMNMX3 R0, R2, R4, R6, PT", kTwo, kOne, kThree, kOne},
    {kSm100, "FMNMX3 R0, R2, R4, R6, !PT", kTwo, kNan, kThree, kThree},
    {kSm100, "FMNMX3.NAN R0, R2, R4, R6, !PT", kTwo, kNan, kThree, kNan32},
    {kSm70, "FSEL R0, R2, -R4, PT", kNan, 0, 0, kNan},
    {kSm70, "FSEL R0, R2, -R4, !PT", 0, kNan, 0, 0xFFC01234},
    {kSm70, "FSET.BF.LT.AND R0, R2, R4, PT", kOne, kTwo, 0, kOne},
    {kSm70, "MUFU.RCP R0, R2", kTwo, 0, 0, 0x3F000000},
    {kSm70, "MUFU.RCP R0, -R4", 0, kTwo, 0, 0xBF000000},
    {kSm70, "MUFU.SQRT R0, R2", 0x40800000, 0, 0, kTwo},
    {kSm70, "MUFU.SIN R0, R2", 0x3E800000, 0, 0, kOne},  // of a quarter turn
    {kSm70, "MUFU.COS R0, R2", 0x3F000000, 0, 0, kMinusOne},
    {kSm70, "MUFU.RCP64H R0, R2", 0x40000000, 0, 0, 0x3FE00000},
    {kSm75, "MUFU.TANH R0, R2", kInfinity, 0, 0, kOne},
};
INSTANTIATE_TEST_SUITE_P(Single, Sm70Float, testing::ValuesIn(kSingles));

const Row kHalves[] = {
    // An unnormalised zero times zero plus an immediate: how compilers load constants.
    {kSm90, "HFMA2.MMA R0, -RZ, RZ, 0, 5.9604644775390625e-08", 0, 0, 0, 0x00000001},
    {kSm100, "HFMA2 R0, -RZ, RZ, 1.875, -0.001953125", 0, 0, 0, 0x3F809800},
    {kSm70, "HADD2 R0, R2, R4", 0x3C004000, 0x3C003C00, 0, 0x40004200},
    {kSm70, "HADD2 R0, R2.H0_H0, -R4.H1_H1", 0x3C004000, 0x3C000000, 0, 0x3C003C00},
    {kSm70, "HADD2.F32 R0, -RZ, R4.H1_H1", 0, 0xC2000000, 0, 0xC0400000},
    {kSm70, "HADD2.F32 R0, -RZ, R4.H0_H0", 0, 0x0001, 0, 0x33800000},
    {kSm70, "HADD2.SAT R0, R2, R4", 0x3C00BC00, 0x3C00BC00, 0, 0x3C000000},
    {kSm70, "HADD2 R0, R2, R4", 0x7BFF7C00, 0x7BFFFC00, 0, 0x7C007FFF},
    {kSm70, "HMUL2 R0, R2, R4", 0x00010400, 0x38003800, 0, 0x00000200},
    {kSm70, "HFMA2 R0, R2, R4, R6", 0x40003C00, 0x42003C00, 0x3C00BC00, 0x47000000},
    {kSm80, "HFMA2.RELU R0, R2, R4, R6, PT", 0x40003C00, 0xC200FE00, 0x3C003C00, 0x00007FFF},
    {kSm80, "HFMA2.BF16_V2 R0, R2, R4, R6", 0x40003F80, 0x40403F80, 0x3F803B00, 0x40E03F80},
    {kSm86, "HFMA2 R0, R2, R4.H0_NH1, R6", 0x40003C00, 0x42003C00, 0, 0x4000C200},
    {kSm86, "HFMA2 R0, R2.H1_H1, R4.reuse.H0_NH1, R6", 0x40003C00, 0x42003C00, 0, 0x4000C600},
    {kSm90, "HADD2.BF16_V2 R0, R2, R4", 0x3F803F80, 0x3F803B80, 0, 0x40003F80},
    {kSm90, "HMUL2.BF16_V2 R0, R2, R4", 0x7F7F0080, 0x40003F00, 0, 0x7F800040},
    {kSm80, "HMNMX2 R0, R2, R4, PT", 0x7E003C00, 0x40004000, 0, 0x40003C00},
    {kSm80, "HMNMX2.NAN R0, R2, R4, !PT", 0x7E003C00, 0x40004000, 0, 0x7FFF4000},
    {kSm100, "VHMNMX R0, R2, R4, R6, PT", 0x7E003C00, 0x40004000, 0x42004200, 0x40003C00},
    {kSm100, "VHMNMX.NAN R0, R2, R4, R6, !PT", 0x7E003C00, 0x40004000, 0x42004200, 0x7FFF4200},
    {kSm100, "VHMNMX.BF16_V2 R0, R2, R4, R6, PT", 0x3F80, 0x4000, 0xC0008000, 0xC0008000},
    {kSm80, "HMNMX2.BF16_V2 R0, R2, R4, PT", 0x80003F80, 0x00004000, 0, 0x80003F80},
    {kSm70, "HSET2.BF.GT.AND R0, R2, R4, PT", 0x40003C00, 0x3C003C00, 0, 0x3C000000},
    {kSm70, "HSET2.GT.AND R0, R2, R4, PT", 0x40003C00, 0x3C003C00, 0, 0xFFFF0000},
    {kSm90, "HSET2.BF16_V2.BF.GT.AND R0, R2, R4, PT", 0x3C004000, 0x3C003C00, 0, 0x00003F80},
};
INSTANTIATE_TEST_SUITE_P(Half, Sm70Float, testing::ValuesIn(kHalves));

/// Results of an H200, which keeps signs and payloads from and to doubles.
const Row kNans[] = {
    {kSm90, "F2F.F32.F64 R0, R4", 0, 0x7FF00040FFFFFFFF, 0, 0x7FC00207},
    {kSm90, "F2F.F32.F64 R0, R4", 0, 0xFFF0002000000000, 0, 0xFFC00100},
    {kSm90, "F2F.F16.F64 R0, R4", 0, 0x7FFEF901FFFFFFFF, 0, 0x7FBE},
    {kSm90, "F2F.F16.F64 R0, R4", 0, 0xFFF00020FFFFFFFF, 0, 0xFE00},
    {kSm90, "F2F.BF16.F64 R0, R4", 0, 0x7FFEF901FFFFFFFF, 0, 0x7FF7},
    {kSm90, "F2F.F16.F32 R0, R4", 0, 0xFFF00020, 0, 0x7FFF},
    {kSm90, "F2F.F64.F16 R0, R4", 0, 0xFFF0, 0, 0xFFFFC00000000000},
    {kSm90, "F2F.F64.BF16 R0, R4", 0, 0x7F81, 0, 0x7FF8200000000000},
    {kSm90, "F2F.F64.BF16 R0, R4", 0, 0x7D55, 0, 0x47AAA00000000000},
};
INSTANTIATE_TEST_SUITE_P(Nans, Sm70Float, testing::ValuesIn(kNans));

const Row kConversions[] = {
    {kSm70, "I2F R0, R4", 0, 0xFFFFFFFF, 0, kMinusOne},
    // The immediate of a 64-bit source holds the upper word.
    {kSm70, "I2F.U64 R0, 0x1", 0, 0, 0, 0x4F800000},
    {kSm90, "I2F.U64.RP R0, 0x1", 0, 0, 0, 0x4F800000},
    {kSm70, "I2F.S64 R0, 0xffffffff", 0, 0, 0, 0xCF800000},
    {kSm70, "I2F.F64.U64 R0, 0x1", 0, 0, 0, 0x41F0000000000000},
    {kSm70, "F2I.F64 R0, 0x40000000", 0, 0, 0, 2},
    {kSm80, "F2I.S64.F64.TRUNC R0, 0xc00c0000", 0, 0, 0, 0xFFFFFFFFFFFFFFFD},
    {kSm70, "F2F.F32.F64 R0, 0x3ff80000", 0, 0, 0, 0x3FC00000},
    {kSm90, "FRND.F64 R0, 0x40040000", 0, 0, 0, 0x4000000000000000},
    {kSm70, "MUFU.RCP64H R0, -0.5", 0, 0, 0, 0xC0000000},
    {kSm90, "MUFU.RSQ64H R0, 4", 0, 0, 0, 0x3FE00000},
    {kSm70, "DADD R0, R2, 2", 0, 0, 0, 0x4000000000000000},
    {kSm70, "I2F.U32.RP R0, R4", 0, 0xFFFFFFFF, 0, 0x4F800000},
    {kSm70, "I2F.U32.RZ R0, R4", 0, 0xFFFFFFFF, 0, 0x4F7FFFFF},
    {kSm70, "I2F.S8 R0, R4.B2", 0, 0x00FF0000, 0, kMinusOne},
    {kSm70, "I2F.U16 R0, R4.H1", 0, 0x00020000, 0, kTwo},
    {kSm70, "I2F.F16 R0, R4", 0, 2, 0, 0x4000},
    {kSm70, "I2F.F64 R0, R4", 0, 0xFFFFFFFF, 0, 0xBFF0000000000000},
    {kSm70, "I2F.U64.RP R0, R4", 0, 0x8000000000000001, 0, 0x5F000001},
    {kSm70, "I2F.F64.S64 R0, R4", 0, 0xFFFFFFFFFFFFFFFF, 0, 0xBFF0000000000000},
    {kSm86, "I2FP.F32.S32 R0, R4", 0, 0xFFFFFFFF, 0, kMinusOne},
    {kSm86, "I2FP.F32.U32.RZ R0, R4", 0, 0xFFFFFFFF, 0, 0x4F7FFFFF},
    {kSm70, "F2I.TRUNC.NTZ R0, R4", 0, 0xC0200000, 0, 0xFFFFFFFE},
    {kSm70, "F2I.TRUNC.NTZ R0, R4", 0, kNan, 0, 0},
    {kSm70, "F2I.TRUNC R0, R4", 0, kNan, 0, 0x80000000},
    {kSm70, "F2I.U32.TRUNC.NTZ R0, R4", 0, kMinusOne, 0, 0},
    {kSm70, "F2I.FTZ.U32.CEIL.NTZ R0, R4", 0, 1, 0, 0},
    {kSm70, "F2I.U32.CEIL.NTZ R0, R4", 0, 1, 0, 1},
    {kSm70, "F2I.F64.TRUNC R0, R4", 0, 0x41E0000000000000, 0, 0x7FFFFFFF},
    {kSm70, "F2I.U64.TRUNC R0, R4", 0, 0x5F000001, 0, 0x8000010000000000},
    {kSm70, "F2I.S64.F64.FLOOR R0, R4", 0, 0xBFE0000000000000, 0, 0xFFFFFFFFFFFFFFFF},
    {kSm70, "F2I.U16.F16.NTZ R0, R4.H1", 0, 0x42000000, 0, 3},
    {kSm70, "F2F.F64.F32 R0, R4", 0, kThree, 0, 0x4008000000000000},
    {kSm70, "F2F.F32.F64.RM R0, R4", 0, 0x3FF0000000000001, 0, kOne},
    {kSm70, "F2F.F32.F64.RP R0, R4", 0, 0x3FF0000000000001, 0, 0x3F800001},
    {kSm70, "F2F.F16.F32 R0, R4", 0, 0x477FF000, 0, 0x7C00},
    {kSm80, "F2F.BF16.F32 R0, R4", 0, 0x3F808000, 0, 0x3F80},
    {kSm80, "F2F.BF16.F64 R0, R4", 0, 0x3FF0100000000001, 0, 0x3F81},
    {kSm70, "FRND R0, R4", 0, 0x40200000, 0, kTwo},
    {kSm70, "FRND.CEIL R0, R4", 0, 0xBF000000, 0, 0x80000000},
    {kSm70, "FRND.F16.FLOOR R0, R4.H1", 0, 0x3E004200, 0, 0x3C00},
    {kSm90, "FRND.BF16.FLOOR R0, R4.H1", 0, 0xBFC04200, 0, 0xC000},
    {kSm70, "FRND.F64.FLOOR R0, R4", 0, 0xBFE0000000000000, 0, 0xBFF0000000000000},
    {kSm80, "F2FP.PACK_AB R0, R2, R4", kOne, kTwo, 0, 0x3C004000},
    {kSm80, "F2FP.RELU.BF16.PACK_AB R0, R2, R4", kMinusOne, kNan, 0, 0x00007FFF},
    {kSm90, "F2FP.BF16.F32.PACK_AB.RZ R0, R2, R4", 0x3F80FFFF, 0x3F81FFFF, 0, 0x3F803F81},
    {kSm90, "F2FP.F16.F32.MERGE_C R0, R4, R6", 0, kOne, 0x12345678, 0x12343C00},
    // Halfway between two numbers of 10 bits: to the even one; cut off; too large; negative; a NaN.
    {kSm90, "F2FP.TF32.F32.PACK_B R0, R4", 0, 0x3F801000, 0, kOne},
    {kSm90, "F2FP.TF32.F32.PACK_B R0, R4", 0, 0xBF803000, 0, 0xBF804000},
    {kSm90, "F2FP.TF32.F32.PACK_B.RZ R0, R4", 0, 0x3F803FFF, 0, 0x3F802000},
    {kSm90, "F2FP.TF32.F32.PACK_B R0, R4", 0, 0x7F7FFFFF, 0, 0x7F800000},
    {kSm90, "F2FP.SATFINITE.TF32.F32.PACK_B R0, R4", 0, 0xFF800000, 0, 0xFF7FE000},
    {kSm90, "F2FP.RELU.TF32.F32.PACK_B R0, R4", 0, kMinusOne, 0, 0},
    {kSm90, "F2FP.TF32.F32.PACK_B R0, R4", 0, kNan, 0, 0x7FFFE000},
    // 1; 500, above the largest number 448; halfway between 1 and 1.125; a NaN.
    {kSm90, "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R0, R2, R4, R6", kOne, 0x43FA0000, 0x12345678,
     0x5678387E},
    {kSm90, "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R0, R2, R4, RZ", 0x3F880000, kNan, 0,
     0x0000387F},
    {kSm90, "F2FP.SATFINITE.RELU.E5M2.F32.PACK_AB_MERGE_C R0, R2, R4, RZ", kMinusOne, 0x7F800000, 0,
     0x0000007B},
    {kSm90, "F2FP.SATFINITE.E4M3.F16.UNPACK_B_MERGE_C R0, R4, RZ", 0, 0xBC005C80, 0, 0x0000B879},
    {kSm90, "F2FP.F16.E4M3.UNPACK_B R0, R4", 0, 0x00007F01, 0, 0x7FFF1800},
    {kSm90, "F2FP.F16.E5M2.UNPACK_B R0, R4.H1", 0, 0xFC3C0000, 0, 0xFC003C00},
    {kSm90, "F2I.BF16.TRUNC.NTZ R0, R4", 0, 0xC0600000 >> 16, 0, 0xFFFFFFFD},
    {kSm90, "I2F.BF16 R0, R4", 0, 257, 0, 0x4380},
};
INSTANTIATE_TEST_SUITE_P(Conversion, Sm70Float, testing::ValuesIn(kConversions));

constexpr uint64_t kOne64 = 0x3FF0000000000000, kTwo64 = 0x4000000000000000;

const Row kDoubles[] = {
    {kSm70, "DADD R0, R2, -R4", kTwo64, kOne64, 0, kOne64},
    {kSm70, "DADD.RP R0, R2, R4", kOne64, 1, 0, 0x3FF0000000000001},
    {kSm70, "DMUL R0, R2, 2", kOne64, 0, 0, kTwo64},
    {kSm70, "DFMA.RM R0, R2, R4, -R6", kOne64, kOne64, 1, 0x3FEFFFFFFFFFFFFF},
};
INSTANTIATE_TEST_SUITE_P(Double, Sm70Float, testing::ValuesIn(kDoubles));

struct Choice {
  const char* text;
  uint64_t r2, r4;
  bool p0, p1;
};

TEST(Sm70UniformFloat, AddsMultipliesChoosesAndConvertsInUniformRegisters) {
  Experiment one(
      {"UMOV UR4, 0x40200000",  // 2.5
       "UMOV UR5, 0xbfc00000",  // -1.5
       "UFADD UR6, UR4, -UR5", "UFADD.RM.SAT UR7, UR5, 2", "UFFMA UR8, UR4, UR5, UR6",
       "UF2I.TRUNC.NTZ UR9, UR5", "UF2I.U32.CEIL.NTZ UR10, UR4", "UFSEL UR11, UR4, -UR5, UPT",
       "UFSEL UR12, UR4, -UR5, !UPT", "MOV R6, UR6", "MOV R7, UR7", "MOV R8, UR8", "MOV R9, UR9",
       "MOV R10, UR10", "MOV R11, UR11", "MOV R12, UR12"},
      Arch::kSm120);
  one.run();
  std::vector<uint32_t> values;
  for (uint8_t i = 6; i < 13; ++i) values.push_back(one.value(i));
  EXPECT_THAT(values, testing::ElementsAre(0x40800000u, 0x3F000000u, 0x3E800000u, 0xFFFFFFFFu, 3u,
                                           0x40200000u, 0x3FC00000u));
}

TEST(Sm70Double, ChoosesTheLesserAndTheGreaterAndTellsOfTwoNaNs) {
  constexpr uint64_t kNan64 = 0x7FF8000000000001, kMinusZero = uint64_t{1} << 63;
  const char* const least = "DSETP.MIN.AND P0, P1, R2, R4, PT";
  const char* const most = "DSETP.MAX.AND P0, P1, R2, R4, PT";
  const Choice choices[] = {
      {least, kOne64, kTwo64, true, false},  {least, kTwo64, kOne64, false, false},
      {most, kOne64, kTwo64, false, false},  {most, kTwo64, kOne64, true, false},
      {least, kMinusZero, 0, true, false},   {most, kMinusZero, 0, false, false},
      {least, kNan64, kOne64, false, false}, {least, kOne64, kNan64, true, false},
      {most, kNan64, kNan64, false, true},
  };
  for (const Choice& choice : choices) {
    Experiment one({choice.text}, kSm90);
    set_pair(one, 2, choice.r2);
    set_pair(one, 4, choice.r4);
    one.run();
    EXPECT_EQ(one.predicate(0), choice.p0 ? kAllLanes : 0u) << choice.text << std::hex << choice.r2;
    EXPECT_EQ(one.predicate(1), choice.p1 ? kAllLanes : 0u) << choice.text << std::hex << choice.r2;
  }
}

TEST(Sm70Half, ComparesBothHalvesInTheirPredicates) {
  Experiment one({"HSETP2.GT.AND P0, P1, R2, R4, PT"}, kSm90);
  one.set(2, 0x40003C00);
  one.set(4, 0x3C003C00);
  one.run();
  EXPECT_EQ(one.predicate(0), 0u);
  EXPECT_EQ(one.predicate(1), kAllLanes);
}

TEST(Sm70Half, WidensEveryHalf) {
  Experiment one({"HADD2.F32 R0, -RZ, R2.H0_H0"}, kSm70);
  std::vector<uint32_t> halves(65536);
  for (uint32_t half = 0; half < halves.size(); ++half) halves[half] = half;
  one.set_lanes(2, halves);
  one.launch.block = {1024, 1, 1};
  one.launch.grid = {64, 1, 1};
  one.run();
  for (uint32_t half = 0; half < halves.size(); ++half) {
    const Unpacked value = unpack(half, kHalfFormat);
    const uint32_t sign = value.value.negative ? 0x80000000u : 0;
    const uint64_t finite = pack(value.value, kSingleFormat, Rounding::kNearest);
    const uint64_t expected = value.kind == Unpacked::Kind::kNan        ? kNan32
                              : value.kind == Unpacked::Kind::kInfinite ? sign | 0x7F800000u
                                                                        : finite;
    ASSERT_EQ(one.value(0, half % kLanes, half / kLanes), expected) << half;
  }
}

/// Random pairs of halves: any bits, or numbers close to each other.
std::vector<uint32_t> half_words(unsigned seed, size_t count) {
  std::mt19937 random(seed);
  std::vector<uint32_t> words;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t bits = static_cast<uint32_t>(random());
    words.push_back(i % 2 == 0 ? bits : (bits & 0x87FF87FFu) | 0x30003000u);
  }
  return words;
}

TEST(Sm70HalfProperty, ComputesAsSpa5Does) {
  constexpr size_t kCount = 1 << 16;
  const char* const operations[] = {"HADD2 R0, R2, -R4",         "HMUL2 R0, R2, |R4|",
                                    "HFMA2 R0, R2, R4, R6",      "HADD2.SAT R0, R2, R4",
                                    "HMUL2.FTZ R0, R2, R4",      "HADD2.F32 R0, R2, R4.H1_H1",
                                    "HADD2.FTZ R0, R2.H1_H1, R4"};
  for (const char* const operation : operations) {
    std::vector<std::vector<uint32_t>> results;
    for (const Arch arch : {Arch::kSm50, kSm90}) {
      Experiment one({operation}, arch);
      one.set(0, 0);
      for (uint8_t i = 2; i <= 6; i = static_cast<uint8_t>(i + 2))
        one.set_lanes(i, half_words(i, kCount));
      one.launch.block = {1024, 1, 1};
      one.launch.grid = {kCount / 1024, 1, 1};
      one.run();
      results.emplace_back();
      for (size_t i = 0; i < kCount; ++i)
        results.back().push_back(one.value(0, i % kLanes, i / kLanes));
    }
    EXPECT_EQ(results[0], results[1]) << operation;
  }
}

/// matrix_half2 of tests/data/volta/k.sm75.cubin.gz needs this rounding.
TEST(Sm70HalfProperty, TakesSinglePrecisionTowardZero) {
  constexpr size_t kCount = 1 << 14;
  std::mt19937 random(7);
  std::vector<uint32_t> words;
  for (size_t i = 0; i < kCount; ++i) {
    const auto bits = static_cast<uint32_t>(random());
    words.push_back(i % 2 == 0 ? bits : (bits & 0x8FFFFFFFu) | 0x30000000u);
  }
  Experiment one({"HADD2 R0, R2.F32, -RZ.H0_H0", "F2F.F16.F32.RZ R1, R2"}, kSm75);
  one.set_lanes(2, words);
  one.launch.block = {1024, 1, 1};
  one.launch.grid = {kCount / 1024, 1, 1};
  one.run();
  for (size_t i = 0; i < kCount; ++i) {
    const uint32_t low = one.value(0, i % kLanes, i / kLanes) & 0xFFFF;
    ASSERT_EQ(low, one.value(1, i % kLanes, i / kLanes)) << std::hex << words[i];
  }
}

TEST(Sm70FloatRefusal, NamesWhatCannotBeExecuted) {
  const char* const texts[] = {"F2FP.E4M3.F32.PACK_AB_MERGE_C R0, R2, R4, RZ",
                               "HMNMX2.XORSIGN R0, R2, R4, PT"};
  for (const char* const text : texts) {
    const std::string failure = Experiment({text}, kSm90).failure();
    EXPECT_NE(failure.find("cannot be executed"), std::string::npos) << text << failure;
  }
}

}  // namespace sm70_float_test
}  // namespace shflsim::isa
