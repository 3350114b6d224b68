// SPDX-License-Identifier: Apache-2.0
// Input that cannot be used gives one line on standard error, exit status 2, nothing on standard
// output, and leaves no file behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace shflsim::cli {
namespace malformed_input_test {

namespace fs = std::filesystem;

/// A file to make (or none), the arguments ("@" stands for the file), and text of the error line.
struct Malformed {
  const char* name;
  std::string file;  ///< name of the file; it can determine the format
  std::string contents;
  std::string arguments;
  std::string expected;
};

void PrintTo(const Malformed& input, std::ostream* out) { *out << input.name; }

const char* const kBundle =
    "\t\tFunction : k\n"
    "    /* 0x001cfc00e22007f6 */\n"
    "    /*0008*/ MOV R1, c[0x0][0x20] ; /* 0x4c98078000870001 */\n"
    "    /*0010*/ EXIT ; /* 0xe30000000007000f */\n"
    "    /*0018*/ NOP ; /* 0x50b0000000070f00 */\n";

const char* const kFunction =
    ".version 6.0\n.target sm_50\n.address_size 64\n.visible .func f()\n{\n  ret;\n}\n";

/// kBundle with a part replaced.
std::string bundle(const std::string& from, const std::string& to) {
  std::string text = kBundle;
  return text.replace(text.find(from), from.size(), to);
}

const char* const run = "run @";

std::vector<Malformed> malformed_code() {
  return {
      {"NoSuchFile", "", "", "run /nonexistent/file.sass", "/nonexistent/file.sass: No such file"},
      {"Folder", "", "", "run /tmp", "/tmp: is a folder; expected a file"},
      {"EmptyFile", "a.sass", "", run, ":1: no instruction in it"},
      {"CommentsOnly", "a.sass", "// nothing\n", run, ":1: no instruction in it"},
      {"BinaryJunk", "a.sass", std::string("\1\0\2", 3), run, "is in no format that can be read"},
      {"CutOffElf", "a.cubin", "\177ELF\2\1\1", run, "is in no format that can be read"},
      {"HostsObject", "a.o", "\177ELF\2\1\1" + std::string(80, '\0'), run,
       "is a program or library without code for a GPU in it; expected what nvcc builds"},
      {"HostsLibrary", "a.a", "!<arch>\nx.o/", run, "without code for a GPU in it"},
      {"ThinArchive", "a.a", "!<thin>\nx.o/", run, "is a thin archive"},
      {"Bitcode", "a.bc", "BC\xC0\xDE", run, "is LLVM bitcode"},
      {"PackedByXz", "a.cubin.xz", "\3757zXZ", run, "is packed by xz; expected"},
      {"PackedByZstd", "a.cubin.zst", "\x28\xB5\x2F\xFD", run, "is packed by zstd"},
      {"PackedByZip", "a.zip", "PK\3\4", "list kernels @", "is packed by zip"},
      {"BundleCutOff", "a.sass", bundle("    /*0018*/ NOP ; /* 0x50b0000000070f00 */\n", ""), run,
       "has 3 words; expected a multiple of 4"},
      {"DisasmOfFunctionsAlone", "a.ptx", kFunction, "disasm @",
       "holds no kernel; expected one at least"},
      {"ListOfFunctionsAlone", "a.ptx", kFunction, "list kernels @",
       "holds no kernel; expected one at least"},
      {"VerifyOfFunctionsAlone", "a.ptx", kFunction, "verify @", "no kernel in it; expected"},
      {"RunOfAPrototypeAlone", "a.ptx", ".version 7.0\n.target sm_70\n.visible .entry k();\n", run,
       "no instruction in it; expected PTX code"},
      {"CheckOfFunctionsAlone", "a.ptx", kFunction, "check @",
       "holds no kernel; expected one at least"},
      {"WordNotHexadecimal", "a.sass", bundle("0x4c98078000870001", "0x4c98078000x70001"), run,
       "a.sass:3:40: no hexadecimal word"},
      {"WordTooShort", "a.sass", bundle("0x4c98078000870001", "0x4c9807800087000"), run,
       "a word of 15 digits; expected 16"},
      {"TextDisagrees", "a.sass", bundle("MOV R1,", "MOV R2,"), run,
       "a.sass:3:14: text 'MOV R2, c[0x0][0x20] ;' disagrees with its word"},
      {"UnknownWord", "a.sass", bundle("0x4c98078000870001", "0xffffffffffffffff"), run,
       "a.sass:3: unknown opcode in 0xffffffffffffffff"},
      {"AddressOutOfOrder", "a.sass", bundle("/*0010*/", "/*0018*/"), run,
       "a.sass:4:5: address 0018 out of order; expected 0010"},
      {"OtherArchitecture", "a.sass", std::string("code for sm_30\n") + kBundle, run,
       "a.sass:1: code for sm_30; expected sm_50 to sm_62"},
      {"UnknownKernel", "a.sass", kBundle, "run @ --kernel kk",
       "no kernel 'kk'; did you mean 'k'?"},
      {"UnknownMnemonic", "a.sass", "   FAAD R1, R2, R3\n", run,
       "a.sass:1:4: unknown opcode 'FAAD'; did you mean 'FADD'?"},
      {"MissingMode", "a.sass", "SHFL P1, R1, R0, 1, 0\n", run,
       "a.sass:1:5: cannot read the operands of SHFL; expected one of .IDX, .UP, .DOWN, .BFLY"},
      {"LaneOutOfRange", "a.sass", "SHFL.UP P1, R1, R0, 32, 0\n", run,
       "a.sass:1:21: cannot read the operands of SHFL; expected an immediate from 0x0 to 0x1f"},
      {"ClampOutOfRange", "a.sass", "SHFL.UP P1, R1, R0, 1, 0x2000\n", run,
       "expected an immediate from 0x0 to 0x1fff"},
      {"NoSuchPredicate", "a.sass", "SHFL.UP P8, R1, R0, 1, 0\n", run,
       "a.sass:1:9: cannot read the operands of SHFL; expected a predicate"},
      {"NoSuchGuard", "a.sass", "@P9 FADD R1, R0, R0\n", run,
       "a.sass:1:2: no guard predicate behind '@'"},
      {"UnknownLabel", "a.sass", "     BRA nowhere\n", run, "expected a label or an address"},
      {"LabelTwice", "a.sass", "a: NOP\na: NOP\n", run, "a.sass:2:1: label 'a' stands twice"},
      {"NoSuchScoreboard", "a.sass", "NOP &rd9\n", run,
       "a.sass:1:9: no such scoreboard; expected 0 to 5"},
      {"UnknownIssueCode", "a.sass", "NOP ?trans12\n", run,
       "a.sass:1:6: unknown issue code 'trans12'; did you mean 'trans1"},
  };
}

std::vector<Malformed> malformed_configs() {
  return {
      {"ConfigTypo", "a.cfg", std::string("[shuffle]\nlatncy = 3\n"), "run X --config @",
       "a.cfg:2:10: unknown key 'shuffle.latncy'; did you mean 'shuffle.latency'?"},
      {"ConfigZero", "a.cfg", std::string("[shuffle]\nlanes = 0\n"),
       "run X --config gm107 --config @",
       "a.cfg:2:9: shuffle.lanes = 0 is out of range; expected 1 to 32"},
      {"ConfigNegative", "a.cfg", std::string("[shuffle]\nlatency = -1\n"),
       "run X --config gm107 --config @", "shuffle.latency = '-1' is no whole number"},
      {"ConfigTwice", "a.cfg", std::string("[shuffle]\nlanes = 1\nlanes = 2\n"), "run X --config @",
       "a.cfg:3:1: 'shuffle.lanes' stands twice"},
      {"ConfigNoValue", "a.cfg", std::string("[shuffle]\nlanes =\n"), "run X --config @",
       "a.cfg:2:1: 'lanes' has no value; expected key = value"},
      {"ConfigSection", "a.cfg", std::string("[shuffle\nlanes = 1\n"), "run X --config @",
       "a.cfg:1:1: section without its ']'"},
      {"ConfigUnknown", "", "", "run X --config gm108", "no config 'gm108'; did you mean 'gm107'?"},
      {"ConfigIncomplete", "a.cfg", std::string("[shuffle]\nlanes = 1\n"), "run X --config @",
       "no config sets 'sm.max_warps'"},
      {"SettingWithoutValue", "", "", "run X --set shuffle.lanes",
       "--set 'shuffle.lanes' is no setting; expected KEY=VALUE"},
      {"UnknownNetwork", "", "", "run X --set shuffle.network=crosbar", "did you mean 'crossbar'?"},
  };
}

std::vector<Malformed> malformed_options_and_traces() {
  return {
      {"ZeroGrid", "", "", "run X --grid 0", "--grid: 0 of them run nothing"},
      {"OptionWithoutValue", "", "", "run X --html", "--html: has no value; expected --html FILE"},
      {"GridNotANumber", "", "", "run X --grid many", "--grid: 'many' is no number"},
      {"ArgumentKind", "", "", "run X --arg i32:3", "unknown kind 'i32'; expected file:PATH"},
      {"ArgumentFile", "", "", "run X --arg file:/nonexistent", "/nonexistent: No such file"},
      {"SaveNoBuffer", "", "", "run X --arg u32:3 --save 0:/tmp/never", "argument 0 is no buffer"},
      {"NoSuchRegister", "", "", "run X --reg Ry=lane", "no register 'Ry'"},
      {"OptionTypo", "", "", "run X --gird 3", "unknown option '--gird'; did you mean '--grid'?"},
      {"OptionPrefix", "", "", "run X --kern k", "unknown option '--kern'"},
      {"CommandTypo", "", "", "runn X", "unknown command 'runn'; did you mean 'run'?"},
      {"TopicTypo", "", "", "list confgs", "did you mean 'configs'?"},
      {"BadWord", "", "", "decode xyz", "'xyz' is no word"},
      {"ReservedBit", "", "", "decode ef17807cf1070001",
       "reserved bits 47 of SHFL set in 0xef17807cf1070001; expected 0"},
      {"TraceVerb", "", "", "trace recrod", "unknown verb 'recrod'; did you mean 'record'?"},
      {"TraceWithoutOutput", "a.sass", "NOP\n", "trace record @", "no output given; expected"},
      {"TraceUnwritable", "a.sass", "NOP\n", "trace record @ -o /nonexistent/a.shft",
       "/nonexistent/a.shft: cannot be written: No such file or directory"},
      {"TraceOfText", "a.sass", "NOP\n", "trace info @",
       "a.sass: is no trace; expected one, such as `shflsim trace record` writes"},
      {"TraceCutOff", "a.shft", std::string("\x89SHFT\r\n\x1a"), "run @",
       "a.shft: offset 8: the file ends; expected 16 bytes from offset 0"},
      {"TraceEnding", "a.sass", "NOP\n", "trace convert @ -o a.trc",
       "a.trc: no format has this ending; expected .shft, .traceg or .traceg.xz"},
      {"AccelSimVersion", "a.traceg",
       "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
       "-accelsim tracer version = 0\n#\n",
       "run @", "a.traceg:4:28: tracer version 0; expected 1 to 6"},
      {"AccelSimCutOff", "a.traceg",
       "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
       "-accelsim tracer version = 5\n#\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n"
       "0000 ffffffff 0 NOP 0 0 0\n",
       "run @", "a.traceg:10: the warp ends after 1 instructions; expected 2"},
      {"UnknownLanes", "a.traceg", "-kernel name = k\n", "run @ --unknown-lanes xro",
       "--unknown-lanes 'xro'; did you mean 'xor'?"},
      {"UnwritableResult", "", "", "run X --json /nonexistent/r.json", "/nonexistent/r.json"},
  };
}

std::vector<Malformed> malformed_inputs() {
  std::vector<Malformed> all;
  for (const auto& part : {malformed_code(), malformed_configs(), malformed_options_and_traces()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Calls with sizes and numbers above the limits.
std::vector<Malformed> outsized_inputs() {
  return {
      {"U3_11WarpsOutOfRange", "", "", "run X --warps 65",
       "--warps: '65' is out of range; expected 1 to 32"},
      {"A11FillTooLarge", "", "", "run X --arg fill:4294967296:00",
       "'4294967296' is out of range; expected 0 to 1073741824"},
      {"A11GridTooLarge", "", "", "run X --grid 2147483647",
       "a grid of 2147483647 warps; expected 4194304 at most"},
      {"A1RegisterBeyondTheCode", "", "", "run X --reg R200=5",
       "the code has no R200; expected R0"},
      {"A9ArgumentFileName", "", "", "run X --arg file:" + std::string(300, 'a'),
       "File name too long; expected a file of bytes"},
      {"A9ArgumentOfMemory", "", "", "run X --arg file:/proc/self/mem", "/proc/self/mem: "},
      {"A35MaskOfMoreThan32Bits", "", "",
       "explain 'SHFL.IDX PT, R6, R2, 0x2, 0x101f' --lanes 0x1ffffffff",
       "--lanes: '0x1ffffffff' is no mask; expected 32 bits"},
  };
}

class MalformedInput : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedInput, GivesOneLineAndStatusTwo) {
  const Malformed& input = GetParam();
  const fs::path folder = fs::path(testing::TempDir()) / (std::string("malformed_") + input.name);
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::ofstream(folder / "ok.sass") << "     SHFL.BFLY PT, R1, R0, 1, 0x1f\n";
  if (!input.file.empty()) std::ofstream(folder / input.file, std::ios::binary) << input.contents;
  std::string arguments = input.arguments;
  const auto replace = [&arguments](const std::string& from, const std::string& to) {
    const size_t at = arguments.find(from);
    if (at != std::string::npos) arguments.replace(at, from.size(), to);
  };
  replace("@", (folder / input.file).string());
  replace("run X", "run " + (folder / "ok.sass").string());

  const size_t files = static_cast<size_t>(std::distance(fs::directory_iterator(folder), {}));
  const ProgramRun result = run_program(arguments);
  EXPECT_EQ(result.status, 2) << result.errors;
  EXPECT_EQ(result.output, "");
  EXPECT_NE(result.errors.find(input.expected), std::string::npos) << result.errors;
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  EXPECT_EQ(static_cast<size_t>(std::distance(fs::directory_iterator(folder), {})), files);
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Each, MalformedInput, testing::ValuesIn(malformed_inputs()),
                         [](const auto& each) { return std::string(each.param.name); });
INSTANTIATE_TEST_SUITE_P(Outsized, MalformedInput, testing::ValuesIn(outsized_inputs()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace malformed_input_test
}  // namespace shflsim::cli
