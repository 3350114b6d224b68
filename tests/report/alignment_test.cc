// SPDX-License-Identifier: Apache-2.0
#include "report/diff/alignment.h"

#include <gtest/gtest.h>

#include <random>

#include "isa/base/input_error.h"
#include "report/diff/tolerance.h"

namespace shflsim::report {
namespace alignment_test {

using Texts = std::vector<std::string>;

Texts letters(const std::string& text) {
  Texts texts;
  for (const char c : text) texts.emplace_back(1, c);
  return texts;
}

/// "0-2": the place of each letter of `a` in `b`, - if it has none.
std::string places(const std::string& a, const std::string& b) {
  std::string text;
  for (const auto& place : aligned(letters(a), letters(b)))
    text += place ? std::to_string(*place) : "-";
  return text;
}

/// Length of a longest common subsequence, from its definition.
size_t longest(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return 0;
  if (a[0] == b[0]) return 1 + longest(a.substr(1), b.substr(1));
  return std::max(longest(a.substr(1), b), longest(a, b.substr(1)));
}

TEST(Alignment, PutsEqualTextsTogetherInTheirOrder) {
  EXPECT_EQ(places("", "abc"), "");
  EXPECT_EQ(places("abc", ""), "---");
  EXPECT_EQ(places("abc", "abc"), "012");
  EXPECT_EQ(places("abc", "axbc"), "023");
  EXPECT_EQ(places("axbc", "abc"), "0-12");
  EXPECT_EQ(places("abc", "xyz"), "---");
  EXPECT_EQ(places("xay", "bac"), "-1-");
  EXPECT_EQ(places("ab", "ba").find_first_not_of("-01"), std::string::npos);
}

TEST(Alignment, IsALongestOfRandomTexts) {
  std::minstd_rand random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string a;
    std::string b;
    for (auto i = random() % 9; i > 0; --i) a += static_cast<char>('a' + random() % 3);
    for (auto i = random() % 9; i > 0; --i) b += static_cast<char>('a' + random() % 3);
    size_t count = 0;
    size_t next = 0;
    const auto found = aligned(letters(a), letters(b));
    ASSERT_EQ(found.size(), a.size());
    for (size_t i = 0; i < found.size(); ++i) {
      if (!found[i]) continue;
      ASSERT_GE(*found[i], next) << a << " " << b;
      ASSERT_EQ(a[i], b[*found[i]]) << a << " " << b;
      next = *found[i] + 1;
      ++count;
    }
    ASSERT_EQ(count, longest(a, b)) << a << " " << b;
  }
}

TEST(Tolerances, HoldForTheMetricsOfTheirPatternTheLastFirst) {
  Tolerances tolerances;
  EXPECT_TRUE(tolerances.is_within("cycles", 5, 5));
  EXPECT_FALSE(tolerances.is_within("cycles", 5, 5.001));
  tolerances.add("2%");
  tolerances.add("stall_*=10");
  tolerances.add("stall_wait=0");
  EXPECT_TRUE(tolerances.is_within("cycles", 100, 102));
  EXPECT_TRUE(tolerances.is_within("cycles", -100, -98));
  EXPECT_FALSE(tolerances.is_within("cycles", 100, 97.9));
  EXPECT_FALSE(tolerances.is_within("cycles", 0, 1));
  EXPECT_TRUE(tolerances.is_within("stall_drain", 0, 10));
  EXPECT_FALSE(tolerances.is_within("stall_drain", 0, 11));
  EXPECT_FALSE(tolerances.is_within("stall_wait", 100, 101));
  EXPECT_EQ(tolerances.patterns(), (Texts{"*", "stall_*", "stall_wait"}));
}

TEST(Tolerances, RefuseWhatIsNoAmount) {
  for (const char* text : {"", "%", "cycles", "cycles=", "cycles=%", "=3", "cycles=-1",
                           "cycles=1e3", "cycles=1.2.3", "cycles=nan", "cycles=2 %", "cycles=2%%"})
    EXPECT_THROW(Tolerances().add(text), InputError) << text;
}

}  // namespace alignment_test
}  // namespace shflsim::report
