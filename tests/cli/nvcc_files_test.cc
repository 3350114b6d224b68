// SPDX-License-Identifier: Apache-2.0
// Files of nvcc 13.0, made of the sources beside them in tests/data/nvcc: kernels.*, debug.* (-G)
// and object.o (sm_80, sm_90, compute_90) of kernels.cu; relocatable.o (-rdc=true) of
// relocatable.cu, linked of it and function.cu; texture.* of texture.cu; constants_debug.* (-G) and
// constants_relocatable.* (-rdc=true) of constants.cu; shared_* (-rdc=true, shared_debug.* -G too)
// of shared.cu; shared_size.* of shared_size.cu; shuffles_relocatable.* (-rdc=true) of shuffles.cu;
// launches.* (-rdc=true) of launches.cu; function_constants.* (-rdc=true) of function_constants.cu.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace nvcc_files_test {

using testing::HasSubstr;
using testing::Not;

std::string file(const std::string& name) { return test::data_path("nvcc/" + name + ".gz") + " "; }

const std::string kSum = "--kernel sum --arg fill:128:01 --arg fill:128:00";

TEST(NvccFiles, OfAnObjectTheNewestCubinIsRunOnItsOwnChip) {
  const ProgramRun run = run_program("run " + file("object.o") + kSum);
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.errors, HasSubstr("takes the code of sm_90; also holds compute_90, sm_80"));
  EXPECT_THAT(run.errors, HasSubstr("timed on gh100"));
  const ProgramRun chosen = run_program("run " + file("object.o") + kSum + " --arch sm_80");
  EXPECT_THAT(chosen.errors, HasSubstr("timed on ga100"));
  EXPECT_THAT(chosen.errors, Not(HasSubstr("also holds")));
  const ProgramRun lowered = run_program("run " + file("object.o") + kSum + " --arch compute_90");
  EXPECT_EQ(lowered.status, 0) << lowered.errors;
}

TEST(NvccFiles, AnObjectHasEachKernelListedOnceAnArchitectureWithItsCxxName) {
  const ProgramRun list = run_program("list kernels " + file("object.o"));
  EXPECT_EQ(test::lines_of(list.output).size(), 9u) << list.output;
  EXPECT_THAT(list.output,
              HasSubstr("_Z5scaleIfEvPT_S0_i = void scale<float>(float*, float, int)"));
  EXPECT_THAT(list.output, Not(HasSubstr("compute_90")));
  const ProgramRun ptx = run_program("list kernels " + file("object.o") + "--arch compute_90");
  EXPECT_EQ(test::lines_of(ptx.output).size(), 5u) << ptx.output;
  EXPECT_THAT(ptx.output, Not(HasSubstr("instructions")));
  EXPECT_THAT(ptx.output, Not(HasSubstr("vprintf")));
  const ProgramRun counts =
      run_program("list kernels " + file("object.o") + "--arch compute_90 --counts");
  EXPECT_THAT(counts.output, HasSubstr("instructions"));
  EXPECT_THAT(counts.output, Not(HasSubstr("cannot be used")));
  EXPECT_EQ(run_program("list configs --counts").status, 2);
}

TEST(NvccFiles, AKernelIsChosenByAPartOfItsNameThatNoOtherHas) {
  const std::string run = "run " + file("kernels.sm90.cubin");
  const std::string args = " --arg fill:128:00 --arg u32:3 --arg u32:32";
  for (const char* name :
       {"_Z5scaleIiEvPT_S0_i", "scaleIi", "'scale<int>'", "'void scale<int>(int*, int, int)'"})
    EXPECT_EQ(run_program(run + "--kernel " + name + args).status, 0) << name;
  EXPECT_THAT(run_program(run + "--kernel scale" + args).errors,
              HasSubstr("'scale' is in the names of 2 kernels; expected one of "
                        "_Z5scaleIiEvPT_S0_i, _Z5scaleIfEvPT_S0_i\n"));
  EXPECT_THAT(run_program(run + "--kernel scael" + args).errors,
              HasSubstr("no kernel 'scael'; did you mean 'scale'?\n"));
  EXPECT_THAT(run_program(run + "--kernel nothing_near" + args).errors,
              HasSubstr("no kernel 'nothing_near'; known: "));
}

struct Chip {
  const char* architecture;
  const char* machine;
  const char* as;  ///< "" if it is a chip of its own
};

class NvccFilesOf : public testing::TestWithParam<Chip> {};

TEST_P(NvccFilesOf, RunOnTheNearestChipAndARemarkSaysSo) {
  const std::string cubin = file("kernels." + std::string(GetParam().architecture) + ".cubin");
  const std::string out = testing::TempDir() + GetParam().architecture + ".bin";
  const ProgramRun run = run_program("run " + cubin + kSum + " --save 1:" + out);
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.errors, HasSubstr(std::string("timed on ") + GetParam().machine));
  const std::string as = GetParam().as;
  const std::string said = "is executed and timed as " + as;
  EXPECT_EQ(run.errors.find("is executed") == std::string::npos, as.empty()) << run.errors;
  EXPECT_THAT(run.errors, HasSubstr(as.empty() ? "" : said));
  // twice(x) = 2 x + table[x & 3], summed over 32 lanes with x = 0x01010101 and table[1] = 1.
  EXPECT_EQ(test::read_file(out).substr(0, 4), "\x60\x40\x40\x40");
}

TEST_P(NvccFilesOf, PrintInTheOrderOfExecution) {
  const std::string cubin = file("kernels." + std::string(GetParam().architecture) + ".cubin");
  const ProgramRun run = run_program("run " + cubin + "--kernel print --arg u32:2");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.errors, HasSubstr("thread 0 of block:  0.00 a 123456789abc|\n"
                                    "thread 1 of block:  1.50 b 123456789abc|\n"
                                    "printed 5, no argument\n"));
  EXPECT_THAT(run.output, Not(HasSubstr("thread 0")));
}

INSTANTIATE_TEST_SUITE_P(Architectures, NvccFilesOf,
                         testing::Values(Chip{"sm80", "ga100", ""},
                                         Chip{"sm87", "ga102", "sm_86's"},
                                         Chip{"sm90", "gh100", ""},
                                         Chip{"sm103", "gb100", "sm_100's"},
                                         Chip{"sm120", "gb202", ""}),
                         [](const auto& tested) { return tested.param.architecture; });

TEST(NvccFiles, DebugBuildsRun) {
  const ProgramRun run = run_program("run " + file("debug.sm90.cubin") +
                                     "--kernel scaleIi --arg fill:128:00 --arg u32:3 --arg u32:32");
  EXPECT_EQ(run.status, 0) << run.errors;
  const ProgramRun prints =
      run_program("run " + file("debug.sm90.cubin") + "--kernel print --arg u32:1");
  EXPECT_THAT(prints.errors, HasSubstr("thread 0 of block:  0.00 a 123456789abc|\nprinted 5"));
}

class NvccConstantsOf : public testing::TestWithParam<const char*> {};

/// `own` points to coefficients + 1, where lanes 0 and 1 read 2 and 3.
TEST_P(NvccConstantsOf, AreReadThroughPointers) {
  for (const char* kind : {"debug", "relocatable"}) {
    const std::string cubin = file(std::string("constants_") + kind + "." + GetParam() + ".cubin");
    const std::string out = testing::TempDir() + kind + GetParam() + ".bin";
    const ProgramRun run =
        run_program("run " + cubin + "--block 2 --arg fill:8:00 --arg u32:1 --save 0:" + out);
    EXPECT_EQ(run.status, 0) << run.errors;
    std::array<float, 2> values{};
    const std::string bytes = test::read_file(out);
    ASSERT_EQ(bytes.size(), sizeof values);
    std::memcpy(values.data(), bytes.data(), sizeof values);
    EXPECT_EQ(values, (std::array<float, 2>{2 * 3 + 5 + 3 + 2, 3 * 3 + 5 + 3 + 2})) << kind;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, NvccConstantsOf,
                         testing::Values("sm75", "sm80", "sm90", "sm120"),
                         [](const auto& tested) { return std::string(tested.param); });

class NvccFunctionConstantsOf : public testing::TestWithParam<const char*> {};

/// Three functions and the kernel have constants of their own in one bank.
TEST_P(NvccFunctionConstantsOf, StandBehindTheKernelsWithoutALinker) {
  const std::string out = testing::TempDir() + GetParam() + ".power.bin";
  const ProgramRun run =
      run_program("run " + file(std::string("function_constants.") + GetParam() + ".cubin") +
                  "--block 32 --arg fill:256:00 --arg f32:1.25 --save 0:" + out);
  EXPECT_EQ(run.status, 0) << run.errors;
  std::array<double, 32> values{};
  const std::string bytes = test::read_file(out);
  ASSERT_EQ(bytes.size(), sizeof values);
  std::memcpy(values.data(), bytes.data(), sizeof values);
  const auto cubic = [](double x) { return ((1.37e-3 * x + 2.11e-2) * x - 3.77e-1) * x + 4.93; };
  const auto even = [&cubic](double x) {
    return (5.19e-4 * x * x - 6.71e-2) * x * x + 7.83e-1 + cubic(0.1 * x);
  };
  double x = 0.5;
  for (const double value : values) {
    EXPECT_NEAR(value, cubic(x) + 8.59 * even(1.07 * x) + std::pow(x, 1.25), 1e-9) << x;
    x += 1;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, NvccFunctionConstantsOf,
                         testing::Values("sm75", "sm80", "sm86"),
                         [](const auto& tested) { return std::string(tested.param); });

class NvccSharedSizeOf : public testing::TestWithParam<const char*> {};

TEST_P(NvccSharedSizeOf, IsWhatTheLaunchGives) {
  const std::string out = testing::TempDir() + GetParam() + ".size.bin";
  for (const auto& [given, read] : {std::pair("256", 256), std::pair("1000", 1000)}) {
    const ProgramRun run =
        run_program("run " + file(std::string("shared_size.") + GetParam()) +
                    "--block 1 --arg fill:4:ee --shared " + given + " --save 0:" + out);
    EXPECT_EQ(run.status, 0) << run.errors;
    int bytes = 0;
    const std::string saved = test::read_file(out);
    ASSERT_EQ(saved.size(), sizeof bytes);
    std::memcpy(&bytes, saved.data(), sizeof bytes);
    EXPECT_EQ(bytes, read);
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, NvccSharedSizeOf,
                         testing::Values("sm75.cubin", "sm90.cubin", "sm120.cubin", "ptx"),
                         [](const auto& tested) {
                           const std::string name = tested.param;
                           return name.substr(0, name.find('.'));
                         });

class NvccSharedOf : public testing::TestWithParam<const char*> {};

TEST_P(NvccSharedOf, VariablesHavePlacesWithoutALinker) {
  const std::string out = testing::TempDir() + GetParam() + ".bin";
  const ProgramRun run =
      run_program("run " + file(std::string("shared_") + GetParam() + ".cubin") +
                  "--block 64 --shared 256 --arg fill:256:00 --arg u32:5 --save 0:" + out);
  EXPECT_EQ(run.status, 0) << run.errors;
  std::array<int, 64> values{};
  const std::string bytes = test::read_file(out);
  ASSERT_EQ(bytes.size(), sizeof values);
  std::memcpy(values.data(), bytes.data(), sizeof values);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(values.at(static_cast<size_t>(i)),
              3 * (63 - i) + (63 - i) + 7 + i % 3 + 100 + (i & 7) + 3 * i)
        << i;
}

INSTANTIATE_TEST_SUITE_P(Files, NvccSharedOf,
                         testing::Values("relocatable.sm75", "relocatable.sm90",
                                         "relocatable.sm120", "debug.sm90"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

/// In relocatable code for sm_75, shuffles are functions with YIELD, which a linker may change.
TEST(NvccFiles, RelocatableShufflesRunWithoutALinker) {
  const std::string out = testing::TempDir() + "shuffles.bin";
  const ProgramRun run = run_program("run " + file("shuffles_relocatable.sm75.cubin") +
                                     "--block 32 --arg fill:128:00 --arg u32:7 --save 0:" + out);
  EXPECT_EQ(run.status, 0) << run.errors;
  // Lane i has 3 i + 7; the result is the sum of all lanes.
  EXPECT_EQ(test::read_file(out).substr(0, 4), std::string("\xb0\x06\0\0", 4));
}

TEST(NvccFiles, KernelsThatLaunchKernelsAreRefusedByNameAndLeaveTheOthers) {
  const std::string cubin = file("launches.sm90.cubin");
  const ProgramRun parent = run_program("run " + cubin + "--kernel parent --arg fill:128:00");
  EXPECT_EQ(parent.status, 2);
  EXPECT_THAT(parent.errors,
              HasSubstr("kernel '_Z6parentPi' launches kernels (dynamic parallelism), which is not "
                        "executed"));
  EXPECT_EQ(run_program("run " + cubin + "--kernel child --arg fill:128:00").status, 0);
}

/// texture.sm90.cubin with an unknown word in the place of TEX.
std::string with_unknown_word() {
  std::string cubin = test::read_file(test::data_path("nvcc/texture.sm90.cubin.gz"));
  const size_t at = cubin.find(std::string("\x60\x7f\x05\x04\x06", 5));
  cubin.replace(at, 2, "\xff\x7f");
  std::string path = testing::TempDir() + "unknown_word.cubin";
  std::ofstream(path, std::ios::binary) << cubin;
  return path + " ";
}

TEST(NvccFiles, AKernelThatCannotBeUsedLeavesTheOthers) {
  const std::string cubin = with_unknown_word();
  const ProgramRun text = run_program("disasm " + cubin);
  EXPECT_EQ(text.status, 1);
  EXPECT_THAT(text.output, HasSubstr(".text._Z5plainPf"));
  EXPECT_THAT(text.output, Not(HasSubstr("textured")));
  EXPECT_THAT(text.errors, HasSubstr("left out: "));
  EXPECT_THAT(text.errors, HasSubstr("_Z8texturedyPf+128: unknown opcode in 0x"));
  const ProgramRun plain = run_program("run " + cubin + "--kernel plain --arg fill:128:00");
  EXPECT_EQ(plain.status, 0) << plain.errors;
  const ProgramRun list = run_program("list kernels " + cubin);
  EXPECT_THAT(list.output, HasSubstr("_Z8texturedyPf cannot be used: "));
  EXPECT_THAT(list.output, Not(HasSubstr("_Z5plainPf cannot")));
  EXPECT_EQ(run_program("asm " + cubin + "-o " + testing::TempDir() + "unknown.sass").status, 2);
}

TEST(NvccFiles, TexturesAreRefusedByName) {
  const ProgramRun run = run_program("run " + file("texture.sm90.cubin") +
                                     "--kernel textured --arg u64:0 --arg u64:0");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.errors, HasSubstr("TEX cannot be executed"));
  const ProgramRun without = run_program("run " + file("texture.sm90.cubin") + "--kernel textured");
  EXPECT_EQ(without.status, 2);
  EXPECT_THAT(without.errors, HasSubstr("TEX cannot be executed"));
}

TEST(NvccFiles, RelocatableCodeRunsWhereItIsLinkedOrNeedsNoLinker) {
  const std::string data = " --arg fill:128:01";
  const ProgramRun inside = run_program("run " + file("relocatable.o") + "--kernel inside" + data);
  EXPECT_EQ(inside.status, 0) << inside.errors;
  const ProgramRun outside =
      run_program("run " + file("relocatable.o") + "--kernel outside" + data);
  EXPECT_EQ(outside.status, 2);
  EXPECT_THAT(outside.errors, HasSubstr("refers to '_Z6thricei' in other code; expected a linked"));
  const ProgramRun linked = run_program("run " + file("linked") + "--kernel outside" + data);
  EXPECT_EQ(linked.status, 0) << linked.errors;
  EXPECT_THAT(linked.errors, HasSubstr("takes the code of sm_90"));
  EXPECT_THAT(linked.errors, Not(HasSubstr("refers to")));
  const ProgramRun list = run_program("list kernels " + file("linked"));
  EXPECT_EQ(test::lines_of(list.output).size(), 5u) << list.output;
}

}  // namespace nvcc_files_test
}  // namespace shflsim::cli
