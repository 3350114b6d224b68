// SPDX-License-Identifier: Apache-2.0
// Traces through the program: a recorded trace gives the same report as the run.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/support/files.h"
#include "tests/support/random_program.h"

namespace shflsim::cli {
namespace trace_command_test {

namespace fs = std::filesystem;

/// A folder that is deleted at the end of the test.
class Folder {
 public:
  Folder() : path_(testing::TempDir() + "trace_" + std::to_string(getpid())) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  const std::string path_;
};

/// The text without the part from `first` up to `behind`: the input of a trace has another name.
std::string without(std::string text, const std::string& first, const std::string& behind) {
  const size_t from = text.find(first);
  const size_t to = text.find(behind, from);
  return from == std::string::npos ? text : text.erase(from, to - from);
}

/// The CSV without the cells that name the input.
std::string without_input(const std::string& csv, const std::string& path) {
  std::string text;
  for (const std::string& line : test::lines_of(csv))
    text += line.substr(0, line.find("," + path)) + "\n";
  return text;
}

/// Text, JSON and CSV of a run without the name of its input and its launch.
std::string reports_of(const std::string& arguments, const Folder& folder) {
  const std::string json = folder / "report.json";
  const std::string csv = folder / "report.csv";
  const ProgramRun run = run_program("run " + arguments + " --json " + json + " --csv " + csv);
  EXPECT_EQ(run.status, 0) << arguments << ": " << run.errors;
  const std::string path = arguments.substr(0, arguments.find(' '));
  return without(run.output, "  input: ", "  machine: ") +
         without(test::read_file(json), "\"input\"", "\"machine\"") +
         without_input(test::read_file(csv), path) + run.errors;
}

void expect_replay_as_run(const std::string& arguments, const std::string& options = "") {
  const Folder folder;
  const std::string trace = folder / "a.shft";
  const ProgramRun record = run_program("trace record " + arguments + " -o " + trace);
  ASSERT_EQ(record.status, 0) << arguments << ": " << record.errors;
  EXPECT_EQ(record.output, "");
  const std::string ran = reports_of(arguments + options, folder);
  EXPECT_GT(ran.size(), 1000u);
  EXPECT_EQ(reports_of(trace + options, folder), ran) << arguments;
}

/// The launch in the first lines of a file of the suite.
std::string launch_in(const std::string& path) {
  for (const std::string& line : test::lines_of(test::read_file(path))) {
    const size_t at = line.find("// launch:");
    if (at != std::string::npos) return line.substr(at + 10);
  }
  return "";
}

TEST(TraceReplay, ReportsTheSuiteAsItRuns) {
  for (const auto& entry : fs::directory_iterator(test::source_path("traces/suite"))) {
    const std::string path = entry.path().string();
    expect_replay_as_run(path + launch_in(path));
  }
}

TEST(TraceReplay, ReportsTheShippedProgramsAsTheyRun) {
  for (const auto& entry : fs::directory_iterator(test::source_path("traces"))) {
    const bool is_kernel = entry.path().stem() == "kernels.sm50";
    if (entry.path().extension() == ".sass" && !is_kernel)
      expect_replay_as_run(entry.path().string());
  }
}

TEST(TraceReplay, ReportsTheCompiledKernelsAsTheyRun) {
  for (const std::string kernel :
       {"reduce_xor", "reduce_down", "scan_inclusive", "scan_exclusive", "scan_reverse",
        "broadcast", "scan_inclusive_pred", "segments", "index_dynamic", "quad_derivatives",
        "block_reduce_min", "bitonic_sort", "grid_stride_dot", "divergent_half", "smem_shuffle",
        "stencil7"}) {
    expect_replay_as_run(test::source_path("traces/kernels.cubin") + " --kernel " + kernel +
                         " --grid 4 --block 256 --arg fill:4096:5a --arg fill:4096:cd "
                         "--arg u32:1024");
  }
}

TEST(TraceReplay, ReportsThePtxKernelsAsTheyRun) {
  for (const std::string kernel :
       {"broadcast", "broadcast_half", "up", "up_half", "down", "down_quarter", "xor_1", "xor_3",
        "reduce_xor", "reduce_down", "block_reduce_min"}) {
    expect_replay_as_run(test::source_path("traces/cuda_shuffles.ptx") + " --kernel " + kernel +
                         " --grid 2 --block 64 --arg fill:4096:5a --arg fill:4096:cd");
  }
}

TEST(TraceReplay, ReportsRandomProgramsAsTheyRun) {
  for (uint32_t seed = 2000; seed < 2020; ++seed) {
    const Folder folder;
    const std::string path = folder / "random.sass";
    std::ofstream(path) << test::random_program(seed);
    expect_replay_as_run(path + " --grid 2 --block " + std::to_string(33 + seed % 64));
  }
}

TEST(TraceReplay, TakesAnyMachine) {
  const Folder folder;
  const std::string code =
      test::source_path("traces/suite/random_gather.sass") + " --block 64 --reg Rvalue=hash";
  const std::string trace = folder / "gather.shft";
  ASSERT_EQ(run_program("trace record " + code + " -o " + trace).status, 0);
  const std::string machine =
      " --set shuffle.network=banked --set scheduler.policy=greedy_then_youngest";
  EXPECT_EQ(reports_of(trace + machine, folder), reports_of(code + machine, folder));
}

TEST(TraceReplay, ComparesAsTheCodeDoes) {
  const Folder folder;
  const std::string code = test::source_path("traces/suite/fft_32.sass");
  const std::string trace = folder / "fft.shft";
  ASSERT_EQ(run_program("trace record " + code + launch_in(code) + " -o " + trace).status, 0);
  const std::string options = " --network crossbar,ring --ports";
  const ProgramRun replayed = run_program("compare " + trace + options);
  EXPECT_EQ(replayed.status, 0) << replayed.errors;
  const std::string compared = run_program("compare " + code + options).output;
  EXPECT_EQ(without(replayed.output, "  input: ", "  speed "),
            without(compared, "  input: ", "  speed "));
}

TEST(TraceCommand, RefusesAnotherLaunch) {
  const Folder folder;
  const std::string trace = folder / "scan.shft";
  const std::string code = test::source_path("traces/scan_inclusive.sass");
  ASSERT_EQ(run_program("trace record " + code + " -o " + trace).status, 0);
  const ProgramRun run = run_program("run " + trace + " --grid 2");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors, "--grid with the trace " + trace +
                            ", which holds a launch that was executed; expected it where the trace "
                            "is recorded\n");
  EXPECT_EQ(run_program("trace dump " + trace + " --block 7").status, 2);
  EXPECT_EQ(run_program("check " + trace).errors,
            trace + ": is a trace (shft); expected code for check\n");
}

TEST(TraceCommand, TellsAndDumpsWhatATraceHolds) {
  const Folder folder;
  const std::string trace = folder / "scan.shft";
  const std::string code = test::source_path("traces/scan_inclusive.sass");
  ASSERT_EQ(run_program("trace record " + code + " --grid 2 --block 40 -o " + trace).status, 0);
  const std::string info = run_program("trace info " + trace).output;
  EXPECT_NE(info.find("\nwarps               4\n"), std::string::npos) << info;
  EXPECT_NE(info.find("\nwarp instructions   44\n"), std::string::npos) << info;
  EXPECT_NE(info.find("\nshuffles            20\n"), std::string::npos) << info;
  EXPECT_EQ(run_program("trace dump " + trace + " --block 1 --warp 1 --first 1 --count 1").output,
            "block 1 warp 1\n       1 0x0010 000000fe @P1 FADD R1, R0, R1\n");
}

TEST(TraceCommand, RunsAndConvertsAccelSimTraces) {
  const Folder folder;
  const std::string list = test::data_path("accel_sim/kernelslist.g");
  const std::string shft = folder / "kernel.shft";
  const std::string options = " --kernel kernel-1 --unknown-lanes xor";
  ASSERT_EQ(run_program("trace convert " + list + options + " -o " + shft).status, 0);
  const std::string report = reports_of(list + options, folder);
  EXPECT_NE(report.find("xor was taken for 4 warp instructions"), std::string::npos) << report;
  EXPECT_EQ(reports_of(shft, folder), report);
  const std::string text = folder / "again.traceg";
  ASSERT_EQ(run_program("trace convert " + shft + " -o " + text).status, 0);
  EXPECT_EQ(test::read_file(text), test::read_file(test::data_path("accel_sim/kernel-1.traceg")));
}

TEST(TraceCommand, ConvertsATraceIntoItself) {
  const Folder folder;
  const std::string first = folder / "first.shft";
  const std::string second = folder / "second.shft";
  const std::string code = test::source_path("traces/suite/block_scan.sass");
  ASSERT_EQ(run_program("trace record " + code + launch_in(code) + " -o " + first).status, 0);
  ASSERT_EQ(run_program("trace convert " + first + " -o " + second).status, 0);
  EXPECT_EQ(reports_of(second, folder), reports_of(first, folder));
}

}  // namespace trace_command_test
}  // namespace shflsim::cli
