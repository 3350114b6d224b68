// SPDX-License-Identifier: Apache-2.0
// Sizes that input claims, and the limits beyond which they are refused.
#include "isa/base/bounded.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdio>
#include <fstream>
#include <functional>

#include "isa/dialects/source.h"

namespace shflsim {
namespace bounded_test {

constexpr uint64_t kHighest = ~uint64_t{0};

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Bounded, APartFitsWhereItsEndIsInsideAndNothingWraps) {
  EXPECT_TRUE(fits(0, 0, 0));
  EXPECT_TRUE(fits(3, 5, 8));
  EXPECT_FALSE(fits(3, 6, 8));
  EXPECT_FALSE(fits(9, 0, 8));
  EXPECT_FALSE(fits(kHighest - 6, 8, 64));
  EXPECT_FALSE(fits(8, kHighest - 6, 64));
}

TEST(Bounded, SumsAndProductsStayAtTheHighestNumber) {
  EXPECT_EQ(sum_of(3, 4), 7u);
  EXPECT_EQ(sum_of(kHighest - 1, 1), kHighest);
  EXPECT_EQ(sum_of(kHighest, 2), kHighest);
  EXPECT_EQ(product_of(6, 7), 42u);
  EXPECT_EQ(product_of(uint64_t{1} << 32, uint64_t{1} << 32), kHighest);
  EXPECT_EQ(product_of(kHighest, 0), 0u);
}

TEST(Bounded, AClaimBeyondItsLimitIsNamedWithIt) {
  EXPECT_EQ(bounded(255, 255, "SHI_REGISTERS", {"a.sass", 3}), 255u);
  EXPECT_EQ(error_of([] {
              bounded(256, 255, "SHI_REGISTERS", {"a.sass", 3});
            }),
            "a.sass:3: SHI_REGISTERS of 256; expected 255 at most");
  EXPECT_EQ(error_of([] {
              bounded(9, 8, ".zero", {"a.sass", 3}, "bytes");
            }),
            "a.sass:3: .zero of 9 bytes; expected 8 at most");
}

TEST(Bounded, NestingHasALimitAndComesBackOutOfIt) {
  unsigned depth = kMostNesting - 1;
  { const Nesting last(&depth, "braces", {"a.ptx", 1}); }
  EXPECT_EQ(depth, kMostNesting - 1);
  const Nesting last(&depth, "braces", {"a.ptx", 1});
  EXPECT_EQ(error_of([&] {
              Nesting(&depth, "braces", {"a.ptx", 1});
            }),
            "a.ptx:1: braces nested more than 200 deep; expected fewer levels");
}

TEST(Bounded, A35NumbersAreDecimalOrHexadecimalWithZerosInFrontOrNot) {
  EXPECT_EQ(whole_number("010"), 10u);
  EXPECT_EQ(whole_number("0x10"), 16u);
  EXPECT_EQ(whole_number("0XfF"), 255u);
  EXPECT_EQ(whole_number("18446744073709551615"), kHighest);
  for (const char* none : {"", "0x", "-1", "+1", " 1", "1 ", "1x", "0b1", "18446744073709551616"}) {
    EXPECT_EQ(whole_number(none), std::nullopt) << none;
  }
}

TEST(Bounded, ANumberIsReadAndHeldAgainstItsLimitInOne) {
  EXPECT_EQ(bounded_number("0x20", 255, "RegCnt", {"a.sass", 2}), 32u);
  for (const char* no : {"256", "many", "", "18446744073709551617"}) {
    EXPECT_EQ(error_of([no] {
                bounded_number(no, 255, "RegCnt", {"a.sass", 2});
              }),
              "a.sass:2: RegCnt of '" + std::string(no) + "'; expected a number up to 255");
  }
}

class SourceFile : public testing::Test {
 protected:
  ~SourceFile() override { std::remove(path_.c_str()); }
  const std::string path_ = testing::TempDir() + "shflsim_source_" + std::to_string(getpid());
};

TEST_F(SourceFile, A35AByteOrderMarkIsNoPartOfTheText) {
  std::ofstream(path_) << "\xEF\xBB\xBF"
                       << "EXIT;\n";
  EXPECT_EQ(isa::read_source_text(path_).text, "EXIT;\n");
}

TEST_F(SourceFile, AnEndlessFileIsRefused) {
  EXPECT_EQ(error_of([] { isa::read_source_text("/dev/zero"); }),
            "/dev/zero: is a device without an end; expected a file, a pipe or a terminal");
}

TEST_F(SourceFile, AGzipBombIsRefused) {
  const std::string zeros(1 << 20, '\0');
  gzFile file = gzopen(path_.c_str(), "wb1");
  for (unsigned i = 0; i < 257; ++i) gzwrite(file, zeros.data(), 1 << 20);
  gzclose(file);
  EXPECT_EQ(error_of([this] { isa::read_source_text(path_); }),
            path_ + ": is too large; expected code of 268435456 bytes at most, unpacked");
}

}  // namespace bounded_test
}  // namespace shflsim
