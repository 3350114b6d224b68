// SPDX-License-Identifier: Apache-2.0
#include "sweep/result_bytes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace shflsim::sweep {
namespace result_bytes_test {

using model::RunResult;

/// The size of a record that has only the visited members.
template <class Record>
size_t size_of_visited() {
  Record record;
  size_t size = 0;
  Record::visit(record, [&size](const auto& member) {
    const size_t alignment = alignof(std::decay_t<decltype(member)>);
    size = (size + alignment - 1) / alignment * alignment + sizeof member;
  });
  return (size + alignof(Record) - 1) / alignof(Record) * alignof(Record);
}

TEST(ResultBytes, VisitLeavesNoMemberOut) {
  EXPECT_EQ(size_of_visited<model::InstructionStats>(), sizeof(model::InstructionStats));
  EXPECT_EQ(size_of_visited<model::StatColumn>(), sizeof(model::StatColumn));
  EXPECT_EQ(size_of_visited<model::UnitStats>(), sizeof(model::UnitStats));
  EXPECT_EQ(size_of_visited<model::Occupancy>(), sizeof(model::Occupancy));
  EXPECT_EQ(size_of_visited<model::WarpStats>(), sizeof(model::WarpStats));
  EXPECT_EQ(size_of_visited<model::ConfigValue>(), sizeof(model::ConfigValue));
  EXPECT_EQ(size_of_visited<RunResult>(), sizeof(RunResult));
}

/// Gives each number and each text a value of its own, and each list two elements.
struct Fill {
  uint64_t next = std::numeric_limits<uint32_t>::max() - 40;

  void operator()(uint64_t& number) { number = next++ * 3; }
  void operator()(uint32_t& number) { number = static_cast<uint32_t>(next++); }
  void operator()(std::string& text) { text = std::to_string(next++) + std::string("\0\xff", 2); }
  template <class Number, size_t size>
  void operator()(std::array<Number, size>& numbers) {
    for (Number& number : numbers) (*this)(number);
  }
  template <class Record>
  void operator()(std::vector<Record>& list) {
    list.resize(2);
    for (Record& record : list) (*this)(record);
  }
  template <class Record>
  void operator()(Record& record) {
    Record::visit(record, *this);
  }
};

TEST(ResultBytes, KeepEveryMember) {
  RunResult result;
  Fill fill;
  fill(result);
  const RunResult back = result_of(bytes_of(result));
  EXPECT_EQ(bytes_of(back), bytes_of(result));
  EXPECT_EQ(back.cycles, result.cycles);
  EXPECT_EQ(back.occupancy.blocks, result.occupancy.blocks);
  EXPECT_EQ(back.instructions[1].states, result.instructions[1].states);
  EXPECT_EQ(back.counts[1].key, result.counts[1].key);
  EXPECT_EQ(back.counts[1].values, result.counts[1].values);
  EXPECT_EQ(back.units[1].name, result.units[1].name);
  EXPECT_EQ(back.warps[0].clock_reads, result.warps[0].clock_reads);
  EXPECT_EQ(back.warps[1].sm, result.warps[1].sm);
  EXPECT_EQ(back.config[1].help, result.config[1].help);
}

TEST(ResultBytes, DifferWhereAnyMemberDoes) {
  RunResult result;
  Fill fill;
  fill(result);
  RunResult other = result;
  ++other.counts[1].values[0];
  EXPECT_NE(bytes_of(other), bytes_of(result));
}

}  // namespace result_bytes_test
}  // namespace shflsim::sweep
