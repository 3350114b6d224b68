// SPDX-License-Identifier: Apache-2.0
#include "isa/code/line_facts.h"

#include <gtest/gtest.h>

#include <set>

#include "isa/check/effects.h"
#include "isa/dialects/word_table.h"
#include "tests/support/files.h"
#include "tests/support/instruction.h"

namespace shflsim::isa {
namespace line_facts_test {

using test::line_of;
using Numbers = std::set<unsigned>;

/// The registers and predicates among the checker's resources.
Numbers of_checker(const std::vector<Resource>& resources) {
  Numbers numbers;
  for (const Resource each : resources) {
    if (each < kCarryFlag) numbers.insert(each);
  }
  return numbers;
}

void add_predicates(unsigned mask, Numbers* numbers) {
  for (unsigned p = 0; p < 7; ++p) {
    if ((mask >> p & 1u) != 0) numbers->insert(kFirstPredicate + p);
  }
}

Numbers read_by(const Footprint& footprint) {
  Numbers numbers;
  footprint.for_each_read([&numbers](unsigned index) { numbers.insert(index); });
  add_predicates(footprint.predicates_read, &numbers);
  return numbers;
}

Numbers written_by(const Footprint& footprint) {
  Numbers numbers;
  for (unsigned i = 0; i < footprint.write_count; ++i) numbers.insert(footprint.first_write + i);
  add_predicates(footprint.predicates_written, &numbers);
  return numbers;
}

class EachWord : public testing::TestWithParam<const char*> {};

TEST_P(EachWord, F2IsTimedByTheRegistersThatTheCheckerSees) {
  const SourceText source = read_source_text(test::data_path(GetParam()));
  const Arch arch = is_word_table(source) ? table_arch(source, {}) : *sm70_arch(source);
  size_t count = 0;
  for (const ListedWord& each : is_word_table(source) ? table_words(source) : sm70_words(source)) {
    Instruction instruction;
    if (!decode(arch, each.word, each.address, &instruction).empty()) continue;
    const CodeLine line = code_line(instruction, each.text);
    const Effects effects = effects_of(instruction);
    EXPECT_EQ(read_by(line.footprint), of_checker(effects.reads)) << each.text;
    EXPECT_EQ(written_by(line.footprint), of_checker(effects.writes)) << each.text;
    ++count;
  }
  EXPECT_GT(count, 600u);
}

INSTANTIATE_TEST_SUITE_P(
    Corpus, EachWord,
    testing::Values("volta/words.sm75.tsv.gz", "volta/words.sm80.tsv.gz", "volta/words.sm86.tsv.gz",
                    "volta/words.sm90.tsv.gz", "volta/words.sm100.tsv.gz",
                    "volta/words.sm120.tsv.gz", "volta/forms.sm75.tsv.gz",
                    "volta/forms.sm80.tsv.gz", "volta/forms.sm86.tsv.gz", "volta/forms.sm89.tsv.gz",
                    "volta/forms.sm90.tsv.gz", "volta/forms.sm100.tsv.gz",
                    "volta/forms.sm120.tsv.gz", "volta/c.sm70.cuobjdump.txt.gz",
                    "volta/c.sm75.cuobjdump.txt.gz", "volta/c.sm80.cuobjdump.txt.gz",
                    "volta/c.sm90.cuobjdump.txt.gz", "volta/c.sm100.cuobjdump.txt.gz",
                    "volta/c.sm120.cuobjdump.txt.gz"));

TEST(Footprint, F2HasEveryRegisterOfAWideOperand) {
  struct Case {
    const char* text;
    Numbers reads;
    Numbers writes;
  };
  constexpr unsigned kP0 = kFirstPredicate;
  for (const Case& each :
       {Case{"DFMA R4, R6, R8, R10", {6, 7, 8, 9, 10, 11}, {4, 5}},
        Case{"IMAD.WIDE R2, R7, 0x4, R8", {7, 8, 9}, {2, 3}},
        Case{"@P0 SEL R0, R1, R2, !P3", {1, 2, kP0, kP0 + 3}, {0}},
        Case{"LDSM.16.M88.4 R4, [R18+UR4]", {18}, {4, 5, 6, 7}},
        Case{"ATOMG.E.ADD.64.STRONG.GPU PT, R4, desc[UR6][R2.64], R8", {2, 3, 8, 9}, {4, 5}},
        Case{"STS.128 [R3], R4", {3, 4, 5, 6, 7}, {}},
        Case{"ISETP.GE.AND P1, PT, R2, R3, P2", {2, 3, kP0 + 2}, {kP0 + 1}}}) {
    const Footprint footprint = line_of(Arch::kSm90, each.text).footprint;
    EXPECT_EQ(read_by(footprint), each.reads) << each.text;
    EXPECT_EQ(written_by(footprint), each.writes) << each.text;
  }
}

TEST(Footprint, AnOperandStandsInThePositionOfItsReuseBit) {
  const auto positions = [](const char* text) {
    std::vector<unsigned> found;
    const Footprint footprint = line_of(Arch::kSm90, text).footprint;
    for (unsigned i = 0; i < footprint.read_count; ++i)
      found.push_back(footprint.reads[i].position);
    return found;
  };
  using Positions = std::vector<unsigned>;
  EXPECT_EQ(positions("FFMA R0, R1, R2, R3"), (Positions{0, 1, 2}));
  EXPECT_EQ(positions("FADD R0, R1, R2"), (Positions{0, 2}));
  EXPECT_EQ(positions("MOV R0, R1"), (Positions{1}));
  EXPECT_EQ(positions("IADD3 R0, P1, R2, R3, R4"), (Positions{0, 1, 2}));
}

TEST(LineFacts, BranchesAreToldByOperationAndOperands) {
  struct Case {
    const char* text;
    Branch branch;
  };
  for (const Case& each :
       {Case{"BRA 0x40", Branch::kJump}, Case{"BRA.DIV UR4, 0x40", Branch::kWarpJump},
        Case{"BRX R2 0x40", Branch::kIndirectJump}, Case{"CALL.REL.NOINC 0x40", Branch::kCall},
        Case{"CALL.REL.NOINC R2 0x40", Branch::kIndirectCall},
        Case{"RET.REL.NODEC R2 0x40", Branch::kReturn}, Case{"EXIT", Branch::kExit},
        Case{"BSYNC B3", Branch::kConvergence}, Case{"WARPSYNC.ALL", Branch::kWarpSync},
        Case{"WARPSYNC R2", Branch::kSetSync}, Case{"ENDCOLLECTIVE", Branch::kSetEnd},
        Case{"BSSY B3, 0x40", Branch::kNone}, Case{"NOP", Branch::kNone}}) {
    EXPECT_EQ(line_of(Arch::kSm90, each.text).branch, each.branch) << each.text;
  }
  EXPECT_EQ(line_of(Arch::kSm90, "BSYNC B11").convergence_barrier, 11u);
  EXPECT_TRUE(line_of(Arch::kSm90, "WARPSYNC.COLLECTIVE R2, 0x40").parts_sets);
  EXPECT_FALSE(line_of(Arch::kSm90, "WARPSYNC R2").parts_sets);
}

TEST(LineFacts, AnAccessSaysWhichCachesItAsks) {
  struct Case {
    Arch arch;
    const char* text;
    AccessKind kind;
    bool is_local;
    bool is_store;
  };
  constexpr Arch kNew = Arch::kSm90;
  constexpr Arch kOld = Arch::kSm50;
  for (const Case& each :
       {Case{kNew, "LDG.E R0, desc[UR4][R2.64]", AccessKind::kLoad, false, false},
        Case{kNew, "@!P0 LDG.E.64.CONSTANT R0, desc[UR4][R2.64]", AccessKind::kReadOnlyLoad, false,
             false},
        Case{kNew, "LDG.E.STRONG.GPU R0, desc[UR4][R2.64]", AccessKind::kPastL1Load, false, false},
        Case{kNew, "LDG.E.MMIO.SYS R0, desc[UR4][R2.64]", AccessKind::kPastL1Load, false, false},
        Case{kNew, "LDG.E.STRONG.SM R0, desc[UR4][R2.64]", AccessKind::kLoad, false, false},
        Case{kNew, "STG.E desc[UR4][R2.64], R0", AccessKind::kStore, false, true},
        Case{kNew, "@P1 STL.64 [R1], R2", AccessKind::kStore, true, true},
        Case{kNew, "LDL R0, [R1+0x4]", AccessKind::kLoad, true, false},
        Case{kNew, "ATOMG.E.ADD.STRONG.GPU PT, R0, desc[UR4][R2.64], R5", AccessKind::kAtomic,
             false, false},
        Case{kNew, "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R0", AccessKind::kAtomic, false, true},
        Case{Arch::kSm75, "LDG.E.STRONG.SYS R0, [R2]", AccessKind::kPastL1Load, false, false},
        Case{Arch::kSm75, "LDG.E.SYS R0, [R2]", AccessKind::kLoad, false, false},
        Case{Arch::kSm75, "LDG.E.CONSTANT.SYS R0, [R2]", AccessKind::kReadOnlyLoad, false, false},
        Case{kOld, "LDG.E.CI R0, [R2]", AccessKind::kReadOnlyLoad, false, false},
        Case{kOld, "LD.E.CG R0, [R2]", AccessKind::kPastL1Load, false, false},
        Case{kOld, "RED.E.ADD [R2], R0", AccessKind::kAtomic, false, true}}) {
    const CodeLine line = line_of(each.arch, each.text);
    EXPECT_EQ(line.access.kind, each.kind) << each.text;
    EXPECT_EQ(line.access.is_local, each.is_local) << each.text;
    EXPECT_EQ(line.is_store, each.is_store) << each.text;
  }
}

TEST(LineFacts, AnAccessSaysHowManyBytesALaneTakes) {
  const auto bytes = [](const char* text) { return line_of(Arch::kSm90, text).access_bytes; };
  EXPECT_EQ(bytes("LDS.U8 R0, [R1]"), 1u);
  EXPECT_EQ(bytes("LDG.E.U16 R0, desc[UR4][R2.64]"), 2u);
  EXPECT_EQ(bytes("STS [R1], R0"), 4u);
  EXPECT_EQ(bytes("LDC.64 R2, c[0x0][R1]"), 8u);
  EXPECT_EQ(bytes("LDSM.16.M88.4 R4, [R18+UR4]"), 16u);
  EXPECT_EQ(bytes("LDSM.16.MT88.2 R4, [R18+UR4]"), 8u);
  EXPECT_EQ(bytes("ATOMS.CAS.64 R2, [R1], R4, R6"), 8u);
  EXPECT_EQ(line_of(Arch::kSm90, "LDSM.16.M88.4 R4, [R18+UR4]").address_register, 18);
}

TEST(LineFacts, ABarrierIsThatOfItsOperands) {
  struct Case {
    const char* text;
    bool stops;
    bool reduces;
    unsigned number;
    unsigned threads;
    bool in_registers;
  };
  for (const Case& each : {Case{"BAR.SYNC.DEFER_BLOCKING 0x0", true, false, 0, 0, false},
                           Case{"@P0 BAR.SYNC.DEFER_BLOCKING 0x1, 0x40", true, false, 1, 64, false},
                           Case{"BAR.ARV 0xf, 0x80", false, false, 15, 128, false},
                           Case{"BAR.RED.POPC.DEFER_BLOCKING 0x2, P0", true, true, 2, 0, false},
                           Case{"BAR.SYNC.DEFER_BLOCKING 0x3, R4", true, false, 3, 0, true},
                           Case{"BAR.SYNC.DEFER_BLOCKING R4, 0x40", true, false, 0, 64, true}}) {
    const BarrierOperands barrier = line_of(Arch::kSm90, each.text).barrier;
    EXPECT_EQ(barrier.stops, each.stops) << each.text;
    EXPECT_EQ(barrier.reduces, each.reduces) << each.text;
    EXPECT_EQ(barrier.number, each.number) << each.text;
    EXPECT_EQ(barrier.threads, each.threads) << each.text;
    EXPECT_EQ(barrier.in_registers, each.in_registers) << each.text;
  }
}

TEST(LineFacts, AConstantIsABankAndAnOffset) {
  const ConstantOperand fixed = line_of(Arch::kSm90, "IADD3 R0, R1, c[0x3][0x10], RZ").constant;
  EXPECT_TRUE(fixed.exists);
  EXPECT_FALSE(fixed.is_indexed);
  EXPECT_EQ(fixed.bank, 3u);
  EXPECT_EQ(fixed.offset, 0x10u);
  EXPECT_TRUE(line_of(Arch::kSm90, "ULDC UR4, c[0x2][UR6+0x8]").constant.is_indexed);
  EXPECT_FALSE(line_of(Arch::kSm90, "IADD3 R0, R1, R2, RZ").constant.exists);
  EXPECT_TRUE(line_of(Arch::kSm90, "LDC R0, c[0x3][R4]").is_constant_load());
}

TEST(LineFacts, OperationsWithTimesOfTheirOwnAreTold) {
  const auto line = [](const char* text) { return line_of(Arch::kSm90, text); };
  EXPECT_EQ(line("MEMBAR.SC.GPU").fence, Fence::kChip);
  EXPECT_EQ(line("MEMBAR.SC.SYS").fence, Fence::kSystem);
  EXPECT_EQ(line("MEMBAR.ALL.CTA").fence, Fence::kNone);
  EXPECT_EQ(line("HMMA.16816.F32 R4, R8, R12, R4").matrices, MatrixProduct::kLarge);
  EXPECT_EQ(line("HMMA.1688.F32 R4, R8, R12, R4").matrices, MatrixProduct::kSmall);
  EXPECT_EQ(line("DMMA.8x8x4 R4, R8, R10, R4").matrices, MatrixProduct::kDouble);
  EXPECT_EQ(line("MATCH.ANY.U64 R0, R2").match_words, 2u);
  EXPECT_TRUE(line("MATCH.ANY R0, R2").matches_any);
  EXPECT_FALSE(line("MATCH.ALL PT, R0, R2").matches_any);
  EXPECT_EQ(line("SYNCS.PHASECHK.TRANS64 P0, [UR4], R2").kind, OpKind::kSharedCheck);
  EXPECT_TRUE(line("S2R R0, SR_CLOCKLO").is_clock_read);
  EXPECT_TRUE(line("S2R R0, SR_CgaCtaId").reads_cluster);
  EXPECT_FALSE(line("S2R R0, SR_CTAID.X").reads_cluster);
  EXPECT_EQ(line("DEPBAR.LE SB2, 0x3").scoreboard_wait.mask, 4u);
  EXPECT_EQ(line("DEPBAR.LE SB2, 0x3").scoreboard_wait.most, 3u);
  EXPECT_EQ(line("DEPBAR.LE SB2, 0x3").control.wait_mask, 0u);
  EXPECT_EQ(line("DEPBAR {5,4,3,2,1,0}").scoreboard_wait.mask, 0u);
  EXPECT_EQ(line("DEPBAR {5,4,3,2,1,0}").control.wait_mask, 63u);
  for (const char* listed : {"DEPBAR.LE SB0, 0x0, {3}", "DEPBAR.LE SB0, 0x1, {3}"}) {
    EXPECT_EQ(line(listed).scoreboard_wait.mask, 1u) << listed;
    EXPECT_EQ(line(listed).control.wait_mask, 8u) << listed;
  }
}

TEST(LineFacts, F1AConversionIsWideWhereItsSourceIs) {
  const auto is_wide = [](const char* text) { return line_of(Arch::kSm90, text).converts_wide; };
  for (const char* wide : {"F2I.F64.TRUNC R0, R2", "I2F.U64 R0, R2", "I2F.F64.S64 R0, R2",
                           "FRND.F64 R0, R2", "F2I.F64 R0, c[0x0][0x8]"})
    EXPECT_TRUE(is_wide(wide)) << wide;
  for (const char* narrow : {"F2I.S64 R0, R2", "I2F.F64 R0, R2", "F2F.F32.F64 R0, R2",
                             "FCHK P0, R1, R2", "MUFU.RCP R0, R1"})
    EXPECT_FALSE(is_wide(narrow)) << narrow;
}

TEST(Pipe, HasANameOfItsOwn) {
  std::set<std::string> names;
  for (unsigned pipe = 0; pipe < kPipes; ++pipe) names.insert(pipe_name(static_cast<Pipe>(pipe)));
  EXPECT_EQ(names.size(), kPipes);
  EXPECT_STREQ(pipe_name(Pipe::kWideMultiply), "wide_multiply");
  EXPECT_STREQ(pipe_name(Pipe::kFrontEnd), "front_end");
}

TEST(CodeLine, HasItsOperationsNameApart) {
  const CodeLine line = line_of(Arch::kSm90, "@P0 IMAD.WIDE.U32 R2, R7, 0x4, R8");
  EXPECT_EQ(line.name, "IMAD");
  EXPECT_EQ(line.modifiers, ".WIDE.U32");
  EXPECT_EQ(line_of(Arch::kSm90, "EXIT").name, "EXIT");
  EXPECT_EQ(line_of(Arch::kSm50, "SHF.L.W R0, R1, R2, R3").modifiers, ".L.W");
}

TEST(CodeLine, OfAShuffleHasItsOperands) {
  const CodeLine shuffle = line_of(Arch::kSm90, "SHFL.DOWN PT, R3, R14, 0x10, 0x1f");
  EXPECT_TRUE(shuffle.is_shuffle());
  EXPECT_EQ(shuffle.shuffle.mode, ShuffleMode::kDown);
  EXPECT_TRUE(shuffle.shuffle.are_immediate());
  EXPECT_EQ(shuffle.shuffle.index, 16u);
  EXPECT_EQ(shuffle.shuffle.clamp, 31u);
  ASSERT_EQ(shuffle.footprint.read_count, 1u);
  EXPECT_EQ(shuffle.footprint.reads[0].index, 14u);
  EXPECT_EQ(shuffle.footprint.predicates_written, 0u);
}

TEST(PassesCheck, OnlyArithmeticThatNeedsNoAnswer) {
  const LineFacts check = line_of(Arch::kSm90, "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R7+UR9], R6");
  const auto passes = [&check](const char* text) {
    return passes_check(check, line_of(Arch::kSm90, text));
  };
  EXPECT_TRUE(passes("IADD3 R1, R2, R3, RZ"));
  EXPECT_TRUE(passes("R2UR UR12, R2"));
  EXPECT_TRUE(passes("UMOV UR4, 0x400"));
  for (const char* text :
       {"SEL R1, R2, R3, P0", "@P0 IADD3 R1, R2, R3, RZ", "BRA 0x0", "LDS R1, [R2]",
        "FENCE.VIEW.ASYNC.S", "NANOSLEEP 0x64", "CS2R.32 R1, SR_CLOCKLO", "EXIT"})
    EXPECT_FALSE(passes(text)) << text;
}

}  // namespace line_facts_test
}  // namespace shflsim::isa
