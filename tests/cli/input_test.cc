// SPDX-License-Identifier: Apache-2.0
// Every command takes every kind of input, or says by name why not, and on the same machine.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace input_test {

using Json = nlohmann::ordered_json;

const std::string kTrace = test::source_path("tests/data/accel_sim/version5.traceg");
const std::string kListing = test::source_path("tests/data/h200/bench.sm90.cuobjdump.txt.gz");
const std::string kRegion = kListing + " --region clock --kernel mix_shfl_ffma_1_1";
const std::string kCode = test::source_path("traces/suite/fft_32.sass");
const std::string kList = test::source_path("tests/data/accel_sim/kernelslist.g");

class InputTest : public testing::Test {
 protected:
  InputTest() { std::filesystem::create_directories(folder_); }
  ~InputTest() override { std::filesystem::remove_all(folder_); }

  Json json_of(const std::string& arguments) const {
    const std::string path = folder_ + "/out.json";
    const ProgramRun run = run_program(arguments + " --json " + path);
    EXPECT_EQ(run.status, 0) << arguments << ": " << run.errors;
    return Json::parse(test::read_file(path));
  }
  std::string config_of(const Json& run, const std::string& key) const {
    for (const Json& value : run["config"]) {
      if (value["key"] == key) return value["value"];
    }
    return "";
  }

  const std::string folder_ = testing::TempDir() + "input_" + std::to_string(getpid());
};

TEST_F(InputTest, F3RunAndCompareTimeAnInputOnTheSameMachine) {
  for (const std::string& input : {kTrace, kRegion, kCode, kList + ":kernel-1"}) {
    const Json run = json_of("run " + input);
    const Json compare = json_of("compare " + input);
    EXPECT_EQ(compare["points"][0]["cycles"], run["totals"]["cycles"]) << input;
  }
}

TEST_F(InputTest, F1CompareAgreesWithRunOnEveryTotal) {
  for (const std::string& input : {kTrace, kRegion, kCode}) {
    const Json totals = json_of("run " + input)["totals"];
    const Json point = json_of("compare " + input)["points"][0];
    for (const auto& [key, value] : totals.items()) EXPECT_EQ(point[key], value) << input << key;
    EXPECT_TRUE(totals.contains("undefined_reads"));
  }
}

TEST_F(InputTest, F3SaysWhichMachineWhereItIsNotTheDefaultOne) {
  for (const char* verb : {"run ", "compare "}) {
    EXPECT_EQ(run_program(verb + kTrace).errors,
              "timed on ga102, the input's own; --config chooses another\n");
    EXPECT_EQ(run_program(verb + kCode).errors, "");
    EXPECT_EQ(run_program(verb + kTrace + " --config gm107").errors, "");
  }
}

TEST_F(InputTest, U2kEveryOutputSaysWhatItIsOfAndOnWhichMachine) {
  const std::string settings = " --config gm107 --set shuffle.lanes=16 --warps 4";
  const Json run = json_of("run " + kCode + settings);
  EXPECT_EQ(run["input"], kCode);
  EXPECT_EQ(run["arguments"], Json::parse(R"(["--warps 4", "--reg Rvalue=hash"])"));
  EXPECT_EQ(run["machine"]["name"], "gm107");
  EXPECT_EQ(run["machine"]["overrides"], Json::parse(R"(["shuffle.lanes=16"])"));
  const Json compare = json_of("compare " + kCode + settings);
  EXPECT_EQ(compare["schema"], "shflsim-compare/1");
  EXPECT_EQ(compare["inputs"][0]["input"], run["input"]);
  EXPECT_EQ(compare["inputs"][0]["arguments"], run["arguments"]);
  EXPECT_EQ(compare["inputs"][0]["launch"], run["launch"]);
  EXPECT_EQ(compare["designs"][0]["machine"], run["machine"]);
  EXPECT_EQ(compare["config"], run["config"]);
  const std::string head = "  input: " + kCode +
                           "\n  launch: --warps 4 --reg Rvalue=hash\n"
                           "  machine: gm107, network crossbar, shuffle.lanes=16; ";
  EXPECT_NE(run_program("run " + kCode + settings).output.find(head), std::string::npos);
}

TEST_F(InputTest, U3_4RunAndCompareSayThatLanesWereGuessed) {
  const std::string remark =
      "lanes are guessed where the trace does not say which ones a SHFL reads; --unknown-lanes "
      "chooses how";
  EXPECT_EQ(json_of("run " + kTrace)["remarks"][0], remark);
  EXPECT_EQ(json_of("compare " + kTrace)["inputs"][0]["remarks"][0], remark);
  for (const char* verb : {"run ", "compare "})
    EXPECT_NE(run_program(verb + kTrace).output.find("  remark: lanes are guessed where"),
              std::string::npos);
}

TEST_F(InputTest, U2iALoweredProgramSaysSoAlsoAsATrace) {
  const std::string ptx = folder_ + "/one.ptx";
  std::ofstream(ptx) << "shfl.sync.bfly.b32 %r1, %r0, 0x10, 0x1f, 0xffffffff;\n";
  const Json run = json_of("run " + ptx);
  ASSERT_EQ(run["remarks"].size(), 1u);
  EXPECT_EQ(run["remarks"][0].get<std::string>().rfind("lowered from PTX by shflsim ", 0), 0u);
  ASSERT_EQ(run_program("trace record " + ptx + " -o " + folder_ + "/one.shft").status, 0);
  EXPECT_EQ(json_of("run " + folder_ + "/one.shft")["remarks"], run["remarks"]);
}

TEST_F(InputTest, F3InputsOfTwoMachinesNeedAConfig) {
  const ProgramRun run = run_program("compare " + kCode + " " + kTrace);
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors, kTrace + ": is of ga102, but " + kCode +
                            " is of gm107; expected --config to choose one machine for both\n");
  EXPECT_EQ(run_program("compare " + kCode + " " + kTrace + " --config gm107").status, 0);
}

TEST_F(InputTest, ABinaryVersionOfNoKnownMachineIsAnErrorThatNamesThem) {
  const std::string trace = folder_ + "/later.traceg";
  std::ofstream(trace) << std::regex_replace(test::read_file(kTrace), std::regex("version = 86"),
                                             "version = 130");
  const ProgramRun run = run_program("run " + trace);
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors,
            trace +
                ": is of binary version 130, of which no machine is known (50, 52, 60, "
                "61, 70, 72, 75, 80, 86, 89, 90, 100, 120 are); expected --config with one of "
                "`shflsim list configs`\n");
  EXPECT_EQ(run_program("run " + trace + " --config gh100").status, 0);
}

TEST_F(InputTest, F5SmsActOnEveryKindOfInput) {
  EXPECT_EQ(json_of("run --sms 3 " + kRegion)["launch"]["sms"], 3u);
  EXPECT_EQ(json_of("run --sms 3 " + kTrace)["launch"]["sms"], 3u);
  EXPECT_EQ(json_of("run --sms 3 " + kCode)["launch"]["sms"], 3u);
  const std::string ini = folder_ + "/launches.ini";
  std::ofstream(ini) << "code = " << test::source_path("traces/reduce_butterfly.sass")
                     << "\n[launch]\ngrid = 6\n";
  const Json two = json_of("run --sms 2 --launch " + ini);
  EXPECT_EQ(two["launch"]["sms"], 2u);
}

TEST_F(InputTest, AnOptionThatDoesNotApplyIsRefusedByName) {
  const auto refused = [](const std::string& arguments, const std::string& option) {
    const ProgramRun run = run_program("run " + arguments);
    EXPECT_EQ(run.status, 2) << arguments;
    EXPECT_EQ(run.errors.rfind("--" + option + " with ", 0), 0u) << run.errors;
  };
  refused(kTrace + " --grid 2", "grid");
  refused(kTrace + " --placement one", "placement");
  refused(kTrace + " --max-instructions 5", "max-instructions");
  refused(kRegion + " --grid 2", "grid");
  refused(kRegion + " --unknown-lanes xor", "unknown-lanes");
  refused(kCode + " --smem stride:2", "smem");
  refused(kCode + " --unknown-lanes xor", "unknown-lanes");
}

TEST_F(InputTest, CommandsOnCodeRefuseTheRestByName) {
  const std::string trace_text = "is a trace (traceg); expected code for ";
  for (const std::string verb : {"check", "verify", "disasm"}) {
    const std::string name = verb == "disasm" ? "asm and disasm" : verb;
    EXPECT_EQ(run_program(verb + " " + kTrace).errors, kTrace + ": " + trace_text + name + "\n");
  }
  EXPECT_EQ(run_program("verify " + kListing).status, 0);
}

TEST_F(InputTest, EveryKindOfInputHasItsKernelsListed) {
  const auto lists = [](const std::string& file, const std::string& kernel) {
    return run_program("list kernels " + file).output.find(kernel) != std::string::npos;
  };
  EXPECT_TRUE(lists(kCode, "fft_32"));
  EXPECT_TRUE(lists(kListing, "mix_shfl_ffma_1_1\n"));
  EXPECT_TRUE(lists(kTrace, "_Z8version5Pf\n"));
  EXPECT_TRUE(lists(kList, "kernel-1\nkernel-2\n"));
}

TEST_F(InputTest, ARecordedRegionIsTimedAsTheRegion) {
  const std::string trace = folder_ + "/region.shft";
  ASSERT_EQ(run_program("trace record " + kRegion + " --warps 8 -o " + trace).status, 0);
  EXPECT_EQ(json_of("run " + trace)["totals"], json_of("run " + kRegion + " --warps 8")["totals"]);
}

TEST_F(InputTest, ARecordedTraceHasTheLaunchOfItsFile) {
  const std::string trace = folder_ + "/fft.shft";
  ASSERT_EQ(run_program("trace record " + kCode + " -o " + trace).status, 0);
  EXPECT_EQ(json_of("run " + trace)["totals"], json_of("run " + kCode)["totals"]);
}

TEST_F(InputTest, ArchChoosesTheCodeOfAFatBinary) {
  const std::string fatbin = test::source_path("tests/fuzz/corpus/cubin/zstd.fatbin");
  const std::string ptx = " --arch compute_52 --arg fill:128:00";
  EXPECT_LE(json_of("run " + fatbin + ptx)["instructions"].size(), 8u);
  EXPECT_EQ(json_of("run " + fatbin +
                    " --arch sm_50 --arg fill:128:00 --arg fill:128:00 "
                    "--arg u32:32")["instructions"]
                .size(),
            18u);
  const std::string launches = folder_ + "/l.ini";
  std::ofstream(launches) << "code = " << fatbin
                          << "\n[launch]\narch = compute_52\nargs = out=fill:128:00\n";
  EXPECT_EQ(run_program("run --launch " + launches).errors, "");
  for (const char* command : {"check ", "disasm ", "compare ", "run "}) {
    const ProgramRun run = run_program(command + fatbin + " --arch sm_61");
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.errors, fatbin + ": holds compute_52, sm_50; expected sm_61 (--arch)\n");
  }
}

TEST_F(InputTest, ArchIsRefusedWhereThereIsNothingToChoose) {
  EXPECT_EQ(run_program("run " + kCode + " --arch sm_50").errors,
            kCode +
                ": is no binary, of which --arch sm_50 could take a part; expected a cubin or "
                "a fat binary\n");
  EXPECT_EQ(run_program("run " + kCode + " --arch sm50").errors,
            "--arch: 'sm50' is no architecture; expected one such as sm_52 or compute_52\n");
  EXPECT_EQ(run_program("run --launch l.ini --arch sm_50").errors,
            "--arch with --launch, whose file says what is launched and saved\n");
}

TEST_F(InputTest, AListOfInputsNamesThemAll) {
  const std::string inputs = run_program("list inputs").output;
  for (const char* kind : {"cubin", "fatbin", "sm70_listing", "listing", "ptx", "maxas", "cuasm",
                           "manual", "kernelslist", "shft", "traceg"})
    EXPECT_NE(inputs.find(kind), std::string::npos) << kind;
}

}  // namespace input_test
}  // namespace shflsim::cli
