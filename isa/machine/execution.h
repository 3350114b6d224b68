// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "isa/base/launch_error.h"
#include "isa/code/program.h"
#include "isa/machine/block.h"
#include "isa/machine/warp.h"

namespace shflsim::isa {

/// One warp instruction during its execution. Operations read their operands and write their
/// results here; the next program counter is set before they run.
struct Execution {
  const Instruction& instruction;
  uint32_t index;       ///< into Program::code
  uint32_t warp_index;  ///< index of the warp in its block
  LaneMask lanes;       ///< executing lanes; a branch sets the lanes that take it
  Warp& warp;
  Block& block;
  const LaneMap* lane_map = nullptr;         ///< set by SHFL for the observer
  const LaneAddresses* addresses = nullptr;  ///< set by memory operations
  LaneMask up_clamped = 0;                   ///< set by SHFL.UP: lanes with a clamp
  /// Set by copies and by operations at barriers in shared memory (asynchronous_row.h).
  const LaneAddresses* asynchronous = nullptr;

  const Operand& operand(Role role) const { return instruction[role]; }
};

/// The lowest executing lane; there must be at least one.
inline unsigned first_lane(const Execution& execution) {
  return static_cast<unsigned>(__builtin_ctz(execution.lanes));
}

/// One 32-bit source operand of all lanes, without its modifiers: a register, or an immediate, a
/// constant or a uniform register as the value of every lane. `word` selects one of consecutive
/// registers.
class SourceOperand {
 public:
  SourceOperand(const Execution& execution, Role role, unsigned word = 0) {
    const Operand& operand = execution.operand(role);
    if (operand.is(Operand::Kind::kRegister) || operand.is(Operand::Kind::kMemory)) {
      values_ = execution.warp.row(operand.index == kRZ ? kRZ : operand.index + word);
    } else if (operand.is(Operand::Kind::kUniform)) {
      values_ = execution.warp.uniform_row(operand.index == kRZ ? kRZ : operand.index + word);
    } else {
      fill(execution, operand, word);
    }
  }
  SourceOperand(const SourceOperand&) = delete;
  SourceOperand& operator=(const SourceOperand&) = delete;

  uint32_t operator[](unsigned lane) const { return values_[lane]; }
  const uint32_t* data() const { return values_; }

 private:
  void fill(const Execution& execution, const Operand& operand, unsigned word);

  const uint32_t* values_;
  LaneValues filled_;
};

/// The value of a source predicate (S, T, U), also a uniform one, with its "!" applied; PT if the
/// form has none.
LaneMask predicate_of(const Execution& execution, Role role);

/// Writes register `word` of D in the executing lanes; a uniform register gets the value of the
/// lowest of these lanes.
inline void write_result(Execution& execution, const LaneValues& values, unsigned word = 0) {
  const Operand& operand = execution.operand(Role::kD);
  if (operand.index == kRZ) return;
  if (operand.is(Operand::Kind::kRegister))
    execution.warp.write(operand.index + word, execution.lanes, values);
  else if (operand.is(Operand::Kind::kUniform))
    execution.warp.write_uniform(operand.index + word, values[first_lane(execution)]);
}
/// Writes a destination predicate (P, Q) in the executing lanes.
void write_predicate(Execution& execution, Role role, LaneMask values);

/// Writes the condition code of an integer result, if the instruction has ".CC".
void write_condition(Execution& execution, const LaneValues& result, LaneMask carry,
                     LaneMask overflow);

/// The values f(lane) of all lanes.
template <class F>
LaneValues each_lane(F f) {
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = f(lane);
  return values;
}

/// D = f(lane) in the executing lanes.
template <class F>
void set_result(Execution& execution, F f, unsigned word = 0) {
  write_result(execution, each_lane(f), word);
}

inline uint32_t all_ones_if(bool condition) { return condition ? 0xFFFFFFFFu : 0u; }

/// A message about an instruction: "kernel 'k' at 0x0070 (LDG.E R5, [R4]): what".
std::string message_at(const Program& program, uint32_t index, const std::string& what);
/// Raises a LaunchError about an instruction: `kernel 'k' at 0x0070 (LDG.E R5, [R4]): what`.
[[noreturn]] void fail_at(const Program& program, uint32_t index, const std::string& what,
                          LaunchFault fault = LaunchFault::kOther);
/// Raises a LaunchError during execution, which also names block, warp and (if any) lane.
constexpr unsigned kNoLane = kLanes;
[[noreturn]] void fail(const Execution& execution, const std::string& what, unsigned lane = kNoLane,
                       LaunchFault fault = LaunchFault::kOther);
/// Bytes of a constant bank that a lane reads. Raises a LaunchError for those that the bank lacks,
/// naming what would have them, and for those of bank 0 that the launch does not fill.
const uint8_t* read_constant(const Execution& execution, unsigned bank, uint32_t offset,
                             size_t bytes, unsigned lane);
/// "; expected ..." of a bank of which the input has nothing.
std::string expected_constants(const Grid& grid, unsigned bank);
/// Reports a use of undefined values to the observer; nothing if `lanes` is 0.
void report_undefined(const Execution& execution, LaneMask lanes, const char* what);

}  // namespace shflsim::isa
