// SPDX-License-Identifier: Apache-2.0
// Undefined values.
#include <gtest/gtest.h>

#include "tests/isa/machine_support.h"

namespace shflsim::isa {
namespace machine_undefined_test {

/// Lanes 0 to 7 are off when lanes 8 to 31 shuffle; lane l reads lane l ^ 8, so lanes 8 to 15 read
/// lanes that do not execute. R0 holds the lane number, R2:R3 a buffer, R4 the result.
struct Shuffled : Experiment {
  explicit Shuffled(std::vector<std::string> lines) : Experiment(all(std::move(lines))) {
    std::vector<uint32_t> lanes;
    for (uint32_t lane = 0; lane < kLanes; ++lane) lanes.push_back(lane);
    set_lanes(0, lanes);
    const uint64_t address = memory.allocate(std::vector<uint8_t>(256));
    set(2, static_cast<uint32_t>(address));
    set(3, static_cast<uint32_t>(address >> 32));
    set(4, 0x99);
    run();
  }
  static std::vector<std::string> all(std::vector<std::string> lines) {
    lines.insert(lines.begin(),
                 {"ISETP.GE.AND P0, PT, R0, 0x8, PT", "@P0 SHFL.BFLY P1, R4, R0, 0x8, 0x1f"});
    return lines;
  }
  /// The uses that were reported, as "index lanes what".
  std::vector<std::string> reported() const {
    std::vector<std::string> out;
    for (const UndefinedUse& use : witness.uses) {
      char text[80];
      std::snprintf(text, sizeof text, "%u %08x %s", use.index, use.lanes, use.what);
      out.push_back(text);
    }
    return out;
  }
};

using Reports = std::vector<std::string>;

TEST(UndefinedRead, DeliversZeroAndItsPredicate) {
  const Shuffled one({"NOP"});
  EXPECT_EQ(one.value(4, 7), 0x99u);  // does not execute
  EXPECT_EQ(one.value(4, 8), 0u);     // reads lane 0, which does not execute
  EXPECT_EQ(one.value(4, 16), 24u);
  EXPECT_EQ(one.predicate(1), 0xFFFFFF00u);
  ASSERT_EQ(one.witness.maps.size(), 1u);
  EXPECT_EQ(one.witness.maps[0].executing, 0xFFFFFF00u);
  EXPECT_EQ(one.witness.maps[0].undefined, 0x0000FF00u);
  EXPECT_EQ(one.reported(), Reports{});
}

TEST(UndefinedRead, IsReportedWhenItsValueIsStored) {
  const Shuffled one({"STG.E [R2], R4"});
  EXPECT_EQ(one.reported(), Reports{"2 0000ff00 stores an undefined value"});
}

TEST(UndefinedRead, FollowsTheValueThroughArithmetic) {
  const Shuffled one({"IADD R5, R4, R0", "FADD R5, R5, 1", "SHL R6, R5, 0x1", "STG.E [R2], R6"});
  EXPECT_EQ(one.reported(), Reports{"5 0000ff00 stores an undefined value"});
}

TEST(UndefinedRead, EndsWhereTheRegisterIsWrittenAnew) {
  const Shuffled one({"MOV R4, R0", "STG.E [R2], R4"});
  EXPECT_EQ(one.reported(), Reports{});
}

TEST(UndefinedRead, DoesNotHarmASelectionOfTheOtherOperand) {
  const Shuffled one({"ISETP.LT.AND P2, PT, R0, 0xc, PT", "SEL R5, R4, R0, P2", "STG.E [R2], R5"});
  EXPECT_EQ(one.reported(), Reports{"4 00000f00 stores an undefined value"});
}

TEST(UndefinedRead, FollowsTheValueThroughCarryAndPredicates) {
  const Shuffled carry({"IADD R5.CC, R4, R0", "IADD.X R6, RZ, RZ", "STG.E [R2], R6"});
  EXPECT_EQ(carry.reported(), Reports{"4 0000ff00 stores an undefined value"});
  const Shuffled predicate(
      {"ISETP.EQ.AND P2, PT, R4, RZ, PT", "SEL R5, R0, RZ, P2", "STG.E [R2], R5"});
  EXPECT_EQ(predicate.reported(), Reports{"4 0000ff00 stores an undefined value"});
}

TEST(UndefinedRead, IsReportedWhereABranchHangsOnIt) {
  const Shuffled one({"ISETP.EQ.AND P2, PT, R4, RZ, PT", "@P2 BRA end", "end:", "NOP"});
  EXPECT_EQ(one.reported(), Reports{"3 0000ff00 branches on an undefined predicate"});
}

TEST(UndefinedRead, IsReportedWhereAStoreHangsOnIt) {
  const Shuffled one({"ISETP.EQ.AND P2, PT, R4, 0x63, PT", "@P2 STG.E [R2], R0"});
  EXPECT_EQ(one.reported(), Reports{"3 0000ff00 stores under an undefined predicate"});
}

TEST(UndefinedRead, IsReportedAsAnAddress) {
  const Shuffled one({"LOP.AND R5, R4, 0x7c", "LDS R6, [R5]"});
  EXPECT_EQ(one.reported(), Reports{"3 0000ff00 uses an undefined address"});
}

TEST(UndefinedRead, FollowsTheValueThroughMemory) {
  const Shuffled one({"SHL R5, R0, 0x2", "STS [R5], R4", "LOP32I.XOR R5, R5, 0x40", "LDS R6, [R5]",
                      "STG.E [R2], R6"});
  EXPECT_EQ(one.reported(), (Reports{"3 0000ff00 stores an undefined value",
                                     "6 ff000000 stores an undefined value"}));
}

TEST(UndefinedRead, MovesWithTheLaneThatIsRead) {
  const Shuffled one({"SHFL.DOWN PT, R5, R4, 0x8, 0x1f", "STG.E [R2], R5"});
  EXPECT_EQ(one.reported(), Reports{"3 000000ff stores an undefined value"});
}

TEST(UndefinedRead, OfOneLaneSpoilsAVoteOfAll) {
  const Shuffled one({"ISETP.EQ.AND P2, PT, R4, RZ, PT", "VOTE.ANY R5, PT, P2", "STG.E [R2], R5"});
  EXPECT_EQ(one.reported(), Reports{"4 ffffffff stores an undefined value"});
}

}  // namespace machine_undefined_test
}  // namespace shflsim::isa
