// SPDX-License-Identifier: Apache-2.0
// A file with several faults: each is reported on a line of its own, in the order of the file.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace faults_test {

namespace fs = std::filesystem;

/// Calls the program in a folder of the test that has one file.
class SeveralFaults : public testing::Test {
 protected:
  SeveralFaults() { fs::create_directories(folder_); }
  ~SeveralFaults() override { fs::remove_all(folder_); }

  /// Standard error of a refused call; '@' stands for the file, whose name is cut from the text.
  std::string told(const std::string& name, const std::string& text, std::string arguments) {
    const std::string file = (folder_ / name).string();
    std::ofstream(file) << text;
    arguments.replace(arguments.find('@'), 1, file);
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.status, 2) << run.errors;
    EXPECT_EQ(run.output, "");
    std::string errors = run.errors;
    for (size_t at = errors.find(file); at != std::string::npos; at = errors.find(file, at))
      errors.erase(at, file.size() + 1);
    return errors;
  }

 protected:
  const fs::path folder_ = testing::TempDir() + "several_faults_" + std::to_string(getpid());
};

TEST_F(SeveralFaults, U2iOfTheManualsSyntaxAreAllTold) {
  const std::string text =
      "start: SHFL.BLFY PT, R1, R0, 0x1, 0x1f\n"
      "     FAAD R1, R2, R3 &wr1\n"
      "b@d: IADD R1, R2, R3\n"
      "     FADD R1, R2\n"
      "     BRA start\n"
      "     MOV R1, c[0x0][0x20] ?trans99\n";
  EXPECT_EQ(told("typo.sass", text, "run @"),
            "1:12: cannot read the operands of SHFL; expected one of .IDX, .UP, .DOWN, .BFLY; did "
            "you mean '.BFLY'?\n"
            "2:6: unknown opcode 'FAAD'; did you mean 'FADD'?\n"
            "3:1: 'b@d' is no label; expected letters, digits, '_' and '.'\n"
            "4:17: cannot read the operands of FADD; expected ','\n"
            "6:28: unknown issue code 'trans99'; did you mean 'trans9'?\n");
}

TEST_F(SeveralFaults, ALabelThatCouldNotBeReadIsNotMissedAgain) {
  EXPECT_EQ(told("a.sass", "lo-op: NOP\n BRA loop\n", "check @"),
            "1:1: 'lo-op' is no label; expected letters, digits, '_' and '.'\n");
}

TEST_F(SeveralFaults, OfPtxsGrammarAreAllTold) {
  const std::string text =
      ".visible .entry k(.param .u64 p)\n"
      "{\n"
      ".reg .u33 %r<5>;\n"
      ".reg .b64 %rd<3>;\n"
      "  add.u32 %r1, %r2, ;\n"
      "  mul.lo.u32 %r1, %r2\n"
      "  st.global.u32 [%rd1, %r1;\n"
      "  mov.b32 {%r1 %r2}, %rd1;\n"
      "  ret;\n"
      "}\n";
  EXPECT_EQ(told("a.ptx", text, "run @"),
            "3:6: '.u33' cannot stand here; expected a type such as .u32\n"
            "5:21: ';' cannot stand here; expected a register, a number or '['\n"
            "7:3: 'st.global.u32' cannot stand here; expected ';'\n"
            "7:22: ',' cannot stand here; expected an offset\n"
            "8:16: '%r2' cannot stand here; expected '}'\n");
}

TEST_F(SeveralFaults, OfPtxsWordsAreAllTold) {
  EXPECT_EQ(told("a.ptx", "add.u32 %r1, 0f3F80, 1;\nadd.u32 #r1, %r2, 12ab;\n", "disasm @"),
            "1:14: the bits of a float with 4 digits; expected 8\n"
            "2:9: '#' is no part of PTX; expected an instruction, a directive or a label\n"
            "2:21: 'a' in a number; expected digits\n");
}

TEST_F(SeveralFaults, OfPtxsInstructionsAreAllTold) {
  const std::string text =
      ".visible .entry k(.param .u64 p)\n"
      "{\n"
      ".reg .u32 %r<5>;\n"
      ".reg .b64 %rd<3>;\n"
      "  ld.param.u64 %rd1, [q];\n"
      "  add.u33 %r1, %r2, 1;\n"
      "  shlf.sync.bfly.b32 %r1, %r2, 1, 31, -1;\n"
      "  bra nowhere;\n"
      "  ret;\n"
      "}\n";
  EXPECT_EQ(told("a.ptx", text, "run @"),
            "5:22: no parameter 'q'; did you mean 'p'?\n"
            "6:6: 'add' has no '.u33'; did you mean 'u32'?\n"
            "7:3: unknown instruction 'shlf'; did you mean 'shfl'?\n"
            "8:7: no label 'nowhere'; there is none\n");
}

TEST_F(SeveralFaults, OfAListingAreToldWithoutTheAddressesBehindThem) {
  const std::string text =
      "\t\tFunction : k\n"
      "    /* 0x001cfc00e22007f6 */\n"
      "    /*0008*/ MOV R1, c[0x0][0x20] ; /* 0x4c9807800087000 */\n"
      "    /*0010*/ EXIT ; /* 0xe30000000007000f */\n"
      "    /*001z*/ NOP ; /* 0x50b0000000070f00 */\n";
  EXPECT_EQ(told("a.sass", text, "run @"),
            "3:40: a word of 15 digits; expected 16\n"
            "5:5: no address; expected /*hex*/ before the instruction\n");
}

TEST_F(SeveralFaults, OfAListingsWordsAreAllTold) {
  const std::string text =
      "\t\tFunction : k\n"
      "    /* 0x001cfc00e22007f6 */\n"
      "    /*0008*/ MOV R2, c[0x0][0x20] ; /* 0x4c98078000870001 */\n"
      "    /*0010*/ EXIT ; /* 0xffffffffffffffff */\n"
      "    /*0018*/ NOP ; /* 0x50b0000000070f00 */\n";
  EXPECT_EQ(told("a.sass", text, "run @"),
            "3:14: text 'MOV R2, c[0x0][0x20] ;' disagrees with its word; expected 'MOV R1, "
            "c[0x0][0x20]'\n"
            "4: unknown opcode in 0xffffffffffffffff\n");
}

TEST_F(SeveralFaults, U2iARegisterThatIsReadBeforeItIsWrittenIsOneUnlessAllowed) {
  const std::string text = "S2R Rval, SR_LANEID\nIADD Rsum, Rval, Rvla\nIADD Rsum, Rsum, Rinput\n";
  const std::string expected =
      "2:18: register 'Rvla' is read, but nothing has written it; did you mean 'Rval'?\n"
      "3:18: register 'Rinput' is read, but nothing has written it; expected a write before, or "
      "--reg Rinput=VALUE\n";
  for (const std::string command :
       {"run @", "check @", "trace record @ -o never.shft", "compare @"})
    EXPECT_EQ(told("a.sass", text, command), expected) << command;
  EXPECT_EQ(told("a.sass", text, "run @ --reg Rinput=lane"),
            expected.substr(0, expected.find('\n') + 1));
  const std::string file = (folder_ / "a.sass").string();
  EXPECT_EQ(run_program("run " + file + " --reg Rinput=lane --reg Rvla=1").status, 0);
  EXPECT_EQ(run_program("run " + file + " --allow-undefined-registers").status, 0);
}

TEST_F(SeveralFaults, OfAnAssemblersTextAreAllTold) {
  const std::string controls = "--:-:-:-:1      IADD R1, R2, R3;\nIADD R1, R2, R3;\nMOV R1, R2;\n";
  EXPECT_EQ(told("a.maxas", controls, "run @"),
            "2:1: no control in front of the instruction; expected one such as 01:-:2:Y:d\n"
            "3:1: no control in front of the instruction; expected one such as 01:-:2:Y:d\n");
  const std::string words = "--:-:-:-:1      IAAD R1, R2, R3;\n--:-:-:-:1      MOV R1;\n";
  EXPECT_EQ(told("a.maxas", words, "run @"),
            "1:17: unknown opcode 'IAAD'; did you mean 'IADD'?\n"
            "2:23: cannot read the operands of MOV; expected ','\n");
}

TEST_F(SeveralFaults, OfAConfigAndOfSettingsAreAllTold) {
  const std::string code = test::source_path("traces/scan_inclusive.sass");
  const std::string text = "[shuffle]\nlatncy = 3\nlanes = 0\nlanes\nnetwork = crosbar\n";
  EXPECT_EQ(
      told("a.cfg", text,
           "run " + code + " --config gm107 --config @ --set foo --set mio.queue_depth=x"),
      "--set 'foo' is no setting; expected KEY=VALUE\n"
      "2:10: unknown key 'shuffle.latncy'; did you mean 'shuffle.latency'?\n"
      "3:9: shuffle.lanes = 0 is out of range; expected 1 to 32 (lanes per cycle)\n"
      "4:1: 'lanes' has no '='; expected key = value\n"
      "5:11: shuffle.network = 'crosbar' is unknown; did you mean 'crossbar'?\n"
      "command line: mio.queue_depth = 'x' is no whole number; expected 1 to 256 (entries)\n");
}

TEST_F(SeveralFaults, OfALaunchFileAreAllTold) {
  const std::string text =
      "gird=3\n[lauch]\n kernel=\ngrid=x\nblokc=2\n[launch]\ncode=a.sass\nargs\nsave=x\n";
  EXPECT_EQ(told("l.ini", text, "run --launch @"),
            "1:1: 'gird' in front of the first [launch]; expected code\n"
            "2:1: unknown section '[lauch]'; expected [launch]\n"
            "3:2: no value for 'kernel'; expected one\n"
            "4:1: grid: 'x' is no number; expected 0 to 2147483647\n"
            "5:1: unknown key 'blokc'; did you mean 'block'?\n"
            "8:1: 'args' is no setting; expected KEY = VALUE\n"
            "9:1: 'x' is incomplete; expected save = BUFFER:PATH\n");
}

}  // namespace faults_test
}  // namespace shflsim::cli
