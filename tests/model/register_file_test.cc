// SPDX-License-Identifier: Apache-2.0
#include "model/register_file/register_file.h"

#include <gtest/gtest.h>

#include <vector>

namespace shflsim::model {
namespace register_file_test {

constexpr unsigned kWarp = 3;

RegisterFileParams four_banks() {
  RegisterFileParams params;
  params.banks = 4;
  params.ports = 1;
  params.late_reads = "collectors";
  params.reuse_by = "collector_and_slot";
  params.duplicates = "twice";
  return params;
}

/// Two banks whose late reads stop the issue; an operand in position B may be late by a cycle.
RegisterFileParams two_banks_that_freeze() {
  RegisterFileParams params = four_banks();
  params.banks = 2;
  params.late_reads = "freeze";
  params.reuse_by = "bank_and_slot";
  params.slack[static_cast<size_t>(ReadGroup::kFloat)] = {0, 1, 1};
  return params;
}

struct Operand {
  uint8_t index;
  bool reuse = false;
};

/// A math instruction that reads these registers in the positions A, B, C.
Facts reading(const std::vector<Operand>& operands) {
  Facts facts;
  for (const Operand& operand : operands) {
    const uint8_t position = facts.footprint.read_count++;
    facts.footprint.reads[position] = {operand.index, 1, position, operand.reuse};
  }
  facts.bank_reads = bank_reads(facts, WideReads::kEach);
  return facts;
}

class File {
 public:
  explicit File(const RegisterFileParams& params) : file_("register_file", params) {}
  RegisterFile::Read read(const Facts& facts, Cycle now, unsigned warp = kWarp) {
    return file_.read(facts, file_.plan(facts), warp, 0, now);
  }
  RegisterFile file_;
};

TEST(RegisterFile, ReadsOperandsOfDifferentBanksInOneCycle) {
  File file(four_banks());
  const RegisterFile::Read read = file.read(reading({{0}, {1}, {2}}), 10);
  EXPECT_EQ(read.done, 11u);
  EXPECT_EQ(read.conflicts, 0u);
  EXPECT_EQ(file.file_.end_cycle(10), 0u);
  EXPECT_FALSE(file.file_.is_late(11));
  EXPECT_EQ(file.file_.end_cycle(11), 0u);
}

TEST(RegisterFile, StopsTheIssueOneCycleLaterForWhatTakesThreeCycles) {
  File file(four_banks());
  const RegisterFile::Read read = file.read(reading({{0}, {4}, {8}}), 10);
  EXPECT_EQ(read.done, 13u);
  EXPECT_EQ(read.conflicts, 2u);
  EXPECT_TRUE(file.file_.bank_taken(12, 12));
  EXPECT_FALSE(file.file_.bank_taken(13, 12));
  EXPECT_EQ(file.file_.end_cycle(10), 0u);
  EXPECT_TRUE(file.file_.is_late(11));
  EXPECT_EQ(file.file_.end_cycle(11), 1u);
  EXPECT_EQ(file.file_.end_cycle(13), 0u);
}

TEST(RegisterFile, ReadsForTwoInstructionsAtATime) {
  File file(four_banks());
  file.read(reading({{0}, {4}, {8}}), 10);
  EXPECT_EQ(file.file_.end_cycle(10), 0u);
  EXPECT_EQ(file.read(reading({{1}, {5}, {9}}), 11).done, 14u);
  EXPECT_EQ(file.file_.end_cycle(11), 1u);  // the first one's third operand
  EXPECT_EQ(file.read(reading({{2}, {6}, {10}}), 13).done, 16u);
  EXPECT_EQ(file.file_.end_cycle(13), 0u);  // the second has its own by then
  EXPECT_EQ(file.file_.end_cycle(14), 1u);
}

TEST(RegisterFile, ReadsOfABankQueueBehindThoseOfTheInstructionBefore) {
  File file(four_banks());
  file.read(reading({{0}, {4}}), 10);
  file.file_.end_cycle(10);
  EXPECT_EQ(file.read(reading({{8}, {12}}), 11).done, 14u);
  EXPECT_EQ(file.file_.end_cycle(11), 0u);
  EXPECT_EQ(file.file_.end_cycle(12), 1u);
}

TEST(RegisterFile, ReadsTwoRegistersOfABankWithTwoPorts) {
  RegisterFileParams params = four_banks();
  params.ports = 2;
  File file(params);
  EXPECT_EQ(file.read(reading({{0}, {4}}), 10).done, 11u);
  EXPECT_EQ(file.read(reading({{0}, {4}, {8}}), 20).done, 22u);
}

TEST(RegisterFile, ReadsARegisterNamedTwiceOnceWhereItMay) {
  const Facts twice = reading({{4}, {4}});
  EXPECT_EQ(File(four_banks()).read(twice, 10).done, 12u);
  RegisterFileParams params = four_banks();
  params.duplicates = "once";
  EXPECT_EQ(File(params).read(twice, 10).done, 11u);
}

TEST(RegisterFile, ReadsARegisterNamedTwiceForThePositionThatDoesNotKeepIt) {
  RegisterFileParams params = four_banks();
  params.duplicates = "once";
  params.reuse_entries = 1;
  for (const bool first : {true, false}) {
    File file(params);
    const Facts facts = reading({{4, first}, {4, !first}, {8}});
    EXPECT_EQ(file.read(facts, 10).done, 12u);
    EXPECT_EQ(file.read(facts, 20).done, 22u);
  }
  File both(params);
  const Facts facts = reading({{4, true}, {4, true}, {8}});
  EXPECT_EQ(both.read(facts, 10).done, 12u);
  EXPECT_EQ(both.read(facts, 20).done, 21u);
}

TEST(RegisterFile, ReadsTheFirstRegisterOfAPairAloneWhereWideOperandsAreReadOnce) {
  Facts product;
  product.pipe = isa::Pipe::kDouble;
  product.footprint.reads = {isa::RegisterRead{4, 2, 0}, isa::RegisterRead{8, 2, 2}};
  product.footprint.read_count = 2;
  EXPECT_EQ(bank_reads(product, WideReads::kEach).count, 4u);
  EXPECT_EQ(bank_reads(product, WideReads::kOnce).count, 2u);
  product.pipe = isa::Pipe::kWideMultiply;  // both registers of the addend
  const BankReads reads = bank_reads(product, WideReads::kOnce);
  ASSERT_EQ(reads.count, 3u);
  EXPECT_EQ(reads.reads[1].index, 8u);
  EXPECT_EQ(reads.reads[2].index, 9u);
}

TEST(RegisterFile, KeepsAMarkedOperandForTheNextInstructionOfItsWarp) {
  RegisterFileParams params = four_banks();
  params.reuse_entries = 1;
  File file(params);
  EXPECT_EQ(file.read(reading({{0, true}, {4}}), 10).conflicts, 1u);
  EXPECT_EQ(file.read(reading({{0}, {4}}), 20).conflicts, 0u);  // kept, and given up
  EXPECT_EQ(file.read(reading({{0}, {4}}), 30).conflicts, 1u);
}

TEST(RegisterFile, KeepsNothingForAnotherWarpOrSlot) {
  RegisterFileParams params = four_banks();
  params.reuse_entries = 1;
  File file(params);
  file.read(reading({{0, true}}), 10);
  EXPECT_EQ(file.read(reading({{0}, {4}}), 20, kWarp + 1).conflicts, 1u);
  file.read(reading({{0, true}}), 30);
  EXPECT_EQ(file.read(reading({{4}, {0}}), 40).conflicts, 1u);
}

/// Of warps 0 to `warps` - 1, which issue in turn, behind every `warps` issues `idle` cycles: which
/// find their operand kept in the last round.
std::vector<bool> kept_in_turn(unsigned warps, unsigned idle) {
  RegisterFileParams params = four_banks();
  params.reuse_entries = 1;
  File file(params);
  const Facts facts = reading({{0, true}, {4}});
  std::vector<bool> kept(warps);
  Cycle now = 10;
  for (unsigned round = 0; round < 8; ++round) {
    for (unsigned warp = 0; warp < warps; ++warp) {
      kept[warp] = file.read(facts, now, warp).conflicts == 0;
      now += 1 + file.file_.end_cycle(now);
    }
    for (unsigned i = 0; i < idle; ++i) now += 1 + file.file_.end_cycle(now);
  }
  return kept;
}

TEST(RegisterFile, KeepsOperandsForTwoWarpsInTurnAndNotForThree) {
  EXPECT_EQ(kept_in_turn(1, 0), std::vector<bool>{true});
  EXPECT_EQ(kept_in_turn(2, 0), (std::vector<bool>{true, true}));
  EXPECT_EQ(kept_in_turn(2, 3), (std::vector<bool>{true, true}));
  EXPECT_EQ(kept_in_turn(3, 0), (std::vector<bool>{false, false, false}));
  EXPECT_EQ(kept_in_turn(4, 1), (std::vector<bool>{false, false, false, false}));
}

TEST(RegisterFile, TakesTheFirstCollectorBehindACycleWithoutIssue) {
  EXPECT_EQ(kept_in_turn(3, 1), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(kept_in_turn(3, 2), (std::vector<bool>{false, true, false}));
}

TEST(RegisterFile, AnUnmarkedOperandTakesThePlaceOfAKeptOne) {
  RegisterFileParams params = four_banks();
  params.reuse_entries = 1;
  File file(params);
  file.read(reading({{0, true}, {4}}), 10);
  file.file_.end_cycle(10);
  file.read(reading({{1}, {2}}), 11);  // the other collector
  file.file_.end_cycle(11);
  file.read(reading({{1}, {2}}), 12);
  EXPECT_EQ(file.read(reading({{0}, {4}}), 20).conflicts, 1u);
}

TEST(RegisterFile, KeepsAWideOperandAsAWhole) {
  RegisterFileParams params = four_banks();
  params.reuse_entries = 1;
  File file(params);
  Facts facts;
  facts.pipe = isa::Pipe::kDouble;
  facts.footprint.reads = {isa::RegisterRead{4, 2, 0, true}, isa::RegisterRead{8, 2, 1}};
  facts.footprint.read_count = 2;
  facts.bank_reads = bank_reads(facts, WideReads::kEach);
  EXPECT_EQ(file.read(facts, 10).conflicts, 1u);
  EXPECT_EQ(file.read(facts, 20).conflicts, 0u);
}

TEST(RegisterFile, StopsTheIssueForWhatIsLaterThanItsSlotAllows) {
  File file(two_banks_that_freeze());
  const RegisterFile::Read in_time = file.read(reading({{0}, {2}}), 10);
  EXPECT_EQ(in_time.done, 13u);
  EXPECT_EQ(in_time.conflicts, 1u);
  EXPECT_EQ(in_time.freeze, 0u);
  const RegisterFile::Read late = file.read(reading({{0}, {2}, {4}}), 20);
  EXPECT_EQ(late.done, 24u);
  EXPECT_EQ(late.conflicts, 2u);
  EXPECT_EQ(late.freeze, 1u);
  EXPECT_EQ(file.file_.end_cycle(20), 0u);  // nothing comes later in this discipline
}

TEST(RegisterFile, QueuesReadsBehindThoseOfTheInstructionBefore) {
  File file(two_banks_that_freeze());
  file.read(reading({{0}, {2}}), 10);
  const RegisterFile::Read next = file.read(reading({{4}}), 11);
  EXPECT_EQ(next.done, 14u);
  EXPECT_EQ(next.freeze, 1u);
}

}  // namespace register_file_test
}  // namespace shflsim::model
