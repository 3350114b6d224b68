// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "isa/base/input_error.h"
#include "isa/codec/codec.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {
namespace toy_dialect_test {

constexpr const char* kMark = "toy words ";

/// A minimal dialect of code: "toy words NAME", then one word of SPA 5.0 per line. It needs no
/// other file than this one, which the build finds.
class Words final : public Source {
 public:
  explicit Words(const SourceText& source) : source_(source) {}

  std::vector<std::string> kernels() const override {
    const size_t start = std::string(kMark).size();
    return {std::string(source_.text.substr(start, source_.text.find('\n') - start))};
  }

  Program program(const std::string& kernel) const override {
    Program program;
    program.name = kernel;
    program.has_control = false;
    std::istringstream lines{std::string(source_.text)};
    std::string line;
    std::getline(lines, line);  // the mark
    for (unsigned number = 2; std::getline(lines, line); ++number) {
      Instruction instruction;
      const std::string wrong = decode(std::strtoull(line.c_str(), nullptr, 16),
                                       address_of(program.code.size()), {}, &instruction);
      if (!wrong.empty()) throw InputError({source_.file, number, 1}, wrong);
      program.code.push_back(instruction);
      program.texts.push_back(text_of(instruction));
    }
    program.registers = program.registers_used();
    return program;
  }

 private:
  const SourceText source_;
};

bool recognises(const SourceText& source) { return source.text.rfind(kMark, 0) == 0; }
std::unique_ptr<Source> open(const SourceText& source) { return std::make_unique<Words>(source); }

const bool toy_registered =
    Dialects::add({"toy_words", "words of SPA 5.0, one a line", recognises, open, 15});

/// Opens a file of this content.
std::unique_ptr<Source> opened(const std::string& content) {
  // A folder of this process's own: tests run side by side.
  const std::filesystem::path folder = testing::TempDir() + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  const std::string path = folder / "toy_dialect.txt";
  std::ofstream(path) << content;
  std::unique_ptr<Source> source = open_source(path);
  std::filesystem::remove_all(folder);
  return source;
}

TEST(ToyDialect, IsOpenedByItsContent) {
  const auto source = opened("toy words pair\nef17007cf0170405\ne30000000007000f\n");
  EXPECT_EQ(source->kernels(), std::vector<std::string>{"pair"});
  const Code code = source->code("pair");
  ASSERT_EQ(code.lines.size(), 2u);
  EXPECT_EQ(code.lines[0].text, "SHFL.BFLY PT, R5, R4, 0x1, 0x1f");
  EXPECT_TRUE(code.lines[0].is_shuffle());
  EXPECT_TRUE(code.lines[1].is_exit());
  EXPECT_EQ(code.registers, 6u);
}

TEST(ToyDialect, LeavesOtherTextToTheDialectsBehindIt) {
  EXPECT_EQ(opened("EXIT\n")->code("toy_dialect").lines.front().text, "EXIT");
}

TEST(ToyDialect, SaysWhereAWordIsWrong) {
  const auto source = opened("toy words one\n0000000000000000\n");
  try {
    source->program("one");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("toy_dialect.txt:2:1: "), std::string::npos);
  }
}

}  // namespace toy_dialect_test
}  // namespace shflsim::isa
