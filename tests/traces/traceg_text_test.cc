// SPDX-License-Identifier: Apache-2.0
// How the text of Accel-Sim's traces is read: once, and most of it by comparison.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include <fstream>
#include <random>
#include <thread>

#include "isa/base/input_error.h"
#include "tests/support/files.h"
#include "tests/traces/shft_support.h"
#include "traces/accel_sim/export.h"
#include "traces/accel_sim/import.h"
#include "traces/spill_file.h"
#include "traces/trace_format.h"
#include "traces/warp_reader.h"

namespace shflsim::traces {
namespace traceg_text_test {

std::string header(const std::string& grid = "1", const std::string& more = "") {
  return "-kernel name = k\n-kernel id = 1\n-grid dim = (" + grid +
         ",1,1)\n-block dim = (64,1,1)\n-accelsim tracer version = 5\n" + more +
         "\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
         "mem_width [adrrescompress?] [mem_addresses] immediate\n";
}

std::string block(const std::string& number, const std::vector<std::string>& lines) {
  std::string text = "\n#BEGIN_TB\n\nthread block = " + number +
                     ",0,0\n\nwarp = 0\ninsts = " + std::to_string(lines.size()) + "\n";
  for (const std::string& line : lines) text += line + "\n";
  return text + "\n#END_TB\n";
}

struct Read {
  explicit Read(const std::string& text) : file("read.traceg") {
    std::ofstream(file.path, std::ios::binary) << text;
    trace = open_traceg(file.path, UnknownLanes("identity"), &shape);
  }
  std::string exported() const {
    const TemporaryFile out("exported.traceg");
    export_traceg(trace, shape, out.path, false);
    return shflsim::test::read_file(out.path);
  }

  const TemporaryFile file;
  LaunchShape shape;
  Trace trace;
};

std::string error_of(const std::string& text) {
  try {
    Read read(text);
  } catch (const InputError& error) {
    const std::string what = error.what();
    return what.substr(what.find(':'));
  }
  return "";
}

/// Addresses as the tracer writes them: with a stride if the lanes form one run with one step.
std::string addresses(isa::LaneMask lanes, uint64_t base, const std::vector<int>& steps) {
  if (lanes == isa::kAllLanes && steps.size() == 1)
    return fmt::format("1 0x{:x} {} ", base, steps[0]);
  std::string text = fmt::format("2 0x{:x} ", base);
  for (int i = 1; i < __builtin_popcount(lanes); ++i)
    text += fmt::format("{} ", steps[static_cast<size_t>(i) % steps.size()] + i);
  return text;
}

/// Code in which lanes and forms of addresses change, instructions share a PC, and jumps go
/// anywhere.
std::vector<std::string> random_lines(unsigned seed, size_t count) {
  std::mt19937 random(seed);
  const isa::LaneMask masks[] = {0xFFFFFFFF, 0xFFFFFFFF, 0x00FF00FF, 0x80000000};
  std::vector<std::string> lines;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t pc = 16 * (random() % 8 == 0 ? random() % 64 : i % 64);
    const isa::LaneMask lanes = masks[random() % 4];
    const std::string front = fmt::format("{:04x} {:08x} ", pc, lanes);
    if (pc % 64 != 0) {
      const bool other = pc == 16 && random() % 2 == 0;
      lines.push_back(front + fmt::format("1 R{} {} 1 R2 0 7 ", pc % 32, other ? "MOV" : "FADD"));
      continue;
    }
    std::vector<int> steps = {4};
    if (random() % 3 == 0) steps = {-4, 100, -7};
    lines.push_back(front + "1 R4 LDG.E.SYS 1 R2 4 " +
                    addresses(lanes, 0x7f5800000000 + random() % 8 * 256, steps) + "0 ");
  }
  return lines;
}

TEST(TracegText, GoesBackToTheSameBytesWhateverChangesFromLineToLine) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const std::string text = header() + block("0", random_lines(seed, 12000));  // several pieces
    const Read read(text);
    EXPECT_TRUE(read.exported() == text) << seed;
  }
}

TEST(TracegText, TakesBlankLinesCarriageReturnsAndAMissingLastEnd) {
  const std::vector<std::string> lines = random_lines(4, 300);
  std::string text = header() + block("0", lines);
  const std::string expected = described(Read(text).trace);
  std::string spaced;
  for (const char letter : text) spaced += letter == '\n' ? "\r\n" : std::string(1, letter);
  EXPECT_EQ(described(Read(spaced).trace), expected);
  spaced.clear();
  for (const char letter : text) spaced += letter == '\n' ? "\n\n" : std::string(1, letter);
  EXPECT_EQ(described(Read(spaced).trace), expected);
  text.pop_back();
  EXPECT_EQ(described(Read(text).trace), expected);
}

/// `front(n)` in front of the n-th line and `end` behind each.
template <class F>
std::string decorated(const std::string& text, F front, const std::string& end = "") {
  std::istringstream lines(text);
  std::string line, all;
  for (unsigned n = 1; std::getline(lines, line); ++n) all += front(n) + line + end + "\n";
  return all;
}

TEST(TracegText, TakesWhatToolsAddToLines) {
  const std::string text = header() + block("0", random_lines(8, 300));
  const std::string expected = described(Read(text).trace);
  const auto always = [](const char* front) { return [front](unsigned) { return front; }; };
  std::string wide = "\xFF\xFE";
  for (const char letter : text) wide += {letter, '\0'};
  std::string with_carriage_returns = text;
  std::replace(with_carriage_returns.begin(), with_carriage_returns.end(), '\n', '\r');
  for (const std::string& added :
       {decorated(text, always("\x1B[32m"), "\x1B[0m"), "\xEF\xBB\xBF" + text, wide,
        decorated(text, [](unsigned n) { return fmt::format("{:6}\t", n); }),
        decorated(text, [](unsigned n) { return fmt::format("{}:", n); }),
        decorated(text, always("> ")), decorated(text, always("    ")),
        "--- /dev/null\n+++ b/k.traceg\n@@ -0,0 +1,400 @@\n" + decorated(text, always("+")),
        decorated(text, always("tracer-1  | ")), "```\n" + text + "```\n", with_carriage_returns,
        decorated(decorated(text, always("\x1B[2m"), "\x1B[0m"), always("> "), "\r")})
    EXPECT_EQ(described(Read(added).trace), expected) << added.substr(0, 60);
}

TEST(TracegText, WithAdditionsIsFoundByItsContent) {
  const TemporaryFile file("added.traceg");
  std::ofstream(file.path) << "\xEF\xBB\xBF" + header() + block("0", random_lines(9, 30));
  EXPECT_TRUE(TraceFormats::of_file(file.path) != nullptr);
}

TEST(TracegText, TakesThePlaceOfABlockInItsCluster) {
  const std::string plain = header() + block("0", random_lines(6, 50));
  const size_t behind = plain.find("\nwarp = ");
  for (const char* cluster : {"cluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0\n",
                              "cluster rank = 3\n", "\ncluster id = 1,2,3\n\n"}) {
    std::string text = plain;
    EXPECT_EQ(described(Read(text.insert(behind, cluster)).trace), described(Read(plain).trace));
  }
  std::string before = plain;
  before.insert(plain.find("thread block"), "cluster rank = 0\n");
  EXPECT_THAT(error_of(before), testing::HasSubstr("'cluster rank = 0' is out of place"));
}

TEST(TracegText, AHeaderLineThatIsNotKnownIsAWarning) {
  const std::string lines = block("0", random_lines(6, 50));
  for (const char* line : {"-device name = H100", "-nvcc flags = -O3", "-uuid = 0=1"}) {
    const Read read(header("1", std::string(line) + "\n") + lines);
    const std::string key = std::string(line).substr(1, std::string(line).find(" =") - 1);
    const std::string warning = "warning: line 6: unknown header line '" + key + "', left out";
    EXPECT_EQ(read.trace.code.warnings, std::vector<std::string>{warning});
    std::string same = described(read.trace);
    EXPECT_EQ(same.erase(same.find(warning), warning.size() + 1),
              described(Read(header() + lines).trace));
  }
  EXPECT_THAT(error_of(header("1", "-shmen = 0\n") + lines),
              testing::HasSubstr("unknown header line 'shmen'; did you mean 'shmem'?"));
}

TEST(TracegText, BeforePostProcessingIsRefusedByName) {
  for (const char* line :
       {"0 0 0 1 0000 ffffffff 1 R1 MOV 0 0 ", "3 0 0 0 0 ffffffff 0 EXIT 0 0 "}) {
    EXPECT_THAT(error_of(header() + line + "\n"),
                testing::HasSubstr("in no thread block; expected #BEGIN_TB: post-traces-processing "
                                   "sorts what the tracer writes by thread block"));
  }
}

std::string gzipped(const std::string& text) {
  std::string packed(compressBound(text.size()) + 64, '\0');
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

TEST(TracegText, MayBePackedByGzip) {
  const std::string text = header() + block("0", random_lines(7, 3000));
  const std::string expected = described(Read(text).trace);
  EXPECT_EQ(described(Read(gzipped(text)).trace), expected);
  EXPECT_EQ(described(Read(gzipped(text.substr(0, 700)) + gzipped(text.substr(700))).trace),
            expected);
  const std::string packed = gzipped(text);
  for (const size_t size : {packed.size() - 1, packed.size() / 2, size_t{20}}) {
    EXPECT_THAT(error_of(packed.substr(0, size)),
                testing::HasSubstr("cannot be decompressed; expected a whole gzip file"));
  }
  EXPECT_THAT(error_of(packed + "rest"), testing::HasSubstr("expected a whole gzip file"));
}

TEST(TracegText, A7IsReadOnceSoThatAPipeWillDo) {
  const TemporaryFile pipe("pipe.traceg");
  const std::string text = header() + block("0", random_lines(5, 2000));
  ASSERT_EQ(mkfifo(pipe.path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe.path, std::ios::binary) << text; });
  LaunchShape shape;
  const Trace trace = open_traceg(pipe.path, UnknownLanes("identity"), &shape);
  writer.join();
  EXPECT_EQ(described(trace), described(Read(text).trace));
}

TEST(TracegText, A17ALineWithoutAnEndIsRefusedSoon) {
  EXPECT_EQ(error_of(header() + std::string(8 << 20, 'a')),
            ":8: a line of over 1 MiB; expected a text of lines");
  const TemporaryFile file("one.traceg");
  std::ofstream(file.path) << std::string(8 << 20, 'a');
  EXPECT_EQ(TraceFormats::of_file(file.path), nullptr);
}

TEST(TracegText, P1WhatTheRunCanDoWithoutIsAWarning) {
  const Read read(header("1", "-nregs = 21955\n-shmem = -1\n") +
                  block("0", {"0000 ffffffff 1 R9 MOV 1 R7 0 0 ", "0010 ffffffff 0 EXIT 0 0 0 "}));
  EXPECT_EQ(read.trace.code.warnings,
            (std::vector<std::string>{
                "warning: -nregs = 21955: expected 0 to 255 registers a thread; the limit is left "
                "out",
                "warning: -shmem = -1: expected 0 to 1048576 bytes of shared memory; the limit is "
                "left out"}));
  EXPECT_EQ(read.trace.code.registers, 8u);
  EXPECT_EQ(read.trace.shared_bytes, 0u);
  EXPECT_EQ(read.shape.notes.at("accel-sim nregs"), "21955");
}

TEST(TracegText, P1AFaultOfTheHeaderNamesItsOwnLine) {
  const std::string body = block("0", {"0000 ffffffff 0 EXIT 0 0 0 "});
  EXPECT_EQ(error_of(header("70000,70000") + body),
            ":3:13: -grid dim is too large; expected up to 2147483647 blocks");
  EXPECT_EQ(error_of(header("0") + body),
            ":3:13: -grid dim has a 0; expected 1 or more in each direction");
  EXPECT_EQ(error_of(header("x") + body), ":3:14: 'x' is no number; expected three numbers");
  EXPECT_EQ(error_of(header("1", "-enable lineinfo = 2\n") + body),
            ":6:20: 2 is out of range; expected 0 or 1 for -enable lineinfo");
}

TEST(TracegText, P2AChipThatTheTracerDoesNotKnowIsTakenForALaterOne) {
  const auto family_of = [](const std::string& version) {
    const std::string body = block("0", {"0000 ffffffff 0 EXIT 0 0 0 "});
    return Read(header("1", "-binary version = " + version + "\n") + body).trace.code.family();
  };
  EXPECT_EQ(family_of("61"), isa::Family::kMaxwell);
  for (const char* version : {"0", "70", "100", "-1", "abc"})
    EXPECT_EQ(family_of(version), isa::Family::kSm70) << version;
}

TEST(TracegText, P4AFileCutBetweenBlocksIsSaidToBeCut) {
  const std::vector<std::string> lines = {"0000 ffffffff 0 EXIT 0 0 0 "};
  EXPECT_TRUE(
      Read(header("2") + block("0", lines) + block("1", lines)).trace.code.warnings.empty());
  EXPECT_EQ(Read(header("55") + block("0", lines) + block("1", lines)).trace.code.warnings,
            (std::vector<std::string>{
                "warning: 2 of the grid's 55 blocks are there; only these are timed"}));
}

TEST(TracegText, P5GuessedLanesAreOneFindingForEachSetOfLanes) {
  const Read read(header() + block("0", {"0000 ffffffff 0 SHFL.BFLY 2 R8 R2 0 31 ",
                                         "0010 0000ffff 0 SHFL.BFLY 2 R8 R2 0 31 ",
                                         "0020 ffffffff 0 SHFL.DOWN 2 R8 R2 0 31 ",
                                         "0000 ffffffff 0 SHFL.BFLY 2 R8 R2 0 31 "}));
  ASSERT_EQ(read.trace.findings.size(), 2u);
  EXPECT_EQ(read.trace.findings[0].what,
            "has lanes that the trace does not say (like 1 more SHFL); identity was taken for 3 "
            "warp instructions");
  EXPECT_EQ(read.trace.findings[0].index, 0u);
  EXPECT_EQ(read.trace.findings[1].what,
            "has lanes that the trace does not say; identity was taken for 1 warp instructions");
  EXPECT_EQ(read.trace.findings[1].lanes, 0xFFFFu);
}

TEST(SpillFile, GivesBackWhatItGotInMemoryOrNot) {
  SpillFile spill;
  std::vector<uint64_t> offsets;
  for (char letter = 'a'; letter <= 'z'; ++letter)
    offsets.push_back(spill.append(std::string(500'000, letter)));
  for (size_t i = 0; i < offsets.size(); ++i)
    EXPECT_EQ(spill.read(offsets[i] + 1, 3), std::string(3, static_cast<char>('a' + i)));
}

TEST(SpillFile, A30NeedsNoFileForLittleAndSaysWhereOneCannotBeMade) {
  setenv("TMPDIR", "/nonexistent", 1);
  SpillFile spill;
  for (int i = 0; i < 4; ++i) spill.append(std::string(1 << 20, 'a'));
  try {
    spill.append("a");
    FAIL() << "written all the same";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "/nonexistent: no temporary file there: No such file or directory; expected "
                 "TMPDIR to name a writable folder");
  }
  unsetenv("TMPDIR");
}

}  // namespace traceg_text_test
}  // namespace shflsim::traces
