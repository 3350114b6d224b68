// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/execution.h"

namespace shflsim::isa {

/// A 64-bit source operand of all lanes: two consecutive registers or uniform registers, two words
/// of a constant, or a sign-extended immediate.
class WideSource {
 public:
  WideSource(const Execution& execution, Role role)
      : low_(execution, role, 0), high_(execution, role, 1) {}
  uint64_t operator[](unsigned lane) const { return uint64_t{high_[lane]} << 32 | low_[lane]; }

 private:
  SourceOperand low_;
  SourceOperand high_;
};

/// D and the next register = f(lane), a 64-bit value, in the executing lanes.
template <class F>
void set_wide_result(Execution& execution, F f) {
  LaneValues low, high;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t value = f(lane);
    low[lane] = static_cast<uint32_t>(value);
    high[lane] = static_cast<uint32_t>(value >> 32);
  }
  write_result(execution, low);
  write_result(execution, high, 1);
}

/// True if the form has this operand: for example ".X" has a carry in.
inline bool has_operand(const Execution& execution, Role role) {
  return !execution.operand(role).is(Operand::Kind::kNone);
}

/// True if the form writes this predicate and it is not PT.
inline bool is_kept(const Execution& execution, Role role) {
  return has_operand(execution, role) && execution.operand(role).index != kPT;
}

}  // namespace shflsim::isa
