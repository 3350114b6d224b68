// SPDX-License-Identifier: Apache-2.0
// The checker's findings in kernels of each asynchronous kind (tests/data/hopper/waits.ptx.in):
// each missing wait, fence or barrier is found, and nothing in the kernels that have all.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "isa/base/launch_error.h"
#include "isa/check/checker.h"
#include "isa/dialects/source.h"
#include "isa/machine/sm70/tensor_map.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace sm70_asynchronous_waits_test {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kInUse = "copies into memory that may still be read";
constexpr const char* kOverwritten = "overwrites bytes that a copy or a product may still have";
constexpr const char* kNotAwaited = "reaches bytes of a copy that";
constexpr const char* kUnordered = "reads bytes that another warp may still have to write";
constexpr const char* kNotFenced = "without a fence of the asynchronous proxy";
constexpr const char* kNotStarted = "reaches memory of a block that may not have started";
constexpr const char* kReadAtEnd = "ends before the warp's copies have read shared memory";
constexpr const char* kMap = "written without a fence of the tensor maps' proxy";
constexpr const char* kEndless = "still running";
constexpr const char* kEnded = "whose block has ended";
constexpr const char* kUnexpected = "at a barrier that waits for 0";

struct Case {
  const char* kernel;
  uint32_t blocks, threads;
  std::vector<const char*> faults;  ///< what is found for each
};

const Case kCases[] = {
    {"stored_row", 1, 32, {kNotFenced, kOverwritten}},
    {"added_row", 1, 64, {kOverwritten, kOverwritten}},
    {"written_factors", 1, 128, {kNotFenced, kOverwritten, kUnordered}},
    {"sent_words", 2, 32, {kNotAwaited, kNotStarted}},
    {"added_words", 2, 32, {kNotAwaited}},
    {"row_for_peer", 2, 32, {kOverwritten, kNotAwaited, kNotFenced}},
    {"rows_for_peer", 2, 32, {kInUse, kInUse}},
    {"words_by_threads", 1, 64, {kNotAwaited, kNotAwaited, kNotAwaited}},
    {"words_with_barrier", 1, 64, {kNotAwaited, kNotAwaited}},
    {"one_waits", 1, 128, {kEndless, kInUse, kEndless}},
    {"row_for_both", 2, 32, {"tells a barrier of bytes that no phase", kInUse, kNotStarted}},
    {"row_and_back", 1, 32, {kNotAwaited}},
    {"last_row", 1, 32, {kReadAtEnd}},
    {"started_barrier", 1, 128, {kUnexpected}},
    {"matrix_row", 1, 32, {kNotFenced}},
    {"two_stages", 1, 160, {kInUse, kInUse}},
    {"filled_row", 1, 64, {kNotAwaited}},
    {"words_of_peer", 2, 32, {kEnded, kNotStarted}},
    {"changed_map", 1, 32, {kMap}},
    {"stored_box", 1, 32, {kNotFenced, kOverwritten}},
};

/// A map of rows of 32 words at this address, in boxes of 8 rows.
TensorMap::Words map_of(uint64_t address) {
  TensorMap map;
  map.type = TensorMap::Type::kU32;
  map.rank = 2;
  map.address = address;
  map.dims[0] = 32;
  map.dims[1] = 16;
  map.strides[0] = 128;
  map.steps[0] = map.steps[1] = 1;
  map.box[0] = 32;
  map.box[1] = 8;
  return map.words();
}

/// The launch with two buffers, and behind them the map of the second one.
Launch launch_of(const Case& of, DeviceMemory* memory) {
  const uint64_t pointers[] = {memory->allocate(std::vector<uint8_t>(65536)),
                               memory->allocate(std::vector<uint8_t>(65536))};
  const TensorMap::Words map = map_of(pointers[1]);
  constexpr size_t kMapAt = 48;
  Launch launch;
  launch.grid = {of.blocks, 1, 1};
  launch.block = {of.threads, 1, 1};
  launch.parameters.resize(kMapAt + sizeof map);
  std::memcpy(launch.parameters.data(), pointers, sizeof pointers);
  std::memcpy(launch.parameters.data() + kMapAt, map.data(), sizeof map);
  return launch;
}

/// What is found, and why the launch stops if it does.
std::set<std::string> findings(const Case& of, size_t fault) {
  const auto source =
      open_source(test::data_path(fmt::format("hopper/waits_{}.sm90a.cubin.gz", fault)));
  const Program program = source->program(of.kernel);
  DeviceMemory memory;
  const Launch launch = launch_of(of, &memory);
  Checker checker(program);
  MachineOptions options;
  options.step_limit = 100000;
  std::set<std::string> all;
  try {
    execute(program, launch, memory, checker, options);
  } catch (const LaunchError& error) {
    all.insert(error.what());
  }
  for (const CheckFinding& finding : checker.finish()) all.insert(finding.what);
  return all;
}

class AsynchronousWaits : public testing::TestWithParam<Case> {};

TEST_P(AsynchronousWaits, are_all_found) {
  EXPECT_THAT(findings(GetParam(), 0), IsEmpty());
  for (size_t i = 0; i < GetParam().faults.size(); ++i)
    EXPECT_THAT(findings(GetParam(), i + 1), Contains(HasSubstr(GetParam().faults[i]))) << i + 1;
}

INSTANTIATE_TEST_SUITE_P(Each, AsynchronousWaits, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.kernel); });

}  // namespace sm70_asynchronous_waits_test
}  // namespace shflsim::isa
