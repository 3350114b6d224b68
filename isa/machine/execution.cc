// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/execution.h"

#include <fmt/format.h>

#include <cstring>

#include "isa/base/input_error.h"
#include "isa/codec/codec.h"

namespace shflsim::isa {
namespace {

uint32_t uniform_value(const Execution& execution, const Operand& operand, unsigned word) {
  if (operand.is(Operand::Kind::kConstant)) {
    const uint64_t offset = static_cast<uint64_t>(operand.value) + 4 * word;
    uint32_t value = 0;
    std::memcpy(&value, execution.block.grid.constant(operand.bank, offset, 4), sizeof value);
    return value;
  }
  return static_cast<uint32_t>(static_cast<uint64_t>(operand.value) >> (32 * word));
}

}  // namespace

void SourceOperand::fill(const Execution& execution, const Operand& operand, unsigned word) {
  filled_.fill(uniform_value(execution, operand, word));
  values_ = filled_.data();
}

LaneMask predicate_of(const Execution& execution, Role role) {
  const Operand& operand = execution.operand(role);
  if (operand.is(Operand::Kind::kUniformPredicate))
    return execution.warp.uniform_predicate(operand.index, operand.negate);
  if (!operand.is(Operand::Kind::kPredicate)) return kAllLanes;
  return execution.warp.predicate(operand.index, operand.negate);
}

void write_predicate(Execution& execution, Role role, LaneMask values) {
  const Operand& operand = execution.operand(role);
  if (operand.is(Operand::Kind::kUniformPredicate))
    execution.warp.write_uniform_predicate(operand.index, bit_of(values, first_lane(execution)));
  if (!operand.is(Operand::Kind::kPredicate)) return;
  execution.warp.write_predicate(operand.index, execution.lanes, values);
}

void write_condition(Execution& execution, const LaneValues& result, LaneMask carry,
                     LaneMask overflow) {
  if (!execution.instruction.sets_cc) return;
  const LaneMask zero = lanes_where([&](unsigned lane) { return result[lane] == 0; });
  const LaneMask sign = lanes_where([&](unsigned lane) { return (result[lane] >> 31) != 0; });
  const auto blend = [&](LaneMask& flag, LaneMask value) {
    flag = (flag & ~execution.lanes) | (value & execution.lanes);
  };
  blend(execution.warp.cc.zero, zero);
  blend(execution.warp.cc.sign, sign);
  blend(execution.warp.cc.carry, carry);
  blend(execution.warp.cc.overflow, overflow);
  blend(execution.warp.cc.second_carry, 0);
}

std::string message_at(const Program& program, uint32_t index, const std::string& what) {
  const Instruction& instruction = program.code[index];
  return fmt::format("kernel '{}' at 0x{:04x} ({}): {}", program.name, instruction.address,
                     text_of(instruction), what);
}

void fail_at(const Program& program, uint32_t index, const std::string& what, LaunchFault fault) {
  throw LaunchError(fault, message_at(program, index, what));
}

void fail(const Execution& execution, const std::string& what, unsigned lane, LaunchFault fault) {
  std::string where = fmt::format("block {}, warp {}", execution.block.index, execution.warp_index);
  if (lane != kNoLane) where += fmt::format(", lane {}", lane);
  fail_at(execution.block.grid.program, execution.index, where + ": " + what, fault);
}

std::string expected_constants(const Grid& grid, unsigned bank) {
  const bool is_empty = bank >= grid.banks.size() || grid.banks[bank].empty();
  return bank != 0 && is_empty ? "; expected the file that has its constants (--constants)" : "";
}

const uint8_t* read_constant(const Execution& execution, unsigned bank, uint32_t offset,
                             size_t bytes, unsigned lane) {
  const Grid& grid = execution.block.grid;
  const uint8_t* const found = grid.constant(bank, offset, bytes);
  if (found == nullptr) {
    fail(execution,
         fmt::format("{} bytes at offset 0x{:x} of constant bank {}, beyond its end{}", bytes,
                     offset, bank, expected_constants(grid, bank)),
         lane);
  }
  if (bank == 0 && !grid.launch_bank.fills(offset, bytes))
    fail(execution, LaunchBank::name_of(grid.program.arch, offset, bytes), lane);
  return found;
}

void report_undefined(const Execution& execution, LaneMask lanes, const char* what) {
  if (lanes == 0) return;
  execution.block.sm->observer.on_undefined_use(
      {execution.block.index, execution.warp_index, execution.index, lanes, what});
}

}  // namespace shflsim::isa
