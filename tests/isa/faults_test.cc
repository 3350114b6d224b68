// SPDX-License-Identifier: Apache-2.0
#include "isa/base/faults.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isa/base/input_error.h"

namespace shflsim {
namespace faults_test {

std::string raised(const Faults& faults) {
  try {
    faults.raise();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Faults, NoneRaisesNothing) {
  Faults faults;
  EXPECT_TRUE(faults.hold([] {}));
  EXPECT_FALSE(faults.any());
  EXPECT_EQ(raised(faults), "");
}

TEST(Faults, AreToldInTheOrderOfTheInputOneLineEach) {
  Faults faults;
  EXPECT_FALSE(faults.hold([] { throw InputError({"f", 12, 1}, "c"); }));
  faults.add(InputError({"f", 2, 9}, "b"));
  faults.add(InputError({"f", 2, 3}, "a"));
  EXPECT_EQ(raised(faults), "f:2:3: a\nf:2:9: b\nf:12:1: c");
}

TEST(Faults, BeyondTwentyAreCounted) {
  Faults faults;
  for (unsigned line = 22; line > 0; --line) faults.add(InputError({"f", line, 1}, "x"));
  const std::string text = raised(faults);
  EXPECT_EQ(text.substr(0, 8), "f:1:1: x");
  EXPECT_EQ(text.substr(text.rfind('\n')), "\nf: 2 more faults");
}

TEST(Faults, OfAnErrorThatHoldsSeveralAreKeptAll) {
  Faults inner;
  for (unsigned line = 1; line <= 21; ++line) inner.add(InputError({"f", line, 1}, "x"));
  Faults outer;
  outer.hold([&inner] { inner.raise(); });
  const std::string text = raised(outer);
  EXPECT_EQ(text.substr(text.rfind('\n')), "\nf: 1 more fault");
}

TEST(InputError, A35ControlCharactersOfANameAreWrittenOut) {
  const InputError error({"a\nb.sass", 1, 2}, "no \x1b[31m\t'\x7f'");
  EXPECT_STREQ(error.what(), "a\\nb.sass:1:2: no \\x1b[31m\\t'\\x7f'");
  EXPECT_EQ(error.faults().front().where.file, "a\nb.sass");
}

TEST(InputError, A35BytesThatAreNoUtf8AreWrittenOut) {
  EXPECT_EQ(printable("r\xc3\xa9gion \xe2\x82\xac"), "r\xc3\xa9gion \xe2\x82\xac");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");  // the control sequence introducer, as UTF-8
}

TEST(NearestName, CountsLettersThatChangedPlacesOnce) {
  EXPECT_EQ(nearest_name("Rvla", {"Rtmp", "Rval"}), "Rval");
  EXPECT_EQ(nearest_name(".BLFY", {".UP", ".BFLY"}), ".BFLY");
}

TEST(NearestName, PrefersTheSameLength) {
  EXPECT_EQ(nearest_name("shlf", {"shf", "shfl", "shl"}), "shfl");
  EXPECT_EQ(nearest_name("shlf", {"shfl", "shf"}), "shfl");
}

TEST(NearestName, TakesUpperForLowerCase) {
  EXPECT_EQ(nearest_name("crossbar", {"CROSSBAR"}), "CROSSBAR");
}

TEST(NearestName, U5_3GoesOnBehindABeginning) {
  EXPECT_EQ(nearest_name("--js", {"--csv", "--json"}), "--json");
  EXPECT_EQ(nearest_name("--j", {"--csv", "--json"}), "");
}

TEST(NearestName, A18IsNotSoughtForWordsThatNobodyTyped) {
  const std::string longest(64, 'x');
  EXPECT_EQ(nearest_name(longest + 'x', {longest}), "");
  EXPECT_EQ(nearest_name(longest, {longest + 'x'}), longest + 'x');
  EXPECT_EQ(nearest_name(std::string(2'000'000, 'x'), {"shuffle.latency"}), "");
}

TEST(NearestName, OfNothingIsNothing) { EXPECT_EQ(nearest_name("", {"k"}), ""); }

TEST(Suggestion, SaysWhereNothingIsKnown) {
  EXPECT_EQ(suggestion("loop", {}), "; there is none");
  EXPECT_EQ(suggestion("zzzz", {"a", "b"}), "; known: a, b");
}

}  // namespace faults_test
}  // namespace shflsim
