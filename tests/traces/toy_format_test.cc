// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "isa/base/input_error.h"
#include "traces/accel_sim/operation_names.h"
#include "traces/trace_format.h"

namespace shflsim::traces {
namespace toy_format_test {

bool recognises(const std::string& path) {
  std::string line;
  std::ifstream file(path);
  return std::getline(file, line) && line == "toy trace";
}

/// A minimal trace format: after its first line the name of each operation, which one warp executes
/// once, with all lanes. It needs no other file than this one, which the build finds.
Trace open_launch(const std::string& path, const TraceChoice& /*choice*/, LaunchShape* shape) {
  *shape = {};
  Trace trace;
  trace.code.name = "toy";
  trace.code.arch = isa::Arch::kSm90;
  trace.code.has_control = false;
  trace.warps.resize(1);
  std::ifstream file(path);
  std::string name;
  std::getline(file, name);  // the mark
  while (std::getline(file, name)) {
    isa::CodeLine line;
    line.address = static_cast<uint32_t>(16 * trace.code.lines.size());
    line.text = name;
    set_named_operation(trace.code.family(), name, &line);
    const auto index = static_cast<uint32_t>(trace.code.lines.size());
    trace.warps.front().steps.push_back({index, isa::kAllLanes, Step::kNone});
    trace.code.lines.push_back(line);
  }
  if (trace.code.lines.empty()) throw InputError({path}, "no operation in it; expected one a line");
  return trace;
}

std::vector<std::string> kernels(const std::string& /*path*/) { return {"toy"}; }

const bool toy_registered =
    TraceFormats::add({"toy", "names of operations, one a line", recognises, kernels, open_launch});

class ToyFormat : public ::testing::Test {
 protected:
  ~ToyFormat() override { std::filesystem::remove(path_); }

  const TraceFormat* format_of(const std::string& content) {
    std::ofstream(path_) << content;
    return TraceFormats::of_file(path_);
  }

  /// A path per test, because tests run side by side.
  const std::string path_ = testing::TempDir() + "toy_format." +
                            testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(ToyFormat, IsOpenedByItsContent) {
  const TraceFormat* format = format_of("toy trace\nFFMA\nLDS.64\nEXIT\n");
  ASSERT_NE(format, nullptr);
  EXPECT_STREQ(format->name, "toy");
  EXPECT_EQ(format->kernels(path_), std::vector<std::string>{"toy"});
  LaunchShape shape;
  const Trace trace = format->open(path_, {}, &shape);
  ASSERT_EQ(trace.code.lines.size(), 3u);
  EXPECT_EQ(trace.code.lines[0].pipe, isa::Pipe::kFmai);
  EXPECT_TRUE(trace.code.lines[1].accesses_shared);
  ASSERT_EQ(trace.warps.front().steps.size(), 3u);
  EXPECT_EQ(trace.warps.front().steps[2].index, 2u);
}

TEST_F(ToyFormat, LeavesOtherTextToCode) { EXPECT_EQ(format_of("EXIT\n"), nullptr); }

TEST_F(ToyFormat, RefusesATraceOfNothing) {
  const TraceFormat* format = format_of("toy trace\n");
  ASSERT_NE(format, nullptr);
  LaunchShape shape;
  EXPECT_THROW(format->open(path_, {}, &shape), InputError);
}

}  // namespace toy_format_test
}  // namespace shflsim::traces
