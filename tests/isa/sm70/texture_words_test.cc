// SPDX-License-Identifier: Apache-2.0
// Words and the texts that nvdisasm prints for them: sm_70's and sm_80's are from CuAssembler's
// instruction repositories (MIT), later ones from ptxas 13.0.
#include <gtest/gtest.h>

#include "isa/codec/codec.h"
#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace texture_words_test {

struct Row {
  Arch arch;
  uint64_t low;
  uint64_t high;
  const char* text;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.text; }

class LongWord : public testing::TestWithParam<Row> {};

TEST_P(LongWord, HasTheTextThatNvdisasmPrintsAndBack) {
  const Row& row = GetParam();
  const Word word(row.low, row.high);
  Instruction instruction;
  ASSERT_EQ(decode(row.arch, word, 0, &instruction), "");
  EXPECT_EQ(text_of(instruction), row.text);
  EXPECT_EQ(encode(instruction), word);
  const Encoded again = encode(row.arch, row.text, 0);
  EXPECT_TRUE(((again.word ^ word) & said_bits(instruction)).none());
}

const Row kTextures[] = {
    {Arch::kSm70, 0xe000587618567b60, 0x19e0f54,
     "TEX.LL R84, R86, R24, R118, 0x0, 0x58, ARRAY_CUBE"},
    {Arch::kSm70, 0x5000581418187b60, 0x01e3f26,
     "TEX.SCR.AOFFI.NDV R38, R24, R24, R20, 0x0, 0x58, 3D"},
    {Arch::kSm70, 0x2800000402067361, 0x19e4f04, "TEX.B.LL.DC R4, R6, R2, R4, 2D"},
    {Arch::kSm70, 0x100064ff0b0c7b66, 0x09e03ff, "TLD.SCR.LZ RZ, R12, R11, 0x0, 0x64, 1D, 0x3"},
    {Arch::kSm70, 0x3800000c46087364, 0x19e1f0e, "TLD4.SCR.A.B.AOFFI R14, R8, R70, R12, 2D"},
    {Arch::kSm70, 0x280000043806736d, 0x01e1f08, "TXD.B.AOFFI R8, R6, R56, R4, 2D"},
    {Arch::kSm70, 0x0000580014007b6f, 0x00002ff,
     "TXQ RZ, R0, R20, TEX_HEADER_DIMENSION, 0x0, 0x58, 0x2"},
    {Arch::kSm70, 0x0800000014157370, 0x00002ff, "TXQ.B RZ, R21, R20, TEX_HEADER_DIMENSION, 0x2"},
    {Arch::kSm80, 0x9000043606067f60, 0x99e0f08, "TEX.SCR.LL R8, R6, R6, R54, UR4, 0x0, ARRAY_1D"},
    {Arch::kSm80, 0x100006ff04147f66, 0x89e0f08, "TLD.SCR.LZ R8, R20, R4, UR6, 0x0, 1D"},
    {Arch::kSm86, 0x0000160018057f6f, 0x80002ff,
     "TXQ RZ, R5, R24, TEX_HEADER_DIMENSION, UR22, 0x0, 0x2"},
    {Arch::kSm90, 0x2000040702067f60, 0x9900f08, "TEX.LL P0, R8, R6, R2, R7, UR4, 0x0, 2D"},
    {Arch::kSm90, 0x2000040806087f66, 0x89e4f0a, "TLD.LZ.MS R10, R8, R6, R8, UR4, 0x0, 2D"},
    {Arch::kSm120, 0x20ff04ff04047f60, 0x81e03ff, "TEX RZ, R4, R4, UR4, 2D, 0x3"},
    {Arch::kSm120, 0x48ff040708087f60, 0x89e0f0a, "TEX.LL R10, R8, R8, R7, UR4, 3D"},
    {Arch::kSm120, 0x00ff04ff05057f66, 0x81e01ff, "TLD.LZ RZ, R5, R5, UR4, 1D, 0x1"},
    {Arch::kSm120, 0x20ff04ff04047f63, 0x81e0f06, "TLD4.R R6, R4, R4, UR4, 2D"},
    {Arch::kSm120, 0x21ff040c04047f6c, 0x81e0f06, "TXD.AOFFI R6, R4, R4, R12, UR4, 2D"}};
INSTANTIATE_TEST_SUITE_P(Textures, LongWord, testing::ValuesIn(kTextures));

const Row kSurfaces[] = {
    {Arch::kSm70, 0x40000000121a799a, 0x01f051a,
     "SULD.D.BA.1D_ARRAY.U16.STRONG.CTA.IGN R26, [R18], R26"},
    {Arch::kSm70, 0x70005c0204007b9d, 0x0110900,
     "SUST.D.BA.2D.STRONG.CTA.TRAP [R4], R2, 0x0, 0x5c"},
    {Arch::kSm70, 0x500058181a007b9b, 0x0110300,
     "SUST.P.1D_ARRAY.STRONG.CTA.RG.TRAP [R26], R24, 0x0, 0x58"},
    {Arch::kSm75, 0x70005a000200759f, 0x0916300,
     "SURED.D.BA.2D.MIN.S32.STRONG.SYS.TRAP [R2], R0, 0x0, 0x5a"},
    {Arch::kSm80, 0xa800040004157f99, 0x81ea500, "SULD.D.BA.3D.U16.STRONG.SM R21, [R4], UR4, 0x0"},
    {Arch::kSm80, 0x5000581418007b9b, 0x010af00,
     "SUST.P.1D_ARRAY.STRONG.SM.TRAP [R24], R20, 0x0, 0x58"},
    {Arch::kSm90, 0x7000040206007f9f, 0x8114500,
     "SURED.D.BA.2D.ADD.64.STRONG.SYS.TRAP [R6], R2, UR4, 0x0"},
    {Arch::kSm120, 0x10ff040005057f99, 0x81ea900, "SULD.D.BA.1D.STRONG.SM.TRAP R5, [R5], UR4"},
    {Arch::kSm120, 0x10ff040200007f9d, 0x810ab00, "SUST.D.BA.1D.64.STRONG.SM.TRAP [R0], R2, UR4"}};
INSTANTIATE_TEST_SUITE_P(Surfaces, LongWord, testing::ValuesIn(kSurfaces));

const Row kMemory[] = {
    {Arch::kSm80, 0x00000000808c7dae, 0x2009909d44,
     "LDGSTS.E.BYPASS.LTC128B.128.CONSTANT [R140+UR4], desc[UR5][R128.64], P3"},
    {Arch::kSm80, 0x01000000828c7dae, 0x200a109d44,
     "LDGSTS.E.BYPASS.LTC128B.128.CONSTANT [R140+UR4+0x1000], desc[UR5][R130.64], P4"},
    {Arch::kSm80, 0x0000000004dc7dae, 0x0009100d49,
     "LDGSTS.E.BYPASS.LTC128B.128 [R220+UR9], [R4.64], P2"},
    {Arch::kSm80, 0x0000000000007fae, 0x000b920c3f, "LDGSTS.E.128 [R0], [R0.U32]"},
    {Arch::kSm80, 0x0000000004047f8a, 0x000c9ea53f,
     "ATOM.E.ARRIVE.64.STRONG.SM PT, R4, [R4.U32+URZ]"},
    {Arch::kSm80, 0x000000000e0e7f8a, 0x000c9ea57f,
     "ATOM.E.ARRIVE.64.STRONG.SM PT, R14, [R14.64+URZ]"},
    {Arch::kSm80, 0x00000000ff047f8a, 0x000c9ea506, "ATOM.E.ARRIVE.64.STRONG.SM PT, R4, [UR6]"},
    {Arch::kSm80, 0x0000000008ff7f8a, 0x000d1ea13f,
     "ATOM.E.POPC.INC.32.STRONG.SM PT, RZ, [R8.U32+URZ]"},
    {Arch::kSm80, 0x00000006ff0f7981, 0x00081e8400, "LDG.U16.CONSTANT R15, [UR6]"}};
INSTANTIATE_TEST_SUITE_P(Memory, LongWord, testing::ValuesIn(kMemory));

/// ptxas 13.0's words for ld.mmio and st.mmio. nvdisasm has the name of the order for sm_75; the
/// later texts are this project's.
const Row kMappedDevices[] = {
    {Arch::kSm75, 0x00000000ff007986, 0x0c11e904, "STG.E.MMIO.SYS [UR4], R0"},
    {Arch::kSm80, 0x00000004ff007981, 0x0c1f8900, "LDG.E.MMIO.SYS R0, [UR4]"},
    {Arch::kSm90, 0x00000004ff007981, 0x081f8900, "LDG.E.MMIO.SYS R0, [RZ.U32+UR4]"},
    {Arch::kSm90, 0x00000000ff007986, 0x08118904, "STG.E.MMIO.SYS [RZ.U32+UR4], R0"},
    {Arch::kSm100, 0x00000404ff047980, 0x08118100, "LD.E.U8.MMIO.SYS R4, [RZ.U32+UR4+0x4]"},
    {Arch::kSm120, 0x00000804ff007985, 0x08118104, "ST.E.U8.MMIO.SYS [RZ.U32+UR4+0x8], R4"}};
INSTANTIATE_TEST_SUITE_P(MappedDevices, LongWord, testing::ValuesIn(kMappedDevices));

/// ptxas 13.0's words for selections of 64 bits: the immediate has 33, the last is its sign.
const Row kWideSelections[] = {
    {Arch::kSm120, 0xfffffffb02047407, 0x0000000000000001, "SEL.64 R4, R2, -0x5, P0"},
    {Arch::kSm120, 0xfffffffb02047407, 0x0000000000000000, "SEL.64 R4, R2, 0xfffffffb, P0"},
    {Arch::kSm120, 0x7fffffff02047407, 0x0000000000000001, "SEL.64 R4, R2, -0x80000001, P0"},
    {Arch::kSm120, 0x900000000e0a7487, 0x000000000d000000, "USEL.64 UR10, UR14, 0x90000000, !UP2"},
    {Arch::kSm120, 0xfffffff70a047487, 0x000000000c800001, "USEL.64 UR4, UR10, -0x9, !UP1"}};
INSTANTIATE_TEST_SUITE_P(WideSelections, LongWord, testing::ValuesIn(kWideSelections));

/// Operations in which the bits of other operations' reuse marks have another meaning.
const Row kWithoutReuse[] = {
    {Arch::kSm80, 0x00001f4d494c7589, 0x14000000000e0000, "SHFL.IDX PT, R76, R73, R77, 0x1f"},
    {Arch::kSm90, 0x0c201f0002037f89, 0x3c000000000e0000, "SHFL.BFLY PT, R3, R2, 0x1, 0x1f"},
    {Arch::kSm80, 0x000000207c007950, 0x1400000003e00000, "RET.ABS.NODEC R124 0x20"},
    {Arch::kSm80, 0x3000620804037b60, 0x04000000019e01ff,
     "TEX.SCR.LL RZ, R3, R4, R8, 0x0, 0x62, 2D, 0x1"}};
INSTANTIATE_TEST_SUITE_P(WithoutReuse, LongWord, testing::ValuesIn(kWithoutReuse));

/// The first row is ptxas 13.0's code for a product times 0.125; the others are its variants.
const Row kScales[] = {
    {Arch::kSm80, 0x0000000500057220, 0x0000000000110000, "FMUL.FTZ.D8 R5, R0, R5"},
    {Arch::kSm80, 0x0000000500057220, 0x0000000000210000, "FMUL.FTZ.D4 R5, R0, R5"},
    {Arch::kSm80, 0x0000000500057220, 0x0000000000310000, "FMUL.FTZ.D2 R5, R0, R5"},
    {Arch::kSm80, 0x0000000500057220, 0x0000000000410000, "FMUL.FTZ R5, R0, R5"},
    {Arch::kSm80, 0x0000000500057220, 0x0000000000710000, "FMUL.FTZ.M8 R5, R0, R5"}};
INSTANTIATE_TEST_SUITE_P(Scales, LongWord, testing::ValuesIn(kScales));

TEST(LongWord, OfTwoUniformRegistersTakesOnlyTheOneBehindTheFirst) {
  const char* const text = "LDGSTS.E.128 [R1+UR4], desc[UR6][R2.64]";
  try {
    encode(Arch::kSm80, text, 0);
    FAIL();
  } catch (const SyntaxError& error) {
    EXPECT_EQ(error.what,
              "cannot read the operands of LDGSTS; expected UR5, next to the uniform register "
              "before it");
    EXPECT_EQ(error.column, 29u);
  }
}

TEST(Textures, AreRefusedByNameWhereTheyAreRun) {
  for (const char* line :
       {"TEX.SCR.LL RZ, R3, R4, R8, 0x0, 0x62, 2D, 0x1",
        "TXQ.B RZ, R4, R5, TEX_HEADER_DIMENSION, 0x1", "SULD.D.BA.2D.STRONG.SM R4, [R2], R3",
        "SURED.D.BA.1D.ADD.STRONG.SYS [R2], R0, R3"}) {
    Experiment one({line}, Arch::kSm80);
    const std::string name(line, std::string(line).find('.'));
    EXPECT_EQ(one.failure(), "kernel 'test' at 0x0000 (" + std::string(line) + "): " + name +
                                 " cannot be executed");
  }
}

TEST(Scales, OfProductsAreExecuted) {
  Experiment one({"FMUL.D8 R2, R0, R1", "FMUL.D2 R3, R0, R1", "FMUL.M8 R4, R0, R1"}, Arch::kSm80);
  one.set(0, 0x40400000);  // 3
  one.set(1, 0x40000000);  // 2
  one.run();
  EXPECT_EQ(one.value(2), 0x3F400000u);  // 0.75
  EXPECT_EQ(one.value(3), 0x40400000u);  // 3
  EXPECT_EQ(one.value(4), 0x42400000u);  // 48
}

/// A barrier for 64 arrivals: like ATOMS.ARRIVE, but at a generic address of shared memory.
TEST(GenericArrivals, CountAtABarrierInSharedMemory) {
  constexpr const char* kArrival = "ATOM.E.ARRIVE.64.STRONG.SM PT, R8, [R6.64+URZ]";
  Experiment one({"MOV R4, 0x40", "MOV R2, 0xffffffc0", "MOV R3, 0x7fffffc0", "STS.64 [R4], R2",
                  "MOV R6, 0x40", "MOV R7, 0x7f00", kArrival, "LDS.64 R10, [R4]"},
                 Arch::kSm80);
  one.launch.shared_bytes = 1024;
  one.run();
  EXPECT_EQ(one.value(11), 0x7FFFFFC0u + 32) << "32 of 64 have arrived";
}

}  // namespace texture_words_test
}  // namespace shflsim::isa
