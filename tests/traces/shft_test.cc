// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "isa/input_error.h"
#include "tests/support/files.h"
#include "tests/traces/shft_support.h"
#include "traces/shft/file_recorder.h"
#include "traces/shft/line_record.h"
#include "traces/shft/reader.h"
#include "traces/shft/writer.h"

namespace shflsim::traces {
namespace {

using test::described;
using test::RandomRun;
using test::TemporaryFile;

/// The trace of the file, or the error that reading it raises.
std::string read_back(const std::string& path) {
  try {
    LaunchShape shape;
    return described(open_shft(path, &shape));
  } catch (const InputError& error) {
    return std::string("error: ") + error.what();
  }
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

class RandomPrograms : public testing::TestWithParam<uint32_t> {};

TEST_P(RandomPrograms, AreReadAsTheyWereRecorded) {
  const TemporaryFile file("random.shft");
  for (uint32_t seed = GetParam(); seed < GetParam() + 100; ++seed) {
    RandomRun run(seed);
    isa::DeviceMemory memory;
    record_to_file(file.path, run.program, run.launch, memory, {});
    ASSERT_EQ(read_back(file.path), described(run.trace)) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Hundreds, RandomPrograms, testing::Range(0u, 1000u, 100u));

TEST(Shft, WritesATraceInMemoryAsItsRecorderDoes) {
  const TemporaryFile recorded("recorded.shft");
  const TemporaryFile written("written.shft");
  RandomRun run(7);
  isa::DeviceMemory memory;
  record_to_file(recorded.path, run.program, run.launch, memory, {});
  write_shft(written.path, run.trace, {run.launch.grid, run.launch.block});
  EXPECT_EQ(read_back(written.path), read_back(recorded.path));
}

/// A small trace with everything in it: divergence, both forms of SHFL, addresses, findings.
std::string small_file(const std::string& path) {
  RandomRun run(31);
  isa::DeviceMemory memory;
  record_to_file(path, run.program, run.launch, memory, {});
  return shflsim::test::read_file(path);
}

TEST(Shft, EveryDamagedByteIsAnErrorThatNamesAnOffset) {
  const TemporaryFile file("damaged.shft");
  const std::string whole = small_file(file.path);
  for (size_t at = 0; at < whole.size(); ++at) {
    const auto flipped = static_cast<unsigned>(1 + at * 37 % 255);
    std::string bytes = whole;
    bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ flipped);
    write_bytes(file.path, bytes);
    const std::string result = read_back(file.path);
    ASSERT_EQ(result.rfind("error: " + file.path + ": offset ", 0), 0u)
        << "byte " << at << " ^ " << flipped << ": " << result.substr(0, 200);
  }
}

TEST(Shft, EveryTruncationIsAnErrorThatNamesAnOffset) {
  const TemporaryFile file("cut.shft");
  const std::string whole = small_file(file.path);
  for (size_t size = 0; size < whole.size(); ++size) {
    write_bytes(file.path, whole.substr(0, size));
    const std::string result = read_back(file.path);
    ASSERT_EQ(result.rfind("error: " + file.path + ": offset ", 0), 0u) << size << ": " << result;
  }
}

/// Calls `read` with every byte of `bytes` changed, one after the other. What comes of it may make
/// sense or not: what does not is an InputError.
template <class Read>
void read_with_each_byte_changed(const std::string& bytes, Read read) {
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^
                                    static_cast<unsigned>(1 + at * 41 % 255));
    try {
      read(changed);
    } catch (const InputError& error) {
      ASSERT_NE(std::string(error.what()).find("offset 16: "), std::string::npos) << error.what();
    }
  }
}

TEST(Shft, AProgramThatNoWriterWritesIsAnError) {
  const RandomRun run(31);
  const std::string name = "wild.shft";
  read_with_each_byte_changed(
      program_bytes(run.trace, {run.launch.grid, run.launch.block}),
      [&name](const std::string& bytes) {
        Trace trace;
        LaunchShape shape;
        read_program(kShftVersion, {bytes.data(), bytes.size(), {&name, 16}}, &trace, &shape);
      });
}

TEST(Shft, APathThatNoWriterWritesIsAnError) {
  const TemporaryFile file("path.shft");
  small_file(file.path);
  Trace trace;
  LaunchShape shape;
  const ShftFile whole(file.path, &trace, &shape);
  const std::string steps = *whole.section(0);
  for (size_t warp = 0; warp < trace.warps.size(); ++warp) {
    const Segment segment = *whole.begin(warp);
    const std::string bytes = steps.substr(segment.offset, segment.bytes);
    read_with_each_byte_changed(bytes, [&](const std::string& changed) {
      ReadMaps maps(whole.code());
      PathDecoder decoder(whole.code(), maps);
      WarpTrace part;
      decoder.start({changed.data(), changed.size(), {&file.path, 16}}, segment.steps, 0);
      while (!decoder.done()) {
        part = {};
        decoder.read(&part);
        for (const Step& step : part.steps) ASSERT_LT(step.index, trace.code.lines.size());
      }
    });
  }
}

TEST(Shft, BytesBehindTheTailAreAnError) {
  const TemporaryFile file("longer.shft");
  const std::string whole = small_file(file.path);
  write_bytes(file.path, whole + "x");
  EXPECT_NE(read_back(file.path).find("offset"), std::string::npos);
  write_bytes(file.path, whole + whole);
  EXPECT_NE(read_back(file.path).find("offset"), std::string::npos);
}

TEST(Shft, ANewerVersionIsNamed) {
  const TemporaryFile file("newer.shft");
  const std::string whole = small_file(file.path);
  std::string preamble = "\x89SHFT\r\n\x1a";
  preamble += std::string("\x03\x00\x00\x00", 4);
  preamble += std::string("\xb5\x8a\xc7\x6e", 4);  // CRC-32 of the twelve bytes in front of it
  write_bytes(file.path, preamble + whole.substr(kPreambleBytes));
  EXPECT_EQ(read_back(file.path),
            "error: " + file.path + ": offset 8: is of version 3; expected version 1 or 2");
}

std::string data(const char* name) {
  return shflsim::test::source_path(std::string("tests/data/shft/") + name);
}

// Files of version 1 were written before version 2 named its pipes.
TEST(Shft, F6AFileOfVersion1IsReadAsItWasWritten) {
  LaunchShape shape;
  const Trace words = open_shft(data("spa50.version1.shft"), &shape);
  EXPECT_EQ(words.code.family, isa::Family::kMaxwell);
  EXPECT_TRUE(words.code.has_words);
  EXPECT_EQ(words.code.lines.at(0).text, "S2R R0, SR_LANEID");
  const Trace names = open_shft(data("accel_sim.version1.shft"), &shape);
  EXPECT_EQ(names.code.family, isa::Family::kVolta);
  EXPECT_FALSE(names.code.has_words);
  const TemporaryFile again("version2.shft");
  write_shft(again.path, names, shape);
  EXPECT_EQ(read_back(again.path), described(names));
}

TEST(Shft, F6EveryClassOfVersion1IsThePipeThatItWas) {
  const isa::Pipe pipes[] = {
      isa::Pipe::kFmai,    isa::Pipe::kMultiply,     isa::Pipe::kFxu,      isa::Pipe::kHalf,
      isa::Pipe::kDouble,  isa::Pipe::kFrontEnd,     isa::Pipe::kFrontEnd, isa::Pipe::kBranch,
      isa::Pipe::kShuffle, isa::Pipe::kShared,       isa::Pipe::kShared,   isa::Pipe::kXu,
      isa::Pipe::kShared,  isa::Pipe::kSpecial,      isa::Pipe::kSpecial,  isa::Pipe::kGlobal,
      isa::Pipe::kGlobal,  isa::Pipe::kWideMultiply, isa::Pipe::kTensor,   isa::Pipe::kXu};
  const std::string name = "class.shft";
  for (uint8_t number = 0; number < std::size(pipes); ++number) {
    ByteWriter out;
    out.text("");
    out.number(number);
    for (int zero = 0; zero < 13; ++zero) out.byte(0);
    out.number(4);  // bytes of an access
    out.number(0);
    out.byte(0);
    ByteReader in(out.bytes().data(), out.size(), {&name, 16});
    EXPECT_EQ(read_line_of_version_1(0, &in).pipe, pipes[number]) << unsigned{number};
    EXPECT_TRUE(in.at_end());
  }
}

TEST(Shft, F6NamesThePipesOfCodeWithoutWords) {
  LaunchShape shape;
  const Trace trace = open_shft(data("accel_sim.version1.shft"), &shape);
  const std::string bytes = program_bytes(trace, shape);
  for (const isa::CodeLine& line : trace.code.lines)
    EXPECT_NE(bytes.find(isa::pipe_name(line.pipe)), std::string::npos) << line.text;
}

TEST(Shft, LeavesNothingBehindWhereTheLaunchFails) {
  const TemporaryFile file("failed.shft");
  RandomRun run(3);
  isa::MachineOptions options;
  options.step_limit = 5;
  isa::DeviceMemory memory;
  EXPECT_THROW(record_to_file(file.path, run.program, run.launch, memory, options), InputError);
  EXPECT_FALSE(std::filesystem::exists(file.path));
}

}  // namespace
}  // namespace shflsim::traces
