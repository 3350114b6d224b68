// SPDX-License-Identifier: Apache-2.0
// The sums over the drawing and over the path equal the run's result.
#include "report/time/timeline.h"

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <numeric>
#include <sstream>

#include "model/run.h"
#include "report/terminal/screen.h"
#include "tests/support/code_trace.h"
#include "tests/support/layers.h"
#include "tests/support/suite.h"

namespace shflsim::report {
namespace timeline_test {

using model::WarpState;

TEST(Timeline, WithoutAWindowShowsTheWholeRunAndWhereShufflesIssue) {
  const traces::Trace trace = test::trace_of(
      "SHFL.BFLY PT, R1, R2, 1, 0x1f &wr=0 ?trans2\nFADD R3, R1, R1 &req={0}\nEXIT\n");
  Timelines timelines({});
  const model::RunResult result =
      model::run(trace, test::layers_of("gm107", {"shuffle.latency=8"}), 1, timelines.observer());
  std::ostringstream out;
  timelines.write(out, {trace, result});
  const std::string text = out.str();
  EXPECT_EQ(text.substr(0, text.find("Critical path")),
            "\n"
            "Timeline: all 15 cycles, 1 cycle a letter, 1 of 1 warps\n"
            "   0         10\n"
            "w0 IwsssssssssssII\n"
            "  w wait, s short_scoreboard, I issues\n"
            "  Most SHFLs issue about cycle 0: --timeline=0-3,0:15 shows them\n"
            "\n");
}

TEST(Timeline, OfAWholeRunHasALetterForSeveralCycles) {
  std::string code;
  for (int i = 0; i < 100; ++i) code += "SHFL.BFLY PT, R1, R1, 1, 0x1f &wr=0 &req={0} ?trans2\n";
  const traces::Trace trace = test::trace_of(code + "EXIT\n");
  Timelines timelines({});
  const model::RunResult result =
      model::run(trace, test::layers_of("gm107"), 1, timelines.observer());
  std::ostringstream out;
  set_screen(out, {80, false});
  timelines.write(out, {trace, result});
  std::istringstream lines(out.str());
  std::string line;
  size_t widest = 0;
  while (std::getline(lines, line) && line.rfind("Critical", 0) != 0)
    widest = std::max(widest, line.size());
  EXPECT_LE(widest, 80u);
  EXPECT_GT(result.cycles, 80u);
  EXPECT_NE(out.str().find(" cycles a letter"), std::string::npos);
}

TEST(Timeline, DrawsAColumnACycleWithWhatEachInstructionWaitsForAndTheCriticalPath) {
  const traces::Trace trace = test::trace_of(
      "SHFL.BFLY PT, R1, R2, 1, 0x1f &wr=0 ?trans2\nFADD R3, R1, R1 &req={0}\nEXIT\n");
  Timelines timelines({Window{{kFirstWarps}}});
  const model::RunResult result =
      model::run(trace, test::layers_of("gm107", {"shuffle.latency=8"}), 1, timelines.observer());
  std::ostringstream out;
  timelines.write(out, {trace, result});
  EXPECT_EQ(out.str(),
            "\n"
            "Timeline: cycles 0 to 14 of 15, warps 0 of 1\n"
            "        0         10\n"
            "        012345678901234\n"
            "w0 0008 IOOOO1=======   SHFL.BFLY PT, R1, R2, 0x1, 0x1f\n"
            "w0 0010 .wsssssssssssIE FADD R3, R1, R1                 w<0008 s<0008\n"
            "w0 0018 .    .    .   I EXIT\n"
            "  w wait, s short_scoreboard, I issues, O collects operands, E executes, = result on "
            "its way, 1 2 3 passes; s<0008:\n"
            "  waits for the instruction at 0008, s<w2:0008: for warp 2's\n"
            "\n"
            "Critical path: 15 cycles, by what was waited for last\n"
            "  short_scoreboard of SHFL 13 (86.7%), end 1 (6.7%), issue 1 (6.7%)\n"
            "  SHFL 13 = issue 1 + operands 4 + unit 1 + way back 7\n"
            "  cycles share times pc   text            waits for        of\n"
            "      13 86.7%     1 0010 FADD R3, R1, R1 short_scoreboard 0008\n"
            "       1  6.7%     1 0018 EXIT            issue            0010\n"
            "       1  6.7%     1 0018 EXIT            end\n");
}

constexpr const char kMarks[] = "xfrcbewlspmgdnIk";  // in the order of WarpState

/// The cycles of each mark, and the passes, summed over all rows of a drawing.
std::map<char, uint64_t> counted(const std::string& text) {
  std::map<char, uint64_t> counts;
  std::istringstream lines(text);
  size_t begin = 0;
  size_t end = 0;
  for (std::string line; std::getline(lines, line) && line.rfind("Critical", 0) != 0;) {
    const size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    if (std::isdigit(line[first]) != 0) {  // a ruler; its second line is the longer one
      begin = first;
      end = line.size();
    } else if (line[0] == 'w' && std::isdigit(line[1]) != 0) {
      for (size_t at = begin; at < end; ++at)
        ++counts[std::isdigit(line[at]) != 0 ? '1' : line[at]];
    }
  }
  return counts;
}

uint64_t sum_of(const model::RunResult& result, const char* key) {
  uint64_t sum = 0;
  for (size_t i = 0; i < result.instructions.size(); ++i) {
    const uint64_t value = result.count(key, i);
    if (value != model::StatColumn::kNone) sum += value;
  }
  return sum;
}

void expect_sums(const traces::Trace& trace, const model::ConfigLayers& layers, unsigned sms) {
  Window all;
  all.to = 1000000;
  Timelines timelines({all});
  const model::RunResult result = model::run(trace, layers, sms, timelines.observer());
  std::ostringstream out;
  timelines.write(out, {trace, result});
  std::map<char, uint64_t> counts = counted(out.str());
  for (const WarpState state : all_states()) {
    const uint64_t second = state == WarpState::kSelected ? result.dual_issued : 0;
    EXPECT_EQ(counts[kMarks[static_cast<size_t>(state)]],
              result.states[static_cast<size_t>(state)] + second)
        << model::warp_state_name(state);
  }
  EXPECT_GE(counts['1'], sum_of(result, "passes"));
}

/// Issue and stages make up a link's cycles, except if an instruction releases its sources later
/// than its result; no SHFL does so.
void expect_explained(const isa::Code& code, const PathLink& link) {
  const uint64_t known = std::accumulate(link.stages.begin(), link.stages.end(), uint64_t{0});
  if (known == 0) return;
  EXPECT_LE(known + link.times, link.cycles);
  if (!code.lines[*link.on].is_shuffle()) return;
  EXPECT_EQ(known + link.times, link.cycles) << code.lines[link.index].text;
}

class DrawnSuite : public ::testing::TestWithParam<std::string> {};

TEST_P(DrawnSuite, HasAsManyCyclesOfEachStateAsTheResult) {
  const traces::Trace trace = test::suite_trace(GetParam(), 8);
  expect_sums(trace, test::layers_of("gm107"), 1);
  expect_sums(trace, test::layers_of("gm107", {"shuffle.network=banked", "mio.queue_depth=2"}), 1);
  expect_sums(trace, test::layers_of("gh100", {"mio.arbitration=shared_pipe"}), 1);
}

TEST_P(DrawnSuite, HasACriticalPathAsLongAsTheRun) {
  for (const unsigned warps : {1u, 8u}) {
    const traces::Trace trace = test::suite_trace(GetParam(), warps);
    for (const char* setting : {"shuffle.network=crossbar", "shuffle.network=banked",
                                "mio.queue_depth=2", "scheduler.policy=loose_round_robin"}) {
      CriticalPath path;
      const model::RunResult result =
          model::run(trace, test::layers_of("gm107", {setting}), 1, &path);
      uint64_t sum = 0;
      for (const PathLink& link : path.links(result)) {
        sum += link.cycles;
        expect_explained(trace.code, link);
      }
      EXPECT_EQ(sum, result.cycles) << setting;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Suite, DrawnSuite, ::testing::ValuesIn(test::suite_names()),
                         [](const auto& test) { return test.param; });

TEST(CriticalPath, IsNotKnownOfALongerRunThanItMayKeep) {
  const traces::Trace trace = test::suite_trace("block_reduce");
  const uint64_t length = model::run(trace, test::layers_of("gm107"), 1).warp_instructions;
  for (const uint64_t most : {length - 1, length}) {
    CriticalPath path(most);
    const model::RunResult result = model::run(trace, test::layers_of("gm107"), 1, &path);
    EXPECT_EQ(path.is_known(), most == length);
    EXPECT_EQ(path.links(result).empty(), most != length);
  }
}

/// For an operation of either pipe, the pipe on which it runs decides who held it.
TEST(CriticalPath, NamesForABusyPipeWhatTookItLastAndNotAnInstructionLongBefore) {
  constexpr uint64_t kLongestHold = 16;  // cycles that an issue keeps a pipe of gm107, and more
  const traces::Trace trace = test::suite_trace("block_reduce", 8);
  CriticalPath path;
  const model::RunResult result = model::run(
      trace, test::layers_of("gm107", {"shuffle.network=banked", "mio.queue_depth=2"}), 1, &path);
  unsigned found = 0;
  for (const PathLink& link : path.links(result)) {
    if (link.state != WarpState::kMathPipeThrottle) continue;
    ++found;
    EXPECT_LE(link.cycles, link.times * kLongestHold) << trace.code.lines[link.index].text;
  }
  EXPECT_NE(found, 0u);
}

TEST(Timeline, ShowsOfAWindowOnlyWhatLiesInIt) {
  const traces::Trace trace = test::suite_trace("block_reduce", 8);
  Window window;
  window.warps = {{2, 2}};
  window.from = 60;
  window.to = 70;
  Timeline timeline(window);
  const model::RunResult result =
      model::run(trace, test::layers_of("gm107"), 1, timeline.observer());
  std::ostringstream out;
  timeline.write(out, {trace, result});
  const std::string text = out.str();
  EXPECT_EQ(text.substr(0, text.find("  w wait")),
            "\nTimeline: cycles 60 to 69 of 376, warps 2 of 8\n"
            "        60\n"
            "        0123456789\n"
            "w2 0030 EEEEE.     IADD R4, R4, R3\n"
            "w2 0038 wwwIOOOO1= SHFL.DOWN PT, R3, R4, 0x8, 0x1f w<0030\n"
            "w2 0048 .   ssssss IADD R4, R4, R3                 s<0038\n");
}

TEST(Timeline, FitsTheScreen) {
  const traces::Trace trace = test::suite_trace("block_reduce", 8);
  for (const size_t width : {60u, 80u, 132u}) {
    Timelines timelines({});
    const model::RunResult result =
        model::run(trace, test::layers_of("gm107"), 1, timelines.observer());
    std::ostringstream out;
    set_screen(out, {width, false});
    timelines.write(out, {trace, result});
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), width) << line;
  }
}

}  // namespace timeline_test
}  // namespace shflsim::report
