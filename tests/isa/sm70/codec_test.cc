// SPDX-License-Identifier: Apache-2.0
// Words of sm_70 and later: to text and back.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "isa/base/input_error.h"
#include "isa/codec/codec.h"
#include "isa/codec/form.h"
#include "isa/dialects/verify_words.h"
#include "isa/dialects/word_table.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace sm70_codec_test {

const std::vector<Arch> kLong = {Arch::kSm70, Arch::kSm72, Arch::kSm75,  Arch::kSm80, Arch::kSm86,
                                 Arch::kSm89, Arch::kSm90, Arch::kSm100, Arch::kSm120};

std::string text_of_word(Arch arch, const Word& word, uint32_t address = 0) {
  Instruction instruction;
  const std::string problem = decode(arch, word, address, &instruction);
  return problem.empty() ? text_of(instruction) : problem;
}

/// The fault of a word that decodes: its fields encode to another word, or its text to a word with
/// another text; "" if there is none. Words can share a text: only ptxas' are compared bit by bit.
std::string round_trip_fault(Arch arch, const Word& word) {
  constexpr uint32_t kAddress = 0x1000;
  Instruction instruction;
  if (!decode(arch, word, kAddress, &instruction).empty()) return "";
  const std::string text = text_of(instruction);
  if (encode(instruction) != word) return text + ": its fields encode to another word";
  try {
    const Word encoded = encode(arch, text, kAddress).word;
    const std::string own = text_of_word(arch, encoded, kAddress);
    return own == text ? "" : text + " encodes to a word of " + own;
  } catch (const SyntaxError& error) {
    return text + ": " + error.what;
  }
}

struct Case {
  const char* path;
  size_t instructions;
};

class WordsOfPtxas : public testing::TestWithParam<Case> {};

TEST_P(WordsOfPtxas, ComeBackEqualInEveryBitAndText) {
  const Verification found = verify_words(read_source_text(test::data_path(GetParam().path)));
  EXPECT_EQ(found.instructions, GetParam().instructions);
  EXPECT_TRUE(found.all_equal()) << found.differences.front().what;
}

INSTANTIATE_TEST_SUITE_P(
    Volta, WordsOfPtxas,
    testing::Values(
        Case{"volta/words.sm75.tsv.gz", 2423}, Case{"volta/words.sm80.tsv.gz", 2463},
        Case{"volta/words.sm86.tsv.gz", 2556}, Case{"volta/words.sm90.tsv.gz", 2023},
        Case{"volta/words.sm100.tsv.gz", 1798}, Case{"volta/words.sm120.tsv.gz", 1679},
        Case{"volta/c.sm70.cuobjdump.txt.gz", 672}, Case{"volta/c.sm75.cuobjdump.txt.gz", 608},
        Case{"volta/c.sm80.cuobjdump.txt.gz", 744}, Case{"volta/c.sm90.cuobjdump.txt.gz", 824},
        Case{"volta/c.sm90.nvdisasm.txt.gz", 824}, Case{"volta/c.sm100.cuobjdump.txt.gz", 832},
        Case{"volta/c.sm120.cuobjdump.txt.gz", 832}, Case{"volta/forms.sm75.tsv.gz", 3749},
        Case{"volta/forms.sm80.tsv.gz", 3816}, Case{"volta/forms.sm86.tsv.gz", 3322},
        Case{"volta/forms.sm89.tsv.gz", 3655}, Case{"volta/forms.sm90.tsv.gz", 4437},
        Case{"volta/forms.sm100.tsv.gz", 4406}, Case{"volta/forms.sm120.tsv.gz", 4298}));

TEST(Sm70Codec, ShufflesFourFormsAreTheSameOnEveryArchitecture) {
  const std::pair<Word, const char*> forms[] = {
      {Word(0x0000000302017389, 0x000fe200000e0004), "SHFL.IDX PT, R1, R2, R3, R4"},
      {Word(0x04001f0302017589, 0x000fe200000e0000), "SHFL.UP PT, R1, R2, R3, 0x1f"},
      {Word(0x0a20000002017989, 0x000fe200000e0004), "SHFL.DOWN PT, R1, R2, 0x11, R4"},
      {Word(0x0e201f0002017f89, 0x000fe20000020000), "SHFL.BFLY P1, R1, R2, 0x11, 0x1f"},
  };
  for (const Arch arch : kLong) {
    for (const auto& [word, text] : forms) {
      EXPECT_EQ(text_of_word(arch, word), text) << name_of(arch);
      EXPECT_EQ(round_trip_fault(arch, word), "") << name_of(arch);
      const Word encoded = encode(arch, text, 0).word;
      EXPECT_EQ(with_field(encoded, 105, 21, 0), with_field(word, 105, 21, 0)) << text;
    }
  }
}

struct Literal {
  Arch arch;
  uint64_t low, high;
  uint32_t address;
  const char* text;
};

const Literal kLiterals[] = {
    {Arch::kSm90, 0x000000000b007348, 0x000fea0003800000, 0x300, "WARPSYNC R11"},
    {Arch::kSm70, 0x00000a0000017a02, 0x000fe20000000f00, 0, "MOV R1, c[0x0][0x28]"},
    {Arch::kSm75, 0x00000007ff07098c, 0x004e620008000004, 0, "@P0 ATOMS.ADD R7, [UR4], R7"},
    {Arch::kSm90, 0x0000000000188947, 0x000fea0003800000, 0x140, "@!P0 BRA 0x1b0"},
    {Arch::kSm90, 0xfffffffd00ec0947, 0x002fea000393ffff, 0x5c50, "@P0 BRA.U.ANY 0x5c10"},
    {Arch::kSm90, 0x0000000000010942, 0x000fea0003800000, 0, "@P0 BREAK B1"},
    {Arch::kSm90, 0x0000000604047981, 0x0000a2000c1e1900, 0, "LDG.E R4, desc[UR6][R4.64]"},
    {Arch::kSm80, 0x0000000604047981, 0x0000a2000c1e1900, 0, "LDG.E R4, [R4.64]"},
    {Arch::kSm90, 0x0000000000088229, 0x000fd60000000518, 0, "@!P0 DADD R8, -R0, |R24|"},
    {Arch::kSm90, 0x400000001818c82b, 0x000fe40000000808, 0, "@!P4 DFMA R24, R24, 2, -R8"},
    {Arch::kSm75, 0x7fffffff00007421, 0x000fe20000000100, 0, "FADD R0, -R0, +QNAN"},
    {Arch::kSm75, 0x4e6e6b2800007421, 0x000fe20000000100, 0,
     "FADD R0, -R0, 1.00000000000000000000e+09"},
    {Arch::kSm75, 0x3c00bc00ff02f430, 0x000fe20000000900, 0, "@!PT HADD2 R2, -RZ.H0_H0, 1, -1"},
    {Arch::kSm86, 0x00c00000eae52fae, 0x0003e2000b900d7f, 0,
     "@P2 LDGSTS.E.BYPASS.LTC128B.128 [R229+0xc00], [R234.64]"},
    {Arch::kSm86, 0xfffff000ae017dae, 0x000fc02008101850, 0,
     "LDGSTS.E.BYPASS [R1+UR16+-0x1], desc[UR17][R174.64], P0"},
    {Arch::kSm90, 0x00000032ff048981, 0x000ea200081e0b00, 0, "@!P0 LDG.E.64 R4, [RZ.U32+UR50]"},
    {Arch::kSm90, 0x6be09d00141879f0, 0x000fde0008701e18, 0,
     "HGMMA.SP.REGOFFSET.64x256x32.F32.BF16 R24, gdesc[UR20].tnspA.tnspB, R24, R157, 0x0"},
    {Arch::kSm90, 0x03e0000458187df3, 0x000fe6000b803118, 0,
     "QGMMA.64x256x32.F16.E5M2.E5M2 R24, -R88, gdesc[UR4], R24, UP0, gsb0"},
    {Arch::kSm90, 0x83e00000081879f3, 0x000fe6000b803118, 0,
     "QGMMA.64x256x32.F16.E5M2.E5M2 R24, gdesc[UR8].negA.negB, R24, UP0, gsb0"},
    {Arch::kSm90, 0x00200000041879f2, 0x000fe20008014018, 0,
     "BGMMA.64x16x256.AND.POPC R24, gdesc[UR4], R24, gsb0"},
    {Arch::kSm90, 0x0020000420187df2, 0x000fe60008014018, 0,
     "BGMMA.64x16x256.AND.POPC R24, R32, gdesc[UR4], R24, gsb0"},
    {Arch::kSm90, 0x000000080304738d, 0x004e24000000080c, 0, "ATOMS.CAS.128 R4, [R3], R8, R12"},
    {Arch::kSm90, 0x000000101d10738c, 0x0000620004000800, 0, "ATOMS.EXCH.128 R16, [R29], R16"},
    {Arch::kSm90, 0x0000201808ff73a9, 0x000fe800001ee91c, 0,
     "ATOMG.E.CAS.128.STRONG.GPU PT, RZ, [R8+0x20], R24, R28"},
    {Arch::kSm90, 0x00000018040073b8, 0x0003e20008050007, 0,
     "UTMAPF.L2.3D.IM2COL [UR24], [UR4], UR7"},
    {Arch::kSm120, 0xfe0000140818797e, 0x000f680008121908, 0,
     "LDG.E.ENL2.256 R8, R24, desc[UR20][R8.64]"},
    {Arch::kSm120, 0x0000000604027402, 0x000fca0003fe0008, 0, "MOV.64 R2, 0xfe00080000000604"},
    {Arch::kSm100, 0x000000000a0d79a5, 0x001ea20008035904, 0,
     "LDGMC.E.ADD.F32.RN.STRONG.SYS R13, [R10.64+UR4]"},
    {Arch::kSm75, 0x0000000502027214, 0x000fc800000e0204, 0, "VABSDIFF R2, R2, R5, R4"},
    {Arch::kSm75, 0x00000005020a7226, 0x000fc80000003004, 0, "IDP.2A.HI.U16.U8 R10, R2, R5, R4"},
    {Arch::kSm75, 0x4008000000077908, 0x000e220000001800, 0, "MUFU.RCP64H R7, 3"},
    {Arch::kSm75, 0x1000000000067308, 0x000e300000000a00, 0, "MUFU.EX2.F16 R6, R0.H1"},
    {Arch::kSm75, 0x1000000200087308, 0x000e620000002600, 0, "MUFU.TANH.F16 R8, R2.H1"},
    {Arch::kSm80, 0x0000000500007348, 0x000fea0003c00000, 0, "WARPSYNC.EXCLUSIVE R5"},
    {Arch::kSm90, 0x0000000014007950, 0x004fec0003e00000, 0x4d0, "RET.ABS.NODEC R20 0x0"},
    {Arch::kSm80, 0x00000000ff067f8c, 0x000e64000c80043f, 0, "ATOMS.ARRIVE.64 R6, [URZ]"},
    {Arch::kSm80, 0x0000000702057235, 0x000fe20003808007, 0, "HFMA2.MMA.RELU R5, R2, R7, R7"},
    {Arch::kSm80, 0x0000000706097231, 0x000fe20003a08006, 0, "HFMA2.BF16_V2.RELU R9, R6, R7, R6"},
    {Arch::kSm86, 0x0000000502047231, 0x000fc80003808005, 0, "HFMA2.RELU R4, R2, R5, R5"},
    {Arch::kSm89, 0x000000030603723e, 0x000fca00000000ff, 0, "F2FP.F16.F32.PACK_AB R3, R6, R3"},
    {Arch::kSm89, 0x00000003ff03723e, 0x000fc800000180ff, 0, "F2FP.F16.F32.PACK_AB.RZ R3, RZ, R3"},
    {Arch::kSm89, 0x00000002ff02723e, 0x000fc800000000ff, 0, "F2FP.F16.F32.PACK_AB R2, RZ, R2"},
    {Arch::kSm89, 0x000000040908723e, 0x040fe200000000ff, 0,
     "F2FP.F16.F32.PACK_AB R8, R9.reuse, R4"},
    {Arch::kSm89, 0x000000080908723e, 0x000fe400000010ff, 0, "F2FP.BF16.F32.PACK_AB R8, R9, R8"},
    {Arch::kSm90, 0x0000000004007348, 0x000fea0003800000, 0, "WARPSYNC R4"},
    {Arch::kSm90, 0x0000000302097236, 0x000fc80000000200, 0, "VIADD.16x2 R9, R2, R3"},
    {Arch::kSm90, 0x000000140404723d, 0x004fde0000015418, 0,
     "BMMA.168256.AND.POPC R4, R4.ROW, R20.COL, R24"},
    {Arch::kSm90, 0x00000008070a7235, 0x000fc80003a08007, 0,
     "HFMA2.MMA.BF16_V2.RELU R10, R7, R8, R7"},
    {Arch::kSm90, 0x0000000807077233, 0x000fc60003804082, 0,
     "HSET2.BF16_V2.BF.GT.AND R7, R7, R8, PT"},
    {Arch::kSm90, 0x0000000400067305, 0x000066000040f100, 0, "F2I.BF16.TRUNC.NTZ R6, R4"},
    {Arch::kSm90, 0x0000000200027306, 0x000e680000202400, 0, "I2F.BF16 R2, R2"},
    {Arch::kSm90, 0x00000000000079c7, 0x000fec0008000000, 0, "UCGABAR_ARV"},
    {Arch::kSm90, 0x000000201008723f, 0x002e240000003008, 0, "DMMA.16x8x16 R8, R16, R32, R8"},
    {Arch::kSm90, 0x00000013ff0c723e, 0x000fc400020006ff, 0, "F2FP.F16.E4M3.UNPACK_B R12, R19"},
    {Arch::kSm90, 0x00000009ff09723e, 0x000fe400030006ff, 0, "F2FP.F16.E4M3.UNPACK_B R9, R9.H1"},
    {Arch::kSm90, 0x000000030405723e, 0x0c0fe400048070ff, 0,
     "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R5, R4.reuse, R3.reuse, RZ"},
    {Arch::kSm90, 0x000000030403723e, 0x000fe400048060ff, 0,
     "F2FP.SATFINITE.E5M2.F32.PACK_AB_MERGE_C R3, R4, R3, RZ"},
    {Arch::kSm90, 0x00000002ff03723e, 0x000fe400020004ff, 0, "F2FP.F16.E5M2.UNPACK_B R3, R2"},
    {Arch::kSm90, 0x00000004ff08723e, 0x000fe200024050ff, 0, "F2FP.TF32.F32.PACK_B R8, R4"},
    {Arch::kSm90, 0x0000000b080773a2, 0x000162000012f300, 0,
     "ATOM.E.ADD.F32.FTZ.RN.STRONG.GPU P1, R7, [R8], R11"},
    {Arch::kSm90, 0x00000005060873a2, 0x000162000012e700, 0,
     "ATOM.E.ADD.BF16x2.RN.STRONG.GPU P1, R8, [R6], R5"},
    {Arch::kSm90, 0x00000008040073ba, 0x0005d80008000206, 0, "UBLKCP.S.G [UR8], [UR4], UR6"},
    {Arch::kSm90, 0x00000004060073ba, 0x0005e20008000407, 0, "UBLKCP.G.S [UR4], [UR6], UR7"},
    {Arch::kSm100, 0x8000000304ff79a2, 0x0001e2000c10e10a, 0,
     "ATOM.E.ADD.F16x2.RN.STRONG.GPU P0, RZ, desc[UR10][R4.64], R3"},
    {Arch::kSm100, 0x00000000000472cc, 0x000fda0000008200, 0, "CREDUX.MIN.S32 UR4, R0"},
    {Arch::kSm100, 0x00000000000472cc, 0x040fe20000008200, 0, "CREDUX.MIN.S32 UR4, R0.reuse"},
    {Arch::kSm100, 0x00000000090872cc, 0x000fda0000000000, 0, "CREDUX.MAX UR8, R9"},
    {Arch::kSm100, 0x000000000908723a, 0x000e220000004800, 0, "MOVM.U4TO8.M832 R8, R9"},
    {Arch::kSm100, 0x00000000030772cc, 0x000fda0000008000, 0, "CREDUX.MIN UR7, R3"},
    {Arch::kSm100, 0x00000000030672cc, 0x000fe40000000200, 0, "CREDUX.MAX.S32 UR6, R3"},
    {Arch::kSm100, 0x00000006ff07723e, 0x000fe200030004ff, 0, "F2FP.F16.E5M2.UNPACK_B R7, R6.H1"},
    {Arch::kSm75, 0x0080010003007a1f, 0x000fe40000704006, 0,
     "PLOP3.LUT P0, PT, R3.SIGN, c[0x2][0x4].SIGN, R6.SIGN, 0x40, 0x0"},
    {Arch::kSm90, 0x000000000200721f, 0x1c0fe40000700207, 0,
     "PLOP3.LUT P0, PT, R2.reuse.SIGN, R0.reuse.SIGN, R7.reuse.SIGN, 0x2, 0x0"},
    {Arch::kSm90, 0x0000000407007c1f, 0x000fe20008741000, 0,
     "PLOP3.LUT P2, PT, R7.SIGN, UR4.SIGN, R0.SIGN, 0x10, 0x0"},
    {Arch::kSm75, 0x0000000302027239, 0x004fd000000030ff, 0, "I2IP.S16.S32.SAT R2, R2, R3, RZ"},
    {Arch::kSm75, 0x0000000504047239, 0x004fd00000006206, 0, "I2IP.U4.S32.SAT R4, R4, R5, R6.24"},
    {Arch::kSm90, 0x0000000504057239, 0x004fca0000005706, 0, "I2IP.S2.S32.SAT R5, R4, R5, R6.28"},
    {Arch::kSm90, 0x0000000504057239, 0x004fca00000024ff, 0, "I2IP.U16.S32.SAT R5, R4, R5, RZ"},
    {Arch::kSm80, 0x0000000200007801, 0x000fca0003800000, 0, "PMTRIG 0x2"},
    {Arch::kSm80, 0x000000000200798f, 0x000fea0005800100, 0, "CCTL.E.RML2 [R2]"},
    {Arch::kSm90, 0x000000000200798f, 0x000fea0004800100, 0, "CCTL.E.PML2 [R2]"},
    {Arch::kSm120, 0x0000000502077836, 0x004fca0000010400, 0, "VIADD.SAT R7, R2, 0x5"},
    {Arch::kSm120, 0x8000000504057236, 0x004fca0000010400, 0, "VIADD.SAT R5, R4, -R5"},
    {Arch::kSm120, 0x0000004d00057836, 0x004fca0000010500, 0, "VIADD.SAT R5, -R0, 0x4d"},
    {Arch::kSm120, 0x0000000a0005785a, 0x000fe20008209000, 0, "UI2F.U32.RP UR5, 0xa"},
    {Arch::kSm120, 0x8000000a09067236, 0x000fe20000000800, 0, "VIADD.U8x4 R6, R9, -R10"},
    {Arch::kSm120, 0x00000000000c78cb, 0x000fe20000015200, 0, "CS2UR UR12, SR_GLOBALTIMERLO"},
    {Arch::kSm120, 0x3f80000006067851, 0x000fc8000c800000, 0, "UFSEL UR6, UR6, 1, !UP1"},
    {Arch::kSm120, 0x3e80000006067851, 0x000fc8000c000000, 0, "UFSEL UR6, UR6, 0.25, !UP0"},
    {Arch::kSm120, 0x000000100804727a, 0x000fde0000002c04, 0,
     "QMMA.16832.F32.E4M3.E4M3 R4, R8, R16, R4"},
};

TEST(Sm70Codec, WordsHaveTheTextOfTheDisassembler) {
  for (const Literal& each : kLiterals) {
    const Word word(each.low, each.high);
    EXPECT_EQ(text_of_word(each.arch, word, each.address), each.text);
    Instruction instruction;
    ASSERT_EQ(decode(each.arch, word, each.address, &instruction), "");
    EXPECT_EQ(encode(instruction), word) << each.text;
    const Word other = encode(each.arch, each.text, each.address).word ^ word;
    EXPECT_TRUE((other & said_bits(instruction)).none()) << each.text;
  }
}

TEST(Sm70Codec, AnInstructionsOperandsAreItsFields) {
  Instruction load;
  ASSERT_EQ(decode(Arch::kSm90, Word(0x0000100604047981, 0x0000a2000c1e1b00), 0, &load), "");
  EXPECT_EQ(load.op, Op::kSm70_LDG);
  EXPECT_EQ(load[Role::kD].index, 4);
  EXPECT_EQ(load[Role::kD].count, 2) << "of 64 bits";
  const Operand& address = load[Role::kA];
  EXPECT_TRUE(address.is(Operand::Kind::kMemory));
  EXPECT_EQ(address.index, 4);
  EXPECT_EQ(address.count, 2) << "a 64-bit address";
  EXPECT_EQ(address.uniform, 6);
  EXPECT_TRUE(address.is_descriptor);
  EXPECT_EQ(address.value, 0x10);
  EXPECT_EQ(load.control.write_barrier, 2);
}

#ifdef NDEBUG
constexpr int kRandomWords = 1'000'000;
#else
constexpr int kRandomWords = 100'000;
#endif

TEST(Sm70Codec, RandomWordsAreRefusedOrComeBack) {
  std::mt19937_64 random(1);
  for (const Arch arch : kLong) {
    for (int i = 0; i < kRandomWords; ++i) {
      const Word word(random(), random());
      ASSERT_EQ(round_trip_fault(arch, word), "")
          << name_of(arch) << std::hex << " " << word.high << " " << word.low;
    }
  }
}

/// The word with one to four of its bits inverted.
Word with_bits_changed(Word word, std::mt19937_64* random) {
  for (uint64_t changes = (*random)() % 4 + 1; changes > 0; --changes) {
    const auto bit = static_cast<unsigned>((*random)() % 128);
    word = with_field(word, bit, 1, ~field(word, bit, 1));
  }
  return word;
}

TEST(Sm70Codec, RealWordsWithBitsChangedAreRefusedOrComeBack) {
  std::mt19937_64 random(2);
  for (const Arch arch :
       {Arch::kSm75, Arch::kSm80, Arch::kSm86, Arch::kSm90, Arch::kSm100, Arch::kSm120}) {
    const std::string path = "volta/words." + std::string("sm") + std::to_string(number_of(arch));
    for (const ListedWord& listed :
         table_words(read_source_text(test::data_path(path + ".tsv.gz")))) {
      for (int i = 0; i < 20; ++i) {
        const Word word = with_bits_changed(listed.word, &random);
        ASSERT_EQ(round_trip_fault(arch, word), "")
            << name_of(arch) << std::hex << " " << word.high << " " << word.low;
      }
    }
  }
}

struct Misspelt {
  const char* text;
  unsigned column;
  const char* what;
};

TEST(Sm70Codec, MisspeltInstructionsAreRefusedWithColumnAndCause) {
  const Misspelt misspelt[] = {
      {"SHFLL.IDX PT, R1, R0, 0x0, 0x1f", 1, "unknown opcode 'SHFLL'; did you mean 'SHFL'?"},
      {"QQQQQQ R1", 1, "expected a sm_90 mnemonic"},
      {"SHFL.BFLI PT, R1, R0, 0x0, 0x1f", 5, "did you mean '.BFLY'?"},
      {"@UP9 UMOV UR4, 0x1", 2, "no guard predicate behind '@'"},
      {"@UP1 SHFL.IDX PT, R1, R0, 0x0, 0x1f", 2, "expected a guard of P0 to P6 or PT"},
      {"UMOV UR63, 0x1", 6, "expected a uniform register (UR0 to UR62 or URZ)"},
      {"BSYNC B16", 7, "expected a convergence barrier (B0 to B15)"},
      {"LDG.E R2, R4", 11, "expected an address '['"},
      {"S2R R2, SR_TID.V", 9, "did you mean 'SR_TID.X'?"},
      {"BRA 0x12", 5, "expected a target that is 4 bytes or a multiple away"},
  };
  for (const Misspelt& row : misspelt) {
    try {
      encode(Arch::kSm90, row.text, 0);
      ADD_FAILURE() << row.text << " was taken";
    } catch (const SyntaxError& error) {
      EXPECT_EQ(error.column, row.column) << row.text << ": " << error.what;
      EXPECT_NE(error.what.find(row.what), std::string::npos) << row.text << ": " << error.what;
    }
  }
}

TEST(Sm70Codec, ReusePrintedOnAnOperandIsInTheControlBits) {
  EXPECT_EQ(encode(Arch::kSm90, "FFMA R2, R4.reuse, R3, R9.reuse", 0).reuse, 5);
  EXPECT_EQ(encode(Arch::kSm90, "FADD R2, R4.reuse, R3.reuse", 0).reuse, 5);
  EXPECT_EQ(field(encode(Arch::kSm90, "FFMA R2, R4.reuse, R3, R9", 0).word, 122, 3), 1u);
}

TEST(Sm70Codec, BarriersAreSetByImmediatesAndBarriersInFrontOfKernelsOfSm87) {
  const std::pair<Word, const char*> words[] = {
      {Word(0xffffffff00007956, 0x000fe80000000000), "BMOV.32 B0, 0xffffffff"},
      {Word(0x0000000000017f55, 0x000fe80000100000), "BMOV.32.CLEAR B1, B0"},
      {Word(0x00000000090a7f55, 0x000fe80000100000), "BMOV.32.CLEAR B10, B9"},
      {Word(0x000000000f007956, 0x000fe80000000000), "BMOV.32 B15, 0x0"},
      {Word(0x000000001a007f55, 0x000fe80000000000), "BMOV.32 B0, MACTIVE"}};
  for (const auto& [word, text] : words) {
    Instruction instruction;
    EXPECT_EQ(decode(Arch::kSm86, word, 0, &instruction), "") << text;
    EXPECT_EQ(text_of(instruction), text);
    EXPECT_EQ(encode(Arch::kSm86, text, 0).word.low, word.low) << text;
  }
}

TEST(Arch, IsKnownByItsNameAndItsVariants) {
  EXPECT_EQ(arch_named("sm_90"), Arch::kSm90);
  EXPECT_EQ(arch_named("sm_90a"), Arch::kSm90);
  EXPECT_EQ(arch_named("sm_87"), Arch::kSm86);
  EXPECT_EQ(arch_named("sm_88"), Arch::kSm86);
  EXPECT_EQ(arch_named("sm_110"), Arch::kSm100);
  EXPECT_EQ(arch_named("sm_121"), Arch::kSm120);
  EXPECT_THROW(arch_named("sm_91"), InputError);
  EXPECT_THROW(arch_named("90"), InputError);
}

TEST(WordTable, WithoutAnArchitectureIsRefused) {
  const SourceText table{"table.tsv", "1\t0000\t000000000000794d\t000fea0003800000\tEXIT\n"};
  EXPECT_TRUE(is_word_table(table));
  EXPECT_THROW(verify_words(table), InputError);
  EXPECT_TRUE(verify_words(table, Arch::kSm75).all_equal());
}

TEST(WordTable, WithAWordThatIsNoneIsRefusedWithItsPlace) {
  const SourceText table{
      "t.sm90.tsv", "1\t0000\t000000000000794d\t000fea0003800000\tEXIT\n1\t0010\t794d\t0\tEXIT\n"};
  try {
    verify_words(table);
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "t.sm90.tsv:2:8: column 3 of a table of words is '794d'; expected the lower half "
                 "of the word, 16 hexadecimal digits");
  }
}

}  // namespace sm70_codec_test
}  // namespace shflsim::isa
