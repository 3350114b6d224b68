// SPDX-License-Identifier: Apache-2.0
// Every option that takes a number names the valid numbers and accepts no others.
#include <gtest/gtest.h>

#include <string>

#include "tests/cli/program.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace number_options_test {

struct Wrong {
  const char* name;
  std::string arguments;
  const char* errors;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

std::vector<Wrong> wrong_numbers() {
  const std::string run = "run " + test::source_path("traces/scan_inclusive.sass") + " ";
  const std::string compare = "compare " + test::source_path("traces/scan_inclusive.sass") + " ";
  const std::string accuracy = "accuracy " + test::data_path("h200/random.sm90.cuobjdump.txt.gz") +
                               " " + test::data_path("h200/random.csv") + " ";
  return {
      {"A32PassesNegative", accuracy + "--passes -1",
       "--passes: '-1' is no number; expected 1 to 1000\n"},
      {"A32PassesZero", accuracy + "--passes 0",
       "--passes: '0' is out of range; expected 1 to 1000\n"},
      {"A32SkewNegative", accuracy + "--skew -1",
       "--skew: '-1' is no number; expected 0 to 1000000\n"},
      {"A32MostThinNan", accuracy + "--most-thin nan",
       "--most-thin: 'nan' is no limit; expected a number from 0 on, such as 1.5\n"},
      {"A32MostMoreNegative", accuracy + "--most-more -0.5",
       "--most-more: '-0.5' is no limit; expected a number from 0 on, such as 1.5\n"},
      {"SmsZero", run + "--sms 0", "--sms: '0' is out of range; expected 1 to 256\n"},
      {"SmsNegative", run + "--sms -1", "--sms: '-1' is no number; expected 1 to 256\n"},
      {"SmsTwoTo64", run + "--sms 18446744073709551617",
       "--sms: '18446744073709551617' is no number; expected 1 to 256\n"},
      {"JobsNan", compare + "--jobs nan", "--jobs: 'nan' is no number; expected 1 to 1000\n"},
      {"TopEmpty", compare + "--top ''", "--top: '' is no number; expected 1 to 1000\n"},
  };
}

class NumberOption : public testing::TestWithParam<Wrong> {};

TEST_P(NumberOption, IsRefusedWithItsRange) {
  const ProgramRun run = run_program(GetParam().arguments);
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors, GetParam().errors);
  EXPECT_EQ(run.output, "");
}

INSTANTIATE_TEST_SUITE_P(Each, NumberOption, testing::ValuesIn(wrong_numbers()),
                         [](const auto& wrong) { return wrong.param.name; });

}  // namespace number_options_test
}  // namespace shflsim::cli
