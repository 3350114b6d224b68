// SPDX-License-Identifier: Apache-2.0
// `shflsim diff`, called as a user does.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace diff_command_test {

using Json = nlohmann::json;

/// Runs `text` on three results: a and half (with half of the lanes) of fft_32, other of stencil_3.
ProgramRun script(const std::string& text) {
  return run_script(
      "r() { $S run $T/suite/$2.sass --json $1.json \"${@:3}\" >/dev/null; }\n"
      "r a fft_32; r half fft_32 --set shuffle.lanes=16; r other stencil_3\n" +
      text);
}

TEST(DiffCommand, FindsNothingBetweenAResultAndItself) {
  const ProgramRun run = script("$S diff a.json a.json; echo status $?");
  EXPECT_NE(run.output.find(" figures differ, 0 beyond the tolerance\nstatus 0\n"),
            std::string::npos)
      << run.output;
}

TEST(DiffCommand, EveryDifferenceIsTheOneOfTheTwoResults) {
  const ProgramRun run = script("$S diff a.json half.json --format json; cat a.json half.json");
  std::istringstream in(run.output);
  Json diff, a, b;
  in >> diff >> a >> b;
  EXPECT_EQ(diff["aligned_by"], "pc");
  EXPECT_EQ(diff["aligned"], a["instructions"].size());
  EXPECT_EQ(diff["config"], Json::parse(R"([{"key": "shuffle.lanes", "a": "32", "b": "16"}])"));
  std::map<std::string, size_t> at;
  for (size_t i = 0; i < a["instructions"].size(); ++i) at[a["instructions"][i]["pc"]] = i;
  size_t found = 0;
  for (const Json& row : diff["differences"]) {
    const std::string metric = row["metric"];
    if (row["part"] == "instruction") {
      const size_t line = at.at(row["pc_a"]);
      EXPECT_EQ(row["a"], a["instructions"][line][metric]);
      EXPECT_EQ(row["b"], b["instructions"][line][metric]);
      EXPECT_EQ(row["name"], a["instructions"][line]["text"]);
      ++found;
    } else if (row["part"] == "run" && a["totals"].contains(metric)) {
      EXPECT_EQ(row["a"], a["totals"][metric]);
      EXPECT_EQ(row["b"], b["totals"][metric]);
      ++found;
    }
  }
  size_t expected = 0;  // counted in another way
  for (size_t i = 0; i < a["instructions"].size(); ++i) {
    for (const auto& [key, value] : a["instructions"][i].items())
      expected += !value.is_string() && !b["instructions"][i][key].is_string() &&
                  value != b["instructions"][i][key];
  }
  for (const auto& [key, value] : a["totals"].items()) expected += value != b["totals"][key];
  EXPECT_GT(expected, 20u);
  EXPECT_EQ(found, expected);
}

TEST(DiffCommand, ItsStatusIsWhetherAllIsWithinTheTolerances) {
  const ProgramRun run = script(
      "d() { $S diff a.json half.json --metrics \"$@\" >/dev/null; echo $?; }\n"
      "d passes; d cycles; d cycles --tolerance 1%; d cycles --tolerance cycles=50%\n"
      "d cycles --tolerance 50% --tolerance cycles=1; d 'cycles,stall_*' --tolerance 10000\n");
  EXPECT_EQ(run.output, "0\n1\n1\n0\n1\n0\n");
}

TEST(DiffCommand, AlignsTwoProgramsByTheTextOfTheirInstructions) {
  const ProgramRun run = run_script(
      "cp $T/suite/stencil_3.sass one.sass\n"
      "sed '/IADD3/s/$/\\n     MOV Rsum, Rsum/' one.sass >two.sass\n"
      "for i in one two; do $S run $i.sass --json $i.json >/dev/null; "
      "done\n"
      "$S diff one.json two.json --format json; $S diff one.json two.json");
  const Json diff = Json::parse(run.output.substr(0, run.output.find("\nA: ")), nullptr, false);
  ASSERT_FALSE(diff.is_discarded()) << run.output << run.errors;
  EXPECT_EQ(diff["aligned_by"], "text");
  EXPECT_EQ(diff["only_a"], 0);
  EXPECT_EQ(diff["only_b"], 1);
  size_t alone = 0;
  for (const Json& row : diff["differences"]) {
    if (row["part"] != "instruction" || !row["pc_a"].is_null()) continue;
    EXPECT_EQ(row["name"].get<std::string>().rfind("MOV ", 0), 0u) << row["name"];
    EXPECT_TRUE(row["a"].is_null());
    EXPECT_FALSE(row["within"]);
    ++alone;
  }
  EXPECT_GT(alone, 3u);
  EXPECT_NE(run.output.find(" by their text; 0 in A alone, 1 in B alone\n"), std::string::npos);
}

TEST(DiffCommand, TakesThePointsOfCompareAndTheRowsOfResults) {
  const ProgramRun run = run_script(
      "c() { $S compare $T/suite/fft_32.sass --network crossbar,ring --json $1.json ${2:+--set $2} "
      ">/dev/null; }\n"
      "c one; c two shuffle.lanes=16\n"
      "$S diff one.json two.json --metrics cycles --format csv; echo $?\n"
      "s() { $S sweep $T/suite/fft_32.sass --vary shuffle.network=crossbar,ring --db $1.sqlite "
      "--quiet ${2:+--set $2} >/dev/null; $S results $1.sqlite --json $1.json >/dev/null; }\n"
      "s one; s two shuffle.lanes=16; $S diff one.json two.json --metrics cycles --format csv\n");
  const std::vector<std::string> lines = test::lines_of(run.output);
  ASSERT_EQ(lines.size(), 7u) << run.output << run.errors;
  EXPECT_EQ(lines[0], "part,name,pc_a,pc_b,metric,a,b,difference,percent,within");
  EXPECT_EQ(lines[1].rfind("point,fft_32 crossbar,,,cycles,603,", 0), 0u) << lines[1];
  EXPECT_EQ(lines[2].rfind("point,fft_32 ring,,,cycles,999,", 0), 0u) << lines[2];
  EXPECT_EQ(lines[3], "1");
  EXPECT_NE(lines[5].find("shuffle.network=crossbar,,,cycles,603,"), std::string::npos) << lines[5];
  EXPECT_NE(lines[6].find("shuffle.network=ring,,,cycles,999,"), std::string::npos) << lines[6];
}

TEST(DiffCommand, RefusesListsThatAreNestedWithoutEnd) {
  const ProgramRun run = run_script(
      "deep=$(printf '[%.0s' $(seq 200000))$(printf ']%.0s' $(seq 200000))\n"
      "echo '{\"schema\": \"shflsim-compare/1\", \"points\": [{\"cycles\": '$deep'}]}' >deep.json\n"
      "$S diff deep.json deep.json; echo $?");
  EXPECT_EQ(run.output, "2\n");
  EXPECT_EQ(run.errors,
            "deep.json: is nested too deeply; expected the JSON of shflsim run, compare or "
            "results\n");
}

TEST(DiffCommand, RefusesWhatItCannotUse) {
  const ProgramRun run = script(
      "$S compare $T/suite/fft_32.sass --json points.json >/dev/null\n"
      "printf '{\\n \"schema\": nothing' >broken.json; echo '{}' >empty.json; echo 1e999 "
      ">big.json\n"
      "echo '{\"schema\": \"shflsim-run/2\"}' >hollow.json; echo '[3]' >list.json\n"
      "d() { $S diff \"$@\" 2>&1; echo \"$?\"; }\n"
      "d a.json; d a.json none.json; d a.json broken.json; d a.json empty.json; d a.json big.json\n"
      "d a.json hollow.json; d list.json a.json; d a.json points.json\n"
      "d a.json half.json --metrics cycle; d a.json half.json --tolerance passe=2%\n"
      "d a.json half.json --tolerance cycles=2x; d a.json half.json --top 0\n");
  const std::string expected = "the JSON of shflsim run, compare or results";
  EXPECT_EQ(run.output,
            "no b given; expected shflsim diff A.json B.json [options]\n2\n"
            "none.json: No such file or directory; expected " +
                expected +
                "\n2\n"
                "broken.json:2:13: no JSON from here on; expected " +
                expected +
                "\n2\n"
                "empty.json: names no schema; expected shflsim-run/2, shflsim-compare/1 or "
                "shflsim-results/1\n2\n"
                "big.json: no JSON; expected " +
                expected +
                "\n2\n"
                "hollow.json: is not as shflsim-run/2 says; expected " +
                expected +
                "\n2\n"
                "list.json: names no schema; expected shflsim-run/2, shflsim-compare/1 or "
                "shflsim-results/1\n2\n"
                "points.json: is of shflsim-compare/1; expected shflsim-run/2, as a.json\n2\n"
                "--metrics: no metric 'cycle'; did you mean 'cycles'?\n2\n"
                "--tolerance: no metric 'passe'; did you mean 'passes'?\n2\n"
                "--tolerance 'cycles=2x'; expected METRIC=2%, METRIC=10 or 2%\n2\n"
                "--top: '0' is out of range; expected 1 to 1000000\n2\n");
}

}  // namespace diff_command_test
}  // namespace shflsim::cli
