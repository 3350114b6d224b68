// SPDX-License-Identifier: Apache-2.0
// What terminals, mail and editors add to a text is taken away before it is read.
#include "isa/base/plain_text.h"

#include <gtest/gtest.h>

#include <fstream>

#include "isa/dialects/source.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace plain_text_test {

using test::lines_of;

std::string plain(const std::string& text) { return plain_text(text).value_or("unchanged"); }

TEST(PlainText, HasNoColours) {
  EXPECT_EQ(plain("\x1B[1;32mMOV\x1B[0m R0, R1\n\x1B[KEXIT\x1B[m\n"), "MOV R0, R1\nEXIT\n");
  EXPECT_EQ(plain("\x1B[01;31m\x1B[KEXIT\x1B[m\x1B[K"), "EXIT");
  EXPECT_EQ(plain("MOV\x1B\nEXIT\x1B["), "MOV\nEXIT");
}

TEST(PlainText, HasNoMarksOfQuotation) {
  EXPECT_EQ(plain("> MOV R0, R1\n>\n> EXIT\n"), "  MOV R0, R1\n \n  EXIT\n");
  EXPECT_EQ(plain(">> MOV R0, R1\n> > EXIT\n\n"), "   MOV R0, R1\n    EXIT\n\n");
  EXPECT_EQ(plain(" | MOV R0, R1\n | EXIT"), "   MOV R0, R1\n   EXIT");
  EXPECT_EQ(plain("> MOV R0, R1\nEXIT\n"), "unchanged");
  EXPECT_EQ(plain("\x1B[33m> EXIT\x1B[m\n\x1B[33m> EXIT\x1B[m\n"), "  EXIT\n  EXIT\n");
}

TEST(PlainText, HasNoLineNumbers) {
  EXPECT_EQ(plain("  1\tMOV R0, R1\n  2\tEXIT\n"), "   \tMOV R0, R1\n   \tEXIT\n");
  EXPECT_EQ(plain("1:MOV R0, R1\n2:\n3:EXIT\n"), "  MOV R0, R1\n  \n  EXIT\n");
  EXPECT_EQ(plain("1| MOV R0, R1\n\n3| EXIT\n"), "   MOV R0, R1\n\n   EXIT\n");
  EXPECT_EQ(plain("1 MOV R0, R1\n3 EXIT\n"), "unchanged") << "not ascending";
  EXPECT_EQ(plain("10 MOV R0, R1\n20 EXIT\n"), "unchanged");
  EXPECT_EQ(plain("1x MOV R0, R1\n2x EXIT\n"), "unchanged");
}

TEST(PlainText, HasLineEndsOfOneKind) {
  EXPECT_EQ(plain("MOV R0, R1\rEXIT\r"), "MOV R0, R1\nEXIT\n");
}

TEST(PlainText, IsMostlyWhatIsThere) {
  for (const char* text : {"", "EXIT", "> EXIT", "MOV R0, R1\r\nEXIT\r\n", "a > b\nc | d\n"})
    EXPECT_EQ(plain(text), "unchanged") << text;
  EXPECT_EQ(plain(std::string("\x1B[0m\0", 5)), "unchanged") << "no text";
}

class Listing : public testing::TestWithParam<const char*> {};

TEST_P(Listing, IsReadAsItWasWithoutWhatOthersAdded) {
  const std::string path = test::data_path(std::string("compilers/sum.") + GetParam() + ".sass.gz");
  const auto code_of = [](const std::string& file) {
    const auto source = open_source(file);
    return source->program(source->kernels().front()).texts;
  };
  const std::vector<std::string> lines = lines_of(test::read_file(path));
  const std::vector<std::string> expected = code_of(path);
  ASSERT_FALSE(expected.empty());
  const std::vector<std::pair<std::string, std::string>> around = {
      {"> ", "\n"}, {"|", "\n"}, {"\x1B[33m", "\x1B[0m\n"}, {"", "\r"}, {"\x1B[m\x1B[K> > ", "\n"}};
  for (const auto& [front, behind] : around) {
    const std::string file = testing::TempDir() + GetParam() + "decorated.sass";
    std::ofstream out(file, std::ios::binary);
    for (const std::string& line : lines) out << front << line << behind;
    out.close();
    EXPECT_EQ(code_of(file), expected) << front;
  }
}

INSTANTIATE_TEST_SUITE_P(OfBothTools, Listing,
                         testing::Values("cuobjdump118.sm52", "cuobjdump118.sm80",
                                         "nvdisasm118.sm52", "nvdisasm118.sm90"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           name[name.find('.')] = '_';
                           return name;
                         });

}  // namespace plain_text_test
}  // namespace shflsim::isa
