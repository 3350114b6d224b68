// SPDX-License-Identifier: Apache-2.0
#include "model/fetch/code_memory.h"

#include <gtest/gtest.h>

namespace shflsim::model {
namespace code_memory_test {

constexpr uint32_t kLine = 128;
constexpr uint32_t kLines = 16;

/// A cold L1 of four lines, in one set, 20 cycles from the next level; the L2 is 30 cycles further
/// away; there is no L1.5.
FetchParams cold() {
  FetchParams params;
  params.line_bytes = kLine;
  params.l1_bytes = 4 * kLine;
  params.l1_ways = 4;
  params.l1_latency = 20;
  params.l15_ways = 1;
  params.l15_lines = 1;
  params.l15_stream = 1;
  params.l15_latency = 30;
  return params;
}

/// The same L1 with an L1.5 of eight blocks of two lines.
FetchParams with_l15() {
  FetchParams params = cold();
  params.l15_bytes = 16 * kLine;
  params.l15_ways = 8;
  params.l15_lines = 2;
  return params;
}

class Code {
 public:
  explicit Code(const FetchParams& params) : memory_("code_memory", params, layout()) {}
  Cycle line(uint32_t line, Cycle now) { return memory_.line(line, now); }

 private:
  static CodeLayout layout() {
    CodeLayout layout;
    layout.lines = kLines;
    return layout;
  }
  CodeMemory memory_;
};

TEST(CodeMemory, AWarmKernelIsInTheL1) {
  FetchParams params = cold();
  params.warm = 1;
  Code code(params);
  EXPECT_EQ(code.line(0, 10), 10u);
  EXPECT_EQ(code.line(3, 11), 11u);
  EXPECT_EQ(code.line(4, 12), 12u + 30 + 20);  // the L1 has no place for it
}

TEST(CodeMemory, TheL1DeliversALineAnInterval) {
  FetchParams params = cold();
  params.warm = 1;
  params.l1_interval = 4;
  Code code(params);
  EXPECT_EQ(code.line(0, 10), 10u);
  EXPECT_EQ(code.line(1, 10), 14u);
  EXPECT_EQ(code.line(2, 15), 18u);
  EXPECT_EQ(code.line(0, 30), 30u);
}

TEST(CodeMemory, WhatTheL1DoesNotHaveComesFromTheL2) {
  Code code(cold());
  EXPECT_EQ(code.line(5, 10), 10u + 30 + 20);
  EXPECT_EQ(code.line(5, 40), 60u);  // already requested
  EXPECT_EQ(code.line(5, 70), 70u);
}

TEST(CodeMemory, LinesFromBehindTheL1AreAnIntervalApart) {
  FetchParams params = cold();
  params.l15_interval = 7;
  Code code(params);
  EXPECT_EQ(code.line(0, 10), 60u);
  EXPECT_EQ(code.line(1, 10), 67u);
  EXPECT_EQ(code.line(2, 11), 74u);
}

TEST(CodeMemory, TheL1GivesUpItsOldestLine) {
  Code code(cold());
  for (uint32_t line = 0; line < 5; ++line) code.line(line, 10);
  EXPECT_EQ(code.line(1, 100), 100u);
  EXPECT_EQ(code.line(0, 100), 150u);
  EXPECT_EQ(code.line(1, 200), 250u);  // evicted by line 0
}

TEST(CodeMemory, TheL15BringsBlocksOfLines) {
  Code code(with_l15());
  EXPECT_EQ(code.line(0, 10), 10u + 30 + 20);
  EXPECT_EQ(code.line(1, 20), 40u + 20);  // comes with line 0, in 40
  EXPECT_EQ(code.line(2, 100), 100u + 30 + 20);
  EXPECT_EQ(code.line(3, 200), 200u + 20);
}

TEST(CodeMemory, AMissOfTheL15BringsWhatFollows) {
  FetchParams params = with_l15();
  params.l15_stream = 3;
  Code code(params);
  code.line(0, 10);                               // blocks 0, 1 and 2
  EXPECT_EQ(code.line(2, 100), 100u + 20);        // and with it block 3
  EXPECT_EQ(code.line(4, 200), 200u + 20);        // and block 4
  EXPECT_EQ(code.line(6, 300), 300u + 20);        // and block 5
  EXPECT_EQ(code.line(12, 400), 400u + 30 + 20);  // block 6 was not yet asked for
}

TEST(CodeMemory, ABlockOfTheL15BringsOneMore) {
  FetchParams params = with_l15();
  params.l15_stream = 3;
  params.launch_bytes = 2 * kLine;
  Code code(params);
  EXPECT_EQ(code.line(0, 10), 10u + 20);  // and with it block 1, not block 2
  EXPECT_EQ(code.line(4, 100), 100u + 30 + 20);
}

TEST(CodeMemory, ALaunchBringsTheFirstLinesIntoTheL15) {
  FetchParams params = with_l15();
  params.launch_bytes = 4 * kLine;
  Code code(params);
  EXPECT_EQ(code.line(0, 10), 10u + 20);
  EXPECT_EQ(code.line(3, 10), 10u + 20);
  EXPECT_EQ(code.line(4, 10), 10u + 30 + 20);
}

TEST(CodeMemory, WhatALaunchBringsIsThereALatencyBehindItsStart) {
  FetchParams params = with_l15();
  params.launch_bytes = 4 * kLine;
  params.launch_latency = 180;
  Code code(params);
  EXPECT_EQ(code.line(0, 10), 180u + 20);
  EXPECT_EQ(code.line(3, 200), 200u + 20);
  EXPECT_EQ(code.line(4, 200), 200u + 30 + 20);
}

/// The L1.5 has room for fewer blocks than are requested: a later one replaces the first.
TEST(CodeMemory, A21ABlockIsThereThoughThoseBehindItTakeItsPlace) {
  FetchParams params = with_l15();
  params.l15_bytes = 2 * kLine;
  params.l15_stream = 3;
  params.l1_latency = 0;
  Code code(params);
  EXPECT_EQ(code.line(0, 10), 10u + 30);
}

}  // namespace code_memory_test
}  // namespace shflsim::model
