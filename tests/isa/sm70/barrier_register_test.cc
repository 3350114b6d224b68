// SPDX-License-Identifier: Apache-2.0
// Convergence barriers as registers of the warp: moves, and by programs that an H200 has run
// (tests/data/h200/2026-11-29) which lanes are active together, what a barrier holds, and which
// group runs next.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/isa/machine_support.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace sm70_barrier_register_test {

constexpr char kMark[] = "MARK ";

/// A mark reads the active lanes, B1 and the clock.
std::vector<std::string> lines_of(const std::string& code) {
  std::vector<std::string> lines;
  for (const std::string& text : test::fields_of(code, ';')) {
    if (text.rfind(kMark, 0) != 0) {
      lines.push_back(text);
      continue;
    }
    const auto first = 10 + 4 * test::number_of(text.substr(sizeof kMark - 1), 10);
    lines.push_back(fmt::format("VOTE.ANY R{}, PT, PT", first));
    lines.push_back(fmt::format("BMOV.32 R{}, B1", first + 1));
    lines.push_back(fmt::format("CS2R.32 R{}, SR_CLOCKLO", first + 2));
  }
  return lines;
}

/// The marks in the order in which they were executed: number, active lanes, B1.
std::string marks_of(const std::string& code) {
  const std::vector<std::string> lines = lines_of(code);
  Experiment one = with_lane_numbers(lines);
  one.run();
  std::vector<std::string> code_lines;  // as the program counts them: without labels
  for (const std::string& line : lines)
    if (line.back() != ':') code_lines.push_back(line);
  std::string marks;
  for (const Witness::Step& step : one.witness.steps) {
    const bool is_mark = step.index < code_lines.size() && step.lanes != 0 &&
                         code_lines[step.index].rfind("VOTE.ANY R", 0) == 0;
    if (!is_mark) continue;
    const auto first =
        static_cast<uint8_t>(test::number_of(code_lines[step.index].substr(10, 2), 10));
    const auto lane = static_cast<unsigned>(__builtin_ctz(step.lanes));
    marks += fmt::format("{}{} {:08x} {:08x}", marks.empty() ? "" : ";", (first - 10) / 4,
                         one.value(first, lane), one.value(static_cast<uint8_t>(first + 1), lane));
  }
  return marks;
}

TEST(Sm70BarrierRegister, BehavesAsOnAnH200) {
  const std::string text = test::read_file(test::data_path("h200/2026-11-29/barriers.csv"));
  unsigned programs = 0;
  for (const std::string& line : test::lines_of(text)) {
    const std::vector<std::string> parts = test::fields_of(line, '"');
    if (parts.size() != 3) continue;
    const std::string program = parts[0].substr(0, parts[0].size() - 1);
    const std::string marks = parts[2].substr(1);
    EXPECT_EQ(marks_of(parts[1]), marks) << program;
    ++programs;
  }
  EXPECT_EQ(programs, 198u);
}

TEST(Sm70BarrierRegister, KeepsABarrierInARegisterWhileItIsUsedOtherwise) {
  Experiment one = with_lane_numbers({
      "ISETP.GE.AND P0, PT, R0, 0x8, PT",
      "BSSY B0, done",
      "BMOV.32.CLEAR R4, B0",
      "BSSY B0, inner",
      "@P0 BRA skip",
      "MOV R1, 0x1",
      "skip:",
      "BSYNC B0",
      "inner:",
      "BMOV.32 B0, R4",
      "@P0 BRA meet",
      "MOV R2, 0x1",
      "meet:",
      "BSYNC B0",
      "done:",
      "VOTE.ANY R3, PT, PT",
  });
  one.run();
  EXPECT_EQ(one.value(4, 5), kAllLanes);
  EXPECT_EQ(one.value(3, 5), kAllLanes);
  EXPECT_EQ(one.value(2, 7), 1u);
  EXPECT_EQ(one.value(2, 8), 0u);
}

TEST(Sm70BarrierRegister, MovesABarrierIntoAnotherAndSetsOneToANumber) {
  Experiment one = with_lane_numbers({
      "BSSY B0, done",
      "BMOV.32.CLEAR B1, B0",
      "BMOV.32 B2, 0x3",
      "BMOV.32 B3, B2",
      "done:",
      "BMOV.32 R1, B0",
      "BMOV.32 R2, B1",
      "BMOV.32 R3, B2",
      "BMOV.32 R4, B3",
  });
  one.run();
  EXPECT_EQ(one.value(1, 5), 0u);
  EXPECT_EQ(one.value(2, 5), kAllLanes);
  EXPECT_EQ(one.value(3, 5), 3u);
  EXPECT_EQ(one.value(4, 31), 3u);
}

/// Code like a function that some of the lanes call; the others wait at the barrier already.
TEST(Sm70BarrierRegister, TellsWhoWaitsAtABarrierThatHasBeenPutAwayFromWhoWaitsInside) {
  Experiment one = with_lane_numbers({
      "ISETP.GE.AND P0, PT, R0, 0x8, PT",
      "ISETP.GE.AND P1, PT, R0, 0x10, PT",
      "BSSY B6, done",
      "@P0 BRA function",
      "BRA meet",
      "function:",
      "BMOV.32.CLEAR R4, B6",
      "BSSY B6, inner",
      "@P1 BRA skip",
      "MOV R1, 0x1",
      "skip:",
      "BSYNC B6",
      "inner:",
      "VOTE.ANY R2, PT, PT",
      "BMOV.32 B6, R4",
      "meet:",
      "BSYNC B6",
      "done:",
      "VOTE.ANY R3, PT, PT",
  });
  one.run();
  EXPECT_EQ(one.value(2, 8), 0xFFFFFF00u);
  EXPECT_EQ(one.value(2, 31), 0xFFFFFF00u);
  EXPECT_EQ(one.value(3, 0), kAllLanes);
  EXPECT_EQ(one.value(3, 31), kAllLanes);
}

}  // namespace sm70_barrier_register_test
}  // namespace shflsim::isa
