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
  EXPECT_EQ(plain("\x1B]8;;http://a\x1B\\MOV\x1B]8;;\x1B\\\n\x1B]0;b\aEXIT\x1B(B\x1B=\n"),
            "MOV\nEXIT\n");
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

TEST(PlainText, HasNoLineNumbersOfPieces) {
  EXPECT_EQ(plain("40:MOV R0, R1\n47:EXIT\n"), "   MOV R0, R1\n   EXIT\n");
  EXPECT_EQ(plain("7:MOV R0, R1\n8-EXIT\n--\n12:EXIT\n"), "  MOV R0, R1\n  EXIT\n  \n   EXIT\n");
  EXPECT_EQ(plain("     1\tMOV R0, R1\n       \n     2\tEXIT\n"),
            "      \tMOV R0, R1\n       \n      \tEXIT\n");
  EXPECT_EQ(plain("1. MOV R0, R1\n2. EXIT\n"), "   MOV R0, R1\n   EXIT\n");
  EXPECT_EQ(plain("[1] MOV R0, R1\n[2] EXIT\n"), "    MOV R0, R1\n    EXIT\n");
  EXPECT_EQ(plain("2:MOV R0, R1\n1:EXIT\n"), "unchanged") << "not ascending";
  EXPECT_EQ(plain("L1: MOV R0, R1\nL2: EXIT\n"), "unchanged") << "labels";
}

TEST(PlainText, HasNoFileNames) {
  EXPECT_EQ(plain("a/k.sass:MOV R0, R1\na/k.sass:\na/k.sass:EXIT\n"),
            "         MOV R0, R1\n         \n         EXIT\n");
  EXPECT_EQ(plain("k.sass:3:MOV\nk.sass-4-EXIT\n"), "         MOV\n         EXIT\n");
  EXPECT_EQ(plain("k.a:MOV R0, R1\nk.b:EXIT\n"), "unchanged");
}

TEST(PlainText, HasNoTimes) {
  for (const char* const time :
       {"2026-01-31T12:34:56.1234567Z ", "2026-01-31 12:34:56,789 ", "2026/01/31 12:34:56 +0100 ",
        "Jan 31 12:34:56 ", "[12:34:56] ", "12:34:56.7 ", "[   12.345678] ", "1764354000.123 "}) {
    const std::string blanks(std::string(time).size(), ' ');
    EXPECT_EQ(plain(time + std::string("MOV R0, R1\n") + time + "EXIT\n"),
              blanks + "MOV R0, R1\n" + blanks + "EXIT\n");
  }
  EXPECT_EQ(plain("12:34 MOV\n12:35 EXIT\n"), "unchanged") << "no seconds";
}

TEST(PlainText, HasNoNamesOfServicesAndCommits) {
  for (const char* const tag :
       {"[build] ", "web-1  | ", "host nvcc[12]: ", "INFO ", "// ", "; ", " * ", "# "}) {
    const std::string blanks(std::string(tag).size(), ' '), line = tag + std::string("EXIT\n");
    EXPECT_EQ(plain(line + tag + "NOP\n" + line),
              blanks + "EXIT\n" + blanks + "NOP\n" + blanks + "EXIT\n");
  }
  EXPECT_EQ(plain("^1a2b3c4 (A. B 2026-01-31 1) EXIT\n1a2b3c45 (C 2026-01-31 2) EXIT\n"),
            "                             EXIT\n                          EXIT\n");
  EXPECT_EQ(plain("// // a\n// EXIT\n// EXIT\n"), "   // a\n   EXIT\n   EXIT\n");
  const std::string control = "[B------:R-:W-:-:S01] NOP ;\n";
  EXPECT_EQ(plain(control + control + control), "unchanged");
  EXPECT_EQ(plain("MOV R0, R1\nMOV R0, R2\nMOV R0, R3\n"), "unchanged");
}

TEST(PlainText, HasOnlyTheNewLinesOfADifference) {
  EXPECT_EQ(plain("--- a\n+++ b\n@@ -1,2 +1,2 @@\n MOV R0, R1\n-NOP\n+EXIT\n"),
            "     \n     \n               \n MOV R0, R1\n    \n EXIT\n");
  EXPECT_EQ(plain("--- a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-EXIT\n"),
            "     \n             \n               \n EXIT\n");
  EXPECT_EQ(plain("2c2,3\n< NOP\n---\n> MOV R0, R1\n> EXIT\n"),
            "     \n     \n   \n  MOV R0, R1\n  EXIT\n");
}

TEST(PlainText, IsTheLongestBlockBetweenFences) {
  EXPECT_EQ(plain("Slow:\n```asm\nMOV R0, R1\nEXIT\n```\nWhy?\n"), "\n\nMOV R0, R1\nEXIT\n");
  EXPECT_EQ(plain("~~~\nEXIT\n~~~\n\n~~~~\nMOV R0, R1\n~~~\n~~~~\n"),
            "\n\n\n\n\nMOV R0, R1\n~~~\n");
  EXPECT_EQ(plain("> ```\n> EXIT\n> ```\n"), "\n  EXIT\n");
  EXPECT_EQ(plain("```\nEXIT\n"), "\nEXIT\n") << "never closed";
  EXPECT_EQ(plain("<html>\n<pre><code>a &lt; b\nEXIT</code></pre>\n"), "\na < b\nEXIT");
}

TEST(PlainText, HasNoCommandsOfATerminal) {
  EXPECT_EQ(plain("Script started on a\n$ nvdisasm k\nEXIT\n$ exit\nScript done on b\n"),
            "                   \n            \nEXIT\n      \n                \n");
  EXPECT_EQ(plain("MOV R0, R1\n$ EXIT\n"), "unchanged");
}

TEST(PlainText, HasNoFrames) {
  EXPECT_EQ(plain("\u2500\u2500\u252c\u2500\n  \u2502 File: k\n\u2500\u2500\u253c\u2500\n"
                  "1 \u2502 EXIT\n2 \u2502 EXIT\n\u2500\u2500\u2534\u2500\n"),
            std::string(12, ' ') + "\n" + std::string(13, ' ') + "\n" + std::string(12, ' ') +
                "\n      EXIT\n      EXIT\n" + std::string(12, ' ') + "\n");
  EXPECT_EQ(plain("| MOV |\n| EXIT |\n"), "  MOV  \n  EXIT  \n");
  EXPECT_EQ(plain("MOV$\n^IEXIT$\n"), "MOV \n\tEXIT \n");
  EXPECT_EQ(plain("MOV\u00a0R0\n"), "MOV R0\n");
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
      {"> ", "\n"},
      {"|", "\n"},
      {"\x1B[33m", "\x1B[0m\n"},
      {"", "\r"},
      {"\x1B[m\x1B[K> > ", "\n"},
      {"2026-01-31T12:34:56.7Z ", "\n"},
      {"[build] ", "\n"},
      {"a/k.sass:", "\n"},
      {"// ", "\n"},
      {"Jan 31 12:34:56 host nvcc[1]: ", "\n"},
      {"\u2502 ", "\n"},
      {"", " |\n"},
      {"", "$\n"}};
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
