// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/issue.h"

#include <fmt/format.h>

#include <cstring>

#include "isa/codec.h"
#include "isa/input_error.h"

namespace shflsim::isa {
namespace {

uint32_t uniform_value(const Issue& issue, const Operand& operand, unsigned word) {
  if (operand.is(Operand::Kind::kConstant)) {
    const uint64_t offset = static_cast<uint64_t>(operand.value) + 4 * word;
    uint32_t value = 0;
    std::memcpy(&value, issue.block.grid.constant(operand.bank, offset, 4), sizeof value);
    return value;
  }
  return static_cast<uint32_t>(static_cast<uint64_t>(operand.value) >> (32 * word));
}

}  // namespace

void Source::fill(const Issue& issue, const Operand& operand, unsigned word) {
  filled_.fill(uniform_value(issue, operand, word));
  values_ = filled_.data();
}

LaneMask predicate_of(const Issue& issue, Role role) {
  const Operand& operand = issue.operand(role);
  if (!operand.is(Operand::Kind::kPredicate)) return kAllLanes;
  return issue.warp.predicate(operand.index, operand.negate);
}

void write_result(Issue& issue, const LaneValues& values, unsigned word) {
  const Operand& operand = issue.operand(Role::kD);
  if (!operand.is(Operand::Kind::kRegister) || operand.index == kRZ) return;
  issue.warp.write(operand.index + word, issue.lanes, values);
}

void write_predicate(Issue& issue, Role role, LaneMask values) {
  const Operand& operand = issue.operand(role);
  if (!operand.is(Operand::Kind::kPredicate)) return;
  issue.warp.write_predicate(operand.index, issue.lanes, values);
}

void write_condition(Issue& issue, const LaneValues& result, LaneMask carry, LaneMask overflow) {
  if (!issue.instruction.sets_cc) return;
  const LaneMask zero = lanes_where([&](unsigned lane) { return result[lane] == 0; });
  const LaneMask sign = lanes_where([&](unsigned lane) { return (result[lane] >> 31) != 0; });
  const auto blend = [&](LaneMask& flag, LaneMask value) {
    flag = (flag & ~issue.lanes) | (value & issue.lanes);
  };
  blend(issue.warp.cc.zero, zero);
  blend(issue.warp.cc.sign, sign);
  blend(issue.warp.cc.carry, carry);
  blend(issue.warp.cc.overflow, overflow);
  blend(issue.warp.cc.second_carry, 0);
}

void fail_at(const Program& program, uint32_t index, const std::string& what) {
  const Instruction& instruction = program.code[index];
  throw InputError(fmt::format("kernel '{}' at 0x{:04x} ({}): {}", program.name,
                               instruction.address, text_of(instruction), what));
}

void fail(const Issue& issue, const std::string& what, unsigned lane) {
  std::string where = fmt::format("block {}, warp {}", issue.block.index, issue.warp_index);
  if (lane != kNoLane) where += fmt::format(", lane {}", lane);
  fail_at(issue.block.grid.program, issue.index, where + ": " + what);
}

void report_undefined(const Issue& issue, LaneMask lanes, const char* what) {
  if (lanes == 0) return;
  issue.block.grid.observer.on_undefined_use(
      {issue.block.index, issue.warp_index, issue.index, lanes, what});
}

}  // namespace shflsim::isa
