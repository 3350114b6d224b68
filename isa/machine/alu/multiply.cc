// SPDX-License-Identifier: Apache-2.0
// Products: XMAD, IMAD, IMUL.
#include <algorithm>
#include <cstdint>

#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

enum XmadMode : uint8_t { kPlain, kLow, kHigh, kSignFix, kUpperB };

/// Bits 15:0 or 31:16 of a word, sign-extended if `is_signed`.
uint32_t half_of(uint32_t word, bool upper, bool is_signed) {
  const uint32_t half = upper ? word >> 16 : word & 0xFFFFu;
  return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(half))) : half;
}

uint8_t xmad_mode(const Instruction& instruction) {
  return static_cast<uint8_t>(instruction[Mod::k_xmode] | instruction[Mod::k_xmode2]);
}

/// The fields of an XMAD.
struct XmadShape {
  explicit XmadShape(const Execution& execution)
      : upper_a(execution.operand(Role::kA).half != 0),
        upper_b(execution.operand(Role::kB).half != 0),
        signed_a((execution.instruction[Mod::k_xsign] & 1) != 0),
        signed_b((execution.instruction[Mod::k_xsign] & 2) != 0),
        mode(xmad_mode(execution.instruction)),
        shift(execution.instruction[Mod::k_psl] != 0 ? 16 : 0),
        merges(execution.instruction[Mod::k_mrg] != 0) {}

  bool upper_a, upper_b, signed_a, signed_b;
  uint8_t mode;
  unsigned shift;
  bool merges;
};

/// A correction for the upper half of a signed product: 2^16 for each negative upper half if the
/// other factor's lower half is not 0. Their partial product is negative, and the unsigned sum of
/// the partial products counts it as 2^32 more than it is.
uint32_t sign_fix(uint32_t a, uint32_t b, uint32_t half_a, uint32_t half_b) {
  const uint32_t from_a = (half_a >> 31) & ((b & 0xFFFFu) != 0 ? 1u : 0u);
  const uint32_t from_b = (half_b >> 31) & ((a & 0xFFFFu) != 0 ? 1u : 0u);
  return (from_a + from_b) << 16;
}

/// The addend, from the whole words and the multiplied halves.
uint32_t xmad_addend(uint8_t mode, uint32_t a, uint32_t b, uint32_t c, uint32_t half_a,
                     uint32_t half_b) {
  switch (mode) {
    case kLow: return c & 0xFFFFu;
    case kHigh: return c >> 16;
    case kSignFix: return c - sign_fix(a, b, half_a, half_b);
    case kUpperB: return (b << 16) + c;
    default: return c;
  }
}

/// (a half) * (b half) + c, in the modes from which ptxas builds 32-bit products.
void xmad(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const SourceOperand c(execution, Role::kC);
  const XmadShape shape(execution);
  LaneValues x, y, sums;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    x[lane] = half_of(a[lane], shape.upper_a, shape.signed_a);
    y[lane] = half_of(b[lane], shape.upper_b, shape.signed_b);
    sums[lane] = (x[lane] * y[lane]) << shape.shift;
  }
  const LaneMask carry_in = execution.instruction[Mod::k_x] != 0 ? execution.warp.cc.carry : 0;
  LaneMask carry = 0;
  if (shape.mode == kPlain && carry_in == 0 && !execution.instruction.sets_cc) {
    for (unsigned lane = 0; lane < kLanes; ++lane) sums[lane] += c[lane];
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint32_t addend = xmad_addend(shape.mode, a[lane], b[lane], c[lane], x[lane], y[lane]);
      const uint64_t wide = uint64_t{sums[lane]} + addend + bit_of(carry_in, lane);
      sums[lane] = static_cast<uint32_t>(wide);
      carry |= static_cast<uint32_t>(wide >> 32) << lane;
    }
  }
  if (shape.merges) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      sums[lane] = (sums[lane] & 0xFFFFu) | (b[lane] << 16);
    }
  }
  write_result(execution, sums);
  write_condition(execution, sums, carry, 0);
}

int64_t widened(uint32_t word, bool is_signed) {
  return is_signed ? int64_t{static_cast<int32_t>(word)} : int64_t{word};
}

/// The 64-bit product of two words, each signed or not (in the order of the field isign).
uint64_t product_of(uint32_t a, uint32_t b, uint8_t signs) {
  return static_cast<uint64_t>(widened(a, (signs & 1) != 0)) *
         static_cast<uint64_t>(widened(b, (signs & 2) != 0));
}

void imul(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const uint8_t signs = execution.instruction[Mod::k_isign];
  const unsigned shift = execution.instruction[Mod::k_hi] != 0 ? 32 : 0;
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    values[lane] = static_cast<uint32_t>(product_of(a[lane], b[lane], signs) >> shift);
  }
  write_result(execution, values);
  write_condition(execution, values, 0, 0);
}

/// The upper half of a signed product plus c, clamped to a signed word (mad.hi.sat.s32).
void imad_saturated(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const SourceOperand c(execution, Role::kC);
  set_result(execution, [&](unsigned lane) {
    const int64_t upper = (widened(a[lane], true) * widened(b[lane], true)) >> 32;
    const int64_t sum = upper + widened(c[lane], true);
    return static_cast<uint32_t>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
  });
}

/// The lower or upper half of a * b, plus c.
void imad(Execution& execution) {
  if (execution.instruction[Mod::k_sat] != 0) return imad_saturated(execution);
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const SourceOperand c(execution, Role::kC);
  const Instruction& in = execution.instruction;
  const bool minus_product = execution.operand(Role::kA).negate;
  const uint32_t flip_c = all_ones_if(execution.operand(Role::kC).negate);
  const unsigned shift = in[Mod::k_hi] != 0 ? 32 : 0;
  const bool chained = in[Mod::k_x] != 0;
  const LaneMask carry_in =
      chained ? execution.warp.cc.carry : all_ones_if(flip_c != 0 || in[Mod::k_po] == 3);
  LaneValues values;
  LaneMask carry = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t product = product_of(a[lane], b[lane], in[Mod::k_isign]);
    const uint32_t part = static_cast<uint32_t>((minus_product ? 0 - product : product) >> shift);
    const uint64_t wide = uint64_t{part} + (c[lane] ^ flip_c) + bit_of(carry_in, lane);
    values[lane] = static_cast<uint32_t>(wide);
    carry |= static_cast<uint32_t>(wide >> 32) << lane;
  }
  write_result(execution, values);
  write_condition(execution, values, carry, 0);
}

/// PTX has saturation only for mad.hi.s32; no source documents the other forms.
std::string refuse_saturated(const Instruction& instruction) {
  if (instruction[Mod::k_sat] == 0) return "";
  const bool is_signed = instruction[Mod::k_isign] == 3;
  const bool plain = !instruction[Role::kA].negate && !instruction[Role::kC].negate &&
                     instruction[Mod::k_x] == 0 && !instruction.sets_cc;
  return instruction[Mod::k_hi] != 0 && is_signed && plain ? "" : "this form of .SAT";
}

}  // namespace

void add_multiply_operations(OperationTable& table) {
  entry(table, Op::kXMAD) = {xmad};
  entry(table, Op::kIMUL) = {imul};
  entry(table, Op::kIMAD) = {imad, refuse_saturated};
}

}  // namespace shflsim::isa
