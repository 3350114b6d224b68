// SPDX-License-Identifier: Apache-2.0
// Accel-Sim's compressed traces: a .tracez gives the trace of a .traceg with the same content.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "isa/base/input_error.h"
#include "tests/support/files.h"
#include "tests/support/tracez.h"
#include "tests/traces/shft_support.h"
#include "traces/accel_sim/import.h"
#include "traces/trace_format.h"

namespace shflsim::traces {
namespace tracez_test {

using shflsim::test::packed_tracez;

std::string content(const char* name) {
  return shflsim::test::read_file(shflsim::test::data_path(std::string("accel_sim/") + name));
}

/// Reads a file of these bytes.
std::string described_file(const std::string& bytes) {
  const TemporaryFile file("read.tracez");
  std::ofstream(file.path, std::ios::binary) << bytes;
  LaunchShape shape;
  return described(open_traceg(file.path, UnknownLanes("identity"), &shape));
}

std::string error_of(const std::string& bytes) {
  try {
    described_file(bytes);
  } catch (const InputError& error) {
    const std::string what = error.what();
    return what.substr(what.find(".tracez") + 7);
  }
  return "";
}

TEST(Tracez, SaysWhatTheTextSaysWhateverTheChunksAre) {
  for (const char* name : {"version3.traceg", "version5.traceg", "version6.traceg"}) {
    const std::string text = content(name);
    const std::string expected = described_file(text);
    for (const size_t chunk : {1u, 3u, 2048u})
      EXPECT_EQ(described_file(packed_tracez(text, chunk)), expected) << name << " " << chunk;
    const std::string dictionary = text.substr(text.size() / 2);
    EXPECT_EQ(described_file(packed_tracez(text, 5, dictionary)), expected) << name;
  }
}

/// The file and a chunk are larger than one read.
TEST(Tracez, IsReadPieceByPiece) {
  std::string text = content("version6.traceg");
  const size_t first = text.find("0000 ffff");
  text.erase(first, text.find("\nwarp = 1") - first);
  std::string lines;
  constexpr unsigned kLines = 20'000;
  for (unsigned i = 0; i < kLines; ++i) {
    const std::string number = std::to_string(i * 7919 % 100'003);
    lines += "0040 ffffffff 1 R16 LDG.E 1 R2 4 1 0x7f" + number + " 4 0 0 NoVal \n";
  }
  text.insert(first, lines);
  text.replace(text.find("insts = 12"), 10, "insts = " + std::to_string(kLines));
  const std::string expected = described_file(text);
  EXPECT_EQ(described_file(packed_tracez(text, kLines)), expected);
  EXPECT_EQ(described_file(packed_tracez(text, 100)), expected);
}

TEST(Tracez, IsRecognisedByItsContentAndStandsInAList) {
  const std::filesystem::path folder = std::filesystem::path(TemporaryFile("tracez_list").path);
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "kernel-1.tracez", std::ios::binary)
      << packed_tracez(content("version6.traceg"), 4);
  std::ofstream(folder / "kernelslist.g") << "kernel-1.tracez\n";
  const TraceFormat* format = TraceFormats::of_file((folder / "kernel-1.tracez").string());
  ASSERT_NE(format, nullptr);
  EXPECT_STREQ(format->name, "traceg");
  const std::string list = (folder / "kernelslist.g").string();
  LaunchShape shape;
  EXPECT_EQ(TraceFormats::of_file(list)->open(list, {}, &shape).code.name, "_Z8version6Pf");
  std::filesystem::remove_all(folder);
}

TEST(Tracez, APartOfItIsRefusedInOneLine) {
  const std::string whole = packed_tracez(content("version6.traceg"), 4, "NoVal ffffffff");
  for (size_t size = whole.find('\0') + 1; size < whole.size(); ++size)
    EXPECT_THAT(error_of(whole.substr(0, size)), testing::StartsWith(": damaged: ")) << size;
}

TEST(Tracez, DamageIsNamed) {
  const std::string text = content("version6.traceg");
  const std::string whole = packed_tracez(text, 4);
  const auto changed = [&whole](size_t at, char to) {
    std::string bytes = whole;
    bytes[at] = to;
    return error_of(bytes);
  };
  const size_t numbers = whole.find('\0') + 1;  // bytes of the dictionary, instructions of a chunk
  const size_t warp = numbers + 8;              // instructions and chunks of warp 0, then chunk 0
  const std::string expected = "; expected a whole .tracez";
  EXPECT_EQ(changed(numbers + 3, 1),
            ": damaged: its dictionary is longer than the file" + expected);
  EXPECT_EQ(changed(warp, 11), ": damaged: a warp is not as its index says" + expected);
  EXPECT_EQ(changed(warp + 10, 1), ": damaged: a chunk is longer than the file" + expected);
  EXPECT_EQ(changed(warp + 12, 'x'), ": damaged: a chunk cannot be decompressed" + expected);
  EXPECT_EQ(changed(whole.size() - 1, 1), ": damaged: its index is not in the file" + expected);
  std::string longer = whole;
  longer.insert(whole.size() - 8, 4, '\0');
  EXPECT_EQ(error_of(longer), ": damaged: more follows its index" + expected);
}

TEST(Tracez, AWrongLineIsNamedByItsPlaceInTheText) {
  std::string text = content("version6.traceg");
  text.replace(text.find("1 R1 LDC"), 8, "1 Q1 LDC");
  const std::string error = error_of(packed_tracez(text, 4));
  EXPECT_THAT(error, testing::HasSubstr("'Q1' is no register; expected a destination"));
}

}  // namespace tracez_test
}  // namespace shflsim::traces
