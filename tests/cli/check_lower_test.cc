// SPDX-License-Identifier: Apache-2.0
// check and lower, called as a user calls them.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace check_lower_test {

std::string file_with(const std::string& name, const std::string& text) {
  const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string path = testing::TempDir() + test + "." + name;  // tests run side by side
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

/// The second kernel reads from lane 31 while only the first half of the warp executes.
const char* const kTwoKernels =
    ".version 6.0\n.target sm_50\n"
    ".entry first() { .reg .b32 %r<3>; .reg .pred %p;\n"
    "mov.u32 %r0, %laneid; shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;\n"
    "setp.eq.u32 %p, %r1, 77; @%p bra done; done: ret; }\n"
    ".entry second() { .reg .b32 %r<3>; .reg .pred %p; mov.u32 %r0, %laneid;\n"
    "setp.lt.u32 %p, %r0, 16; @%p shfl.idx.b32 %r1, %r0, 31, 31; ret; }\n";
const char* const kFinding =
    "second:0x0018: @P0 SHFL.IDX PT, R1, R0, 0x1f, 0x1f: reads from a lane that does not execute "
    "the shuffle (block 0, warp 0, lanes 0-15, mask 0x0000ffff)\n";

TEST(CheckCommand, RunsTheExampleOfItsHelp) {
  const ProgramRun help = run_program("check --help");
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.output.find("  shflsim check traces/scan_inclusive.sass --reg Rsum=lane\n"),
            std::string::npos);
  const ProgramRun run =
      run_program("check " + test::source_path("traces/scan_inclusive.sass") + " --reg Rsum=lane");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output, "  input: " + test::source_path("traces/scan_inclusive.sass") +
                            "\n  launch: --reg Rsum=lane\nkernels: 1, findings: 0\n");
}

TEST(CheckCommand, ChecksEveryKernelOfAFileOrTheOneThatIsNamed) {
  const std::string path = file_with("check_all.ptx", kTwoKernels);
  const ProgramRun all = run_program("check " + path);
  EXPECT_EQ(all.status, 1);
  EXPECT_NE(all.output.find(kFinding), std::string::npos) << all.output;
  const ProgramRun first = run_program("check " + path + " --kernel first");
  EXPECT_EQ(first.status, 0);
  EXPECT_EQ(first.output, "  input: " + path + ":first\nkernels: 1, findings: 0\n");
}

TEST(CheckCommand, WritesItsFindingsAsJson) {
  const std::string path = file_with("check_json.ptx", kTwoKernels);
  const std::string out = testing::TempDir() + "check_findings.json";
  EXPECT_EQ(run_program("check " + path + " --kernel second --json " + out).status, 1);
  const auto json = nlohmann::json::parse(test::read_file(out));
  EXPECT_EQ(json["schema"], "shflsim-check/1");
  EXPECT_EQ(json["input"], path + ":second");
  const auto& found = json["findings"];
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NE(found[0]["what"].get<std::string>().find("deprecated"), std::string::npos);
  EXPECT_EQ(found[1]["kernel"], "second");
  EXPECT_EQ(found[1]["pc"], "0x0018");
  EXPECT_EQ(found[1]["warp"], 0);
  EXPECT_EQ(found[1]["lanes"].size(), 16u);
  EXPECT_EQ(run_program("check " + path + " --kernel first --json " + out).status, 0);
  EXPECT_EQ(nlohmann::json::parse(test::read_file(out))["findings"], nlohmann::json::array());
}

struct Refused {
  const char* arguments;
  const char* error;  ///< the first words
};
constexpr Refused kRefused[] = {
    {"check", "no input given; expected shflsim check FILE [options]"},
    {"check /no/such/file", "/no/such/file: No such file"},
    {"check --jsn x", "unknown option '--jsn'; did you mean '--json'?"},
    {"lower", "no call given; expected shflsim lower 'CALL' [options]"},
    {"lower '__shfl_sync(0xffffffff, v, 2, 12)'",
     "width 12 does not split a warp into equal parts; expected 1, 2, 4, 8, 16 or 32"},
    {"lower '__shfl_sync(0xffffffff, v, 2, warpSize/0)'", "width 'warpSize/0' cannot be used"},
    {"lower '__shfl_dwn_sync(-1, v, 2)'",
     "unknown function '__shfl_dwn_sync'; did you mean '__shfl_down_sync'?"},
    {"lower '__shfl_sync(0xffffffff, v)'", "__shfl_sync with 2 arguments; expected mask, value"},
    {"lower '__shfl_sync(0xffffffff, v, 2'", "'__shfl_sync(0xffffffff, v, 2' does not end"},
    {"lower '__shfl_sync(0x1ffffffff, v, 2)'", "mask '0x1ffffffff' cannot be used"},
    {"lower '__shfl_sync(0xffffffff, 2v, 2)'", "value '2v' cannot be used"},
    {"lower --type doubel '__shfl_sync(0xffffffff, v, 2)'",
     "--type 'doubel'; did you mean 'double'?"},
};

class Refusal : public testing::TestWithParam<Refused> {};

TEST_P(Refusal, IsOneLineAndStatusTwo) {
  const ProgramRun run = run_program(GetParam().arguments);
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.errors.substr(0, std::string(GetParam().error).size()), GetParam().error);
  EXPECT_EQ(test::lines_of(run.errors).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Each, Refusal, testing::ValuesIn(kRefused));

TEST(LowerCommand, TakesCallsAsTheyStandInSources) {
  const std::string plain = run_program("lower '__shfl_xor_sync(0xffffffff, v, 16)'").output;
  for (const char* call :
       {"__shfl_xor_sync(0xFFFFFFFFu, v, 16)", "__shfl_xor_sync(-1, v, 16)",
        "__shfl_xor_sync(~0, v, 16U)", "__shfl_xor_sync(~0u, v, 16, 32)",
        "__shfl_xor_sync(FULL_MASK, v, warpSize/2)", "w = __shfl_xor_sync(0xffffffff, v, 16);",
        "  float w=__shfl_xor_sync(0xffffffffUL, v, 16) ;"}) {
    EXPECT_EQ(run_program("lower '" + std::string(call) + "'").output, plain) << call;
  }
  EXPECT_EQ(run_program("lower '__shfl_sync(~0xffff0000, v, 1)'").output,
            run_program("lower '__shfl_sync(0xffff, v, 1)'").output);
}

TEST(LowerCommand, PrintsPtxWordAndLanes) {
  const ProgramRun run = run_program("lower '__shfl_down_sync(0xffffffff, v, 3, 8)'");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output,
            "shfl.sync.down.b32 v_out|in_range, v, 0x3, 0x181f, 0xffffffff;\n\n"
            "ef10607cb0370001  SHFL.DOWN P0, R1, R0, 0x3, 0x181f\n\n"
            "lane    0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15\n"
            "source  3   4   5   6   7   5=  6=  7= 11  12  13  14  15  13= 14= 15=\n"
            "lane   16  17  18  19  20  21  22  23  24  25  26  27  28  29  30  31\n"
            "source 19  20  21  22  23  21= 22= 23= 27  28  29  30  31  29= 30= 31=\n"
            "- not in the mask; = out of range: keeps its own value; ? undefined: reads from a "
            "lane outside the mask\n");
}

struct Function {
  const char* name;
  const char* opcode;
  unsigned clamp;
};

/// Expects `expected` instructions with the function's opcode, each with its width in the operand.
void expect_lowered(const Function& function, unsigned width, const std::string& type,
                    size_t expected) {
  char operand[48];
  std::snprintf(operand, sizeof operand, "0x1, 0x%x\n", (32 - width) << 8 | function.clamp);
  const std::string call = "lower --type " + type + " '" + function.name + "(0xffffffff, v, 1, " +
                           std::to_string(width) + ")'";
  const ProgramRun run = run_program(call);
  ASSERT_EQ(run.status, 0) << run.errors;
  size_t count = 0;
  for (const std::string& line : test::lines_of(run.output)) {
    if (line.find(function.opcode) == std::string::npos) continue;
    ++count;
    EXPECT_NE((line + "\n").find(operand), std::string::npos) << line;
  }
  EXPECT_EQ(count, expected) << call;
}

/// The segment mask is in the operand, and a value of 64 bits takes two shuffles.
TEST(LowerCommand, TakesEveryFunctionWidthAndSize) {
  for (const Function& function :
       {Function{"__shfl_sync", "SHFL.IDX ", 31}, Function{"__shfl_up_sync", "SHFL.UP ", 0},
        Function{"__shfl_down_sync", "SHFL.DOWN ", 31},
        Function{"__shfl_xor_sync", "SHFL.BFLY ", 31}}) {
    for (unsigned width = 1; width <= 32; width *= 2) {
      expect_lowered(function, width, "float", 1);
      expect_lowered(function, width, "'unsigned long long'", 2);
    }
  }
}

}  // namespace check_lower_test
}  // namespace shflsim::cli
