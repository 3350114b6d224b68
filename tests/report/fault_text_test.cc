// SPDX-License-Identifier: Apache-2.0
#include "report/terminal/fault_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "isa/base/faults.h"

namespace shflsim::report {
namespace fault_text_test {

class FaultText : public testing::Test {
 protected:
  void write(const std::string& text) { std::ofstream(file_, std::ios::binary) << text; }
  void TearDown() override { std::filesystem::remove(file_); }

  /// The text after the file's name, for a terminal.
  std::string shown(unsigned line, unsigned column) const {
    return fault_text(InputError({file_, line, column}, "no"), true).substr(file_.size());
  }

  const std::string file_ = testing::TempDir() + "fault_text_" + std::to_string(getpid());
};

TEST_F(FaultText, U5_4ShowsTheLineAndTheWordThatItIsAbout) {
  write("NOP\n  SHFL.BLFY PT, R1\n");
  EXPECT_EQ(shown(2, 7), ":2:7: no\n    SHFL.BLFY PT, R1\n        ^~~~~\n");
  EXPECT_EQ(shown(2, 15), ":2:15: no\n    SHFL.BLFY PT, R1\n                ^\n");
}

TEST_F(FaultText, IsOneLineWhereNoTerminalReadsIt) {
  write("NOP\n");
  EXPECT_EQ(fault_text(InputError({file_, 1, 1}, "no"), false), file_ + ":1:1: no\n");
}

TEST_F(FaultText, CountsCharactersAndShowsNoControls) {
  write("\t// \xc3\xa9\x07[2J R9\r\n");
  EXPECT_EQ(shown(1, 12), ":1:12: no\n   // \xc3\xa9\\x07[2J R9\n               ^~\n");
}

TEST_F(FaultText, ShowsNothingOfWhatHasNoPlaceOrCannotBeRead) {
  write("NOP\n");
  EXPECT_EQ(shown(1, 0), ":1: no\n");
  EXPECT_EQ(shown(9, 1), ":9:1: no\n");
  EXPECT_EQ(shown(1, 9), ":1:9: no\n");
  EXPECT_EQ(fault_text(InputError({"/dev/null", 1, 1}, "no"), true), "/dev/null:1:1: no\n");
  EXPECT_EQ(fault_text(InputError("no"), true), "no\n");
}

TEST_F(FaultText, EndsWithTheNumberOfThoseNotTold) {
  Faults faults;
  for (unsigned line = 1; line <= 23; ++line) faults.add(InputError({"f", line}, "no"));
  try {
    faults.raise();
  } catch (const InputError& error) {
    const std::string text = fault_text(error, true);
    EXPECT_EQ(text.substr(text.size() - 26), "f:20: no\nf: 3 more faults\n");
  }
}

TEST_F(FaultText, PointsAtTheWordOfTheCommandLineThatItIsAbout) {
  const std::vector<std::string> words = {"run", "--set", "shuffle.latency=abc", "--greed", "4"};
  const InputError value({"command line"}, "shuffle.latency = 'abc' is no whole number");
  EXPECT_EQ(fault_text(value, true, words), std::string(value.what()) +
                                                "\n  --set shuffle.latency=abc\n"
                                                "                        ^~~\n");
  const InputError key({"command line"}, "unknown key 'shuffle.latency'");
  EXPECT_EQ(fault_text(key, true, words), std::string(key.what()) +
                                              "\n  --set shuffle.latency=abc\n"
                                              "        ^~~~~~~~~~~~~~~\n");
  EXPECT_EQ(fault_text(InputError("unknown option '--greed'"), true, words),
            "unknown option '--greed'\n  --greed\n  ^~~~~~~\n");
}

TEST_F(FaultText, PointsIntoATextThatTheCommandLineHas) {
  const std::string text = "SHFL.BLFY PT";
  EXPECT_EQ(fault_text(InputError({"'" + text + "'", 1, 5}, "no"), true, {"encode", text}),
            "'SHFL.BLFY PT':1:5: no\n  SHFL.BLFY PT\n      ^~~~~\n");
}

TEST_F(FaultText, PointsNowhereWhereTheCommandLineDoesNotHaveTheWord) {
  const std::vector<std::string> words = {"run", "abcd.sass"};
  EXPECT_EQ(fault_text(InputError("no 'abc'"), true, words), "no 'abc'\n");
  EXPECT_EQ(fault_text(InputError("no ''"), true, words), "no ''\n");
  EXPECT_EQ(fault_text(InputError({"x.cfg", 2, 1}, "no 'run'"), true, words),
            "x.cfg:2:1: no 'run'\n");
}

}  // namespace fault_text_test
}  // namespace shflsim::report
