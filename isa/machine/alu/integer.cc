// SPDX-License-Identifier: Apache-2.0
// Integer sums (IADD, IADD3, ISCADD, LEA), minimum and maximum.
#include <algorithm>

#include "isa/machine/address_space.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

constexpr uint8_t kPlusOne = 3;  // ".PO" in Mod::k_po

/// A sum of two 32-bit terms and a carry, with the flags that ".CC" writes.
struct Sum {
  LaneValues value;
  LaneMask carry = 0;
  LaneMask overflow = 0;
};

/// first(lane) + second(lane) + (carry_in bit of the lane).
template <class First, class Second>
Sum integer_sum(First first, Second second, LaneMask carry_in) {
  Sum sum;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    sum.value[lane] = first(lane) + second(lane) + bit_of(carry_in, lane);
  }
  // There is a carry out if both top bits are set, or one is set and the sum's is not.
  const auto low = [&](unsigned lane) { return sum.value[lane]; };
  sum.carry = lanes_where([&](unsigned lane) {
    const uint32_t a = first(lane), b = second(lane);
    return (((a & b) | ((a | b) & ~low(lane))) >> 31) != 0;
  });
  sum.overflow = lanes_where([&](unsigned lane) {
    return (((first(lane) ^ low(lane)) & (second(lane) ^ low(lane))) >> 31) != 0;
  });
  return sum;
}

template <class First, class Second>
void write_plain_sum(Execution& execution, First first, Second second, uint32_t increment) {
  set_result(execution, [&](unsigned lane) { return first(lane) + second(lane) + increment; });
}

void saturate(Sum& sum) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!bit_of(sum.overflow, lane)) continue;
    // The wrapped sign is the opposite of the true one.
    sum.value[lane] = (sum.value[lane] >> 31) != 0 ? 0x7FFFFFFFu : 0x80000000u;
  }
}

/// A negated term is its complement plus a carry in; ".PO" adds one.
template <class First, class Second>
void add(Execution& execution, First first, Second second, bool saturates) {
  const Operand& a = execution.operand(Role::kA);
  const Operand& b = execution.operand(Role::kB);
  const bool plus_one = execution.instruction[Mod::k_po] == kPlusOne;
  const uint32_t flip_a = all_ones_if(a.negate);
  const uint32_t flip_b = all_ones_if(b.negate);
  const auto one = [&](unsigned lane) { return first(lane) ^ flip_a; };
  const auto two = [&](unsigned lane) { return second(lane) ^ flip_b; };
  const bool chained = execution.instruction[Mod::k_x] != 0;
  const bool increments = a.negate || b.negate || plus_one;
  if (!chained && !saturates && !execution.instruction.sets_cc) {
    write_plain_sum(execution, one, two, increments ? 1 : 0);
    return;
  }
  const LaneMask carry_in = chained ? execution.warp.cc.carry : all_ones_if(increments);
  Sum sum = integer_sum(one, two, carry_in);
  if (saturates) saturate(sum);
  write_result(execution, sum.value);
  write_condition(execution, sum.value, sum.carry, sum.overflow);
}

void iadd(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  add(
      execution, [&](unsigned lane) { return a[lane]; }, [&](unsigned lane) { return b[lane]; },
      execution.instruction[Mod::k_sat] != 0);
}

void iscadd(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const unsigned shift = static_cast<unsigned>(execution.operand(Role::kC).value) & 31;
  add(
      execution, [&](unsigned lane) { return a[lane] << shift; },
      [&](unsigned lane) { return b[lane]; }, false);
}

/// A term of IADD3: the whole word, its lower half, or its upper half.
uint32_t third_of(uint32_t word, uint8_t half) {
  return half == 0 ? word : half == 1 ? word & 0xFFFFu : word >> 16;
}

/// a + b before c is added: unchanged, or shifted by 16 bits (.RS, .LS).
uint64_t shifted_pair(uint64_t pair, uint8_t mode) {
  if (mode == 1) return pair >> 16;  // including the carry of the sum
  return mode == 2 ? static_cast<uint32_t>(pair << 16) : pair;
}

/// IADD3's 20-bit immediate is signed, although it is printed as an unsigned number.
uint32_t upper_bits_of(const Operand& operand) {
  const bool is_negative = operand.is(Operand::Kind::kImmediate) && (operand.value >> 19 & 1) != 0;
  return is_negative ? 0xFFF00000u : 0;
}

void iadd3_in_parts(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const SourceOperand c(execution, Role::kC);
  const Operand& x = execution.operand(Role::kA);
  const Operand& y = execution.operand(Role::kB);
  const Operand& z = execution.operand(Role::kC);
  const uint32_t flip_a = all_ones_if(x.negate);
  const uint32_t flip_b = all_ones_if(y.negate);
  const uint32_t flip_c = all_ones_if(z.negate);
  const uint32_t upper = upper_bits_of(y);
  const bool chained = execution.instruction[Mod::k_x] != 0;
  const uint8_t mode = execution.instruction[Mod::k_shift3];
  ConditionCode& cc = execution.warp.cc;
  const LaneMask carry_in = chained ? cc.carry : 0;
  const LaneMask second_in = chained ? cc.second_carry : 0;
  // In a chained sum (.X) the carry replaces the ones that complete the complements.
  const uint32_t ones_ab = chained ? 0 : (flip_a & 1) + (flip_b & 1);
  const uint32_t one_c = chained ? 0 : flip_c & 1;
  LaneValues values;
  LaneMask carry = 0, second_carry = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t pair = uint64_t{third_of(a[lane], x.half) ^ flip_a} +
                          ((third_of(b[lane], y.half) | upper) ^ flip_b) + ones_ab;
    const uint64_t wide = shifted_pair(pair, mode) + (third_of(c[lane], z.half) ^ flip_c) + one_c +
                          bit_of(carry_in, lane) + bit_of(second_in, lane);
    values[lane] = static_cast<uint32_t>(wide);
    carry |= static_cast<uint32_t>((wide >> 32) != 0) << lane;
    second_carry |= static_cast<uint32_t>((wide >> 32) > 1) << lane;
  }
  write_result(execution, values);
  write_condition(execution, values, carry, 0);
  if (execution.instruction.sets_cc) cc.second_carry |= second_carry & execution.lanes;
}

/// IADD3; the fast path is three whole words without a carry.
void iadd3(Execution& execution) {
  const Operand& x = execution.operand(Role::kA);
  const Operand& y = execution.operand(Role::kB);
  const Operand& z = execution.operand(Role::kC);
  const Instruction& instruction = execution.instruction;
  const bool is_whole = (x.half | y.half | z.half | instruction[Mod::k_shift3]) == 0;
  if (!is_whole || instruction[Mod::k_x] != 0 || instruction.sets_cc)
    return iadd3_in_parts(execution);
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const SourceOperand c(execution, Role::kC);
  const uint32_t flip_a = all_ones_if(x.negate);
  const uint32_t flip_b = all_ones_if(y.negate);
  const uint32_t flip_c = all_ones_if(z.negate);
  const uint32_t ones = (flip_a & 1) + (flip_b & 1) + (flip_c & 1);
  const uint32_t upper = upper_bits_of(y);
  set_result(execution, [&](unsigned lane) {
    return (a[lane] ^ flip_a) + ((b[lane] | upper) ^ flip_b) + (c[lane] ^ flip_c) + ones;
  });
}

/// D = (a << shift) + b: an address of element a.
void lea(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const unsigned shift = static_cast<unsigned>(execution.operand(Role::kC).value) & 31;
  const bool negate = execution.operand(Role::kA).negate;
  const uint32_t flip = all_ones_if(negate);
  const LaneMask carry_in =
      execution.instruction[Mod::k_x] != 0 ? execution.warp.cc.carry : all_ones_if(negate);
  const Sum sum = integer_sum([&](unsigned lane) { return (a[lane] << shift) ^ flip; },
                              [&](unsigned lane) { return b[lane]; }, carry_in);
  write_result(execution, sum.value);
  write_predicate(execution, Role::kP, sum.carry);
  write_condition(execution, sum.value, sum.carry, sum.overflow);
}

/// LEA.HI: the upper half of an address; c:a is the 64-bit index, b the upper half of the base. P
/// is true for addresses outside the windows of shared and local memory: ptxas' generic atomics
/// branch on it. The lower half of the base is in another instruction and counts as 0 for P.
void lea_hi(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const SourceOperand c(execution, Role::kC);
  const unsigned shift = static_cast<unsigned>(execution.operand(Role::kG).value) & 31;
  const bool negate = execution.operand(Role::kA).negate;
  const bool chained = execution.instruction[Mod::k_x] != 0;
  const auto upper = [&](unsigned lane) {
    const uint64_t scaled = (uint64_t{c[lane]} << 32 | a[lane]) << shift;
    // In a chained negation the lower half has already added the one.
    return static_cast<uint32_t>((negate ? (chained ? ~scaled : 0 - scaled) : scaled) >> 32);
  };
  const Sum sum = integer_sum(
      upper, [&](unsigned lane) { return b[lane]; }, chained ? execution.warp.cc.carry : 0);
  write_result(execution, sum.value);
  write_predicate(
      execution, Role::kP, lanes_where([&](unsigned lane) {
        return !kMaxwellWindows.hold(uint64_t{sum.value[lane]} << 32 | a[lane] << shift);
      }));
  write_condition(execution, sum.value, sum.carry, sum.overflow);
}

enum AddPart : uint8_t { kWhole, kLowest, kMiddle, kHighest };  // Mod::k_part

/// One word of a minimum or maximum of several words, from the highest to the lowest. Lanes whose
/// upper words were equal compare this word; other lanes keep the operand that they have chosen.
/// The condition code says which (zero: equal so far; carry: chose a).
void imnmx_part(Execution& execution, LaneMask a_below, LaneMask equal, LaneMask minimum) {
  const bool starts = execution.instruction[Mod::k_part] == kHighest;
  ConditionCode& cc = execution.warp.cc;
  const LaneMask open = starts ? ~LaneMask{0} : cc.zero;
  const LaneMask takes_a = (open & ~(a_below ^ minimum)) | (~open & cc.carry);
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  set_result(execution, [&](unsigned lane) { return bit_of(takes_a, lane) ? a[lane] : b[lane]; });
  if (!execution.instruction.sets_cc) return;
  cc.zero = (cc.zero & ~execution.lanes) | (open & equal & execution.lanes);
  cc.carry = (cc.carry & ~execution.lanes) | (takes_a & execution.lanes);
}

/// The minimum if the predicate is true, else the maximum.
void imnmx(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const LaneMask minimum = predicate_of(execution, Role::kS);
  // The signed order is the unsigned order with the sign bit inverted.
  const uint32_t bias = execution.instruction[Mod::k_unsigned_] == 0 ? 0 : 0x80000000u;
  if (execution.instruction[Mod::k_part] != kWhole) {
    return imnmx_part(
        execution, lanes_where([&](unsigned lane) { return (a[lane] ^ bias) < (b[lane] ^ bias); }),
        lanes_where([&](unsigned lane) { return a[lane] == b[lane]; }), minimum);
  }
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool a_below = (a[lane] ^ bias) < (b[lane] ^ bias);
    values[lane] = a_below == bit_of(minimum, lane) ? a[lane] : b[lane];
  }
  write_result(execution, values);
  write_condition(execution, values, 0, 0);
}

}  // namespace

void add_integer_operations(OperationTable& table) {
  entry(table, Op::kIADD) = {iadd};
  entry(table, Op::kIADD3) = {iadd3};
  entry(table, Op::kISCADD) = {iscadd};
  entry(table, Op::kLEA) = {lea};
  entry(table, Op::kLEA_HI) = {lea_hi};
  entry(table, Op::kIMNMX) = {imnmx};
}

}  // namespace shflsim::isa
