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
  params.late_reads = "wait";
  params.reuse_by = "slot";
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
  EXPECT_EQ(file.file_.banks_behind(11), 0u);
}

TEST(RegisterFile, TakesACycleForEachReadOfABank) {
  File file(four_banks());
  const RegisterFile::Read read = file.read(reading({{0}, {4}, {8}}), 10);
  EXPECT_EQ(read.done, 13u);
  EXPECT_EQ(read.conflicts, 2u);
  EXPECT_TRUE(file.file_.bank_taken(12, 12));
  EXPECT_FALSE(file.file_.bank_taken(13, 12));
  EXPECT_EQ(file.file_.banks_behind(12), 1u);
  EXPECT_EQ(file.file_.accepts_from(1, 11), 13u);
  EXPECT_EQ(file.file_.accepts_from(2, 11), 11u);
}

TEST(RegisterFile, LetsABankBeBehindByTheBacklog) {
  RegisterFileParams params = four_banks();
  params.backlog = 1;
  File file(params);
  file.read(reading({{0}, {4}, {8}}), 10);
  EXPECT_EQ(file.file_.banks_behind(11), 1u);
  EXPECT_EQ(file.file_.banks_behind(12), 0u);
  EXPECT_EQ(file.file_.accepts_from(1, 11), 12u);
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
  EXPECT_EQ(file.file_.banks_behind(21), 0u);  // nothing waits in front of this discipline
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
