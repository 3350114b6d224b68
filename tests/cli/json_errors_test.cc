// SPDX-License-Identifier: Apache-2.0
// With `--format json` a failing command writes one JSON document to standard error.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.h"

namespace shflsim::cli {
namespace json_errors_test {

using Json = nlohmann::json;

/// The errors of the script's only call of the program, which has to exit with `status`.
Json errors_of(const std::string& script, int status) {
  const ProgramRun run = run_script(script);
  EXPECT_EQ(run.status, status) << script;
  EXPECT_EQ(run.output, "") << script;
  Json json = Json::parse(run.errors, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << script << "\n" << run.errors;
  if (json.is_discarded()) return {};
  EXPECT_EQ(json["schema"], "shflsim-errors/1");
  return json;
}

TEST(JsonErrors, HaveTheFileTheLineAndTheColumn) {
  const Json json = errors_of(
      "printf ' FAAD R1, R2, R3\\n FADD R1, R2\\n' >a.sass; $S run a.sass --format json", 2);
  EXPECT_EQ(json["errors"], Json::parse(R"([
    {"file": "a.sass", "line": 1, "column": 2,
     "what": "unknown opcode 'FAAD'; did you mean 'FADD'?"},
    {"file": "a.sass", "line": 2, "column": 13, "what": "cannot read the operands of FADD",
     "expected": "','"}])"));
}

TEST(JsonErrors, AreThoseOfEveryCommandThatHasTheOption) {
  for (const char* command : {"run", "compare", "check", "accuracy x", "verify", "trace info"}) {
    const Json json = errors_of("$S " + std::string(command) + " /none --format json", 2);
    EXPECT_EQ(json["errors"].size(), 1u) << command;
  }
  errors_of("$S explain SHFL.X --format=json", 2);
  errors_of("$S list netwroks --format json", 2);
}

TEST(JsonErrors, AreThoseOfTheCommandLineToo) {
  for (const char* arguments :
       {"run --fromat x --format json", "--format json run", "--format=json nun", "--format json",
        "run --format json --quiet --verbose a", "run a --format json --set x"}) {
    errors_of("$S " + std::string(arguments), 2);
  }
  errors_of("echo --format json run >words; $S @words", 2);
}

TEST(JsonErrors, AreLinesWhereOtherThanJsonIsAskedFor) {
  for (const char* arguments : {"list x --format csv", "list x -- --format json", "list x"}) {
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.errors.find('{'), std::string::npos) << run.errors;
  }
}

TEST(JsonErrors, HoldTheRemarksThatWereMadeBefore) {
  const std::string make =
      "$S trace record $T/suite/bitonic_sort.sass -o a.shft && $S trace convert a.shft -o "
      "a.traceg\n"
      "sed -i 's/^-nregs = .*/-nregs = 21955/' a.traceg; $S run a.traceg --format json ";
  const Json json = errors_of(make + "--set sm.registers=1024", 2);
  ASSERT_EQ(json.value("remarks", Json::array()).size(), 1u) << json;
  EXPECT_NE(json["remarks"][0].get<std::string>().find("-nregs = 21955"), std::string::npos);
  const ProgramRun fine = run_script(make + ">/dev/null");
  EXPECT_EQ(fine.status, 0);
  EXPECT_NE(fine.errors.find("a.traceg: warning: -nregs = 21955"), std::string::npos)
      << fine.errors;
}

TEST(JsonErrors, SayThatMemoryIsOutAndWhatTheSystemRefuses) {
  const Json folder = errors_of("mkdir f; $S run $T/scan_inclusive.sass --json f --format json", 2);
  EXPECT_EQ(folder["errors"].size(), 1u);
  if (has_sanitizer()) GTEST_SKIP() << "needs a limit of memory";
  const Json memory = errors_of(
      "ulimit -v 400000; $S run $T/scan_inclusive.sass --reg Rsum=1.0 --grid 2147483647 "
      "--format json",
      2);
  EXPECT_EQ(memory["errors"].size(), 1u);
}

/// Seven warps; each barrier waits for three.
TEST(JsonErrors, SayWhatEveryWarpWaitsForWhereTheModelStandsStill) {
  const Json json = errors_of(
      "zcat $T/../tests/data/h200/bench.sm90.cuobjdump.txt.gz |"
      " sed '/BAR.SYNC/s/0x0000000000007b1d/0x0041800000007b1d/' |"  // 0x0 becomes 0x1, 0x60
      " $S run - --kernel alg_block_reduce --region clock --warps 7 --format json",
      3);
  const std::string what = json["errors"][0]["what"];
  EXPECT_EQ(what.find("no progress; every resident warp waits:\nblock 0 warp"), 0u) << what;
  EXPECT_NE(what.back(), '\n');
}

}  // namespace json_errors_test
}  // namespace shflsim::cli
