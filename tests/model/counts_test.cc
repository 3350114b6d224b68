// SPDX-License-Identifier: Apache-2.0
// A stat is declared by a member and a line in its unit's counts; nothing else names it.
#include "model/core/counts.h"

#include <gtest/gtest.h>

namespace shflsim::model {
namespace counts_test {

/// The counts of a unit with one stat.
struct ToyCounts {
  uint64_t hops = 0;

  static bool applies(const isa::CodeLine& line) { return line.is_shuffle(); }
  void list(StatList& out) const {
    out.count("hops", hops, "hops", "SHFL: hops of the toy.", "toy\nhops");
  }
};

isa::Code two_shuffles_and_an_exit() {
  isa::Code code;
  code.lines.resize(3);
  code.lines[0].pipe = code.lines[2].pipe = isa::Pipe::kShuffle;
  return code;
}

TEST(Counts, AreAColumnUnderTheNameThatTheyDeclare) {
  InstructionCounts<ToyCounts> counts;
  counts[0].hops += 7;
  std::vector<StatColumn> columns;
  counts.add_to(two_shuffles_and_an_exit(), &columns);
  ASSERT_EQ(columns.size(), 1u);
  EXPECT_EQ(columns[0].key, "hops");
  EXPECT_EQ(columns[0].values, (std::vector<uint64_t>{7, StatColumn::kNone, 0}));
}

TEST(Counts, OfSeveralUnitsAreSummed) {
  InstructionCounts<ToyCounts> first;
  InstructionCounts<ToyCounts> second;
  first[0].hops = 7;
  second[2].hops = 5;
  second[0].hops = 1;
  std::vector<StatColumn> columns;
  for (const auto* counts : {&first, &second}) counts->add_to(two_shuffles_and_an_exit(), &columns);
  ASSERT_EQ(columns.size(), 1u);
  EXPECT_EQ(columns[0].values, (std::vector<uint64_t>{8, StatColumn::kNone, 5}));
}

TEST(Counts, DeclareKeyUnitSentenceAndHeading) {
  StatList list;
  ToyCounts{3}.list(list);
  ASSERT_EQ(list.stats().size(), 1u);
  EXPECT_STREQ(list.stats()[0].key, "hops");
  EXPECT_STREQ(list.stats()[0].unit, "hops");
  EXPECT_STREQ(list.stats()[0].help, "SHFL: hops of the toy.");
  EXPECT_STREQ(list.stats()[0].heading, "toy\nhops");
  EXPECT_EQ(list.values(), (std::vector<uint64_t>{3}));
}

}  // namespace counts_test
}  // namespace shflsim::model
