// SPDX-License-Identifier: Apache-2.0
// Products of sm_70 and later: IMAD, IMAD.WIDE, IMAD.HI and their uniform versions.
#include "isa/machine/operations.h"
#include "isa/machine/sm70/wide_source.h"

namespace shflsim::isa {
namespace {

/// The carry into each lane: S in the forms .X, or the one of a negation.
LaneMask carry_in(const Execution& execution) {
  if (has_operand(execution, Role::kS)) return predicate_of(execution, Role::kS);
  return all_ones_if(execution.operand(Role::kC).negate);
}

bool flips_c(const Execution& execution) {
  const Operand& c = execution.operand(Role::kC);
  return c.negate || c.invert;
}

/// The lower word of a * b + c.
void imad(Execution& execution) {
  const SourceOperand a(execution, Role::kA), b(execution, Role::kB), c(execution, Role::kC);
  const uint32_t flip = all_ones_if(flips_c(execution));
  const LaneMask carry = carry_in(execution);
  if (carry == 0 || carry == kAllLanes) {
    const uint32_t one = carry & 1;
    set_result(execution,
               [&](unsigned lane) { return a[lane] * b[lane] + (c[lane] ^ flip) + one; });
    return;
  }
  set_result(execution, [&](unsigned lane) {
    return a[lane] * b[lane] + (c[lane] ^ flip) + bit_of(carry, lane);
  });
}

/// The unsigned product, minus what the signs of signed operands add to its upper word. It has no
/// branch, and baseline x86-64 has vector multiplications for it.
uint64_t product_of(uint32_t a, uint32_t b, uint32_t signs) {
  const uint32_t excess = (all_ones_if((a & signs) != 0) & b) + (all_ones_if((b & signs) != 0) & a);
  return uint64_t{a} * b - (uint64_t{excess} << 32);
}

/// The 64 bits of a * b + c. P = the carry; D = all bits or (HI) the upper word. c has 64 bits in
/// both cases.
struct WideProduct {
  LaneValues low;
  LaneValues high;
};

template <class F>
WideProduct each_total(F total_of) {
  WideProduct product;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t total = total_of(lane);
    product.low[lane] = static_cast<uint32_t>(total);
    product.high[lane] = static_cast<uint32_t>(total >> 32);
  }
  return product;
}

WideProduct wide_product(Execution& execution) {
  const SourceOperand a(execution, Role::kA), b(execution, Role::kB);
  const WideSource c(execution, Role::kC);
  const uint32_t signs = execution.instruction[Mod::k_unsigned_] != 0 ? 0x80000000u : 0;
  const uint64_t flip = flips_c(execution) ? ~uint64_t{0} : 0;
  const LaneMask carry = carry_in(execution);
  const auto plain = [&](unsigned lane) { return product_of(a[lane], b[lane], signs); };
  const auto sum = [&](unsigned lane) { return plain(lane) + (c[lane] ^ flip); };
  if (is_kept(execution, Role::kP)) {
    write_predicate(execution, Role::kP, lanes_where([&](unsigned lane) {
                      return sum(lane) < plain(lane) || (bit_of(carry, lane) && ~sum(lane) == 0);
                    }));
  }
  const uint64_t one = carry & 1;
  if (carry == 0 || carry == kAllLanes)
    return each_total([&](unsigned lane) { return sum(lane) + one; });
  return each_total([&](unsigned lane) { return sum(lane) + bit_of(carry, lane); });
}

void imad_wide(Execution& execution) {
  const WideProduct product = wide_product(execution);
  write_result(execution, product.low);
  write_result(execution, product.high, 1);
}

void imad_hi(Execution& execution) { write_result(execution, wide_product(execution).high); }

}  // namespace

void add_sm70_multiply_operations(OperationTable& table) {
  for (const Op op : {Op::kSm70_IMAD, Op::kSm70_UIMAD}) entry(table, op) = {imad};
  for (const Op op : {Op::kSm70_IMAD_WIDE, Op::kSm70_UIMAD_WIDE}) entry(table, op) = {imad_wide};
  for (const Op op : {Op::kSm70_IMAD_HI, Op::kSm70_UIMAD_HI}) entry(table, op) = {imad_hi};
}

}  // namespace shflsim::isa
