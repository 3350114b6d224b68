// SPDX-License-Identifier: Apache-2.0
// Dynamic shared memory: a launch gives its size; it follows the memory that the code declares.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace dynamic_shared_test {

using Json = nlohmann::ordered_json;

/// Stores to the 4 bytes after 64 static ones, and loads them again.
constexpr const char* kBehindStatic = R"(# Kernel: behind
# SharedSize: 64

--:-:-:-:5      MOV32I R0, 0x40;
--:1:-:-:2      STS [R0], R0;
01:-:2:-:2      LDS R1, [R0];
02:-:-:-:5      EXIT;
)";

class DynamicShared : public testing::Test {
 protected:
  DynamicShared() {
    std::filesystem::create_directories(folder_);
    code_ = written("behind.sass", kBehindStatic);
  }
  ~DynamicShared() override { std::filesystem::remove_all(folder_); }

  std::string written(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name) << text;
    return folder_ + "/" + name;
  }
  Json report(const std::string& options) const {
    const std::string path = folder_ + "/out.json";
    const ProgramRun run = run_program("run " + code_ + " " + options + " --json " + path);
    EXPECT_EQ(run.status, 0) << run.errors;
    return Json::parse(test::read_file(path));
  }
  void expect_refused(const std::string& arguments, const std::string& errors) const {
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.output, "");
    EXPECT_EQ(run.errors, errors);
  }

  const std::string folder_ = testing::TempDir() + "dynamic_shared_" + std::to_string(getpid());
  std::string code_;
};

TEST_F(DynamicShared, StandsBehindWhatTheCodeDeclares) {
  for (const char* command : {"run ", "check "}) {
    expect_refused(command + code_,
                   "kernel 'behind' at 0x0010 (STS [R0], R0): block 0, warp 0, lane 0: 4 bytes at "
                   "shared address 0x40, outside the block's 64 bytes (--shared adds to them)\n");
    EXPECT_EQ(run_program(command + code_ + " --shared 4").status, 0);
  }
  EXPECT_EQ(run_program("run " + code_ + " --shared 3").status, 2);
}

TEST_F(DynamicShared, IsInTheReportAndInRecordedTraces) {
  const Json dynamic = report("--shared 0x100");
  EXPECT_EQ(dynamic["launch"]["shared_bytes"], 64 + 256);
  EXPECT_EQ(dynamic["arguments"], Json::parse(R"(["--shared 0x100"])"));
  const std::string trace = folder_ + "/behind.shft";
  EXPECT_EQ(run_program("trace record " + code_ + " --shared 256 -o " + trace).errors, "");
  const ProgramRun info = run_program("trace info " + trace + " --format json");
  EXPECT_EQ(Json::parse(info.output)["traces"][0]["shared_bytes"], 64 + 256);
}

TEST_F(DynamicShared, LeavesRoomForFewerBlocks) {
  const auto cycles = [this](const std::string& bytes) {
    const Json all = report("--grid 4 --set sm.shared_bytes=65536 --shared " + bytes);
    return all["totals"]["cycles"].get<uint64_t>();
  };
  const uint64_t together = cycles("4");
  EXPECT_EQ(cycles("16320"), together);         // four blocks of 16 KiB
  EXPECT_GT(cycles("16321"), together);         // three
  EXPECT_GT(cycles("49088"), cycles("16321"));  // one
  expect_refused("run " + code_ + " --set sm.shared_bytes=16384 --shared 16321",
                 "a block of 32 threads with 2 registers and 16385 bytes of shared memory does not "
                 "fit the SM\n");
}

TEST_F(DynamicShared, IsHeldAgainstWhatABlockMayHave) {
  expect_refused("run " + code_ + " --shared 49089",
                 "kernel 'behind' with 64 bytes of static and 49089 of dynamic shared memory; "
                 "expected 49152 in all at most\n");
  expect_refused("compare " + code_ + " --shared 232449",
                 "--shared: '232449' is out of range; expected 0 to 232448\n");
}

TEST_F(DynamicShared, MayStandInTheLaunchLineOfAText) {
  code_ = written("line.sass", "// launch: --shared 68\nMOV32I R0, 0x40;\nSTS [R0], R0;\nEXIT;\n");
  EXPECT_EQ(report("")["launch"]["shared_bytes"], 68);
  EXPECT_EQ(report("--shared 128")["launch"]["shared_bytes"], 128);
}

TEST_F(DynamicShared, MayStandInALaunchFile) {
  const std::string section = "code = behind.sass\n[launch]\nshared = ";
  const ProgramRun run = run_program("run --launch " + written("l.ini", section + "256\n"));
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output.substr(0, run.output.find('\n')),
            "launch 1 of 1: behind, grid 1,1,1, block 32,1,1, 256 bytes of dynamic shared memory");
  const std::string most = written("most.ini", section + "49089\n");
  expect_refused("run --launch " + most, most +
                                             ":2: kernel 'behind' with 64 bytes of static and "
                                             "49089 of dynamic shared memory; expected 49152 in "
                                             "all at most\n");
}

}  // namespace dynamic_shared_test
}  // namespace shflsim::cli
