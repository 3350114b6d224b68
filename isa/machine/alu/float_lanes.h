// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "isa/machine/alu/relation.h"
#include "isa/machine/execution.h"
#include "isa/machine/rounding.h"

namespace shflsim::isa {

/// A single-precision source with absolute value, negation and flushing of denormals applied, or
/// the source itself if it has none of these.
class FloatSource {
 public:
  FloatSource(const Execution& execution, Role role, bool flushes, unsigned word = 0)
      : source_(execution, role, word) {
    const Operand& operand = execution.operand(role);
    const bool is_plain = !operand.absolute && !operand.negate && !flushes;
    values_ = is_plain ? source_.data() : changed(operand, flushes);
  }
  uint32_t operator[](unsigned lane) const { return values_[lane]; }
  LaneValues values() const {
    LaneValues copy;
    std::copy_n(values_, kLanes, copy.begin());
    return copy;
  }

 private:
  const uint32_t* changed(const Operand& operand, bool flushes);

  SourceOperand source_;
  const uint32_t* values_;
  LaneValues changed_;
};

/// The relation of two operands in each lane; a NaN is unordered with everything.
template <class First, class Second>
Relation float_relation(First first, Second second) {
  Relation relation;
  relation.below = lanes_where([&](unsigned lane) { return first(lane) < second(lane); });
  relation.equal = lanes_where([&](unsigned lane) { return first(lane) == second(lane); });
  relation.above = lanes_where([&](unsigned lane) { return first(lane) > second(lane); });
  relation.unordered = ~(relation.below | relation.equal | relation.above);
  return relation;
}

/// The bits of the minimum or maximum of two floats: -0 is below +0; if one operand is NaN, the
/// result is the other one, or the NaN if `nan_wins`.
inline uint32_t lesser_or_greater(uint32_t a, uint32_t b, bool lesser, bool nan_wins) {
  const float x = as_float(a), y = as_float(b);
  const bool a_below = x < y || (x == y && a > b);  // -0 is less than +0
  const bool takes_a = nan_wins ? is_nan(a) : is_nan(b);
  const bool takes_b = nan_wins ? is_nan(b) : is_nan(a);
  return takes_a || (!takes_b && a_below == lesser) ? a : b;
}

/// How a result becomes D: every NaN becomes the canonical NaN, then denormals are flushed and the
/// result is clamped to [0, 1] on demand; then ".CC".
struct Finish {
  bool flushes = false;
  bool saturates = false;
};
void write_float(Execution& execution, LaneValues& values, const Finish& finish);

inline Rounding rounding_of(const Instruction& instruction) {
  return static_cast<Rounding>(instruction[Mod::k_round]);
}

}  // namespace shflsim::isa
