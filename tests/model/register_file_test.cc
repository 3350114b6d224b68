// SPDX-License-Identifier: Apache-2.0
// Operands by bank and port, and those that stay for the next instruction.
#include <gtest/gtest.h>

#include <vector>

#include "tests/model/register_file_reads.h"

namespace shflsim::model {
namespace register_file_test {

TEST(RegisterFile, ReadsOperandsOfDifferentBanksInOneCycle) {
  File file(four_banks());
  const RegisterFile::Read read = file.read(reading({{0}, {1}, {2}}), 10);
  EXPECT_EQ(read.done, 11u);
  EXPECT_EQ(read.conflicts, 0u);
  EXPECT_EQ(file.file_.end_cycle(10), 0u);
  EXPECT_EQ(file.file_.next_stop(11), kNever);
  EXPECT_EQ(file.file_.end_cycle(11), 0u);
}

TEST(RegisterFile, StopsTheIssueOneCycleLaterForWhatTakesThreeCycles) {
  File file(four_banks());
  const RegisterFile::Read read = file.read(reading({{0}, {4}, {8}}), 10);
  EXPECT_EQ(read.done, 13u);
  EXPECT_EQ(read.conflicts, 2u);
  EXPECT_EQ(file.file_.end_cycle(10), 0u);
  EXPECT_EQ(file.file_.next_stop(11), 11u);
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
  EXPECT_EQ(file.read(reading({{0}, {4}}), 20).conflicts, 0u);  // kept and given up
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

/// True for each of `warps` warps that finds its operand kept in the last of 8 rounds: the warps
/// issue in turn, and `idle` cycles follow each round.
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

/// Cycles for which two instructions of three reads of bank 0 each, which issue at 10 and 11, stop
/// issue, if a read of this register is taken in this cycle; 0: none is.
Cycle stopped(uint8_t index, Cycle at, const RegisterFileParams& params) {
  File file(params);
  file.read(reading({{0}, {2}, {4}}), 10);
  file.read(reading({{6}, {8}, {10}}), 11);
  if (at != 0) file.file_.take_port(index, at);
  Cycle stops = 0;
  for (Cycle now = 11; now < 20; ++now) {
    const Cycle cycles = file.file_.end_cycle(now);
    if (cycles != 0) file.file_.stand_still(cycles);
    stops += cycles;
    now += cycles;
  }
  return stops;
}

TEST(RegisterFile, AReadThatHasNoLaterCycleStopsIssueForOneOfAnother) {
  const RegisterFileParams params = two_banks_that_freeze();
  EXPECT_EQ(stopped(0, 0, params), 2u);  // reads in 11, 12, 13, and 14, 15, 16
  EXPECT_EQ(stopped(12, 13, params), 3u);
  EXPECT_EQ(stopped(13, 13, params), 2u);  // of the other bank
}

TEST(RegisterFile, FourReadsAreNotTakenForNone) {
  File file(two_banks_that_freeze());
  file.read(reading({}), 10);
  const RegisterFile::Read read = file.read(reading({{0}, {2}, {4}, {5}}), 20);
  EXPECT_EQ(read.done, 24u);
  EXPECT_EQ(read.conflicts, 2u);
}

TEST(RegisterFile, AReadOfAnotherStopsIssueWhereNoMathFollows) {
  // measured: mix101_23 and mix101_40 of prefixes.csv.gz, a cycle each
  for (const Cycle at : {13u, 14u}) {
    File file(two_banks_that_freeze());
    file.read(reading({{0}, {2}, {4}}), 10);
    EXPECT_EQ(file.file_.end_cycle(10), 0u);
    EXPECT_EQ(file.file_.next_stop(11), 11u);
    EXPECT_EQ(file.file_.end_cycle(11), 0u);
    file.file_.take_port(6, at);
    EXPECT_EQ(file.file_.end_cycle(12), at == 13 ? 1u : 0u);
    EXPECT_EQ(file.file_.next_stop(16), kNever);
  }
}

/// Cycles for which an instruction of a read of each bank stops issue so long after a product.
Cycle stopped_behind(MatrixProduct matrices, uint8_t factor, Cycle behind) {
  RegisterFileParams params = two_banks_that_freeze();
  params.product_read = 2;
  File file(params);
  Facts product;
  product.matrices = matrices;
  product.footprint.reads[0] = {0, factor};
  product.footprint.reads[1] = {4, 2};
  product.footprint.read_count = 2;
  read_product(product, params, 10, &file.file_);
  file.read(reading({{8}, {9}}), 10 + behind);
  file.read(reading({{8}, {9}}), 11 + behind);
  Cycle stops = 0;
  for (Cycle now = 11 + behind; now < 20; ++now) stops += file.file_.end_cycle(now);
  return stops;
}

TEST(RegisterFile, AMatrixProductReadsBeforeOthers) {
  // A in 12 and 13, B in 15: the second reads in 16, which is one late.
  EXPECT_EQ(stopped_behind(MatrixProduct::kLarge, 4, 1), 1u);
  EXPECT_EQ(stopped_behind(MatrixProduct::kLarge, 4, 2), 0u);
  EXPECT_EQ(stopped_behind(MatrixProduct::kSmall, 2, 1), 0u) << "A in 12, B in 13";
}

}  // namespace register_file_test
}  // namespace shflsim::model
