// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "report/run/view.h"
#include "tests/report/sample_run.h"

namespace shflsim::report {
namespace toy_view_test {

/// A minimal view: how often each line of the code was issued. It needs no other file than this
/// one, which the build finds.
class Issues final : public View {
 public:
  std::string content(const Run& run) override {
    std::string text;
    for (size_t i = 0; i < run.result.instructions.size(); ++i)
      text += std::to_string(run.result.instructions[i].issued) + " " +
              run.trace.code.lines[i].text + "\n";
    return text;
  }
};

const bool issues_registered =
    Views::add<Issues>("toy_issues", "how often each instruction was issued");

TEST(ToyView, IsThereByItsName) {
  const traces::Trace trace = test::sample_trace();
  const model::RunResult result = test::sample_result();
  EXPECT_EQ(Views::table().at("toy_issues").make()->content({trace, result}),
            "2 S2R R0, SR_TID.X\n2 @P0 SHFL.UP PT, R1, R0, 0x1, 0x0\n2 FADD R2, R1, R0\n"
            "2 STS [R0], R2\n2 EXIT\n0 SHFL.BFLY PT, R1, R0, 0x10, 0x1f\n");
}

}  // namespace toy_view_test
}  // namespace shflsim::report
