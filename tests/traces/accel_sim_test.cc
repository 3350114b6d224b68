// SPDX-License-Identifier: Apache-2.0
// Hand-made traces of each tracer version, read and written.
#include <gtest/gtest.h>

#include <fstream>

#include "isa/base/input_error.h"
#include "tests/support/files.h"
#include "tests/traces/shft_support.h"
#include "traces/accel_sim/code.h"
#include "traces/accel_sim/export.h"
#include "traces/accel_sim/import.h"
#include "traces/accel_sim/peer_names.h"
#include "traces/shft/reader.h"
#include "traces/trace_format.h"
#include "traces/warp_reader.h"

namespace shflsim::traces {
namespace accel_sim_test {

std::string data(const std::string& name) { return shflsim::test::data_path("accel_sim/" + name); }

struct Imported {
  explicit Imported(const std::string& path, const std::string& unknown = "identity")
      : trace(open_traceg(path, UnknownLanes(unknown), &shape)) {}
  /// Lane maps of a warp's SHFLs that any lane executes.
  std::vector<isa::LaneMap> maps(size_t warp) const {
    std::vector<isa::LaneMap> found;
    WarpReader steps(trace, warp);
    do {
      const Step& step = steps.step();
      if (trace.code.lines[step.index].is_shuffle() && step.payload != Step::kNone)
        found.push_back(trace.maps()[step.payload]);
    } while (steps.next());
    return found;
  }

  LaunchShape shape;
  Trace trace;
};

class EveryVersion : public testing::TestWithParam<const char*> {};

TEST_P(EveryVersion, IsWrittenAsItWasRead) {
  const Imported imported(data(GetParam()));
  const TemporaryFile exported("exported.traceg");
  export_traceg(imported.trace, imported.shape, exported.path, false);
  EXPECT_EQ(shflsim::test::read_file(exported.path), shflsim::test::read_file(data(GetParam())));
}

TEST_P(EveryVersion, IsWrittenAsItWasReadThroughXz) {
  const Imported plain(data(GetParam()));
  const TemporaryFile exported("exported.traceg.xz");
  export_traceg(plain.trace, plain.shape, exported.path, true);
  EXPECT_EQ(shflsim::test::read_file(exported.path).substr(0, 6), std::string("\xFD"
                                                                              "7zXZ\0",
                                                                              6));
  const Imported again(exported.path);
  EXPECT_EQ(described(again.trace), described(plain.trace));
}

INSTANTIATE_TEST_SUITE_P(Each, EveryVersion,
                         testing::Values("version3.traceg", "version4.traceg",
                                         "version4_immediates.traceg", "version5.traceg",
                                         "version6.traceg"),
                         [](const auto& each) {
                           const std::string name = each.param;
                           return name.substr(0, name.find('.'));
                         });

TEST(AccelSim, ReadsAddressesInAllThreeModes) {
  const auto addresses = [](const char* name, size_t step) {
    const Imported imported(data(name));
    WarpReader steps(imported.trace, 0);
    for (size_t i = 0; i < step; ++i) steps.next();
    return steps.addresses();
  };
  const LaneAddresses list = addresses("version3.traceg", 0);
  EXPECT_EQ(list[0], 0x7f5800000000u);
  EXPECT_EQ(list[1], 0x7f5800000014u);
  const LaneAddresses stride = addresses("version4_immediates.traceg", 2);
  EXPECT_EQ(stride[31], 0x7f580000007cu);
  // Mode 2 has one difference fewer than active lanes; the immediate follows the differences.
  const LaneAddresses differences = addresses("version5.traceg", 2);
  EXPECT_EQ(differences[7], 0x7f580000001cu);
  EXPECT_EQ(differences[16], 0x7f580000001cu + 100);
  EXPECT_EQ(differences[23], 0x7f580000001cu + 100 + 28);
}

TEST(AccelSim, GivesShuffleItsDestinationBack) {
  TracegInstruction shuffle;
  shuffle.opcode = "SHFL.BFLY";
  shuffle.sources = {{8}, {2}};
  const isa::Footprint footprint = traced_line(isa::Family::kSm70, shuffle).footprint;
  EXPECT_EQ(footprint.write_count, 1);
  EXPECT_EQ(footprint.first_write, 8);
  ASSERT_EQ(footprint.read_count, 1);
  EXPECT_EQ(footprint.reads[0].index, 2);
}

TEST(AccelSim, KnowsTheLanesOfShufflesWithAZeroOperand) {
  const Imported imported(data("version4_immediates.traceg"));
  const std::vector<isa::LaneMap> maps = imported.maps(0);
  ASSERT_EQ(maps.size(), 3u);
  EXPECT_EQ(maps[1].source[9], 5);  // .UP by 4, clamp RZ
  EXPECT_EQ(maps[1].in_range, 0xFFFFFFF0u);
  EXPECT_EQ(maps[2].source[9], 0);  // .IDX of lane RZ
  ASSERT_EQ(imported.trace.findings.size(), 1u);
  EXPECT_EQ(imported.trace.code.lines[imported.trace.findings[0].index].text,
            "SHFL.BFLY __, R8, R2, 31");
  EXPECT_EQ(imported.trace.findings[0].what,
            "has lanes that the trace does not say; identity was taken for 4 warp instructions");
}

TEST(AccelSim, TakesTheLanesThatTheUserChooses) {
  const auto source = [](const std::string& choice, size_t shuffle, unsigned lane) {
    return Imported(data("version5.traceg"), choice).maps(0).at(shuffle).source[lane];
  };
  // Lanes 0-7 and 16-23 execute.
  EXPECT_EQ(source("identity", 0, 5), 5);
  EXPECT_EQ(source("xor", 0, 5), 21);
  EXPECT_EQ(source("xor", 1, 5), 5);  // lane 13 does not execute
  EXPECT_EQ(source("worst", 0, 1), 16);
  const Imported random(data("version5.traceg"), "random:7");
  for (const isa::LaneMap& map : random.maps(0)) {
    for (const uint8_t lane : map.source) EXPECT_NE(0x00FF00FFu >> lane & 1u, 0u);
    EXPECT_EQ(map.undefined, 0u);
  }
  EXPECT_EQ(described(random.trace),
            described(Imported(data("version5.traceg"), "random:7").trace));
  EXPECT_THROW(UnknownLanes("random:x"), InputError);
  EXPECT_THROW(UnknownLanes("xro"), InputError);
}

TEST(AccelSim, FindsTheKernelsOfAList) {
  const std::string list = data("kernelslist.g");
  const TraceFormat* format = TraceFormats::of_file(list);
  ASSERT_NE(format, nullptr);
  EXPECT_STREQ(format->name, "kernelslist");
  EXPECT_EQ(format->kernels(list), (std::vector<std::string>{"kernel-1", "kernel-2"}));
  const auto name_of = [&](const char* kernel) {
    LaunchShape shape;
    return format->open(list, {kernel, "identity"}, &shape).code.name;
  };
  EXPECT_EQ(name_of("kernel-2"), "_Z8version5Pf");
  EXPECT_EQ(name_of("_Z8version5Pf"), "_Z8version5Pf");
  EXPECT_THROW(name_of(""), InputError);
  EXPECT_THROW(name_of("kernel-3"), InputError);
}

TEST(TraceFormats, TellEachOtherApartByContent) {
  const auto format_of = [](const std::string& path) -> std::string {
    const TraceFormat* format = TraceFormats::of_file(path);
    return format == nullptr ? "" : format->name;
  };
  EXPECT_EQ(format_of(data("version5.traceg")), "traceg");
  EXPECT_EQ(format_of(data("kernel-2.traceg.xz")), "traceg");
  EXPECT_EQ(format_of(shflsim::test::source_path("tests/data/shft/spa50.shft")), "shft");
  EXPECT_EQ(format_of(shflsim::test::source_path("traces/scan_inclusive.sass")), "");
  EXPECT_EQ(format_of("no_such_file"), "");
}

/// What the tracer would write for code of the table's left.
TEST(AccelSim, WritesRegistersAsTheTracerTakesThem) {
  const TracegInstruction shuffle = traceg_instruction("@P0 SHFL.BFLY PT, R8, R9, 0x10, 0x1f");
  EXPECT_EQ(shuffle.opcode, "SHFL.BFLY");
  EXPECT_TRUE(shuffle.destinations.empty());
  EXPECT_EQ(shuffle.sources, (TracedRegisters{{8}, {9}}));
  EXPECT_EQ(shuffle.immediate[0], 31);
  const TracegInstruction store = traceg_instruction("STG.E [R2+0x10], R3");
  EXPECT_TRUE(store.destinations.empty());
  EXPECT_EQ(store.sources, (TracedRegisters{{2}, {3}}));
  const TracegInstruction add = traceg_instruction("FADD R1, -R2, |RZ|");
  EXPECT_EQ(add.destinations, (TracedRegisters{{1}}));
  EXPECT_EQ(add.sources, (TracedRegisters{{2}, {255}}));
}

TEST(AccelSim, TakesWhatItExportsOfOwnCode) {
  const RandomRun run(31);
  const TemporaryFile exported("own.traceg");
  export_traceg(run.trace, {run.launch.grid, run.launch.block}, exported.path, false);
  const Imported imported(exported.path);
  ASSERT_EQ(imported.trace.warps.size(), run.trace.warps.size());
  WarpReader there(imported.trace, 0);
  WarpReader here(run.trace, 0);
  do {
    ASSERT_EQ(there.step().lanes, here.step().lanes);
    ASSERT_EQ(imported.trace.code.lines[there.step().index].address,
              run.trace.code.lines[here.step().index].address);
    there.next();
  } while (here.next());
}

/// Accel-Sim exits if its tables lack a binary version or an opcode.
TEST(AccelSim, KnowsTheVersionsAndOpcodesThatAreWrittenForIt) {
  using isa::Arch;
  const auto version = [](Arch arch) { return accel_sim_version(arch); };
  EXPECT_EQ(version(Arch::kSm50), 61u);
  EXPECT_EQ(version(Arch::kSm72), 70u);
  EXPECT_EQ(version(Arch::kSm75), 75u);
  EXPECT_EQ(version(Arch::kSm80), 80u);
  EXPECT_EQ(version(Arch::kSm89), 86u);
  EXPECT_EQ(version(Arch::kSm90), 80u);
  EXPECT_EQ(version(Arch::kSm120), 80u);
  const auto opcode = [](Arch arch, const char* name) { return accel_sim_opcode(arch, name); };
  EXPECT_EQ(opcode(Arch::kSm90, "VIADD"), "IADD3");
  EXPECT_EQ(opcode(Arch::kSm90, "VIMNMX.U32"), "IMNMX.U32");
  EXPECT_EQ(opcode(Arch::kSm80, "F2FP.BF16.PACK_AB"), "F2F.BF16.PACK_AB");
  EXPECT_EQ(opcode(Arch::kSm120, "LDCU.64"), "ULDC.64");
  EXPECT_EQ(opcode(Arch::kSm90, "S2UR"), "S2UR");
  EXPECT_EQ(opcode(Arch::kSm90, "IMAD.WIDE.U32"), "IMAD.WIDE.U32");
  EXPECT_EQ(opcode(Arch::kSm50, "XMAD"), "XMAD");
}

TEST(AccelSim, GetsOwnCodeOfSm90UnderAVersionThatItTakes) {
  Trace trace;
  trace.code.name = "k";
  trace.code.arch = isa::Arch::kSm90;
  isa::CodeLine line;
  line.text = "VIADD R1, R0, 0x1";
  line.address = 0;
  trace.code.lines.push_back(line);
  const TemporaryFile exported("sm90.traceg");
  export_traceg(trace, {{1, 1, 1}, {32, 1, 1}}, exported.path, false);
  const std::string text = shflsim::test::read_file(exported.path);
  EXPECT_NE(text.find("-binary version = 80\n"), std::string::npos);
}

TEST(AccelSim, A35ANameThatBreaksTheLineDoesNotBreakTheHeader) {
  RandomRun run(31);
  run.trace.code.name = "k\n-nregs = 3";
  const TemporaryFile exported("name.traceg");
  export_traceg(run.trace, {run.launch.grid, run.launch.block}, exported.path, false);
  const std::string text = shflsim::test::read_file(exported.path);
  EXPECT_EQ(text.substr(0, text.find('\n')), "-kernel name = k\\n-nregs = 3");
}

/// Before version 3 each line also has the block and the warp.
TEST(AccelSim, ReadsVersionsWithPlacesInTheirLines) {
  const std::string text = shflsim::test::read_file(data("version3.traceg"));
  const Imported third(data("version3.traceg"));
  for (const char* version : {"1", "2"}) {
    const TemporaryFile file("earlier.traceg"), exported("exported.traceg");
    std::ofstream earlier(file.path, std::ios::binary);
    for (const std::string& line : shflsim::test::lines_of(text)) {
      const bool is_step = line.size() > 8 && line[4] == ' ' && line.find('=') == std::string::npos;
      const bool is_version = line.find("tracer version") != std::string::npos;
      earlier << (is_step ? "0 0 0 1 " : "")
              << (is_version ? "-accelsim tracer version = " + std::string(version) : line) << '\n';
    }
    earlier.close();
    const Imported imported(file.path);
    EXPECT_EQ(described(imported.trace), described(third.trace));
    export_traceg(imported.trace, imported.shape, exported.path, false);
    EXPECT_EQ(shflsim::test::read_file(exported.path), text);
  }
}

struct BadLine {
  const char* name;
  const char* from;
  const char* to;
  const char* expected;
};

class BadTraceg : public testing::TestWithParam<BadLine> {};

TEST_P(BadTraceg, IsAnErrorThatNamesTheLine) {
  std::string text = shflsim::test::read_file(data("version5.traceg"));
  const size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string(GetParam().from).size(), GetParam().to);
  const TemporaryFile file("bad.traceg");
  std::ofstream(file.path, std::ios::binary) << text;
  try {
    Imported imported(file.path);
    FAIL() << "read all the same";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), file.path + GetParam().expected);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each, BadTraceg,
    testing::Values(
        BadLine{"Version", "version = 5", "version = 7",
                ":12:28: tracer version 7; expected 1 to 6"},
        BadLine{"VersionZero", "version = 5", "version = 0",
                ":12:28: tracer version 0; expected 1 to 6"},
        BadLine{"NoPlaces", "version = 5", "version = 2",
                ":23:8: 'ffffffff' is no number; expected a place of block or warp"},
        BadLine{"NoValues", "version = 5", "version = 6",
                ":23:138: the line ends; expected Val or NoVal"},
        BadLine{"HeaderKey", "-nregs", "-nreg",
                ":6:2: unknown header line 'nreg'; did you mean 'nregs'?"},
        BadLine{"NoGrid", "-grid dim = (1,1,1)\n", "",
                ":14: the header has no '-grid dim = '; expected it above the traces"},
        BadLine{"BlockOutside", "block = 0,0,0", "block = 2,0,0",
                ":19:16: 2 is out of range; expected a block of the grid: x,y,z"},
        BadLine{"BlockOfFourNumbers", "grid dim = (1,1,1)", "grid dim = (1,1,1,1)",
                ":3:13: -grid dim has more than three numbers; expected (x,y,z)"},
        BadLine{"BlockTwice", "#END_TB\n", "#END_TB\n#BEGIN_TB\nthread block = 0,0,0\n",
                ":43: the block is there a second time; expected it once"},
        BadLine{"WidthOfThree", "R4 4 2", "R4 3 2",
                ":25:37: no access has 3 bytes; expected 0, 1, 2, 4, 8, 16 or 32"},
        BadLine{"WarpOutside", "warp = 1", "warp = 2",
                ":31:8: 2 is out of range; expected a warp of the block"},
        BadLine{"TooFew", "insts = 7", "insts = 9",
                ":31: the warp ends after 7 instructions; expected 9"},
        BadLine{
            "TooMany", "insts = 7", "insts = 6",
            ":29:1: '7 0060 ffffffff 0 EXIT 0 0 0 ' is out of place; expected 'thread block = ', "
            "'warp = ' or #END_TB"},
        BadLine{"Mask", "ffffffff 1 R2 LDG", "ffffzfff 1 R2 LDG",
                ":23:8: 'ffffzfff' is no number; expected an active mask of eight hexadecimal "
                "digits"},
        BadLine{"Register", "1 R6 LDS", "1 R256 LDS",
                ":24:19: 'R256' is no register; expected a destination, R0 to R255, UR0 to UR255, "
                "P0 to "
                "P7 or UP0 to UP7"},
        BadLine{"Mode", "16 2 0x7f5800000040", "16 3 0x7f5800000040",
                ":24:40: 3 is out of range; expected an address mode, 0 to 2"},
        BadLine{"ShuffleMode", "SHFL.DOWN", "SHFL.SIDE",
                ":26:19: 'SHFL.SIDE' has no mode; expected SHFL.IDX, .UP, .DOWN or .BFLY"},
        BadLine{"MoreOnTheLine", "EXIT 0 0 0", "EXIT 0 0 0 0",
                ":29:30: more on the line than the format has; expected its end"}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace accel_sim_test
}  // namespace shflsim::traces
