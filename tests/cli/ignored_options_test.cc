// SPDX-License-Identifier: Apache-2.0
// Every option of every command: one that a command would ignore is refused by its name.
#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/support/scripts.h"

namespace shflsim::cli {
namespace ignored_options_test {

/// Options with a value that the help of the call's verb names.
std::vector<std::string> options_of(const std::string& call) {
  std::istringstream words(call);
  std::string verb;
  std::string second;
  words >> verb >> second;
  if (verb == "trace") verb += " " + second;
  const std::string help = run_program(verb + " --help-all").output;
  const std::regex option("\n +(?:-[a-z], )?(--[a-z-]+) [A-Z]");
  std::vector<std::string> names;
  for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at)
    names.push_back((*at)[1]);
  return names;
}

class IgnoredOptions : public testing::TestWithParam<std::string> {};

/// A value that is no number, no name, no existing file and no file that can be written: every
/// reader refuses it.
TEST_P(IgnoredOptions, U3_5A31OfNoCommandAreTaken) {
  std::string script =
      test::inputs_of_calls() +
      "try() { $S \"$@\" >out.txt 2>err; status=$?; lines=$(wc -l <err)\n"
      "  [ $status = 2 ] && [ $lines = 1 ] || echo \"$*: status $status, $lines lines\"; }\n";
  const std::vector<std::string> options = options_of(GetParam());
  for (const std::string& option : options) {
    const bool is_given = (" " + GetParam() + " ").find(" " + option + " ") != std::string::npos;
    if (!is_given && option != "--output")
      script += "try " + GetParam() + " " + option + " /nonexistent/x\n";
  }
  EXPECT_GE(options.size(), 3u) << GetParam();  // those that all commands have
  EXPECT_EQ(run_script(script).output, "");
}

INSTANTIATE_TEST_SUITE_P(Of, IgnoredOptions, testing::ValuesIn(test::calls()),
                         [](const testing::TestParamInfo<std::string>& call) {
                           std::string name = std::to_string(call.index) + "_";
                           for (const char c : call.param.substr(0, call.param.find(' ')))
                             name += c;
                           return name;
                         });

TEST(OptionsNotTaken, OfLaunchFilesAreNamed) {
  const ProgramRun run = run_program("run --launch l.ini --grid 5");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors, "--grid with --launch, whose file says what is launched and saved\n");
}

TEST(OptionsNotTaken, A31ComparisonsSaveNothing) {
  const ProgramRun run = run_program("compare x.sass --dump-reg R1:never");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors.substr(0, 29), "unknown option '--dump-reg'; ");
}

}  // namespace ignored_options_test
}  // namespace shflsim::cli
