// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "isa/base/input_error.h"
#include "isa/codec/form.h"
#include "tests/support/files.h"
#include "tests/traces/shft_support.h"
#include "traces/shft/file_recorder.h"
#include "traces/shft/line_record.h"
#include "traces/shft/reader.h"
#include "traces/shft/writer.h"

namespace shflsim::traces {
namespace shft_test {

/// The contents of the trace in the file, or the error of reading it.
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

TEST(Shft, KeepsWhatTheFileSaysOfBarriers) {
  const TemporaryFile file("barriers.shft");
  RandomRun run(7);
  LaunchShape shape{run.launch.grid, run.launch.block};
  for (const unsigned barriers : {0u, 1u, 16u}) {
    run.trace.code.barriers = barriers;
    write_shft(file.path, run.trace, shape);
    EXPECT_EQ(open_shft(file.path, &shape).code.barriers, barriers);
  }
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

/// Calls `read` with every byte of `bytes` changed, one after the other. `read` may accept them or
/// throw an InputError.
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
        read_program({bytes.data(), bytes.size(), {&name, 16}}, &trace, &shape);
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

TEST(Shft, AnotherVersionIsNamed) {
  const TemporaryFile file("other.shft");
  const std::string whole = small_file(file.path);
  const auto refusal = [&](const std::string& version, const std::string& check) {
    const std::string preamble = "\x89SHFT\r\n\x1a" + version + std::string(3, '\0') + check;
    write_bytes(file.path, preamble + whole.substr(kPreambleBytes));
    return read_back(file.path);
  };
  const std::string place = "error: " + file.path + ": offset 8: is of version ";
  // The last four bytes are the CRC-32 of the twelve bytes before them.
  EXPECT_EQ(refusal("\x02", "\xd0\xed\x7b\xd6"), place + "2; expected version 3");
  EXPECT_EQ(refusal("\x04", "\x0c\xb2\x10\xf3"), place + "4; expected version 3");
}

std::string data(const char* name) {
  return shflsim::test::source_path(std::string("tests/data/shft/") + name);
}

TEST(Shft, AShippedFileIsReadAsItWasWritten) {
  LaunchShape shape;
  const Trace words = open_shft(data("spa50.shft"), &shape);
  EXPECT_EQ(words.code.family(), isa::Family::kMaxwell);
  EXPECT_TRUE(words.code.has_words);
  EXPECT_EQ(words.code.lines.at(0).text, "S2R R0, SR_LANEID");
  const Trace names = open_shft(data("accel_sim.shft"), &shape);
  EXPECT_EQ(names.code.family(), isa::Family::kSm70);
  EXPECT_FALSE(names.code.has_words);
}

/// The contents of a line on which timing depends, as text.
std::string described(const isa::CodeLine& line) {
  std::string text = line.name + line.modifiers + " " + isa::pipe_name(line.pipe);
  for (const auto number :
       {static_cast<unsigned>(line.op), static_cast<unsigned>(line.kind),
        static_cast<unsigned>(line.branch), static_cast<unsigned>(line.fence),
        static_cast<unsigned>(line.matrices), static_cast<unsigned>(line.access.kind),
        unsigned{line.access.is_local}, unsigned{line.access_bytes}, unsigned{line.is_store},
        unsigned{line.accesses_shared}, unsigned{line.match_words}, unsigned{line.matches_any},
        unsigned{line.converts_wide}, unsigned{line.barrier.stops},
        unsigned{line.footprint.read_count}, unsigned{line.footprint.first_write},
        unsigned{line.footprint.write_count}})
    text += " " + std::to_string(number);
  line.footprint.for_each_read([&text](unsigned index) { text += " R" + std::to_string(index); });
  return text;
}

TEST(Shft, KeepsWhatNamesSayOfALineWithoutAWord) {
  LaunchShape shape;
  const Trace trace = open_shft(data("accel_sim.shft"), &shape);
  const TemporaryFile file("again.shft");
  write_shft(file.path, trace, shape);
  const Trace again = open_shft(file.path, &shape);
  ASSERT_EQ(again.code.lines.size(), trace.code.lines.size());
  for (size_t i = 0; i < trace.code.lines.size(); ++i)
    EXPECT_EQ(described(again.code.lines[i]), described(trace.code.lines[i]));
}

TEST(Shft, F6NamesThePipesAndOperationsOfCodeWithoutWords) {
  LaunchShape shape;
  const Trace trace = open_shft(data("accel_sim.shft"), &shape);
  const std::string bytes = program_bytes(trace, shape);
  for (const isa::CodeLine& line : trace.code.lines) {
    EXPECT_NE(bytes.find(isa::pipe_name(line.pipe)), std::string::npos) << line.text;
    ASSERT_NE(line.op, isa::Op::kCount) << line.text;
    EXPECT_NE(bytes.find(isa::facts(line.op).name), std::string::npos) << line.text;
  }
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

}  // namespace shft_test
}  // namespace shflsim::traces
