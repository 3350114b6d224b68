// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/operation_names.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "isa/codec/codec.h"
#include "isa/codec/form.h"
#include "isa/dialects/word_table.h"
#include "tests/support/files.h"

namespace shflsim::traces {
namespace operation_names_test {

using isa::Family;
using isa::OpKind;
using isa::Pipe;

isa::CodeLine named(const char* name, Family family = Family::kSm70) {
  isa::CodeLine line;
  set_named_operation(family, name, &line);
  return line;
}

TEST(OperationNames, AModifierMayDecide) {
  EXPECT_EQ(named("IMAD").pipe, Pipe::kMultiply);
  EXPECT_EQ(named("IMAD.MOV.U32").pipe, Pipe::kMultiply);
  EXPECT_EQ(named("IMAD.WIDE").pipe, Pipe::kWideMultiply);
  EXPECT_EQ(named("IMAD.WIDE.U32").pipe, Pipe::kWideMultiply);
  EXPECT_EQ(named("HFMA2").pipe, Pipe::kHalf);
  EXPECT_EQ(named("HFMA2.BF16_V2").pipe, Pipe::kHalf);
  EXPECT_EQ(named("HFMA2.MMA").pipe, Pipe::kTensor);
  EXPECT_EQ(named("ATOMS.POPC.INC.32").kind, OpKind::kLoad);
}

TEST(OperationNames, WhatLeavesTheSubPartitionIsNoIntegerArithmetic) {
  EXPECT_TRUE(named("REDUX.SUM").is_reduction());
  EXPECT_TRUE(named("MATCH.ANY").is_reduction());
  EXPECT_EQ(named("ATOMS.ADD").pipe, Pipe::kShared);
  EXPECT_EQ(named("LDSM.16.M88.4").pipe, Pipe::kShared);
  EXPECT_EQ(named("ATOMG.E.ADD.STRONG.GPU").pipe, Pipe::kGlobal);
  EXPECT_FALSE(named("ATOMG.E.ADD.STRONG.GPU").is_store);
  EXPECT_TRUE(named("RED.E.ADD.STRONG.GPU").is_store);
}

TEST(OperationNames, WhatIsNotKnownIsUniformByItsFirstLetterOrAnInteger) {
  EXPECT_EQ(named("UISETP.NE.AND").pipe, Pipe::kFrontEnd);
  EXPECT_EQ(named("UUNKNOWN").pipe, Pipe::kFrontEnd);
  EXPECT_EQ(named("UUNKNOWN").op, isa::Op::kCount);
  EXPECT_EQ(named("VIMNMX").pipe, Pipe::kFxu);
  EXPECT_EQ(named("").pipe, Pipe::kFxu);
  EXPECT_EQ(named("UNKNOWN", Family::kMaxwell).pipe, Pipe::kFxu);
}

TEST(OperationNames, OfSpa50AreThoseOfItsOpcodeTable) {
  for (size_t i = 0; i < static_cast<size_t>(isa::Op::kFirstSm70Op); ++i) {
    const isa::OpFacts& op = isa::facts(static_cast<isa::Op>(i));
    std::string name = op.name;
    std::replace(name.begin(), name.end(), '_', '.');
    EXPECT_EQ(named(name.c_str(), Family::kMaxwell).pipe, op.pipe) << op.name;
  }
  EXPECT_EQ(named("FADD32I.FTZ", Family::kMaxwell).pipe, Pipe::kFmaiFxu);
  EXPECT_EQ(named("XMAD.PSL.CBCC", Family::kMaxwell).op, isa::Op::kXMAD);
  EXPECT_TRUE(named("BAR.SYNC", Family::kMaxwell).is_block_barrier());
}

TEST(OperationNames, SharedMemoryIsWhatGoesToItsBanks) {
  for (const Family family : {Family::kMaxwell, Family::kSm70}) {
    for (const char* name : {"LDS.128", "STS", "ATOMS.ADD"})
      EXPECT_TRUE(named(name, family).accesses_shared) << name;
    for (const char* name : {"BAR.SYNC", "SHFL.BFLY", "LDG.E", "FADD"})
      EXPECT_FALSE(named(name, family).accesses_shared) << name;
  }
}

/// Expects equal facts, except for those that the name alone cannot give.
void expect_same(const isa::LineFacts& by_name, const isa::LineFacts& by_word,
                 const std::string& text) {
  EXPECT_EQ(by_name.op, by_word.op) << text;
  EXPECT_EQ(by_name.access.kind, by_word.access.kind) << text;
  EXPECT_EQ(by_name.access.is_local, by_word.access.is_local) << text;
  EXPECT_EQ(by_name.fence, by_word.fence) << text;
  EXPECT_EQ(by_name.matrices, by_word.matrices) << text;
  EXPECT_EQ(by_name.match_words, by_word.match_words) << text;
  EXPECT_EQ(by_name.matches_any, by_word.matches_any) << text;
  EXPECT_EQ(by_name.converts_wide, by_word.converts_wide) << text;
  EXPECT_EQ(by_name.barrier.stops, by_word.barrier.stops) << text;
  EXPECT_EQ(by_name.barrier.reduces, by_word.barrier.reduces) << text;
  EXPECT_EQ(by_name.parts_sets, by_word.parts_sets) << text;
  EXPECT_EQ(by_name.is_store, by_word.is_store) << text;
}

class NameAndWord : public testing::TestWithParam<const char*> {};

TEST_P(NameAndWord, SayTheSameOfAnOperation) {
  const isa::SourceText source = isa::read_source_text(test::data_path(GetParam()));
  const isa::Arch arch = isa::table_arch(source, {});
  for (const isa::ListedWord& each : isa::table_words(source)) {
    isa::Instruction instruction;
    if (!isa::decode(arch, each.word, each.address, &instruction).empty()) continue;
    const isa::CodeLine line = isa::code_line(instruction, each.text);
    expect_same(named((line.name + line.modifiers).c_str()), line, each.text);
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, NameAndWord,
                         testing::Values("volta/words.sm75.tsv.gz", "volta/forms.sm75.tsv.gz",
                                         "volta/words.sm90.tsv.gz", "volta/forms.sm90.tsv.gz"));

}  // namespace operation_names_test
}  // namespace shflsim::traces
