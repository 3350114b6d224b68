// SPDX-License-Identifier: Apache-2.0
// verify, asm, disasm, list kernels and run --launch, called as a user calls them.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace code_commands_test {

std::string temporary(const std::string& name) { return testing::TempDir() + name; }

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

const std::string kListing = test::source_path("traces/kernels.sm50.sass");
const std::string kCubin = test::data_path("sm50/kernels.cubin.gz");

TEST(VerifyCommand, EndsWithTheCountsAndSucceedsWhereAllAreEqual) {
  const ProgramRun run = run_program("verify " + kListing);
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.output, "654 instructions: 654 decoded, 654 texts equal, 654 words re-encoded\n");
}

TEST(VerifyCommand, FailsAndNamesTheLineWhereATextDiffers) {
  std::string text = contents(kListing);
  const size_t at = text.find("SHFL.BFLY");
  ASSERT_NE(at, std::string::npos);
  const std::string path = temporary("differs.sass");
  write(path, text.replace(at, 9, "SHFL.DOWN"));
  const ProgramRun run = run_program("verify " + path + " --all");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.output.find("654 decoded, 653 texts equal, 654 words"), std::string::npos);
  EXPECT_EQ(run.output.compare(0, path.size(), path), 0) << run.output;
}

TEST(VerifyCommand, OfAListingWithoutWordsIsNoSuccess) {
  for (const char* text : {"", "// nothing\n", "\tcode for sm_80\n\t/*0000*/  MOV R1, R2 ;\n"}) {
    const std::string path = temporary("no_words.sass");
    write(path, text);
    const ProgramRun run = run_program("verify " + path);
    EXPECT_EQ(run.status, 2) << text;
    EXPECT_EQ(run.errors.substr(0, path.size() + 1), path + ":") << text;
    EXPECT_EQ(run.output, "") << text;
  }
}

TEST(AsmCommand, WritesAListingThatVerifies) {
  const std::string out = temporary("assembled.sass");
  for (const char* dialect : {"nvdisasm", "cuobjdump"}) {
    const ProgramRun run = run_program("asm " + test::source_path("traces/scan_inclusive.sass") +
                                       " -o " + out + " --dialect " + dialect);
    EXPECT_EQ(run.status, 0) << run.errors;
    EXPECT_EQ(run_program("verify " + out).output,
              "12 instructions: 12 decoded, 12 texts equal, 12 words re-encoded\n");
  }
}

const std::string kSum = "add.u32 %r1, %r2, 5;\nadd.u32 %r3, %r1, %r2;\n";

TEST(AsmCommand, DumpsTheLinesAfterAPass) {
  const std::string path = temporary("sum.ptx");
  const std::string out = temporary("sum.lines");
  write(path, kSum);
  const ProgramRun run = run_program("asm " + path + " --dump-after lower -o " + out);
  EXPECT_EQ(run.status, 0) << run.errors;
  const std::string lines = contents(out);
  EXPECT_NE(lines.find("    IADD v1, v0, 0x5\n    IADD v2, v1, v0\n"), std::string::npos) << lines;
  EXPECT_EQ(run_program("asm " + path + " --dump-after place_control_flow -o " + out).status, 0);
  EXPECT_NE(contents(out).find("    EXIT\n"), std::string::npos) << contents(out);
}

TEST(AsmCommand, NamesThePassThatIsNearestToAnUnknownOne) {
  const std::string path = temporary("sum.ptx");
  write(path, kSum);
  const ProgramRun run = run_program("asm " + path + " --dump-after lowr -o " + path + ".lines");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors, "--dump-after 'lowr'; did you mean 'lower'?\n");
}

TEST(AsmCommand, DumpsNothingOfAListing) {
  const ProgramRun run =
      run_program("asm " + kListing + " --dump-after lower -o " + temporary("none.lines"));
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors, kListing + ": is no PTX; expected PTX with --dump-after\n");
}

TEST(DisasmCommand, GivesBackTheSameTextThroughAnyOtherDialect) {
  const std::string kernel = " --kernel divergent_half";
  const std::string listed = run_program("disasm " + kListing + kernel).output;
  ASSERT_NE(listed.find(".text.divergent_half"), std::string::npos);
  for (const char* dialect : {"cuasm", "maxas"}) {
    const std::string path = temporary(std::string("divergent_half.") + dialect);
    const std::string options = std::string(" --dialect ") + dialect + kernel;
    write(path, run_program("disasm " + kListing + options).output);
    EXPECT_EQ(run_program("disasm " + path).output, listed) << dialect;
  }
}

TEST(DisasmCommand, AsksForAKernelWhereTheDialectHasRoomForOne) {
  const ProgramRun run = run_program("disasm " + kListing + " --dialect maxas");
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.errors.find("choose it with --kernel"), std::string::npos);
}

TEST(ListKernels, PrintsResourcesAndArguments) {
  const ProgramRun run = run_program("list kernels " + kCubin);
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(test::lines_of(run.output).size(), 17u);
  EXPECT_NE(run.output.find(" 0x140 8,8,4 executed reduce_xor\n"), std::string::npos) << run.output;
}

TEST(ListKernels, SaysOfLaterCubinsWhatTheyHold) {
  const std::string cubin = test::data_path("volta/listed.sm120.cubin.gz");
  const ProgramRun list = run_program("list kernels " + cubin);
  EXPECT_EQ(list.errors, "");
  EXPECT_EQ(
      list.output,
      "  code       instructions registers shared local barriers args at args              kernel"
      "\n"
      "  sm_120 ELF           48        12    200   240        1   0x380 8,8,4    executed "
      "static_and_local\n"
      "  sm_120 ELF           40        12      0     0        3   0x380 8,1,8,16 executed "
      "three_barriers\n"
      "  sm_120 ELF           24        10      0     0        0   0x380 8        executed plain"
      "\n");
}

TEST(ListModules, PrintsPlaceClassSectionAndHardware) {
  const ProgramRun run = run_program("list modules --config gh100");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.errors, "");
  EXPECT_NE(run.output.find("chip.sm0.sub_partition2.scheduler               WarpScheduler   "
                            "scheduler        warp scheduler: one issue a cycle\n"),
            std::string::npos)
      << run.output;
}

TEST(RunCommand, RefusesAnArgumentThatTheKernelsLayoutDoesNotHave) {
  const std::string call = "run " + kCubin + " --kernel reduce_xor --arg fill:4096:00";
  EXPECT_EQ(run_program(call).errors,
            "kernel 'reduce_xor' takes 3 arguments, of 8, 8, 4 bytes; 1 given\n");
  EXPECT_EQ(run_program(call + " --arg fill:4096:00 --arg u64:5").errors,
            "'u64:5' has 8 bytes; expected 4 for argument 2 of kernel 'reduce_xor'\n");
}

TEST(RunCommand, TakesGridsAndBlocksOfThreeDimensions) {
  const std::string call = "run " + kCubin +
                           " --kernel reduce_xor --arg fill:4096:5a --arg fill:4096:cd "
                           "--arg u32:64 ";
  EXPECT_EQ(run_program(call + "--grid 1,2,1 --block 8,4,2").status, 0);
  EXPECT_EQ(run_program(call + "--grid 1,2,1,1").errors,
            "--grid: more than x,y,z; expected three numbers at most\n");
}

/// Two launches: the second reads what the first wrote.
std::string launch_text(const std::string& expected) {
  const std::string launch = "[launch]\nkernel = reduce_xor\ngrid = 4\nblock = 256\n";
  return "code = " + kCubin + "  # sixteen kernels\n" + launch +
         "args = in=fill:4096:5a, out=fill:4096:cd, u32:1024\nsave = out:first.bin\n" + launch +
         "args = out, again=fill:4096:cd, u32:1024\nexpect = again:" + expected + "\n";
}

TEST(LaunchFile, SharesBuffersBetweenLaunchesAndChecksThem) {
  const std::string path = temporary("launches.ini");
  write(temporary("zeros.bin"), std::string(4096, '\0'));  // 32 equal words: their xor is 0
  write(path, launch_text("zeros.bin"));
  const ProgramRun run = run_program("run --launch " + path);
  EXPECT_EQ(run.status, 0) << run.errors << run.output;
  EXPECT_NE(run.output.find("launch 2: again equals zeros.bin\n"), std::string::npos);
  EXPECT_EQ(contents(temporary("first.bin")).size(), 4096u);
}

TEST(LaunchFile, FailsWhereABufferIsNotAsExpected) {
  const std::string path = temporary("launches_wrong.ini");
  write(temporary("ones.bin"), std::string(4096, '\1'));
  write(path, launch_text("ones.bin"));
  const ProgramRun run = run_program("run --launch " + path);
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.output.find("launch 2: again differs from ones.bin at byte 0\n"),
            std::string::npos);
}

struct Wrong {
  const char* text;
  const char* error;
};
constexpr Wrong kWrong[] = {
    {"", ": no [launch] section; expected at least one\n"},
    {"[lunch]\n", ":1:1: unknown section '[lunch]'; expected [launch]\n"},
    {"[launch]\nkernel = k\n",
     ":1: no code for this launch; expected code = PATH in it or in front of all\n"},
    {"code = x\n[launch]\nblok = 4\n", ":3:1: unknown key 'blok'; did you mean 'block'?\n"},
    {"code = x\n[launch]\ngrid = 4\ngrid = 4\n",
     ":4:1: 'grid' stands twice; expected it once a section\n"},
    {"code = x\n[launch]\ngrid = 0\n",
     ":3:1: grid: 0 of them run nothing; expected 1 to 2147483647\n"},
    {"[launch]\nkernel\n", ":2:1: 'kernel' is no setting; expected KEY = VALUE\n"},
};

TEST(LaunchFile, NamesTheLineOfEveryMistake) {
  const std::string path = temporary("wrong.ini");
  for (const Wrong& wrong : kWrong) {
    write(path, wrong.text);
    const ProgramRun run = run_program("run --launch " + path);
    EXPECT_EQ(run.status, 2) << wrong.text;
    EXPECT_EQ(run.errors, path + wrong.error);
  }
}

TEST(DecodeCommand, TakesAWordOfSm70AndLaterWholeOrInBothHalves) {
  const std::string text = "SHFL.BFLY PT, R7, R3, 0x10, 0x1f\n";
  const std::string decode = "decode --arch sm_90 ";
  EXPECT_EQ(run_program(decode + "000e6200000e00000e001f0003077f89").output, text + "");
  EXPECT_EQ(run_program(decode + "0x0e001f0003077f89 0x000e6200000e0000").output, text);
}

TEST(DecodeCommand, SaysHowManyDigitsAWordHas) {
  for (const char* word : {"7918", "0x0000000000007918", "000fe200000000000000000000007918a"}) {
    const ProgramRun run = run_program(std::string("decode --arch sm_90 ") + word);
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.errors.find("expected 32 hexadecimal digits"), std::string::npos) << run.errors;
  }
}

TEST(AsmCommand, TakesBackWhatDisasmPrintsOfLaterCode) {
  const std::string file = test::data_path("volta/c.sm80.cuobjdump.txt.gz");
  const std::string listed = run_program("disasm " + file).output;
  const std::string text = temporary("later.cuasm");
  const std::string out = temporary("later.sass");
  ASSERT_EQ(run_program("asm " + file + " --dialect cuasm -o " + text).status, 0);
  ASSERT_EQ(run_program("asm " + text + " -o " + out).status, 0);
  EXPECT_EQ(contents(out), listed);
}

TEST(DisasmCommand, RefusesToChooseControlOrWriteTheManualOfLaterCode) {
  const std::string file = test::data_path("volta/c.sm70.cubin.gz") + " --kernel broadcast";
  for (const char* option : {" --control chosen", " --dialect manual"}) {
    const ProgramRun run = run_program("disasm " + file + option);
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.errors.find("sm_70"), std::string::npos) << run.errors;
  }
}

}  // namespace code_commands_test
}  // namespace shflsim::cli
