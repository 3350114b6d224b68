// SPDX-License-Identifier: Apache-2.0
// Instructions of sm_100 and later that are refused, each with what it is.
// tests/data/isa/unmodelled.csv has a word for each case that ptxas 13.0 compiles for sm_100a,
// 103a, 110a, 120a and 121a: all forms of tcgen05, products with scaled blocks or of few bits,
// clusterlaunchcontrol.try_cancel and st.bulk.
#include "isa/codec/unmodelled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isa/codec/codec.h"
#include "isa/machine/machine.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace sm70_unmodelled_test {

using testing::HasSubstr;

/// What is said about the word: why it is not decoded, or why it is not executed.
std::string reason_of(Arch arch, const std::string& hex) {
  const Word word(test::number_of(hex.substr(16), 16), test::number_of(hex.substr(0, 16), 16));
  Instruction instruction;
  const std::string problem = decode(arch, word, 0, &instruction);
  return problem.empty() ? refusal_of_line(instruction) : problem;
}

TEST(Sm70Unmodelled, SaysWhatEachInstructionIs) {
  const std::string text = test::read_file(test::data_path("isa/unmodelled.csv"));
  unsigned words = 0;
  for (const std::string& line : test::lines_of(text)) {
    const std::vector<std::string> parts = test::fields_of(line, ',');
    if (parts.size() != 3 || parts[0] == "architecture") continue;
    const Arch arch = *arch_numbered(static_cast<unsigned>(test::number_of(parts[0], 10)));
    const std::string reason = reason_of(arch, parts[2]);
    EXPECT_THAT(reason, HasSubstr(", cannot be executed")) << line;
    EXPECT_THAT(reason, testing::Not(HasSubstr("unknown"))) << line;
    ++words;
  }
  EXPECT_EQ(words, 309u);
}

TEST(Sm70Unmodelled, NamesAnOpcodeWhereverItsOperandsAre) {
  for (unsigned form = 0; form < 8; ++form) {
    const unsigned where = form << 9;
    EXPECT_EQ(unmodelled(Arch::kSm100, where | 0x1EA),
              "tcgen05.mma, a product into the tensor cores' own memory");
    EXPECT_THAT(unmodelled(Arch::kSm120, where | 0x1CA), HasSubstr("try_cancel"));
    EXPECT_THAT(unmodelled(Arch::kSm120, where | 0x07F), HasSubstr("mxf4"));
    EXPECT_EQ(unmodelled(Arch::kSm90, where | 0x1EA), "");
    EXPECT_EQ(unmodelled(Arch::kSm120, where | 0x1EA), "") << "sm_120 has no such memory";
    EXPECT_EQ(unmodelled(Arch::kSm100, where | 0x1FF), "");
  }
}

}  // namespace sm70_unmodelled_test
}  // namespace shflsim::isa
