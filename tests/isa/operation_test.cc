// SPDX-License-Identifier: Apache-2.0
#include "isa/operation.h"

#include <gtest/gtest.h>

#include <set>

#include "isa/form.h"
#include "isa/volta_line.h"

namespace shflsim::isa {
namespace {

using Kind = Operation::Kind;

Pipe volta_pipe(const char* name) { return operation_named(Family::kVolta, name).pipe; }
Kind volta_kind(const char* name) { return operation_named(Family::kVolta, name).kind; }
Pipe maxwell_pipe(const char* name) { return operation_named(Family::kMaxwell, name).pipe; }

TEST(Operation, AModifierMayDecide) {
  EXPECT_EQ(volta_pipe("IMAD"), Pipe::kMultiply);
  EXPECT_EQ(volta_pipe("IMAD.MOV.U32"), Pipe::kMultiply);
  EXPECT_EQ(volta_pipe("IMAD.WIDE"), Pipe::kWideMultiply);
  EXPECT_EQ(volta_pipe("IMAD.WIDE.U32"), Pipe::kWideMultiply);
  EXPECT_EQ(volta_pipe("HFMA2"), Pipe::kHalf);
  EXPECT_EQ(volta_pipe("HFMA2.BF16_V2"), Pipe::kHalf);
  EXPECT_EQ(volta_pipe("HFMA2.MMA"), Pipe::kTensor);
}

TEST(Operation, WhatLeavesTheSubPartitionIsNoIntegerArithmetic) {
  EXPECT_EQ(volta_kind("REDUX.SUM"), Kind::kReduction);
  EXPECT_EQ(volta_kind("MATCH.ANY"), Kind::kReduction);
  EXPECT_EQ(volta_pipe("ATOMS.ADD"), Pipe::kShared);
  EXPECT_EQ(volta_pipe("LDSM.16.M88.4"), Pipe::kShared);
  EXPECT_EQ(volta_pipe("ATOMG.E.ADD.STRONG.GPU"), Pipe::kGlobal);
  EXPECT_EQ(volta_kind("ATOMG.E.ADD.STRONG.GPU"), Kind::kPlain);
  EXPECT_EQ(volta_kind("RED.E.ADD.STRONG.GPU"), Kind::kStore);
}

TEST(Operation, WhatIsNotKnownIsUniformByItsFirstLetterOrAnInteger) {
  EXPECT_EQ(volta_pipe("UISETP.NE.AND"), Pipe::kFrontEnd);
  EXPECT_EQ(volta_pipe("VIMNMX"), Pipe::kFxu);
  EXPECT_EQ(volta_pipe(""), Pipe::kFxu);
  EXPECT_EQ(maxwell_pipe("UNKNOWN"), Pipe::kFxu);
}

TEST(Operation, OfSpa50IsThatOfItsOpcodeTable) {
  for (size_t i = 0; i < static_cast<size_t>(Op::kFirstVoltaOp); ++i) {
    const OpFacts& op = facts(static_cast<Op>(i));
    EXPECT_EQ(maxwell_pipe(op.name), op.pipe) << op.name;
  }
  EXPECT_EQ(maxwell_pipe("FADD32I.FTZ"), Pipe::kFmaiFxu);
  EXPECT_EQ(maxwell_pipe("XMAD.PSL.CBCC"), maxwell_pipe("XMAD"));
  EXPECT_EQ(operation_named(Family::kMaxwell, "BAR.SYNC").kind, Kind::kBarrier);
}

TEST(Operation, SharedMemoryIsWhatGoesToItsBanks) {
  for (const Family family : {Family::kMaxwell, Family::kVolta}) {
    const auto accesses = [family](const char* name) {
      CodeLine line;
      set_operation(operation_named(family, name), &line);
      return line.accesses_shared;
    };
    for (const char* name : {"LDS.128", "STS", "ATOMS.ADD"}) EXPECT_TRUE(accesses(name)) << name;
    for (const char* name : {"BAR.SYNC", "SHFL.BFLY", "LDG.E", "FADD"})
      EXPECT_FALSE(accesses(name)) << name;
  }
}

TEST(Pipe, HasANameOfItsOwn) {
  std::set<std::string> names;
  for (unsigned pipe = 0; pipe < kPipes; ++pipe) names.insert(pipe_name(static_cast<Pipe>(pipe)));
  EXPECT_EQ(names.size(), kPipes);
  EXPECT_STREQ(pipe_name(Pipe::kWideMultiply), "wide_multiply");
  EXPECT_STREQ(pipe_name(Pipe::kFrontEnd), "front_end");
}

TEST(VoltaListing, AWideProductReadsBothRegistersOfItsSum) {
  const CodeLine wide = volta_line("IMAD.WIDE.U32 R34, R15, R38.reuse, R34", 0, 0x000000260f227225,
                                   0x000fe200078e0022, {});
  ASSERT_EQ(wide.footprint.read_count, 4u);
  EXPECT_EQ(wide.footprint.reads[2].index, 34u);
  EXPECT_EQ(wide.footprint.reads[3].index, 35u);
  EXPECT_EQ(wide.footprint.reads[3].position, 2u);
}

TEST(VoltaListing, AMatrixLoadTakesSixteenBytesALane) {
  const CodeLine load =
      volta_line("LDSM.16.M88.4 R4, [R18+UR4]", 0, 0x000000041204783b, 0x000e640008000200, {});
  EXPECT_EQ(load.access_bytes, 16u);
  EXPECT_EQ(load.address_register, 18);
}

}  // namespace
}  // namespace shflsim::isa
