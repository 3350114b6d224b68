// SPDX-License-Identifier: Apache-2.0
// Whole runs of the program on the shipped code.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace run_test {

using nlohmann::json;

const char* const kKernels[] = {
    "reduce_xor",      "reduce_down",      "scan_inclusive",      "scan_exclusive",
    "scan_reverse",    "broadcast",        "scan_inclusive_pred", "segments",
    "index_dynamic",   "quad_derivatives", "block_reduce_min",    "bitonic_sort",
    "grid_stride_dot", "divergent_half",   "smem_shuffle",        "stencil7"};

std::string temporary(const std::string& name) { return testing::TempDir() + name; }

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Arguments that run one of the sixteen kernels; the input is the same for all.
std::string kernel_run(const std::string& kernel) {
  return "run " + test::source_path("tests/data/sm50/kernels.nvdisasm.txt.gz") + " --kernel " +
         kernel + " --grid 4 --block 256 --arg fill:4096:5a --arg fill:4096:cd --arg u32:1024";
}

json result_of(const std::string& arguments, const std::string& name) {
  const std::string path = temporary(name + ".json");
  const ProgramRun run = run_program(arguments + " --json " + path);
  EXPECT_EQ(run.status, 0) << run.errors;
  json result = json::parse(contents(path));
  std::filesystem::remove(path);
  return result;
}

uint64_t sum_over_instructions(const json& result, const std::string& key) {
  uint64_t sum = 0;
  for (const json& row : result["instructions"]) {
    if (row[key].is_number()) sum += row[key].get<uint64_t>();
  }
  return sum;
}

TEST(Sms, ShareTheBlocksOfAGridAndGiveTheSameBytesEachTime) {
  const json one = result_of(kernel_run("reduce_xor"), "one_sm");
  const json four = result_of(kernel_run("reduce_xor") + " --sms 4", "four_sms");
  EXPECT_EQ(four, result_of(kernel_run("reduce_xor") + " --sms 4", "four_sms_again"));
  EXPECT_EQ(four["launch"]["sms"], 4);
  EXPECT_EQ(four["totals"]["warp_instructions"], one["totals"]["warp_instructions"]);
  EXPECT_LT(four["totals"]["cycles"], one["totals"]["cycles"]);
  for (const json& warp : four["warps"]) EXPECT_EQ(warp["sm"], warp["block"]);
}

TEST(Sms, MustBeOneAtLeast) {
  const ProgramRun run = run_program(kernel_run("reduce_xor") + " --sms 0");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors, "--sms: '0' is out of range; expected 1 to 256\n");
}

TEST(LaunchFiles, AreNotJudgedWithoutAVerdict) {
  const std::string file = "run --launch " + test::source_path("traces/launches.ini");
  EXPECT_NE(run_program(file).output.find("bound by: "), std::string::npos);
  EXPECT_EQ(run_program(file + " --no-verdict").output.find("bound by: "), std::string::npos);
}

TEST(LaunchLine, IsWhatARunTakesUnlessItSaysOtherwise) {
  const std::string file = "run " + test::source_path("traces/suite/bitonic_sort.sass");
  const ProgramRun own = run_program(file);
  EXPECT_EQ(own.output, run_program(file + " --block 256 --reg Rvalue=hash").output);
  EXPECT_NE(own.output, run_program(file + " --block 64").output);
}

class KernelRun : public testing::TestWithParam<const char*> {};

TEST_P(KernelRun, StatesSumToWarpCyclesAndSelectedToInstructions) {
  const json result = result_of(kernel_run(GetParam()), std::string("states_") + GetParam());
  const json& totals = result["totals"];
  uint64_t states = 0;
  uint64_t selected = 0;
  for (const json& state : result["states"]) {
    states += state["cycles"].get<uint64_t>();
    if (state["state"] == "selected") selected = state["cycles"];
    if (state["state"] == "sleeping") {
      EXPECT_EQ(state["cycles"], 0);
    }
  }
  EXPECT_EQ(states, totals["warp_cycles"]);
  EXPECT_EQ(selected + totals["dual_issued"].get<uint64_t>(), totals["warp_instructions"]);
}

TEST_P(KernelRun, TotalsAreTheSumsOfTheRows) {
  const json result = result_of(kernel_run(GetParam()), std::string("rows_") + GetParam());
  EXPECT_EQ(sum_over_instructions(result, "issued"), result["totals"]["warp_instructions"]);
  for (const char* key : {"register_conflicts", "passes", "port_conflicts", "undefined_reads"}) {
    const json& total = result["totals"][key];  // null if no instruction has the figure
    EXPECT_EQ(sum_over_instructions(result, key), total.is_null() ? 0 : total.get<uint64_t>())
        << key;
  }
}

TEST_P(KernelRun, BankedNetworkCostsMoreExactlyWherePassesExceedOne) {
  const json crossbar = result_of(kernel_run(GetParam()), std::string("crossbar_") + GetParam());
  const json banked = result_of(kernel_run(GetParam()) + " --set shuffle.network=banked",
                                std::string("banked_") + GetParam());
  const json& rows = banked["instructions"];
  bool more_passes = false;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i]["passes"].is_number()) continue;
    const uint64_t issued = rows[i]["issued"];
    more_passes |= rows[i]["passes"] > issued;
    EXPECT_EQ(crossbar["instructions"][i]["passes"], issued);
  }
  const uint64_t slow = banked["totals"]["cycles"];
  const uint64_t fast = crossbar["totals"]["cycles"];
  EXPECT_EQ(slow > fast, more_passes) << slow << " against " << fast;
  if (!more_passes) {
    EXPECT_EQ(slow, fast);
  }
}

TEST_P(KernelRun, TwoRunsGiveTheSameBytes) {
  std::array<std::string, 2> bytes;
  for (std::string& each : bytes) {
    const std::string json_path = temporary(std::string("same_") + GetParam() + ".json");
    const std::string csv_path = temporary(std::string("same_") + GetParam() + ".csv");
    const ProgramRun run =
        run_program(kernel_run(GetParam()) + " --json " + json_path + " --csv " + csv_path);
    each = run.output + contents(json_path) + contents(csv_path);
  }
  EXPECT_FALSE(bytes[0].empty());
  EXPECT_EQ(bytes[0], bytes[1]);
}

INSTANTIATE_TEST_SUITE_P(Each, KernelRun, testing::ValuesIn(kKernels),
                         [](const auto& each) { return std::string(each.param); });

/// One register of one warp after a shipped program of the manual's syntax.
template <class Word>
std::vector<Word> register_after(const std::string& program, const std::string& in,
                                 const std::string& out) {
  const std::string path = temporary("register_" + program);
  const ProgramRun run = run_program("run " + test::source_path("traces/" + program + ".sass") +
                                     " --reg " + in + " --dump-reg " + out + ":" + path);
  EXPECT_EQ(run.status, 0) << run.errors;
  const std::string bytes = contents(path);
  std::vector<Word> words(bytes.size() / sizeof(Word));
  std::memcpy(words.data(), bytes.data(), bytes.size());
  EXPECT_EQ(words.size(), 32u);
  return words;
}

TEST(ShippedProgram, InclusiveScanCountsTheLanesUpToItsOwn) {
  const auto sums = register_after<float>("scan_inclusive", "Rsum=1.0", "Rsum");
  for (size_t lane = 0; lane < sums.size(); ++lane)
    EXPECT_EQ(sums[lane], static_cast<float>(lane + 1));
}

TEST(ShippedProgram, ExclusiveScanCountsTheLanesBelow) {
  const auto sums = register_after<float>("scan_exclusive", "Rsum=1.0", "Rsum");
  for (size_t lane = 0; lane < sums.size(); ++lane) EXPECT_EQ(sums[lane], static_cast<float>(lane));
}

TEST(ShippedProgram, ReverseScanCountsTheLanesFromItsOwnUp) {
  const auto sums = register_after<float>("scan_reverse", "Rsum=1.0", "Rsum");
  for (size_t lane = 0; lane < sums.size(); ++lane)
    EXPECT_EQ(sums[lane], static_cast<float>(32 - lane));
}

TEST(ShippedProgram, ButterflyGivesEveryLaneTheSum) {
  const auto sums = register_after<float>("reduce_butterfly", "Rsum=0.5", "Rsum");
  for (const float sum : sums) EXPECT_EQ(sum, 16.0f);
}

TEST(ShippedProgram, QuadPatternsTakeTheLaneTheyAreNamedAfter) {
  struct Pattern {
    const char* name;
    uint32_t (*source)(uint32_t lane);
  };
  const Pattern patterns[] = {
      {"quad_smear0", [](uint32_t lane) { return lane & ~3u; }},
      {"quad_smear1", [](uint32_t lane) { return (lane & ~3u) | 1u; }},
      {"quad_smear2", [](uint32_t lane) { return (lane & ~3u) | 2u; }},
      {"quad_smear3", [](uint32_t lane) { return lane | 3u; }},
      {"quad_ddx", [](uint32_t lane) { return lane ^ 1u; }},
      {"quad_ddy", [](uint32_t lane) { return lane ^ 2u; }},
  };
  for (const Pattern& pattern : patterns) {
    const auto words = register_after<uint32_t>(pattern.name, "Rvalue=lane", "Rresult");
    for (uint32_t lane = 0; lane < words.size(); ++lane)
      EXPECT_EQ(words[lane], pattern.source(lane)) << pattern.name;
  }
}

TEST(ShippedProgram, ShuffleThatNoLaneExecutesIsTimed) {
  const std::string path = temporary("guarded_off.sass");
  std::ofstream(path) << "     ISETP.LT.AND P0, PT, R0, 0x0, PT\n"
                         "@P0  SHFL.BFLY PT, R1, R0, 1, 0x1f\n";
  const json result = result_of("run " + path, "guarded_off");
  EXPECT_EQ(result["instructions"][1]["lanes"], 0);
  EXPECT_EQ(result["instructions"][1]["passes"], 1);
}

}  // namespace run_test
}  // namespace shflsim::cli
