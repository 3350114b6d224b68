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

/// Two banks, like an H100's.
RegisterFileParams two_banks_that_freeze() {
  RegisterFileParams params = four_banks();
  params.banks = 2;
  params.late_reads = "freeze";
  params.window = 3;
  params.written = 6;
  params.missed = 8;
  params.reuse_entries = 1;
  params.reuse_by = "bank_and_slot";
  params.duplicates = "once";
  return params;
}

struct Operand {
  uint8_t index;
  bool reuse = false;
};

/// A math instruction that reads these registers at the positions A, B, C.
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

/// An instruction of one warp: its sources at the positions A, B, C, and the register it writes.
struct Issue {
  std::vector<Operand> sources;
  uint8_t writes = 200;
  Cycle stall = 1;
  isa::Pipe pipe = isa::Pipe::kFmai;
};

/// Cycles for which issue stands still during the sequence and in 8 cycles after it.
Cycle stops_of(const std::vector<Issue>& sequence) {
  File file(two_banks_that_freeze());
  Cycle now = 100;
  Cycle stops = 0;
  const auto go_on = [&](Cycle cycles) {
    for (; cycles != 0; --cycles) {
      const Cycle stop = file.file_.end_cycle(now);
      if (stop != 0) file.file_.stand_still(stop);
      now += 1 + stop;
      stops += stop;
    }
  };
  for (const Issue& issue : sequence) {
    Facts facts = reading(issue.sources);
    facts.footprint.first_write = issue.writes;
    facts.footprint.write_count = 1;
    facts.pipe = issue.pipe;
    file.read(facts, now);
    go_on(issue.stall);
  }
  go_on(8);
  return stops;
}

/// Different registers for A, B, C in the banks that the digits give.
std::vector<Operand> of_banks(const char* digits, uint8_t first) {
  std::vector<Operand> operands;
  for (; *digits != 0; ++digits, first = static_cast<uint8_t>(first + 2))
    operands.push_back({static_cast<uint8_t>(first + (*digits - '0'))});
  return operands;
}

constexpr const char* kPatterns[8] = {"000", "001", "010", "011", "100", "101", "110", "111"};

TEST(RegisterFile, StandsStillBehindPairsAsAnH100Does) {  // measured: operands.csv, FFMA
  constexpr Cycle kStops[8][8] = {{2, 1, 1, 0, 1, 0, 0, 0}, {1, 1, 0, 0, 0, 0, 0, 0},
                                  {1, 0, 1, 0, 0, 0, 0, 0}, {0, 0, 0, 1, 0, 0, 0, 1},
                                  {1, 0, 0, 0, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 1, 0, 1},
                                  {0, 0, 0, 0, 0, 0, 1, 1}, {0, 0, 0, 1, 0, 1, 1, 2}};
  for (unsigned a = 0; a < 8; ++a) {
    for (unsigned b = 0; b < 8; ++b) {
      EXPECT_EQ(stops_of({{of_banks(kPatterns[a], 10)}, {of_banks(kPatterns[b], 20)}}),
                kStops[a][b])
          << kPatterns[a] << " " << kPatterns[b];
    }
  }
}

TEST(RegisterFile, StandsStillBehindRunsAsAnH100Does) {  // measured: operands.csv, 8 pairs of FFMA
  constexpr Cycle kStops[8] = {30, 22, 22, 14, 22, 14, 14, 7};  // 000 and ...
  for (unsigned b = 0; b < 8; ++b) {
    std::vector<Issue> run;
    for (uint8_t i = 0; i < 8; ++i) {
      run.push_back({of_banks("000", static_cast<uint8_t>(10 + 16 * i))});
      run.push_back({of_banks(kPatterns[b], static_cast<uint8_t>(18 + 16 * i))});
    }
    EXPECT_EQ(stops_of(run), kStops[b]) << kPatterns[b];
  }
}

TEST(RegisterFile, ReadsAResultInTheLastCycleOrOnceItIsWritten) {  // measured: results by distance
  // `distance` cycles after a result of bank 0 an instruction reads it alone; 1 to 3 cycles later
  // another one reads three other registers of its bank.
  constexpr Cycle kStops[9][3] = {{0, 0, 0}, {1, 1, 0}, {1, 1, 0}, {1, 1, 0}, {1, 1, 0},
                                  {1, 1, 0}, {1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (Cycle distance = 1; distance <= 9; ++distance) {
    for (Cycle behind = 1; behind <= 3; ++behind) {
      EXPECT_EQ(
          stops_of(
              {{of_banks("111", 10), 8, distance}, {{{8}}, 201, behind}, {of_banks("000", 20)}}),
          kStops[distance - 1][behind - 1])
          << distance << " " << behind;
    }
  }
}

TEST(RegisterFile, TheOlderOfTwoResultsWaitsForItsWrite) {  // measured: two results of one bank
  struct Case {
    Cycle older, younger, stops;
  };
  for (const Case& each :
       {Case{5, 4, 3}, Case{6, 4, 2}, Case{6, 5, 2}, Case{7, 4, 0}, Case{8, 7, 0}}) {
    EXPECT_EQ(stops_of({{{{11}}, 8, each.older - each.younger},
                        {{{13}}, 10, each.younger},
                        {{{8}, {10}}, 201, 3},
                        {of_banks("000", 20)}}),
              each.stops)
        << each.older << " " << each.younger;
  }
}

TEST(RegisterFile, TheYoungestResultWaitsForACycleWhereItCrossesBetweenPipes) {
  // measured: tests/data/h100/operands, results_kept: 32 sequences of 725
  for (const isa::Pipe reader : {isa::Pipe::kFmai, isa::Pipe::kFxu}) {
    for (const isa::Pipe writer : {isa::Pipe::kFmai, isa::Pipe::kFxu}) {
      for (const Cycle age : {4u, 5u}) {
        const bool waits = age == 4 && writer != reader;
        EXPECT_EQ(stops_of({{{{11}}, 8, 6 - age},
                            {{{13}}, 10, age, writer},
                            {{{8}, {10}}, 201, 3, reader},
                            {of_banks("000", 20)}}),
                  waits ? 1u : 2u)
            << age;
      }
    }
  }
}

TEST(RegisterFile, KeepsNoResultThatComesBeforeItIsInItsBank) {
  // measured: clock reads in random mixes, and results_kept. The second reader of R8 reads it
  // again, which R10, a younger result of its bank, makes wait.
  const auto stops = [](Cycle age) {
    return stops_of({{{{11}}, 8, age - 3},
                     {{{13}}, 10, 3},
                     {{{8, true}, {15}}, 201, 1},
                     {{{8}, {10}}, 202, 3},
                     {of_banks("000", 20)}});
  };
  EXPECT_EQ(stops(4), 3u);
  EXPECT_EQ(stops(5), 2u);
  EXPECT_EQ(stops(6), 0u);
}

// measured: mix3_11 and mix3_43 of tests/data/h200/2026-11-22, and four mixes of 2026-11-30
TEST(RegisterFile, KeepsAResultThatAStopBringsIntoItsBank) {
  // R8 is read 5 cycles of issue behind its instruction, and again in the cycle after. In between
  // issue stops once, with registers of other banks not at all.
  const auto stops = [](const char* before) {
    return stops_of({{{{11}}, 8, 3},
                     {of_banks(before, 20), 202, 1},
                     {of_banks(before, 40), 203, 1},
                     {{{8, true}, {15}}, 201, 1},
                     {{{8}, {10}, {12}}, 204, 1},
                     {of_banks("0", 60), 205, 1}});
  };
  EXPECT_EQ(stops("011"), 1u);  // 2 if R8 is read again
  EXPECT_EQ(stops("00"), 2u);   // 3 if R8 is read again
}

// measured: math_74 and four more of short.timing.csv.gz (2026-11-30)
TEST(RegisterFile, KeepsTheYoungestResultWhereItCrossesBetweenPipes) {
  const auto stops = [](isa::Pipe reader) {
    return stops_of(
        {{{{11}, {13}}, 8, 4}, {{{8}, {8, true}}, 201, 1, reader}, {{{10}, {8}, {12}}, 204, 1}});
  };
  EXPECT_EQ(stops(isa::Pipe::kFxu), 0u);
  EXPECT_EQ(stops(isa::Pipe::kFmai), 1u) << "R8 is read again";
}

// measured: a mix of seed 137137, and rc03_arith, rc33_arith, mix82_47: a cycle each
TEST(RegisterFile, ReadsAResultBehindTheCyclesInWhichIssueStops) {
  const auto stops = [](uint8_t again) {
    return stops_of({{{{35}}, 6, 2},
                     {{{17}, {14}}, 14},
                     {{{51}}, 28},
                     {{{13}, {10}}, 10},
                     {{{5}, {6}, {37}}, 203},
                     {{{37}, {4}, {again}}, 204},
                     {{{18}, {25}}, 205}});
  };
  EXPECT_EQ(stops(40), 1u);
  EXPECT_EQ(stops(6), 2u) << "only in the cycle after, in which R4 is read";
}

// measured: rc13_arith, mix3_24 and mix101_01, a cycle each
TEST(RegisterFile, KeepsAResultThatItsReaderWaitsFor) {
  const auto stops = [](bool reuses) {
    return stops_of({{{{11}}, 8, 4},
                     {of_banks("00", 20), 202, 1},
                     {{{8, reuses}, {10}, {16}}, 201, 1},
                     {{{8}, {12}, {14}}, 204, 1},
                     {of_banks("0", 60), 205, 1}});
  };
  EXPECT_EQ(stops(true), 2u);
  EXPECT_EQ(stops(false), 3u);
}

TEST(RegisterFile, ReadsARegisterOnceForAllItsPositionsAndTakesTheirLatches) {
  EXPECT_EQ(stops_of({{{{8}, {8}, {8}}}, {of_banks("000", 20)}}), 2u);
  EXPECT_EQ(stops_of({{{{8}, {8}}}, {of_banks("001", 20)}}), 1u);
  EXPECT_EQ(stops_of({{{{8}, {8}}}, {of_banks("11", 20)}}), 0u);
}

TEST(RegisterFile, ARegisterThatIsKeptStaysInItsLatch) {
  const Issue keeps{{{8, true}, {11}, {13}}, 200, 4};
  EXPECT_EQ(stops_of({keeps, {{{8}, {10}, {12}}}, {of_banks("011", 20)}}), 0u);
  EXPECT_EQ(stops_of({keeps, {{{8}, {10}, {12}}}, {of_banks("000", 20)}}), 2u);
}

TEST(ResultAges, GrowFromTheWriteOn) {
  ResultAges ages;
  ages.advance(1000);
  ages.write(8, 2, true, 1000);
  ages.advance(1003);
  ages.write(9, 1, false, 1003);
  ages.advance(1007);
  EXPECT_EQ(ages.of(8, 1007), 7u);
  EXPECT_EQ(ages.of(9, 1007), 4u);
  EXPECT_TRUE(ages.is_by_fxu(8));
  EXPECT_FALSE(ages.is_by_fxu(9));
  EXPECT_GE(ages.of(10, 1007), ResultAges::kOld);
}

TEST(ResultAges, NeverTakeAnOldResultForAYoungOne) {
  for (const Cycle step :
       {1u, 31u, 32u, 33u, 8191u, 8192u, 8193u, 16384u, 32767u, 32768u, 32769u, 65536u, 65537u}) {
    ResultAges ages;
    ages.advance(5);
    ages.write(7, 1, true, 5);
    for (Cycle age = step; age < 5 * step + 70000; age += step) {
      ages.advance(5 + age);
      if (age < ResultAges::kOld) {
        EXPECT_EQ(ages.of(7, 5 + age), age) << step;
      } else {
        EXPECT_GE(ages.of(7, 5 + age), ResultAges::kOld) << step;
      }
    }
  }
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
