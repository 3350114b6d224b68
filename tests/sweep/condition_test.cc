// SPDX-License-Identifier: Apache-2.0
#include "sweep/condition.h"

#include <gmock/gmock.h>

#include <map>

namespace shflsim::sweep {
namespace condition_test {

using report::Value;
using testing::HasSubstr;

const std::vector<std::string> kKnown = {"kernel", "shuffle.lanes", "ipc", "none"};

/// True if the condition holds for a point of the kernel scan_up with 16 lanes and an IPC of 0.5.
bool holds(const std::string& text) {
  static const std::map<std::string, Value> point = {{"kernel", std::string("scan_up")},
                                                     {"shuffle.lanes", uint64_t{16}},
                                                     {"ipc", 0.5},
                                                     {"none", Value()}};
  return Condition(text, {"x.ini", 4, 5}, kKnown).holds([](const std::string& key) {
    return point.at(key);
  });
}

std::string error_of(const std::string& text) {
  try {
    holds(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Condition, ComparesNumbersAsNumbers) {
  for (const char* text : {"shuffle.lanes = 16", "shuffle.lanes=16.0", "shuffle.lanes != 8",
                           "shuffle.lanes < 100", "shuffle.lanes <= 16", "ipc > 0.25", "ipc >= .5"})
    EXPECT_TRUE(holds(text)) << text;
  for (const char* text : {"shuffle.lanes = 8", "shuffle.lanes != 16", "shuffle.lanes < 16",
                           "shuffle.lanes > 16", "ipc <= 0.25"})
    EXPECT_FALSE(holds(text)) << text;
}

TEST(Condition, ComparesWordsWithPatterns) {
  EXPECT_TRUE(holds("kernel = scan_*"));
  EXPECT_TRUE(holds("kernel != reduce_*"));
  EXPECT_FALSE(holds("kernel = scan"));
}

TEST(Condition, JoinsByAndBeforeOr) {
  EXPECT_TRUE(holds("kernel = x and ipc > 9 or shuffle.lanes = 16"));
  EXPECT_FALSE(holds("kernel = scan_up and ipc > 9 or shuffle.lanes = 8"));
  EXPECT_TRUE(holds("kernel = scan_up and ipc = 0.5 and shuffle.lanes = 16"));
}

TEST(Condition, IsNotFulfilledByWhatIsNotThere) {
  EXPECT_FALSE(holds("none = 1"));
  EXPECT_FALSE(holds("none != 1"));
  EXPECT_FALSE(holds("none = *"));
}

TEST(Condition, SaysWhatIsWrong) {
  EXPECT_EQ(error_of("shuffle.lane = 8"),
            "x.ini:4:5: unknown key 'shuffle.lane'; did you mean 'shuffle.lanes'?");
  EXPECT_THAT(error_of("shuffle.lanes"), HasSubstr("is no condition; expected KEY = VALUE"));
  EXPECT_THAT(error_of("shuffle.lanes ="), HasSubstr("compares with nothing"));
  EXPECT_THAT(error_of("kernel < scan"), HasSubstr("'scan' is no number"));
  EXPECT_THAT(error_of("kernel ! scan"), HasSubstr("is no condition"));
}

}  // namespace condition_test
}  // namespace shflsim::sweep
