// SPDX-License-Identifier: Apache-2.0
// Calls that used to end in a crash, a hang, gigabytes, the wrong status or silence. Each now ends
// within 1 GiB and five seconds (ten of one processor are allowed here, since machines differ);
// with status 2 it gives the reason in one line and leaves no file. Files: tests/data/bad_input.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace bad_input_test {

namespace fs = std::filesystem;

struct BadInput {
  const char* name;       ///< number of the finding, then a description
  const char* arguments;  ///< from a folder with the files and a link "traces" to the shipped ones
  int status;
  const char* said;  ///< on standard error; "" if it is empty
};

void PrintTo(const BadInput& input, std::ostream* out) { *out << input.arguments; }

constexpr BadInput kBadInputs[] = {
    {"A1RegisterBeyondTheCode", "run traces/scan_inclusive.sass --reg R200=5", 2,
     "--reg R200=5: the code has no R200; expected R0 to R1"},
    {"A1RegisterBeyondTheCodeOfManyWarps", "run tiny.sass --reg R254=5 --warps 32 --grid 20", 2,
     "--reg R254=5: the code has no R254; expected R0 to R1"},
    {"A2RelocationBeyondItsSection",
     "run reloc_offset_wrap.cubin.gz --kernel call_pointer_uniform --block 64 --arg fill:4096:00 "
     "--arg fill:4096:cd --arg u32:32",
     2,
     "reloc_offset_wrap.cubin.gz: an address at byte 18446744073709551609 of .nv.constant4; "
     "expected it among its 24 bytes"},
    {"A3TwoTo27Registers", "run registers_2_27.maxas", 2,
     "registers_2_27.maxas:2:3: RegCnt of '134217728'; expected a number up to 255"},
    {"A4DivisionWithoutType", "run div_without_type.ptx", 2,
     "div_without_type.ptx:7:1: 'div' without a type; expected one such as .b32"},
    {"A5NestedOperand", "run nested_operand.ptx.gz", 2,
     "nested_operand.ptx.gz:7:214: brackets nested more than 200 deep; expected fewer levels"},
    {"A5NestedData", "run nested_data.ptx.gz", 2,
     "nested_data.ptx.gz:4:222: braces nested more than 200 deep; expected fewer levels"},
    {"A6IndexRegisterThatNothingElseNames", "run ldc_unused_index.sass --arg u32:7", 0, ""},
    {"A6WideRegistersBeyondTheLast", "run wide_at_253.sass --arg fill:64:11", 2,
     "R253 cannot be the first of 4 registers; expected a multiple of 4 up to R248"},
    {"A8FlippedBitInSteps", "run h_bitflip.shft", 2,
     "h_bitflip.shft: offset 201: damaged: the section fails its check"},
    {"A8WarpWithoutSteps", "run warp_without_steps.shft", 2,
     "damaged: warp 0 of the file has no steps"},
    {"A9NameTooLong",
     "run tiny.sass --arg "
     "file:"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
     "aaaaaaaaaaaaaaaaaaaaa",
     2, "File name too long"},
    {"A9MemoryThatCannotBeRead", "run tiny.sass --arg file:/proc/self/mem", 2, "/proc/self/mem: "},
    {"A9TemporaryFolderThatIsNotThere", "run data/accel_sim/version5.traceg", 0, "timed on ga102"},
    {"A11PayloadBeyondTheFile", "list kernels payload_wrap_throws.fatbin", 2,
     "payload_wrap_throws.fatbin: the fat binary is cut off at byte 16; expected a whole one"},
    {"A11TwoTo31Blocks", "run tiny.sass --grid 2147483647", 2,
     "a grid of 2147483647 warps; expected 4194304 at most"},
    {"A14PayloadSizeThatWraps", "list kernels payload_wrap_endless.fatbin", 2,
     "payload_wrap_endless.fatbin: the fat binary is cut off at byte 16; expected a whole one"},
    {"A15EndlessLoop", "run endless.sass", 2,
     "still running after 33554432 instructions of all warps"},
    {"A15EndlessLoopOf32Warps", "run endless.sass --warps 32", 2,
     "still running after 33554432 instructions of all warps"},
    {"A12BranchesThatDiverge", "disasm branches_800.ptx.gz", 0, ""},
    {"A13TableOf100000Rows", "run rows_100k.sass.gz", 0, ""},
    {"A16TwoTo50Steps", "run steps_2_50.shft", 2,
     "steps_2_50.shft: offset 98: damaged: a number of steps is 1125899906842624; expected at most "
     "4294967296"},
    {"A17LineWithoutEnd", "run one_line.traceg.xz", 2,
     "one_line.traceg.xz:1: a line of over 1 MiB; expected a text of lines"},
    {"A18IncludesThatFanOut", "run tiny.sass --config include_fan_out/c0.cfg", 2,
     "include_fan_out/c7.cfg:2:1: files include more than 256 files in all; expected fewer"},
    {"A19CallsThatDouble", "run inline_doubling.ptx", 2,
     "of 262146 instructions; expected 262144 at most"},
    {"A19AlignmentOf2To31", "run align_2_31.ptx", 2,
     "align_2_31.ptx:5:16: .align of 2147483648; expected 1024 at most"},
    {"A19SharedMemoryOf4GiB", "run shared_4gib.maxas", 2,
     "shared_4gib.maxas:3:3: SharedSize of '4294967295'; expected a number up to 1048576"},
    {"A25CollectBaseOf64",
     "run tiny.sass --set mio.arbitration=shared_pipe --set mio.collect_base=64", 0, ""},
    {"A22NamedBarriers", "run named_barriers.sass --warps 4", 0, ""},
    {"A22BarrierArrive", "run barrier_arrive.sass --warps 2", 0, ""},
    {"A34DimensionsThatWrap", "run dims_overflow.ptx", 2,
     "dims_overflow.ptx:4:14: 'x' and what stands before it, in all of 18446744073709551615 bytes"},
    {"A34TraceOfNoWarps", "trace info no_warps.shft", 2,
     "no_warps.shft: offset 80: holds no warps; expected a trace of at least one"},
    {"A32AccuracyOfAKernelThatIsNotThere",
     "accuracy data/h200/random.sm90.cuobjdump.txt.gz other_kernel.csv", 2,
     "random.sm90.cuobjdump.txt.gz: no kernel 'nokernel'"},
    {"A34RunOfATraceOfNoWarps", "run no_warps.shft", 2, "holds no warps"},
    {"A8CompareOfAFlippedBit", "compare h_bitflip.shft --jobs 2", 2,
     "h_bitflip.shft: offset 201: damaged: the section fails its check"},
    {"A9CircleOfLinks", "run loop.sass", 2, "loop.sass: Too many levels of symbolic links"},
    {"A10SixWarpsOfFourSubPartitions", "run tiny.sass --set sm.max_warps=6 --warps 6", 2,
     "sm.max_warps = 6 is out of range; expected 4 to 64 in steps of 4 (warps)"},
    {"A21SplitOperandsOfOne", "run tiny.sass --config gh100 --set mio.split_operands=1", 0, ""},
    {"A21SharedPipeOfOneOperand",
     "run traces/suite/fft_32.sass --set mio.arbitration=shared_pipe --set mio.split_operands=1", 0,
     ""},
    {"A21CacheSmallerThanItsBlock",
     "run traces/suite/fft_32.sass --config gh100 --set fetch.l1_latency=0 --set "
     "fetch.l15_bytes=128",
     2, "do not go together; expected no L1.5"},
    {"A31OptionsBesideALaunchFile", "run --launch launch.ini --sms 4 --grid 5 --reg R0=zzz", 2,
     "--grid with --launch, whose file says what is launched and saved"},
    {"A31DumpWithCompare", "compare tiny.sass --jobs 1 --dump-reg R1:never", 2,
     "unknown option '--dump-reg'"},
    {"A29LaunchLineThatWrites", "run launch_line_writes.sass", 2,
     "launch_line_writes.sass: its launch line: unrecognised option '--dump-reg'"},
    {"A40LanesOutsideTheirMembermask",
     "run lanes_without_themselves.sm90.cubin.gz --config gh100 --block 32 --arg fill:128:00", 2,
     "(WARPSYNC.COLLECTIVE R5, 0x2e0): block 0, warp 0: lanes 0x00010000 are not in the membermask "
     "that they give; expected each lane in its own"},
    {"A41SidesOfABranchThatWaitForEachOther",
     "run sides_of_two_operations.sm90.cubin.gz --config gh100 --block 32 --arg fill:128:00", 2,
     "(WARPSYNC.ALL): block 0, warp 0: lanes 0xffff0000 wait here, lanes 0x0000ffff at 0x00e0 "
     "(WARPSYNC.ALL), each for the others; expected one place and one membermask"},
    {"A41SidesOfABranchWithDifferentModes",
     "run sides_of_two_modes.sm100.cubin.gz --config gb100 --block 32 --arg fill:128:00", 2,
     "lanes 0x0000ffff come for 'SHFL.IDX P1, R5, R0, R6, R7', lanes 0xffff0000 at 0x0390 for "
     "'SHFL.BFLY P1, R5, R0, R6, R7'; expected one operation of all that the membermask names"},
    {"A40CheckOfLanesOutsideTheirMembermask",
     "check lanes_without_themselves.sm90.cubin.gz --block 32 --arg fill:128:00", 1, ""},
    {"A27FullDisk", "run tiny.sass >/dev/full", 2,
     "standard output: cannot be written: No space left on device"},
};

/// A folder of the test with the files, in which the program is called.
class BadInputCall : public testing::TestWithParam<BadInput> {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / (std::string("bad_input_") + GetParam().name);
    fs::remove_all(folder_);
    fs::copy(test::data_path("bad_input"), folder_, fs::copy_options::recursive);
    fs::create_symlink(test::source_path("traces"), folder_ / "traces");
    fs::create_symlink(test::source_path("tests/data"), folder_ / "data");
    fs::create_symlink("loop.sass", folder_ / "loop.sass");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path());
    std::sort(names.begin(), names.end());
    return names;
  }

  fs::path folder_;
};

TEST_P(BadInputCall, EndsInTimeAndSaysWhy) {
  const std::vector<std::string> before = files();
  const ProgramRun run = run_program_within_limits(GetParam().arguments, folder_);
  EXPECT_EQ(run.status, GetParam().status) << run.errors;
  EXPECT_NE(run.errors.find(GetParam().said), std::string::npos) << run.errors;
  EXPECT_EQ(files(), before);
  if (run.status != 2) return;
  EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1) << run.errors;
  EXPECT_EQ(run.output, "");
}

INSTANTIATE_TEST_SUITE_P(Each, BadInputCall, testing::ValuesIn(kBadInputs),
                         [](const auto& input) { return input.param.name; });

}  // namespace bad_input_test
}  // namespace shflsim::cli
