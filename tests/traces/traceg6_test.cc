// SPDX-License-Identifier: Apache-2.0
// Additions of tracer version 6 to the lines: registers of all files, two immediates, values,
// copies by tensor map, commit groups, accesses of 32 bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "isa/base/input_error.h"
#include "tests/support/files.h"
#include "tests/traces/shft_support.h"
#include "traces/accel_sim/export.h"
#include "traces/accel_sim/import.h"
#include "traces/shft/reader.h"
#include "traces/shft/writer.h"
#include "traces/warp_reader.h"

namespace shflsim::traces {
namespace traceg6_test {

using testing::ElementsAre;
using testing::HasSubstr;

std::string text_of(const std::vector<std::string>& lines, const std::string& version = "6") {
  std::string text =
      "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-binary version = 90\n"
      "-accelsim tracer version = " +
      version + "\n\n#traces format\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = " +
      std::to_string(lines.size()) + "\n";
  for (const std::string& line : lines) text += line + "\n";
  return text + "\n#END_TB\n";
}

struct Read {
  explicit Read(const std::vector<std::string>& lines, const std::string& version = "6")
      : file("six.traceg") {
    std::ofstream(file.path) << text_of(lines, version);
    trace = open_traceg(file.path, UnknownLanes("identity"), &shape);
  }
  std::string exported() const {
    const TemporaryFile out("out.traceg");
    export_traceg(trace, shape, out.path, false);
    return shflsim::test::read_file(out.path);
  }
  const isa::CodeLine& line(size_t index) const { return trace.code.lines.at(index); }
  /// The lane that lane 9 reads in a line with a SHFL.
  int source(size_t index) const {
    WarpReader steps(trace, 0);
    while (steps.step().index != index) steps.next();
    return trace.maps().at(steps.step().payload).source[9];
  }

  const TemporaryFile file;
  LaunchShape shape;
  Trace trace;
};

std::string error_of(const std::string& line) {
  try {
    Read read({line});
  } catch (const InputError& error) {
    const std::string what = error.what();
    return what.substr(what.find(':'));
  }
  return "";
}

TEST(Traceg6, ShufflesOfTwoImmediatesHaveTheirLanes) {
  const Read read({"0000 ffffffff 1 R5 SHFL.BFLY 1 R11 0 1 31 NoVal ",
                   "0010 ffffffff 1 R5 SHFL.DOWN 1 R11 0 4 31 NoVal ",
                   "0020 ffffffff 1 R5 SHFL.UP 1 R11 0 2 0 NoVal ",
                   "0030 ffffffff 1 R5 SHFL.IDX 1 R11 0 3 31 NoVal ",
                   "0040 ffffffff 0 SHFL.BFLY 2 R5 R11 0 16 31 NoVal ",
                   "0050 ffffffff 1 P7 SHFL.BFLY 2 R5 R11 0 8 6175 NoVal "});
  EXPECT_THAT((std::vector<int>{read.source(0), read.source(1), read.source(2), read.source(3),
                                read.source(4), read.source(5)}),
              ElementsAre(8, 13, 7, 3, 25, 1));
  EXPECT_TRUE(read.trace.findings.empty());
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(read.line(i).footprint.first_write, 5) << i;
    ASSERT_EQ(read.line(i).footprint.read_count, 1) << i;
    EXPECT_EQ(read.line(i).footprint.reads[0].index, 11) << i;
  }
}

TEST(Traceg6, ShufflesWithARegisterForTheLaneKeepThemOpen) {
  const Read read({"0000 ffffffff 1 R5 SHFL.IDX 2 R11 R3 0 31 0 NoVal ",
                   "0010 ffffffff 1 R5 SHFL.IDX 2 R11 UR3 0 31 0 NoVal ",
                   "0020 ffffffff 1 R5 SHFL.BFLY 3 R11 R3 R4 0 0 0 NoVal ",
                   "0030 ffffffff 1 R5 SHFL.BFLY 1 R11 0 31 NoVal "});
  ASSERT_EQ(read.trace.findings.size(), 1u);
  EXPECT_EQ(read.trace.findings[0].what,
            "has lanes that the trace does not say (like 3 more SHFL); identity was taken for 4 "
            "warp instructions");
  const Read zero({"0000 ffffffff 1 R5 SHFL.IDX 2 R11 R255 0 31 0 NoVal ",
                   "0010 ffffffff 1 R5 SHFL.UP 2 R11 R255 0 4 0 NoVal "});
  EXPECT_TRUE(zero.trace.findings.empty());
  EXPECT_EQ(zero.source(0), 0);
  EXPECT_EQ(zero.source(1), 5);
}

TEST(Traceg6, PredicatesAreDependencesAndUniformRegistersAreNone) {
  const Read read({"0000 ffffffff 1 P0 ISETP.GE.AND 1 R2 0 0 0 NoVal ",
                   "0010 ffffffff 1 R9 SEL 3 R8 R7 P0 0 0 0 NoVal ",
                   "0020 ffffffff 1 UR4 UIADD3 2 UR5 UP1 0 0 0 NoVal ",
                   "0030 ffffffff 1 P7 FSETP.NEU.AND 2 R1 P7 0 0 0 NoVal "});
  EXPECT_EQ(read.line(0).footprint.predicates_written, 1);
  EXPECT_EQ(read.line(0).footprint.write_count, 0);
  EXPECT_EQ(read.line(1).footprint.predicates_read, 1);
  EXPECT_EQ(read.line(1).footprint.read_count, 2);
  EXPECT_EQ(read.line(2).footprint.write_count + read.line(2).footprint.read_count, 0);
  EXPECT_EQ(read.line(2).text, "UIADD3 UR4, UR5, UP1");
  EXPECT_EQ(read.line(3).footprint.predicates_written, 0);
}

TEST(Traceg6, ValuesAreReadOverAndExportedAsNoVal) {
  std::string lanes = "32 ";
  for (int lane = 0; lane < 32; ++lane) lanes += "0000000" + std::to_string(lane % 10) + " ";
  const std::string bar = "0000 ffffffff 0 BAR.SYNC 1 R3 0 1 64 Val 1 00000040 \n";
  const Read read({"0000 ffffffff 0 BAR.SYNC 1 R3 0 1 64 Val 1 00000040 ",
                   "0010 ffffffff 1 R4 SYNCS.ARRIVE.TRANS64 2 R2 R5 8 1 0x400 0 0 0 Val " + lanes +
                       "1 0x00000008 " + lanes,
                   "0000 ffffffff 0 BAR.SYNC 1 R3 0 1 64 Val " + lanes});
  EXPECT_EQ(read.trace.code.lines.size(), 2u);
  EXPECT_THAT(read.exported(), HasSubstr("0000 ffffffff 0 BAR.SYNC 1 R3 0 1 64 NoVal \n"
                                         "0010 ffffffff 1 R4 SYNCS.ARRIVE.TRANS64 2 R2 R5 8 1 "
                                         "0x400 0 0 0 NoVal \n"));
  EXPECT_EQ(error_of("0000 ffffffff 0 BAR.SYNC 1 R3 0 1 64 Val 33 0 "),
            ":15:42: 33 is out of range; expected the number of a register's values");
  EXPECT_EQ(error_of("0000 ffffffff 0 BAR.SYNC 1 R3 0 1 64 Val 2 0 "),
            ":15:46: the line ends; expected a register's value");
  EXPECT_EQ(error_of("0000 ffffffff 0 BAR.SYNC 1 R3 0 1 64 Vol "),
            ":15:38: 'Vol' is none; expected Val or NoVal");
}

TEST(Traceg6, BarriersOfTwoImmediatesHaveTheirNumberAndThreads) {
  const Read read(
      {"0000 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 3 64 NoVal ",
       "0010 ffffffff 0 BAR.ARV 0 0 15 1024 NoVal ", "0020 ffffffff 0 BAR.SYNC 0 0 16 64 NoVal ",
       "0030 ffffffff 0 BAR.SYNC 1 R3 0 0 64 NoVal ", "0040 ffffffff 0 BAR.SYNC 0 0 3 NoVal "});
  EXPECT_EQ(read.line(0).barrier.number, 3);
  EXPECT_EQ(read.line(0).barrier.threads, 64);
  EXPECT_TRUE(read.line(0).barrier.stops);
  EXPECT_EQ(read.line(1).barrier.number, 15);
  EXPECT_EQ(read.line(1).barrier.threads, 1024);
  EXPECT_FALSE(read.line(1).barrier.stops);
  for (size_t i = 2; i < 5; ++i) {
    EXPECT_EQ(read.line(i).barrier.number, 0) << i;
    EXPECT_EQ(read.line(i).barrier.threads, 0) << i;
  }
}

TEST(Traceg6, CopiesByTensorMapAndInBulkAreReadAndNamed) {
  // NOLINTBEGIN(bugprone-suspicious-missing-comma): a long line is two texts
  const Read read(
      {"0000 00000001 0 UTMALDG.2D 2 UR8 UR4 16 0x400 0 4096 0 3 2 0x7f00 0x8000 0 0 "
       "NoVal ",
       "0010 00000001 0 UTMALDG.2D.MULTICAST 2 UR8 UR4 16 400 1 0x3 8192 64 4 0x7f00 3 "
       "128 -128 0 0 NoVal ",
       "0020 00000000 0 UBLKCP.S.G 2 UR8 UR4 2048 0x0 0 0 0 4 0x0 0 0 0 NoVal ",
       "0030 00000001 0 UTMASTG.2D 1 UR8 0 0 0 NoVal ",
       "0000 00000001 0 UTMALDG.2D 2 UR8 UR4 16 0x400 0 4096 0 3 1 0x9000 0 0 NoVal ",
       "0040 ffffffff 0 EXIT 0 0 0 0 NoVal "});
  // NOLINTEND(bugprone-suspicious-missing-comma)
  ASSERT_EQ(read.trace.code.lines.size(), 5u);
  EXPECT_THAT(read.trace.code.warnings,
              ElementsAre("warning: copies that are timed without the memory traffic: UTMALDG.2D "
                          "(2 warp instructions), UTMALDG.2D.MULTICAST (1), UBLKCP.S.G (1), "
                          "UTMASTG.2D (1)"));
  try {
    read.exported();
    FAIL() << "written without addresses";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the addresses of UTMASTG.2D are not kept"));
  }
  const TemporaryFile shft("copies.shft");
  write_shft(shft.path, read.trace, read.shape);
  EXPECT_EQ(error_of("0000 00000001 0 UTMALDG.2D 2 UR8 UR4 16 0x400 0 4096 0 2 0x7f00 0 0 NoVal "),
            ":15:56: 2 is out of range; expected an address mode, 3 or 4");
  EXPECT_EQ(error_of("0000 00000001 0 UTMALDG.2D 2 UR8 UR4 16 0x400 2 4096 0 3 0 0 0 NoVal "),
            ":15:47: 2 is out of range; expected 0 or 1: a multicast");
}

TEST(Traceg6, GroupProductsKeepWhetherTheyEndACommitGroup) {
  const std::vector<std::string> lines = {
      "0000 ffffffff 1 R24 HGMMA.64x8x16.F32 1 R24 0 0 0 0 NoVal ",
      "0010 ffffffff 1 R24 HGMMA.64x8x16.F32 1 R24 1 0 0 0 NoVal ",
      "0020 ffffffff 0 EXIT 0 0 0 0 NoVal "};
  const Read read(lines);
  EXPECT_EQ(read.line(0).text, "HGMMA.64x8x16.F32 R24, R24");
  EXPECT_EQ(read.line(1).text, "HGMMA.64x8x16.F32 R24, R24, gsb0");
  for (const std::string& line : lines) EXPECT_THAT(read.exported(), HasSubstr(line));
  EXPECT_THAT(read.trace.code.warnings,
              ElementsAre("warning: products of warpgroups, timed as one operation of the tensor "
                          "pipe: HGMMA.64x8x16.F32 (2 warp instructions)"));
  const Read before({"0000 ffffffff 1 R24 HGMMA.64x8x16.F32 1 R24 0 7 "}, "5");
  EXPECT_THAT(before.exported(), HasSubstr("HGMMA.64x8x16.F32 1 R24 0 7 \n"));
}

TEST(Traceg6, LoadsAndStoresOf32BytesHaveTheirWidth) {
  const Read read({"0000 ffffffff 1 R16 LDG.E.ENL2.256 1 R2 32 1 0x7f00 32 0 0 NoVal ",
                   "0010 ffffffff 0 STG.E.ENL2.256 2 R2 R16 32 1 0x7f00 32 0 0 NoVal ",
                   "0020 ffffffff 1 R4 LDG.E.128 1 R2 16 1 0x7f00 16 0 0 NoVal "});
  EXPECT_EQ(read.line(0).access_bytes, 32);
  EXPECT_EQ(read.line(0).footprint.write_count, 8);
  EXPECT_EQ(read.line(1).access_bytes, 32);
  EXPECT_EQ(read.line(2).footprint.write_count, 4);
  const TemporaryFile shft("wide.shft");
  write_shft(shft.path, read.trace, read.shape);
  LaunchShape shape;
  EXPECT_EQ(described(open_shft(shft.path, &shape)), described(read.trace));
  EXPECT_EQ(error_of("0000 ffffffff 1 R16 LDG.E.512 1 R2 64 1 0x7f00 64 0 0 NoVal "),
            ":15:36: 64 is out of range; expected an access of 0 to 32 bytes");
}

TEST(Traceg6, OpcodesThatAreNotKnownAreNamedWithTheirCounts) {
  const Read read({"0000 ffffffff 1 R4 NOTANOP.X 1 R4 0 0 ", "0010 ffffffff 1 R4 ALSONOT 1 R4 0 0 ",
                   "0000 ffffffff 1 R4 NOTANOP.X 1 R4 0 0 ", "0020 ffffffff 1 R4 FADD 1 R4 0 0 ",
                   "0030 ffffffff 0 UNOTONE 0 0 0 ", "0040 ffffffff 1 R4 NOTANOP.X 1 R4 0 0 "},
                  "5");
  EXPECT_THAT(
      read.trace.code.warnings,
      ElementsAre("warning: opcodes that are not known, timed as integer arithmetic: NOTANOP.X (3 "
                  "warp instructions), ALSONOT (1)",
                  "warning: opcodes that are not known, timed as operations of the uniform data "
                  "path: UNOTONE (1 warp instructions)"));
  EXPECT_TRUE(Read({"0000 ffffffff 1 R4 FADD 1 R4 0 0 "}, "5").trace.code.warnings.empty());
}

TEST(Traceg6, AccessesWithoutAddressesAreNamed) {
  const Read read({"0000 ffffffff 1 R4 LDG.E 1 R2 0 0 ", "0010 ffffffff 0 ST.E 2 R2 R4 0 0 ",
                   "0020 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f00 4 0 ",
                   "0030 00000000 1 R4 LDG.E 1 R2 4 1 0x0 0 0 ",
                   "0040 ffffffff 0 MEMBAR.SC.GPU 0 0 0 ", "0050 ffffffff 1 R4 LDC 0 0 0 "},
                  "5");
  EXPECT_THAT(read.trace.code.warnings,
              ElementsAre("warning: accesses without addresses in the trace, timed without their "
                          "memory traffic: LDG.E (1 warp instructions), ST.E (1)"));
}

TEST(Traceg6, ProductsOfMatricesHaveTheRegistersOfTheirShape) {
  struct Product {
    const char* opcode;
    unsigned result, first, second;
  };
  for (const Product& each :
       {Product{"HMMA.16816.F32", 4, 4, 2}, Product{"HMMA.16816.F16", 2, 4, 2},
        Product{"HMMA.1688.F32", 4, 2, 1}, Product{"HMMA.1688.F32.TF32", 4, 4, 2},
        Product{"HMMA.1684.F32.TF32", 4, 2, 1}, Product{"HMMA.884.F32.F32.STEP0", 2, 2, 2},
        Product{"HMMA.SP.16832.F32", 4, 4, 4}, Product{"IMMA.8816.S8.S8", 2, 1, 1},
        Product{"IMMA.16832.S8.S8", 4, 4, 2}, Product{"IMMA.16832.S4.S4", 4, 2, 1},
        Product{"IMMA.16864.U4.U4", 4, 4, 2}, Product{"BMMA.88128.XOR.POPC", 2, 1, 1},
        Product{"BMMA.168256.AND.POPC", 4, 4, 2}, Product{"DMMA.884", 4, 2, 2},
        Product{"DMMA.16x8x16", 8, 16, 8}, Product{"QMMA.16832.F32.E4M3.E4M3", 4, 4, 2},
        Product{"QMMA.16816.F16.E5M2.E5M2", 2, 2, 1},
        Product{"OMMA.SF.16864.F32.E2M1.E2M1.UE8", 4, 4, 2}}) {
    const Read read(
        {std::string("0000 ffffffff 1 R24 ") + each.opcode + " 3 R64 R96 R24 0 0 0 NoVal "});
    const isa::Footprint& footprint = read.line(0).footprint;
    ASSERT_EQ(footprint.read_count, 3) << each.opcode;
    EXPECT_EQ(footprint.write_count, each.result) << each.opcode;
    EXPECT_EQ(footprint.reads[0].count, each.first) << each.opcode;
    EXPECT_EQ(footprint.reads[1].count, each.second) << each.opcode;
    EXPECT_EQ(footprint.reads[2].count, each.result) << each.opcode;
  }
}

TEST(Traceg6, ProductsOfHalfBytesRunOnTheTensorPipeAndAreNamed) {
  const Read read(
      {"0000 ffffffff 1 R24 OMMA.SF.16864.F32.E2M1.E2M1.UE4M3.4X 5 R64 R96 R24 R2 R3 0 0 0 "
       "NoVal "});
  EXPECT_EQ(read.line(0).pipe, isa::Pipe::kTensor);
  EXPECT_EQ(read.line(0).footprint.read_count, 5);
  EXPECT_THAT(read.trace.code.warnings,
              ElementsAre("warning: products of 4-bit numbers, timed as QMMA: "
                          "OMMA.SF.16864.F32.E2M1.E2M1.UE4M3.4X (1 warp instructions)"));
}

}  // namespace traceg6_test
}  // namespace shflsim::traces
