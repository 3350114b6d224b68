// SPDX-License-Identifier: Apache-2.0
#include "cli/options/option_list.h"

#include <gtest/gtest.h>

#include "cli/options/option_parser.h"
#include "isa/base/input_error.h"

namespace shflsim::cli {
namespace option_list_test {

struct SizeOptions : OptionGroup {
  enum class Shape : char { kRound, kSquare };

  std::string file;
  unsigned width = 4;
  std::optional<unsigned> height;
  Shape shape = Shape::kRound;
  Strings labels;
  bool tall = false;
  bool help = false;
  Strings call;
  Strings rest;

  void list(OptionList& list) {
    list.group("size", this);
    list.argument("file", &file, "FILE", "what to draw");
    list.number("width", &width, 1, 8, "N", "columns").short_form('w');
    list.number("height", &height, 1, 8, "N", "rows");
    list.choice("shape", &shape, {"round", "square"}, "SHAPE", "of the picture");
    list.texts("label", &labels, "TEXT", "what to write").here_only();
    list.flag("tall", &tall, "as high as possible");
    list.excludes(&tall, {&height});
    list.needs(&labels, {&height, &tall});
    list.call(&call);
    list.words_behind_dashes(&tall, &rest);
    list.group("common", this);
    list.flag("help", &help, "print this").asks = true;
  }
};

/// The message of the refusal, "" if there is none.
std::string fault(const Strings& arguments) {
  SizeOptions options;
  OptionList list;
  options.list(list);
  try {
    parse(list, arguments, "draw FILE");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

SizeOptions parsed(const Strings& arguments) {
  SizeOptions options;
  OptionList list;
  options.list(list);
  EXPECT_TRUE(parse(list, arguments, "draw FILE"));
  return options;
}

TEST(OptionList, SetsTypedMembersAndLeavesDefaults) {
  const SizeOptions options = parsed({"-w", "6", "a.txt", "--shape=square"});
  EXPECT_EQ(options.file, "a.txt");
  EXPECT_EQ(options.width, 6u);
  EXPECT_FALSE(options.height.has_value());
  EXPECT_EQ(options.shape, SizeOptions::Shape::kSquare);
}

TEST(OptionList, TellsWhatWasGivenInTheOrderOfDeclarations) {
  const SizeOptions options = parsed({"--label", "b", "--height", "2", "--label", "a", "x"});
  EXPECT_EQ(words_of(options), (Strings{"--file x", "--height 2", "--label b", "--label a"}));
  EXPECT_EQ(options.call, (Strings{"--height", "2", "x"}));
}

TEST(OptionList, RefusesValuesPairsAndUnknownNames) {
  EXPECT_EQ(fault({"x", "--width", "9"}), "--width: '9' is out of range; expected 1 to 8");
  EXPECT_EQ(fault({"x", "--shape", "squar"}), "--shape 'squar'; did you mean 'square'?");
  EXPECT_EQ(fault({"x", "--tall", "--height", "2"}),
            "--tall and --height both given; expected one of them");
  EXPECT_EQ(fault({"x", "--label", "a"}),
            "--label without --height or --tall; expected one of them");
  EXPECT_EQ(fault({"x", "--heigth", "2"}), "unknown option '--heigth'; did you mean '--height'?");
  EXPECT_EQ(fault({"x", "--tall", "--tall"}),
            "option '--tall' cannot be specified more than once; expected draw FILE");
  EXPECT_EQ(fault({}), "no file given; expected draw FILE");
}

TEST(OptionList, AsksWithoutAnyOtherCheck) {
  SizeOptions options;
  OptionList list;
  options.list(list);
  EXPECT_FALSE(parse(list, {"--help", "--width", "99"}, "draw FILE"));
  EXPECT_TRUE(options.help);
  EXPECT_EQ(options.width, 4u);
}

TEST(OptionList, HandsOnWordsBehindDashesWhereTheFlagIsGiven) {
  EXPECT_EQ(parsed({"x", "--tall", "--", "--label"}).rest, Strings{"--label"});
  EXPECT_EQ(parsed({"--", "--label"}).file, "--label");
}

TEST(OptionList, TakesFromALaunchLineOnlyWhatTheCommandLineLeavesOpen) {
  SizeOptions options = parsed({"x", "--width", "6", "--tall"});
  OptionList list;
  options.list(list);
  parse_launch_line(list, {"--width", "3", "--height", "2", "--shape", "square"}, "x");
  EXPECT_EQ(options.width, 6u);
  EXPECT_FALSE(options.height.has_value());
  EXPECT_EQ(options.shape, SizeOptions::Shape::kSquare);
}

}  // namespace option_list_test
}  // namespace shflsim::cli
