// SPDX-License-Identifier: Apache-2.0
// A register file of two banks, in which late reads stop issue: reads behind results, and their
// ages.
#include <gtest/gtest.h>

#include <vector>

#include "tests/model/register_file_reads.h"

namespace shflsim::model {
namespace register_file_test {

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

}  // namespace register_file_test
}  // namespace shflsim::model
