// SPDX-License-Identifier: Apache-2.0
// Lists of traces, run whole or kernel by kernel, and traces in the form in which users have them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace kernel_list_test {

using Json = nlohmann::ordered_json;

const std::string kList = test::source_path("tests/data/accel_sim/kernelslist.g");

class KernelList : public testing::Test {
 protected:
  KernelList() { std::filesystem::create_directories(folder_); }
  ~KernelList() override { std::filesystem::remove_all(folder_); }

  std::string written(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
    return folder_ + "/" + name;
  }
  static std::string trace(const std::string& header) {
    return "-kernel name = k\n-grid dim = (55,1,1)\n-block dim = (32,1,1)\n" + header +
           "-accelsim tracer version = 5\n#\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n"
           "0000 ffffffff 0 EXIT 0 0 0 \n#END_TB\n";
  }

  const std::string folder_ = testing::TempDir() + "kernel_list_" + std::to_string(getpid());
};

TEST_F(KernelList, U2jIsRunWholeWithARowOfEachAndOfAll) {
  const ProgramRun run = run_program("run " + kList + " --json " + folder_ + "/out.json");
  EXPECT_EQ(run.errors, "");
  EXPECT_EQ(run.output,
            "  kernel   name          machine cycles warp_instructions passes register_conflicts"
            "  ipc\n"
            "  kernel-1 _Z8version4Pf ga100      431                52     16                  4"
            " 0.12\n"
            "  kernel-2 _Z8version5Pf ga102      614                14      4                  0"
            " 0.02\n"
            "  total                            1045                66     20                  4"
            " 0.06\n");
  for (const auto& [number, cycles] : {std::pair{"1", 431}, std::pair{"2", 614}}) {
    const Json json = Json::parse(test::read_file(folder_ + "/out." + number + ".json"));
    EXPECT_EQ(json["totals"]["cycles"], cycles);
  }
}

TEST_F(KernelList, U2jComparesWholeOrOneOfItsKernels) {
  const auto workloads = [this](const std::string& input) {
    const std::string csv = folder_ + "/out.csv";
    const ProgramRun run = run_program("compare " + input + " --config ga102 --csv " + csv);
    EXPECT_EQ(run.status, 0) << run.errors;
    const std::string text = test::read_file(csv);
    return std::count(text.begin(), text.end(), '\n') - 1;
  };
  EXPECT_EQ(workloads(kList), 2);
  EXPECT_EQ(workloads(kList + ":kernel-1"), 1);
  EXPECT_EQ(workloads(kList + " --kernel kernel-2"), 1);
}

TEST_F(KernelList, SaysInOneLineWhatIsWrongWithIt) {
  written("kernel-1.traceg", trace("-binary version = 80\n"));
  const std::string missing = written("missing.g", "kernel-1.traceg\n\nkernel-2.traceg\n");
  EXPECT_EQ(run_program("run " + missing).errors,
            missing + ":3:1: no file " + folder_ +
                "/kernel-2.traceg; expected the kernel's trace beside the list\n");
  const std::string itself = written("kernelslist.g", "kernel-1.traceg\nkernelslist.g\n");
  const ProgramRun run = run_program("run " + itself);
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.errors,
            itself + ":1:1: 'kernel-1.traceg' is no header line; expected -KEY = VALUE\n");
}

TEST_F(KernelList, U3_1ATraceOfALaterChipHasPassesAndConflicts) {
  const std::string path = folder_ + "/out.json";
  run_program("run " + kList +
              ":kernel-2 --unknown-lanes worst --set shuffle.network=banked --json " + path);
  const Json json = Json::parse(test::read_file(path));
  EXPECT_EQ(json["totals"]["passes"], 8);
  EXPECT_EQ(json["totals"]["port_conflicts"], 32);
  EXPECT_EQ(json["instructions"][3]["passes"], 4);
}

TEST_F(KernelList, U3_2RunAndCompareTimeItsKernelsOnTheSameMachine) {
  for (const char* kernel : {":kernel-1", ":kernel-2"}) {
    const std::string path = folder_ + "/out.json";
    run_program("run " + kList + kernel + " --json " + path);
    const Json run = Json::parse(test::read_file(path));
    run_program("compare " + kList + kernel + " --json " + path);
    const Json compare = Json::parse(test::read_file(path));
    EXPECT_EQ(compare["points"][0]["cycles"], run["totals"]["cycles"]) << kernel;
  }
}

TEST_F(KernelList, A31LanesAreNotChosenForATraceThatSaysThem) {
  const std::string shft = folder_ + "/k.shft";
  run_program("trace convert " + kList + " --kernel kernel-1 -o " + shft);
  for (const char* verb : {"run ", "compare ", "trace info ", "trace dump "}) {
    const ProgramRun run = run_program(verb + shft + " --unknown-lanes xor");
    EXPECT_EQ(run.status, 2) << verb;
    EXPECT_EQ(run.output, "");
    EXPECT_EQ(run.errors, "--unknown-lanes with the trace " + shft +
                              ", which says all lanes; expected it with an Accel-Sim trace\n");
  }
}

TEST_F(KernelList, P1P4WhatATraceLacksIsSaidOnBothStreamsAndItRuns) {
  const std::string path = written("a.traceg", trace("-nregs = 21955\n-binary version = 80\n"));
  const ProgramRun run = run_program("run " + path);
  EXPECT_EQ(run.status, 0);
  for (const char* said :
       {"warning: -nregs = 21955: expected 0 to 255 registers a thread; the limit "
        "is left out\n",
        "warning: 1 of the grid's 55 blocks are there; only these are timed\n"}) {
    EXPECT_NE(run.errors.find(path + ": " + said), std::string::npos) << run.errors;
    EXPECT_NE(run.output.find(std::string("\n  ") + said), std::string::npos) << run.output;
  }
}

TEST_F(KernelList, P2TheVersionOfAShippedChipFindsItAndAnotherIsAnErrorThatSaysHowToRun) {
  const auto errors = [this](const std::string& version) {
    return run_program("run " + written("b.traceg", trace("-binary version = " + version + "\n")))
        .errors;
  };
  EXPECT_NE(errors("52").find("timed on gm204"), std::string::npos);
  EXPECT_NE(errors("87").find("timed on ga102"), std::string::npos);
  EXPECT_NE(
      errors("103").find(folder_ + "/b.traceg: code of binary version 103 is timed as sm_100's"),
      std::string::npos);
  for (const char* version : {"0", "35", "91", "130", "abc", "-1"})
    EXPECT_EQ(errors(version), folder_ + "/b.traceg: is of binary version " + version +
                                   ", of which no machine is known (50, 52, 60, 61, 70, 72, 75, "
                                   "80, 86, 89, 90, 100, 120 are); expected --config with one of "
                                   "`shflsim list configs`\n");
  const std::string none = written("c.traceg", trace("-binary version = 0\n"));
  EXPECT_EQ(run_program("run " + none + " --config gh100").status, 0);
}

}  // namespace kernel_list_test
}  // namespace shflsim::cli
