// SPDX-License-Identifier: Apache-2.0
// Sums of sm_70 and later: IADD3, IADD, VIADD, LEA and their uniform versions, IABS.
#include <algorithm>

#include "isa/machine/bit_tools.h"
#include "isa/machine/operations.h"
#include "isa/machine/sm70/wide_source.h"

namespace shflsim::isa {
namespace {

/// The sign of a term: negation is a complement plus one; with .X a carry in replaces the one.
template <class Bits>
struct Sign {
  Sign(const Execution& execution, Role role) {
    const Operand& operand = execution.operand(role);
    flip = operand.negate || operand.invert ? ~Bits{0} : Bits{0};
    one = operand.negate && !has_operand(execution, Role::kS) ? 1 : 0;
  }
  Bits flip;
  uint32_t one;
};

/// The carries into each lane, 0 to 2: S and T of the forms .X.
LaneValues carries_in(const Execution& execution) {
  LaneValues carries{};
  if (!has_operand(execution, Role::kS)) return carries;
  const LaneMask s = predicate_of(execution, Role::kS);
  const LaneMask t = has_operand(execution, Role::kT) ? predicate_of(execution, Role::kT) : 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    carries[lane] = static_cast<uint32_t>(bit_of(s, lane)) + bit_of(t, lane);
  }
  return carries;
}

/// Writes the carries of a sum, 0 to 2: P = not 0, Q = 2.
void write_carries(Execution& execution, const LaneValues& carries) {
  write_predicate(execution, Role::kP,
                  lanes_where([&](unsigned lane) { return carries[lane] != 0; }));
  write_predicate(execution, Role::kQ,
                  lanes_where([&](unsigned lane) { return carries[lane] > 1; }));
}

/// IADD3 with a carry. Complements and their ones are added in a sum of more than 32 bits.
void sum_with_carry(Execution& execution) {
  const SourceOperand a(execution, Role::kA), b(execution, Role::kB), c(execution, Role::kC);
  const Sign<uint32_t> x(execution, Role::kA), y(execution, Role::kB), z(execution, Role::kC);
  const uint32_t ones = x.one + y.one + z.one;
  const LaneValues in = carries_in(execution);
  LaneValues values, carries;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t sum =
        uint64_t{a[lane] ^ x.flip} + (b[lane] ^ y.flip) + (c[lane] ^ z.flip) + ones + in[lane];
    values[lane] = static_cast<uint32_t>(sum);
    carries[lane] = static_cast<uint32_t>(sum >> 32);
  }
  write_result(execution, values);
  write_carries(execution, carries);
}

/// Adds a term to a sum of 64 bits and counts its carry.
void add_wide(uint64_t& sum, uint64_t term, uint32_t& carries) {
  sum += term;
  carries += sum < term ? 1 : 0;
}

/// UIADD3.64, three terms of 64 bits.
void wide_sum(Execution& execution) {
  const WideSource a(execution, Role::kA), b(execution, Role::kB), c(execution, Role::kC);
  const Sign<uint64_t> x(execution, Role::kA), y(execution, Role::kB), z(execution, Role::kC);
  const uint32_t ones = x.one + y.one + z.one;
  const LaneValues in = carries_in(execution);
  LaneValues carries{};
  set_wide_result(execution, [&](unsigned lane) {
    uint64_t sum = a[lane] ^ x.flip;
    add_wide(sum, b[lane] ^ y.flip, carries[lane]);
    add_wide(sum, c[lane] ^ z.flip, carries[lane]);
    add_wide(sum, uint64_t{ones} + in[lane], carries[lane]);
    return sum;
  });
  write_carries(execution, carries);
}

/// IADD3; the fast path has no carry.
void iadd3(Execution& execution) {
  if (execution.operand(Role::kD).count == 2) return wide_sum(execution);
  if (has_operand(execution, Role::kS) || is_kept(execution, Role::kP) ||
      is_kept(execution, Role::kQ))
    return sum_with_carry(execution);
  const SourceOperand a(execution, Role::kA), b(execution, Role::kB), c(execution, Role::kC);
  const Sign<uint32_t> x(execution, Role::kA), y(execution, Role::kB), z(execution, Role::kC);
  const uint32_t ones = x.one + y.one + z.one;
  set_result(execution, [&](unsigned lane) {
    return (a[lane] ^ x.flip) + (b[lane] ^ y.flip) + (c[lane] ^ z.flip) + ones;
  });
}

/// IADD.64; P = the carry of the sum.
void wide_iadd(Execution& execution) {
  const WideSource a(execution, Role::kA), b(execution, Role::kB);
  const Sign<uint64_t> x(execution, Role::kA), y(execution, Role::kB);
  const uint32_t ones = x.one + y.one;
  const LaneValues in = carries_in(execution);
  LaneValues carries{};
  set_wide_result(execution, [&](unsigned lane) {
    uint64_t sum = a[lane] ^ x.flip;
    add_wide(sum, b[lane] ^ y.flip, carries[lane]);
    add_wide(sum, uint64_t{ones} + in[lane], carries[lane]);
    return sum;
  });
  write_carries(execution, carries);
}

/// x + y plus the ones of negations and a carry in; P = the carry out.
template <class First, class Second>
void write_sum(Execution& execution, First x, Second y, uint32_t ones) {
  if (!has_operand(execution, Role::kS) && !is_kept(execution, Role::kP))
    return set_result(execution, [&](unsigned lane) { return x(lane) + y(lane) + ones; });
  const LaneValues in = carries_in(execution);
  const LaneMask carries = lanes_where([&](unsigned lane) {  // before the result overwrites y
    return ((uint64_t{x(lane)} + y(lane) + ones + in[lane]) >> 32) != 0;
  });
  set_result(execution, [&](unsigned lane) { return x(lane) + y(lane) + ones + in[lane]; });
  if (is_kept(execution, Role::kP)) write_predicate(execution, Role::kP, carries);
}

/// VIADD.16x2 and .U8x4: each part is added (and negated) separately.
void add_parts(Execution& execution, unsigned bits) {
  const uint32_t ones = bits == 16 ? 0x00010001u : 0x01010101u;
  const uint32_t tops = ones << (bits - 1);
  const SourceOperand a(execution, Role::kA), b(execution, Role::kB);
  const Sign<uint32_t> y(execution, Role::kB);
  const uint32_t one = y.one * ones;
  set_result(execution, [&](unsigned lane) {
    return sum_of_parts(sum_of_parts(a[lane], b[lane] ^ y.flip, tops), one, tops);
  });
}

/// VIADD.SAT: the sum is clamped to the range of signed words.
void add_saturated(Execution& execution) {
  const SourceOperand a(execution, Role::kA), b(execution, Role::kB);
  const auto term = [&execution](Role role, uint32_t word) {
    const auto value = int64_t{static_cast<int32_t>(word)};
    return execution.operand(role).negate ? -value : value;
  };
  constexpr int64_t kMost = 0x7FFFFFFF;
  set_result(execution, [&](unsigned lane) {
    const int64_t sum = term(Role::kA, a[lane]) + term(Role::kB, b[lane]);
    return static_cast<uint32_t>(std::clamp(sum, -kMost - 1, kMost));
  });
}

/// IADD, VIADD: two terms.
void iadd(Execution& execution) {
  if (execution.operand(Role::kD).count == 2) return wide_iadd(execution);
  if (form_says(execution.instruction, ".SAT")) return add_saturated(execution);
  if (const uint8_t parts = execution.instruction[Mod::k_viadd]; parts != 0)
    return add_parts(execution, parts == 1 ? 16 : 8);
  const SourceOperand a(execution, Role::kA), b(execution, Role::kB);
  const Sign<uint32_t> x(execution, Role::kA), y(execution, Role::kB);
  write_sum(
      execution, [&](unsigned lane) { return a[lane] ^ x.flip; },
      [&](unsigned lane) { return b[lane] ^ y.flip; }, x.one + y.one);
}

/// D = (a << shift) + B: an address of element a. HI: the upper word of c:a << shift, where c is
/// the sign of a in the forms .SX32.
void lea(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const auto shift = static_cast<unsigned>(execution.operand(Role::kG).value) & 31;
  const bool extends = execution.instruction[Mod::k_sx32] != 0;
  LaneValues scaled;
  if (extends) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const auto wide = static_cast<uint64_t>(int64_t{static_cast<int32_t>(a[lane])});
      scaled[lane] = static_cast<uint32_t>((wide << shift) >> 32);
    }
  } else if (has_operand(execution, Role::kC)) {
    const SourceOperand c(execution, Role::kC);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint64_t wide = uint64_t{c[lane]} << 32 | a[lane];
      scaled[lane] = static_cast<uint32_t>((wide << shift) >> 32);
    }
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) scaled[lane] = a[lane] << shift;
  }
  const SourceOperand b(execution, Role::kB);
  const Sign<uint32_t> x(execution, Role::kA), y(execution, Role::kB);
  write_sum(
      execution, [&](unsigned lane) { return scaled[lane] ^ x.flip; },
      [&](unsigned lane) { return b[lane] ^ y.flip; }, x.one + y.one);
}

/// No source documents whether the negation is of the upper word or of the whole.
std::string refuse_lea(const Instruction& instruction) {
  const bool is_upper =
      instruction[Mod::k_sx32] != 0 || !instruction[Role::kC].is(Operand::Kind::kNone);
  return is_upper && instruction[Role::kA].negate ? "the form .HI with a minus on its first source"
                                                  : "";
}

/// |a - b| + c.
void vabsdiff(Execution& execution) {
  const SourceOperand a(execution, Role::kA), b(execution, Role::kB), c(execution, Role::kC);
  const uint32_t bias = execution.instruction[Mod::k_unsigned_] == 0 ? 0 : 0x80000000u;
  set_result(execution, [&](unsigned lane) {
    const uint32_t x = a[lane] ^ bias, y = b[lane] ^ bias;
    return (x < y ? y - x : x - y) + c[lane];
  });
}

void iabs(Execution& execution) {
  const SourceOperand b(execution, Role::kB);
  set_result(execution, [&](unsigned lane) {
    const uint32_t sign = all_ones_if((b[lane] >> 31) != 0);
    return (b[lane] ^ sign) - sign;
  });
}

}  // namespace

void add_sm70_integer_operations(OperationTable& table) {
  for (const Op op : {Op::kSm70_IADD3, Op::kSm70_UIADD3}) entry(table, op) = {iadd3};
  entry(table, Op::kSm70_IADD) = {iadd};
  entry(table, Op::kSm70_VIADD) = {iadd};
  for (const Op op : {Op::kSm70_LEA, Op::kSm70_ULEA}) entry(table, op) = {lea, refuse_lea};
  entry(table, Op::kSm70_IABS) = {iabs};
  entry(table, Op::kSm70_VABSDIFF) = {vabsdiff};
}

}  // namespace shflsim::isa
