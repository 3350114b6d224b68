// SPDX-License-Identifier: Apache-2.0
// A verdict names the bound of a kernel that was written to have this bound, and each of its
// sentences follows from the figures next to it.
#include "report/run/verdict.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <sstream>

#include "isa/machine/machine.h"
#include "model/run.h"
#include "report/time/verdict_watch.h"
#include "tests/support/code_trace.h"
#include "tests/support/layers.h"
#include "tests/support/suite.h"
#include "traces/recorder.h"

namespace shflsim::report {
namespace verdict_test {

/// The trace of a block of code in the manual's syntax. Parameter 0x140: 256 KiB of zeros.
traces::Trace executed(const std::string& code, unsigned warps) {
  const isa::Program program = test::program_of(code);
  isa::DeviceMemory memory;
  isa::Launch launch;
  launch.block.x = warps * isa::kLanes;
  const uint64_t buffer = memory.allocate(std::vector<uint8_t>(256 * 1024));
  launch.parameters.resize(sizeof buffer);
  std::memcpy(launch.parameters.data(), &buffer, sizeof buffer);
  isa::Outcome outcome;
  return traces::record(program, launch, memory, {}, &outcome);
}

/// `line` with {0} replaced by a register's number: 0, 2, ... 46, 0, ...
std::string repeated(unsigned count, const std::string& line) {
  constexpr unsigned kRegisters = 24;
  std::string code;
  for (unsigned i = 0; i < count; ++i)
    code += fmt::format(fmt::runtime(line), 2 * (i % kRegisters)) + "\n";
  return code;
}

struct Kernel {
  const char* name;
  const char* bound;
  unsigned warps;
  std::string code;
  const char* config = "gh100";
  /// A setting that proves the bound without a verdict: the cycles grow by at least this part of
  /// them, or fall by it if it is below 0. "" if the configs have no such setting.
  const char* proof = "";
  double change = 0;
};
std::ostream& operator<<(std::ostream& out, const Kernel& kernel) { return out << kernel.name; }

const std::string kThread = "S2R R0, SR_TID.X\n";

/// Kernels written to have one bound each.
const Kernel kMade[] = {
    {"shuffle_rate", "shuffle rate", 16, kThread + repeated(12, "SHFL.BFLY PT, R{0}, R60, 1, 0x1f"),
     "gh100", "shuffle.lanes=16", 0.2},
    {"shuffle_latency", "shuffle latency", 1,
     kThread + repeated(40, "SHFL.BFLY PT, R0, R0, 1, 0x1f"), "gh100", "shuffle.latency=1", -0.3},
    {"shared_conflicts", "shared-memory conflicts", 8,
     kThread + "LOP.AND R0, R0, 0x1f\nSHL R0, R0, 7\n" + repeated(12, "LDS.U.32 R{0}, [R0]")},
    {"global_memory", "global memory", 2,
     "MOV R2, c[0x0][0x140]\nMOV R3, c[0x0][0x144]\n" +
         repeated(8, "LDG.E R4, [R2]\nIADD R2, R2, R4"),
     "gh100", "global_memory.latency=1", -0.3},
    {"math_pipes", "math pipes", 16, kThread + repeated(24, "DADD R{0}, R60, R62"), "gh100",
     "math.double_interval=4", 0.3},
    {"issue_slots", "issue slots", 16, kThread + repeated(60, "FADD R{0}, R60, R61")},
    {"barriers", "barriers", 8, kThread + repeated(30, "BAR.SYNC 0x0"), "gh100", "barrier.hold=0",
     -0.2},
    {"fetch", "instruction fetch", 1, kThread + repeated(9000, "FADD R{0}, R60, R61"), "gh100",
     "fetch.warm=1", -0.3},
};

/// Kernels written later, like programs rather than like tests; nothing was fitted to them.
const Kernel kLater[] = {
    // Sums of two values over the warp, in all warps that a block can have.
    {"reduction_in_32_warps", "shuffle rate", 32,
     kThread + repeated(10,
                        "SHFL.DOWN PT, R50, R0, 8, 0x1f\nSHFL.DOWN PT, R51, R1, 8, 0x1f\n"
                        "FADD R0, R0, R50\nFADD R1, R1, R51"),
     "gh100", "shuffle.lanes=16", 0.2},
    {"scans_in_2_warps", "shuffle latency", 2,
     kThread + repeated(12, "SHFL.UP P1, R50, R0, 2, 0x0\n@P1 FADD R0, R50, R0"), "gm107",
     "shuffle.latency=1", -0.25},
    // A column of a matrix that is not padded, written and read.
    {"transposition_without_padding", "shared-memory conflicts", 4,
     kThread + "LOP.AND R3, R0, 0x1f\nSHL R4, R3, 6\n" +
         repeated(6, "STS [R4], R0\nLDS.U.32 R0, [R4]\nFADD R1, R1, R0"),
     "gm107"},
    {"a_lane_a_line", "global memory", 4,
     kThread +
         "MOV R2, c[0x0][0x140]\nMOV R3, c[0x0][0x144]\nSHL R0, R0, 7\n"
         "IADD R2, R2, R0\n" +
         repeated(6,
                  "LDG.E R4, [R2]\nFADD R5, R5, R4\nIADD R2, R2, 0x80\n"
                  "SHFL.BFLY PT, R6, R5, 1, 0x1f\nFADD R5, R5, R6"),
     "gh100", "global_memory.latency=1", -0.3},
    {"double_precision_polynomials", "math pipes", 8,
     kThread + repeated(12, "DFMA R{0}, R50, R52, R54\nDMUL R56, R50, R52\nFADD R58, R58, R59"),
     "gm107", "math.double_interval=1", -0.5},
    {"independent_arithmetic_in_16_warps", "issue slots", 16,
     kThread + repeated(20,
                        "FADD R{0}, R50, R51\nFMUL R52, R50, R51\nIADD R53, R50, R51\n"
                        "FADD R54, R50, R51\nSHFL.BFLY PT, R55, R56, 1, 0x1f\n"
                        "FMUL R57, R50, R51\nFADD R58, R50, R51\nFMUL R59, R50, R51")},
    {"a_step_and_a_barrier", "barriers", 32,
     kThread + repeated(12, "IADD R0, R0, R50\nBAR.SYNC 0x0"), "gh100", "barrier.hold=0", -0.2},
    {"straight_code_in_4_warps", "instruction fetch", 4,
     kThread + repeated(6000, "FADD R{0}, R50, R51"), "gm107", "fetch.l15_latency=0", -0.5},
};

Verdict verdict_of(const traces::Trace& trace, const std::string& config) {
  const model::ConfigLayers layers = test::layers_of(config);
  VerdictWatch watch;
  const model::RunResult result = model::run(trace, layers, 1, watch.observer());
  return watch.verdict({trace, result});
}

std::string shares_of(const Verdict& verdict) {
  std::string text;
  for (const BoundShare& bound : verdict.bounds)
    text += fmt::format("{} {:.3f}\n", bound.bound, bound.share);
  return text;
}

class MadeKernel : public ::testing::TestWithParam<Kernel> {};

TEST_P(MadeKernel, IsNamedAsBoundByWhatItWasMadeFor) {
  const Kernel& kernel = GetParam();
  const Verdict verdict = verdict_of(executed(kernel.code + "EXIT\n", kernel.warps), kernel.config);
  ASSERT_FALSE(verdict.bounds.empty());
  EXPECT_EQ(verdict.bounds.front().bound, kernel.bound) << shares_of(verdict);
  uint64_t sum = 0;
  for (const BoundShare& bound : verdict.bounds) sum += bound.cycles;
  EXPECT_EQ(sum, verdict.cycles);
}

/// Runs alone, without a verdict, confirm what bounds the kernels.
TEST_P(MadeKernel, IsFasterOrSlowerWithWhatBoundsIt) {
  const Kernel& kernel = GetParam();
  if (*kernel.proof == 0) return;
  const traces::Trace trace = executed(kernel.code + "EXIT\n", kernel.warps);
  model::ConfigLayers layers = test::layers_of(kernel.config);
  const auto before = static_cast<double>(model::run(trace, layers).cycles);
  layers.add_setting(kernel.proof);
  const double change = static_cast<double>(model::run(trace, layers).cycles) / before - 1;
  EXPECT_TRUE(kernel.change > 0 ? change >= kernel.change : change <= kernel.change) << change;
}

INSTANTIATE_TEST_SUITE_P(First, MadeKernel, ::testing::ValuesIn(kMade),
                         [](const auto& test) { return std::string(test.param.name); });

INSTANTIATE_TEST_SUITE_P(Later, MadeKernel, ::testing::ValuesIn(kLater),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Verdict, APathThatIsCutHasTheCyclesOfItsFirstInstructions) {
  const traces::Trace trace = test::suite_trace("block_reduce", 8);
  const model::ConfigLayers layers = test::layers_of("gm107");
  CriticalPath whole;
  const model::RunResult result = model::run(trace, layers, 1, &whole);
  const uint64_t half = result.warp_instructions / 2;
  CriticalPath begin(half, CriticalPath::Longer::kBegin);
  model::run(trace, layers, 1, &begin);
  ASSERT_TRUE(begin.cut_length().has_value());
  EXPECT_LT(*begin.cut_length(), result.cycles);
  uint64_t sum = 0;
  for (const PathLink& link : begin.links(result)) {
    sum += link.cycles;
    EXPECT_EQ(std::accumulate(link.bounds.begin(), link.bounds.end(), uint64_t{0}), link.cycles);
  }
  EXPECT_EQ(sum, *begin.cut_length());
  EXPECT_FALSE(whole.cut_length().has_value());
}

TEST(Verdict, TheBusiestTenthIsAsBusyAsTheUnitEverIsForSoLong) {
  const traces::Trace trace = executed(kMade[0].code + "EXIT\n", 16);
  const Verdict verdict = verdict_of(trace, "gh100");
  const auto shuffle =
      std::find_if(verdict.units.begin(), verdict.units.end(),
                   [](const BusiestTenth& unit) { return unit.unit == "shuffle"; });
  ASSERT_NE(shuffle, verdict.units.end());
  EXPECT_GE(shuffle->share, shuffle->utilization);
  EXPECT_LE(shuffle->to, verdict.cycles);
  EXPECT_NEAR(static_cast<double>(shuffle->to - shuffle->from),
              static_cast<double>(verdict.cycles) / 10, 16);
}

/// Plausible figures, to test the sentences alone.
Verdict figures() {
  Verdict verdict;
  verdict.cycles = 1000;
  verdict.shuffles = 7;
  verdict.bounds = {{"shuffle rate", {}, 500, 0.5},
                    {"math latency", {"FFMA", "IADD"}, 300, 0.3},
                    {"issue slots", {}, 160, 0.16},
                    {"branches", {}, 40, 0.04}};
  verdict.units = {{"issue slot 0", 0.9, 0, 100, 0.25},
                   {"fmai", 0.5, 10, 110, 0.2},
                   {"shuffle", 0.25, 800, 900, 0.125}};
  verdict.what_ifs = {{"at half rate", {"shuffle.lanes=16"}, 1246, ""},
                      {"at no latency", {"shuffle.latency=1"}, 1000, ""}};
  return verdict;
}

std::vector<std::string> lines_of(const Verdict& verdict) { return verdict_lines(verdict); }

TEST(Verdict, SaysItsFiguresInSentences) {
  EXPECT_EQ(lines_of(figures()),
            (std::vector<std::string>{
                "bound by: shuffle rate 50.0% of the critical path, math latency (FFMA, IADD) "
                "30.0%, issue slots 16.0%",
                "busiest: issue slot 0 90.0% in cycles 0 to 100, 25.0% of the run; fmai 50.0% in "
                "cycles 10 to 110, 20.0% of the run; shuffle 25.0% in cycles 800 to 900, 12.5% of "
                "the run",
                "shuffle unit: matters: at half rate +24.6% (shuffle.lanes=16), at no latency 0.0% "
                "(shuffle.latency=1); a better unit gains nothing"}));
}

TEST(Verdict, TheShuffleUnitMattersFromOnePercentOn) {
  Verdict verdict = figures();
  verdict.what_ifs[0].cycles = 1009;
  EXPECT_EQ(lines_of(verdict)[2].rfind("shuffle unit: does not matter: ", 0), 0u);
  verdict.what_ifs[1].cycles = 990;
  EXPECT_EQ(lines_of(verdict)[2],
            "shuffle unit: matters: at half rate +0.9% (shuffle.lanes=16), at no latency -1.0% "
            "(shuffle.latency=1); a better unit gains up to 1.0%");
  verdict.what_ifs.push_back({"", {"mio.queue_depth=1", "shuffle.lanes=8"}, 1500, ""});
  EXPECT_EQ(lines_of(verdict)[2].rfind("shuffle unit: matters: at half rate +0.9%", 0), 0u);
  EXPECT_EQ(lines_of(verdict).back(), "what if: mio.queue_depth=1, shuffle.lanes=8 +50.0%");
}

TEST(Verdict, ACodeWithoutShufflesNeedsNoUnit) {
  Verdict verdict = figures();
  verdict.shuffles = 0;
  verdict.what_ifs.clear();
  EXPECT_EQ(lines_of(verdict)[2], "shuffle unit: does not matter: no SHFL issued");
}

TEST(Verdict, HasAtMostFiveSentences) {
  Verdict verdict = figures();
  for (int i = 0; i < 9; ++i) verdict.what_ifs.push_back({"", {"shuffle.latency=9"}, 1000, ""});
  EXPECT_LE(lines_of(verdict).size(), 5u);
}

}  // namespace verdict_test
}  // namespace shflsim::report
