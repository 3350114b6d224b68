// SPDX-License-Identifier: Apache-2.0
// `shflsim compare` and `shflsim explain`, called as a user does.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace compare_command_test {

std::string suite(const std::string& name) {
  return " " + test::source_path("traces/suite/" + name + ".sass") + " ";
}

/// A file that is deleted at the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name) : path_(testing::TempDir() + name) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }
  std::string text() const { return test::read_file(path_); }

 private:
  std::string path_;
};

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(CompareCommand, RunsTheSuiteOnEveryNetwork) {
  const std::string networks = run_program("list networks --format csv").output;
  const size_t network_count = test::lines_of(networks).size() - 1;
  const TemporaryFile csv("compare_suite.csv");
  const ProgramRun run = run_program("compare " + test::source_path("traces/suite/*.sass") +
                                     " --network all --pareto cycles,mux2 --csv " + csv.path());
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(test::lines_of(csv.text()).size(), 1 + 18 * network_count);
  EXPECT_NE(run.output.find("Designs over 18 workloads (speedup: geometric mean against crossbar)"),
            std::string::npos);
  EXPECT_NE(run.output.find("no difference, in cycles, passes or any instruction's stalls: "),
            std::string::npos);
}

TEST(CompareCommand, LetsTheCommandLineReplaceAnInputsOwnLaunch) {
  const ProgramRun own = run_program("compare" + suite("fft_32"));
  EXPECT_NE(own.output.find("fft_32: grid 1, block 256"), std::string::npos) << own.errors;
  const ProgramRun other = run_program("compare" + suite("fft_32") + "--warps 1");
  EXPECT_NE(other.output.find("fft_32: grid 1, block 32\n"), std::string::npos) << other.errors;
}

TEST(CompareCommand, ComparesAMachineWithItselfButForSomeValues) {
  const TemporaryFile csv("compare_design.csv");
  const ProgramRun run = run_program(
      "compare" + suite("fft_32") +
      "--design half=shuffle.lanes=16 --design slow=shuffle.latency=40,shuffle.pipelined=0 "
      "--design same=global_memory.chip_bytes=100 --csv " +
      csv.path());
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.errors, "same differs in nothing from gm107\n");
  const std::vector<std::string> rows = test::lines_of(csv.text());
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[1].rfind("fft_32,gm107,", 0), 0u) << rows[1];
  EXPECT_EQ(rows[2].rfind("fft_32,half,", 0), 0u) << rows[2];
  EXPECT_EQ(rows[3].rfind("fft_32,slow,", 0), 0u) << rows[3];
  const ProgramRun set = run_program("run" + suite("fft_32") + "--set shuffle.lanes=16");
  const std::string cycles = test::fields_of(rows[2], ',').at(2);
  EXPECT_NE(set.output.find(" " + cycles + " cycles"), std::string::npos) << cycles;
}

TEST(CompareCommand, U3_3AnOverlayOfAnyFolderIsPutOverTheMachineInFrontOfIt) {
  const TemporaryFile overlay("compare_l8.cfg");
  std::ofstream(overlay.path()) << "[shuffle]\nlanes = 8\n";
  const TemporaryFile csv("compare_overlay.csv");
  const auto designs = [&](const std::string& configs) {
    const ProgramRun run =
        run_program("compare" + suite("stencil_3") + configs + " --csv " + csv.path());
    EXPECT_EQ(run.status, 0) << run.errors;
    std::vector<std::string> rows = test::lines_of(csv.text());
    std::vector<std::string> names;
    for (size_t row = 1; row < rows.size(); ++row)
      names.push_back(test::fields_of(rows[row], ',').at(1));
    return names;
  };
  using Names = std::vector<std::string>;
  const std::string both = "gm107+" + overlay.path();
  EXPECT_EQ(designs("--config gm107 --config " + overlay.path()), Names{both});
  EXPECT_EQ(designs("--config gm107 --config " + both), (Names{"gm107", both}));
  EXPECT_EQ(designs("--config gm107 --config gh100 --config " + overlay.path()),
            (Names{"gm107", "gh100+" + overlay.path()}));
}

TEST(CompareCommand, U3_3AConfigOfAnyFolderIncludesAShippedOne) {
  const TemporaryFile config("compare_mine.cfg");
  for (const char* name : {"gm107", "gm107.cfg"}) {
    std::ofstream(config.path()) << "include = " << name << "\n[shuffle]\nlanes = 8\n";
    const ProgramRun mine = run_program("run" + suite("stencil_3") + "--config " + config.path());
    EXPECT_EQ(mine.status, 0) << mine.errors;
    EXPECT_NE(mine.output.find("  machine: " + config.path() + ", network crossbar; "),
              std::string::npos);
  }
}

TEST(CompareCommand, U3_3ConfigMeansTheSameInRun) {
  const TemporaryFile overlay("run_l8.cfg");
  std::ofstream(overlay.path()) << "[shuffle]\nlanes = 8\n";
  const std::string both = "gm107+" + overlay.path();
  const ProgramRun joined = run_program("run" + suite("stencil_3") + "--config " + both);
  const ProgramRun layered =
      run_program("run" + suite("stencil_3") + "--config gm107 --config " + overlay.path());
  EXPECT_EQ(joined.output, layered.output);
  EXPECT_NE(joined.output.find("  machine: " + both + ", network crossbar; "), std::string::npos);
  const ProgramRun two = run_program("run" + suite("stencil_3") + "--config gm107 --config gh100");
  EXPECT_EQ(two.status, 2);
  EXPECT_EQ(two.errors,
            "--config gh100 is a machine of its own beside gm107; expected one machine here, or "
            "shflsim compare\n");
  const ProgramRun alone = run_program("run" + suite("stencil_3") + "--config " + overlay.path());
  EXPECT_EQ(alone.status, 2);
  EXPECT_EQ(alone.errors.rfind("no config sets '", 0), 0u) << alone.errors;
}

TEST(CompareCommand, U2dComparesProgramsOnEachMachine) {
  const ProgramRun run = run_program("compare" + suite("reduce_down") + suite("scan_inclusive") +
                                     "--programs --config gm107 --config gh100");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_NE(run.output.find("  launch: --block 256 --reg Rvalue=hash\n"), std::string::npos);
  EXPECT_NE(run.output.find("\nPrograms on gm107; to 1: "), std::string::npos);
  EXPECT_NE(run.output.find("\nPrograms on gh100; to 1: "), std::string::npos);
  EXPECT_NE(run.output.find("  remark: gh100: code of SPA 5.0 on a machine of Volta or later\n"),
            std::string::npos);
}

TEST(CompareCommand, TopShowsTheFirstDesigns) {
  const ProgramRun run =
      run_program("compare" + suite("stencil_9") + "--network all --sort cycles --top 3");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_NE(run.output.find(" more designs\n"), std::string::npos);
  EXPECT_EQ(run.output.find("  ring "), std::string::npos) << run.output;
}

TEST(CompareCommand, RefusesWhatItCannotUse) {
  const std::string input = "compare" + suite("stencil_3");
  const char* const cases[][2] = {
      {"--network foo", "'foo' is unknown"},
      {"--network ''", "expected names with commas, or all"},
      {"--pareto cycles", "expected two figures"},
      {"--pareto cycles,mux", "no figure 'mux'"},
      {"--jobs 0", "expected 1 to 1000"},
      {"--top -1", "expected 1 to 1000"},
      {"--lines 0", "expected 1 to 1000"},
      {"--sort muxes", "--sort: no figure 'muxes'; known: cycles, "},
      {"--config gm1", "no config 'gm1'"},
      {"--set shuffle.cluster=3", "expected a power of two from 1 to 4"},
      {"--design half", "expected NAME=KEY=VALUE,KEY=VALUE"},
      {"--design half=16", "--design '16' is no setting"},
      {"--design half=shuffle.lane=16", "unknown key 'shuffle.lane'"},
  };
  for (const auto& [arguments, message] : cases) {
    const ProgramRun run = run_program(input + arguments);
    EXPECT_EQ(run.status, 2) << arguments;
    EXPECT_NE(run.errors.find(message), std::string::npos) << arguments << ": " << run.errors;
    EXPECT_EQ(count_of(run.errors, "\n"), 1u) << arguments;
    EXPECT_EQ(run.output, "") << arguments;
  }
}

TEST(ExplainCommand, PrintsAndDrawsAShuffle) {
  const TemporaryFile svg("explain.svg");
  const ProgramRun run = run_program(
      "explain 'SHFL.IDX P0, R1, R0, R2, R3' --sb 'lane*5%32' --sc 0x181f --lanes 0xff --svg " +
      svg.path());
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_NE(run.output.find("segments  4 of 8 lanes"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("   3 <==  7  true"), std::string::npos) << run.output;
  EXPECT_EQ(count_of(svg.text(), "marker-end"), 8u);
}

TEST(ExplainCommand, shows_a_shuffle_of_sm_90_by_its_word_of_128_bits) {
  const ProgramRun run =
      run_program("explain --arch sm_90 'SHFL.DOWN PT, R1, R0, 0x4, 0x1f' --network banked");
  EXPECT_EQ(run.status, 0) << run.output;
  const std::string encoded =
      run_program("encode --arch sm_90 'SHFL.DOWN PT, R1, R0, 0x4, 0x1f'").output;
  EXPECT_NE(run.output.find("  word      " + encoded), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("shfl.sync.down.b32 %r1, %r0, 0x4, 0x1f"), std::string::npos);
  EXPECT_EQ(run_program("explain stall mio_throttle --arch sm_90").status, 2);
}

TEST(ExplainCommand, U2gShowsTheNetworksThatAreAskedFor) {
  const ProgramRun run =
      run_program("explain 'SHFL.BFLY PT, R1, R0, 0x10, 0x1f' --network banked,ring");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_NE(run.output.find("\n  banked "), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("\n  ring "), std::string::npos);
  EXPECT_EQ(run.output.find("\n  crossbar "), std::string::npos);
}

TEST(ExplainCommand, Point18SaysWhatAStallAMetricOrAParameterIs) {
  const std::string stall = run_program("explain stall mio_throttle").output;
  EXPECT_EQ(stall.rfind("  mio_throttle: a warp-cycle in which the warp ", 0), 0u) << stall;
  const std::string metric = run_program("explain metric port_conflicts").output;
  EXPECT_NE(metric.find("port_conflicts of a run, in lanes: "), std::string::npos) << metric;
  EXPECT_NE(metric.find("port_conflicts of an instruction, in lanes: "), std::string::npos);
  const std::string parameter =
      run_program("explain parameter shuffle.lanes --set shuffle.lanes=8").output;
  EXPECT_NE(parameter.find("  on gm107: 8, command line: set by the user\n"), std::string::npos)
      << parameter;
  EXPECT_NE(parameter.find("  range: "), std::string::npos);
}

TEST(ExplainCommand, ExplainsTheShufflesOfAFileAsItExplainsEachAlone) {
  const ProgramRun run = run_script(
      R"(cat >many <<'end'
{"text": "SHFL.IDX P0, R1, R0, R2, 0x1f", "sb": "lane*5%32", "networks": ["ring", "banked"]}
{"text": "SHFL.UP PT, R1, R0, R2, R3", "sb": "lane", "sc": "0x1800", "lanes": "0xff", "arch": "sm_90"}
end
$S explain --many many --set shuffle.banked.banks=4 >all
($S explain 'SHFL.IDX P0, R1, R0, R2, 0x1f' --sb 'lane*5%32' --network ring,banked \
  --set shuffle.banked.banks=4 --format json
$S explain 'SHFL.UP PT, R1, R0, R2, R3' --sb lane --sc 0x1800 --lanes 0xff --arch sm_90 \
  --set shuffle.banked.banks=4 --format json) | /usr/bin/python3 -c 'import json, sys
text, read = sys.stdin.read(), json.JSONDecoder().raw_decode
while text.strip():
    one, end = read(text); text = text[end:].lstrip()
    print(json.dumps(one, separators=(",", ":")))' >each
wc -l <all; cmp all each)");
  EXPECT_EQ(run.output, "2\n");
  EXPECT_EQ(run.errors, "");
}

TEST(ExplainCommand, ThePassesThatItTellsDeliverEachLaneOnce) {
  const ProgramRun run = run_program(
      "explain 'SHFL.IDX PT, R1, R0, R2, 0x1f' --sb 'lane*5%32' --network half_inputs --format "
      "json");
  EXPECT_NE(run.output.find("\"segments\": \"1 of 32 lanes\""), std::string::npos) << run.output;
  EXPECT_EQ(count_of(run.output, "\"through_memory\": false"), 2u);  // 16 lanes per pass
  EXPECT_EQ(count_of(run.output, "\"port\": "), 32u);
  EXPECT_EQ(count_of(run.output, "\"port\": \"input bus 15\""), 2u);
}

TEST(ExplainCommand, NamesTheLineOfAShuffleThatCannotBeRead) {
  const ProgramRun run = run_script(
      R"(for line in '{"text": "FADD R1, R2, R3"}' '{"txt": "X"}' '{' '[]' '{}' '{"text": 3}'; do
  (echo '{"text": "SHFL.UP PT, R1, R0, 1, 0"}'; echo "$line") >many
  $S explain --many many 2>&1; echo $?
done
$S explain --many many --sb lane 2>&1; $S explain --many many 'SHFL' 2>&1)");
  const std::string expected =
      "expected an object such as {\"text\": \"SHFL.IDX P0, R1, R0, R2, 0x1f\", \"sb\": "
      "\"lane^1\"}";
  EXPECT_EQ(run.output,
            "many:2: 'FADD R1, R2, R3' is no SHFL; expected one such as SHFL.IDX PT, R1, R0, 5, "
            "0x1f\n2\nmany:2: 'txt'; did you mean 'text'?\n2\nmany:2: no such object; " +
                expected + "\n2\nmany:2: no object; " + expected + "\n2\nmany:2: no 'text'; " +
                expected + "\n2\nmany:2: no such object; " + expected +
                "\n2\n--sb with --many; expected it on the lines of the file\n"
                "SHFL with --many; expected it on the lines of the file\n");
}

TEST(ExplainCommand, RefusesWhatItCannotUse) {
  const char* const cases[][2] = {
      {"'FADD R1, R2, R3'", "is no SHFL"},
      {"'SHFL.IDX PT, R1, R0, R2, 0x1f'", "R2 is not known"},
      {"'SHFL.IDX PT, R1, R0, 0x2, 0x1f' --sb 4", "the operand is no register"},
      {"stall mio_throtle", "no stall 'mio_throtle'; did you mean 'mio_throttle'?"},
      {"metric port_conflict", "did you mean 'port_conflicts'?"},
      {"parameter shuffle.lane", "did you mean 'shuffle.lanes'?"},
      {"stall", "explain stall of what?"},
      {"'SHFL.BFLY PT, R1, R0, 1, 0x1f' --network rings", "did you mean 'ring'?"},
      {"'SHFL.IDX PT, R1, R0, R2, 0x1f' --sb lane/0", "divides by 0"},
      {"'SHFL.IDX PT, R1, R0, R2, 0x1f' --sb 1,2", "2 numbers; expected 32"},
      {"'SHFL.IDX PT, R1, R0, R2, 0x1f' --sb lane+", "is no pattern"},
      {"'SHFL.IDX PT, R1, R0, 0x2, 0x1f' --lanes 0x1ffffffff", "is no"},
  };
  for (const auto& [arguments, message] : cases) {
    const ProgramRun run = run_program(std::string("explain ") + arguments);
    EXPECT_EQ(run.status, 2) << arguments;
    EXPECT_NE(run.errors.find(message), std::string::npos) << arguments << ": " << run.errors;
  }
}

}  // namespace compare_command_test
}  // namespace shflsim::cli
