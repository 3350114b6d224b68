// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/execution.h"

namespace shflsim::isa {

/// A source operand of 64 bits, of all lanes: two consecutive registers or uniform registers, two
/// words of a constant, or a sign-extended immediate.
class WideSource {
 public:
  WideSource(const Execution& execution, Role role)
      : low_(execution, role, 0), high_(execution, role, 1) {}
  uint64_t operator[](unsigned lane) const { return uint64_t{high_[lane]} << 32 | low_[lane]; }

 private:
  SourceOperand low_;
  SourceOperand high_;
};

/// D and the register behind it = f(lane), a value of 64 bits, in the executing lanes.
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

/// Whether the form has this operand: ".X" its carry in, ".EX" the comparison of the lower words.
inline bool has_operand(const Execution& execution, Role role) {
  return !execution.operand(role).is(Operand::Kind::kNone);
}

/// Whether a predicate written is one that keeps it.
inline bool is_kept(const Execution& execution, Role role) {
  return has_operand(execution, role) && execution.operand(role).index != kPT;
}

}  // namespace shflsim::isa
