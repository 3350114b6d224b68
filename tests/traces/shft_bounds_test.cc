// SPDX-License-Identifier: Apache-2.0
// Files with correct checksums and wrong contents: sizes and counts in them are not trusted, and
// errors that are found while a trace is walked are InputErrors too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "isa/base/input_error.h"
#include "tests/fuzz/shft_parts.h"
#include "tests/support/files.h"
#include "tests/traces/shft_support.h"
#include "traces/shft/bytes.h"
#include "traces/shft/reader.h"
#include "traces/shft/writer.h"
#include "traces/warp_reader.h"

namespace shflsim::traces {
namespace shft_bounds_test {

using fuzz::ShftParts;
using testing::HasSubstr;

/// A trace of one block with one warp.
ShftParts small_parts() {
  const TemporaryFile file("whole.shft");
  RandomRun run(0);
  write_shft(file.path, run.trace, {run.launch.grid, run.launch.block});
  return *fuzz::parts_of(shflsim::test::read_file(file.path));
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// The error of opening the file or, if there is none, of walking it.
std::string error_of(const ShftParts& parts) {
  const TemporaryFile file("changed.shft");
  write_bytes(file.path, fuzz::file_of(parts));
  try {
    LaunchShape shape;
    described(open_shft(file.path, &shape));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The head of an index without shared memory and findings; warps of block 0 start at `starts`.
std::string head_with(const std::vector<uint64_t>& starts) {
  ByteWriter out;
  out.number(0);
  out.number(0);
  out.number(starts.size());
  for (const uint64_t start : starts) {
    out.difference(0);
    out.difference(0);
    out.number(start);
  }
  return out.bytes();
}

TEST(ShftBounds, PartsThatAreNotChangedMakeAFileThatIsRead) {
  EXPECT_EQ(error_of(small_parts()), "");
}

TEST(ShftBounds, A16AWarpOf2To50StepsIsRefused) {
  ShftParts parts = small_parts();
  parts.sections[0].segments[0].steps = uint64_t{1} << 50;
  EXPECT_THAT(error_of(parts), HasSubstr("damaged: a number of steps is 1125899906842624; expected "
                                         "at most 4294967296"));
}

TEST(ShftBounds, A16SegmentsOfAWarpTogetherAreBoundedToo) {
  ShftParts parts = small_parts();
  parts.sections[0].segments[0].steps = uint64_t{1} << 32;
  parts.sections.push_back(parts.sections[0]);
  parts.sections[1].segments = {{0, 1, 0}};
  parts.sections[1].raw = "";
  EXPECT_THAT(error_of(parts),
              HasSubstr("damaged: steps of a warp of 4294967297; expected 4294967296 at most"));
}

TEST(ShftBounds, A8AWarpWithoutStepsIsRefusedWhereTheFileIsOpened) {
  ShftParts parts = small_parts();
  parts.sections.clear();
  EXPECT_THAT(error_of(parts), HasSubstr("damaged: warp 0 of the file has no steps"));
}

TEST(ShftBounds, A19AStepSectionThatUnpacksToMoreThan1MiBIsRefused) {
  ShftParts parts = small_parts();
  parts.sections[0].raw.assign((size_t{1} << 20) + 1, '\0');
  parts.sections[0].segments.assign(20, {0, 1, 1 << 15});
  EXPECT_THAT(error_of(parts), HasSubstr("a segment is"));
  parts.sections[0].segments.assign(33, {0, 1, 1 << 15});
  EXPECT_THAT(error_of(parts), HasSubstr("damaged: the section's size cannot be"));
}

TEST(ShftBounds, A34ATraceOfNoWarpsIsRefused) {
  ShftParts parts = small_parts();
  parts.head = head_with({});
  parts.sections.clear();
  EXPECT_THAT(error_of(parts), HasSubstr("holds no warps; expected a trace of at least one"));
}

TEST(ShftBounds, A35AWarpThatStartsAfterMoreThan2To32CyclesIsRefused) {
  ShftParts parts = small_parts();
  parts.head = head_with({(uint64_t{1} << 32) + 1});
  EXPECT_THAT(error_of(parts), HasSubstr("damaged: the cycle of a warp's start is 4294967297"));
}

/// The error of a trace that is open when `change` changes its file, before anything is walked.
template <class Change>
std::string error_after(Change change) {
  const TemporaryFile file("open.shft");
  write_bytes(file.path, fuzz::file_of(small_parts()));
  LaunchShape shape;
  const Trace trace = open_shft(file.path, &shape);
  change(file.path);
  try {
    WarpReader reader(trace, 0);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ShftBounds, A8AFileThatIsCutOffMeanwhileIsAnError) {
  EXPECT_THAT(error_after([](const std::string& path) { std::filesystem::resize_file(path, 20); }),
              HasSubstr("cannot be read"));
}

TEST(ShftBounds, A8AFileThatIsOverwrittenMeanwhileIsAnError) {
  EXPECT_THAT(error_after([](const std::string& path) {
                std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
                file.seekp(20);
                file << std::string(std::filesystem::file_size(path) - 20, 'x');
              }),
              HasSubstr("damaged: "));
}

}  // namespace shft_bounds_test
}  // namespace shflsim::traces
