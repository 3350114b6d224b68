// SPDX-License-Identifier: Apache-2.0
#include "report/diff/profile_diff.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "isa/base/input_error.h"
#include "report/diff/nsight_profile.h"

namespace shflsim::report {
namespace profile_diff_test {

using testing::ElementsAre;
using testing::HasSubstr;

std::string file_of(const std::string& text) {
  static int number = 0;
  const std::string path = testing::TempDir() + "profile." + std::to_string(getpid()) + "." +
                           std::to_string(++number) + ".csv";
  std::ofstream(path) << text;
  return path;
}

/// Three instructions, 10 warp-cycles.
ResultFile run_of(const std::string& kernel = "scan") {
  ResultFile run{"run.json", "shflsim-run/2", kernel, kernel + " on gh100", {}, {}, {}};
  run.parts = {{"run",
                "",
                "",
                {{"cycles", uint64_t{100}},
                 {"warp_instructions", uint64_t{30}},
                 {"stall_selected", uint64_t{4}},
                 {"stall_short_scoreboard", uint64_t{6}}}}};
  run.instructions = {
      {"instruction", "S2R R0, SR_LANEID", "0x0000", {{"stall_selected", uint64_t{1}}}},
      {"instruction", "SHFL.UP P0, R1, R0, 0x1, RZ", "0x0010", {{"stall_selected", uint64_t{1}}}},
      {"instruction",
       "@P0 FADD R1, R1, R0",
       "0x0020",
       {{"stall_selected", uint64_t{2}}, {"stall_short_scoreboard", uint64_t{6}}}}};
  return run;
}

constexpr const char* kHead =
    "\"Address\",\"Source\",\"Warp Stall Sampling (All Samples)\",\"# Samples\",\"Instructions "
    "Executed\",\"stall_selected\",\"stall_short_sb\",\"stall_short_sb (Not Issued)\"\n";

std::string sass_page(const std::string& kernel = "void scan<int>(int*, float)",
                      const std::string& third = "@P0 FADD R1, R1, R0") {
  return "==PROF== Connected to process 1\n\"Kernel Name\",\"" + kernel + "\"\n" + kHead +
         "\"0x7f3ab0\",\"      S2R R0, SR_LANEID\",\"1\",\"1\",\"8\",\"1\",\"0\",\"0\"\n"
         "\"0x7f3ac0\",\"SHFL.UP P0, R1, R0, 0x1, RZ\",\"3\",\"3\",\"16\",\"1\",\"2\",\"2\"\n"
         "\"0x7f3ad0\",\"" +
         third +
         "\",\"6\",\"6\",\"1,024\",\"2\",\"4\",\"4\"\n"
         "\"0x7f3ae0\",\"NOP\",\"0\",\"0\",\"0\",\"0\",\"0\",\"0\"\n";
}

std::string error_of(const std::string& text, const ResultFile& run = run_of()) {
  try {
    profile_diff(run, file_of(text), false);
  } catch (const InputError& error) {
    return error.faults().front().line();
  }
  return "";
}

TEST(NsightProfile, OfASassPageHasItsAddressesCountsAndReasons) {
  const std::vector<NsightProfile> all = read_nsight(file_of(sass_page()));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].kernel, "void scan<int>(int*, float)");
  ASSERT_EQ(all[0].lines.size(), 4u);
  EXPECT_EQ(all[0].lines[2].address, 0x7f3ad0u);
  EXPECT_EQ(all[0].lines[2].issued, 1024);
  EXPECT_THAT(all[0].lines[2].samples,
              ElementsAre(std::pair(std::string("selected"), 2.0),
                          std::pair(std::string("short_scoreboard"), 4.0)));
}

TEST(NsightProfile, OfAPageOfCudaAndSassHasEachInstructionOnce) {
  const std::vector<NsightProfile> all = read_nsight(
      file_of("\"Kernel Name\",\"scan\"\n\"File Path\",\"/tmp/scan.cu\"\n"
              "\"Line No\",\"Source\",\"Address\",\"Source\",\"# Samples\",\"stall_wait\"\n"
              "\"7\",\"a = b;\",\"-\",\"-\",\"9\",\"9\"\n"
              "\"\",\"\",\"0x100\",\"MOV R0, R1\",\"5\",\"5\"\n"
              "\"8\",\"c = d;\",\"-\",\"-\",\"4\",\"4\"\n"
              "\"\",\"\",\"0x110\",\"MOV R2, R3\",\"4\",\"4\"\n"
              "\"\",\"\",\"0x100\",\"MOV R0, R1\",\"5\",\"5\"\n"));
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].lines.size(), 2u);
  EXPECT_EQ(all[0].lines[0].text, "MOV R0, R1");
}

TEST(NsightProfile, OfARawPageHasACounterAMetricInUnitsWithoutPrefix) {
  const std::vector<NsightProfile> all = read_nsight(
      file_of("\"ID\",\"Kernel Name\",\"dram__bytes.sum\",\"sm__cycles_active.max\",\"launch__x\"\n"
              "\"\",\"\",\"Kbyte\",\"cycle\",\"\"\n"
              "\"0\",\"scan(int *)\",\"1.5\",\"1,000\",\"n/a\"\n"
              "\"1\",\"other(int *)\",\"2\",\"5\",\"n/a\"\n"));
  ASSERT_EQ(all.size(), 2u);
  ASSERT_EQ(all[0].counters.size(), 2u);
  EXPECT_EQ(all[0].counters[0].value, 1500);
  EXPECT_EQ(all[0].counters[1].value, 1000);
}

TEST(NsightProfile, ThatIsDamagedIsRefusedInALine) {
  EXPECT_THAT(error_of("a,b\n1,2\n"), HasSubstr("has no rows of a source or raw page"));
  EXPECT_THAT(error_of(std::string(kHead) + "0x0,NOP,1\n"),
              HasSubstr(":2:1: has 3 fields; expected 8"));
  EXPECT_THAT(error_of(std::string(kHead) + "zero,NOP,1,1,1,1,1,1\n"),
              HasSubstr(":2:1: the address is 'zero'"));
  EXPECT_THAT(error_of(std::string(kHead) + "0x0,NOP,1,1,1,many,1,1\n"),
              HasSubstr(":2:1: 'stall_selected' is 'many'"));
  EXPECT_THAT(error_of(std::string(kHead) + "0x0,\"NOP,1,1,1,1,1,1\n"), HasSubstr(":2:1: a quote"));
}

TEST(ProfileDiff, AlignsByAddressAndPutsTheGreatestDifferencesFirst) {
  const ProfileDiff diff = profile_diff(run_of(), file_of(sass_page()), false);
  EXPECT_EQ(diff.aligned, 3u);
  EXPECT_EQ(diff.samples, 10u);
  EXPECT_NEAR(*diff.by_state, 0.0, 1e-12);
  EXPECT_NEAR(*diff.by_instruction, 0.2, 1e-12);
  ASSERT_GE(diff.instructions.size(), 2u);
  EXPECT_EQ(diff.instructions[0].pc, "0x0010");
  EXPECT_EQ(diff.instructions[0].state, "short_scoreboard");
  EXPECT_DOUBLE_EQ(diff.instructions[0].model, 0.0);
  EXPECT_DOUBLE_EQ(diff.instructions[0].profile, 0.2);
  EXPECT_EQ(diff.instructions[1].pc, "0x0020");
}

TEST(ProfileDiff, OfWhatIsRepeatedLeavesOutWhatIssuesOnce) {
  const ProfileDiff diff = profile_diff(run_of(), file_of(sass_page()), true);
  EXPECT_EQ(diff.samples, 9u);
  EXPECT_NEAR(*diff.by_state, 0.0, 1e-12);
}

TEST(ProfileDiff, OfARawPageComparesCountersAndSamples) {
  const ProfileDiff diff = profile_diff(
      run_of(),
      file_of("\"ID\",\"Kernel Name\",\"sm__cycles_active.max\",\"smsp__inst_executed.sum\","
              "\"smsp__pcsamp_warps_issue_stalled_selected\","
              "\"smsp__pcsamp_warps_issue_stalled_short_scoreboard\","
              "\"smsp__pcsamp_warps_issue_stalled_short_scoreboard_not_issued\"\n"
              "\"\",\"\",\"cycle\",\"inst\",\"\",\"\",\"\"\n"
              "\"0\",\"scan\",\"110\",\"30\",\"50\",\"50\",\"9\"\n"),
      false);
  EXPECT_NEAR(*diff.by_state, 0.1, 1e-12);
  EXPECT_FALSE(diff.by_instruction.has_value());
  ASSERT_EQ(diff.counters.size(), 2u);
  EXPECT_EQ(diff.counters[0].figure, "cycles");
  EXPECT_EQ(diff.counters[0].profile, 110);
}

TEST(ProfileDiff, OfAnotherKernelIsRefusedByNameAndOtherCodeByItsOpcode) {
  EXPECT_EQ(error_of(sass_page()), "");
  EXPECT_EQ(error_of(sass_page(), run_of("_Z4scanIiEvPif")), "");
  EXPECT_THAT(error_of(sass_page("reduce(int*)")),
              HasSubstr("is a profile of reduce(int*); expected one of scan, as run.json"));
  EXPECT_THAT(error_of(sass_page("scan", "FMUL R1, R1, R0")),
              HasSubstr(":6:1: FMUL R1, R1, R0 at 0x0020; expected @P0 FADD R1, R1, R0"));
  ResultFile longer = run_of();
  longer.instructions.push_back({"instruction", "EXIT", "0x0030", {}});
  EXPECT_THAT(error_of(sass_page(), longer), HasSubstr("NOP at 0x0030; expected EXIT"));
}

}  // namespace profile_diff_test
}  // namespace shflsim::report
