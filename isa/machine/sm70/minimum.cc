// SPDX-License-Identifier: Apache-2.0
// Minimum and maximum of sm_70 and later: IMNMX of words or 64 bits, VIMNMX, VIMNMX3, VIADDMNMX of
// words or parts of words. The minimum if the predicate is true, else the maximum.
#include <algorithm>

#include "isa/machine/bit_tools.h"
#include "isa/machine/operations.h"
#include "isa/machine/sm70/wide_source.h"

namespace shflsim::isa {
namespace {

enum Type : uint8_t { kU32, kS32, kU16x2, kS16x2, kU8x4, kS8x4 };  // Mod::k_vty0, k_vty12, k_ityp

unsigned bits_of_part(uint8_t type) { return type <= kS32 ? 32 : type <= kS16x2 ? 16 : 8; }
bool is_signed(uint8_t type) { return (type & 1) != 0; }

/// The top bit of each part: the signed order is the unsigned order with the sign bits inverted.
uint32_t tops_of(uint8_t type) {
  return type <= kS32 ? 0x80000000u : type <= kS16x2 ? 0x80008000u : 0x80808080u;
}
uint32_t bias_of(uint8_t type) { return is_signed(type) ? tops_of(type) : 0; }

uint32_t chosen(uint32_t a, uint32_t b, bool minimum) {
  return minimum ? std::min(a, b) : std::max(a, b);
}

/// The minimum or maximum of each part of a word.
uint32_t chosen_parts(uint32_t a, uint32_t b, bool minimum, unsigned bits) {
  uint32_t out = 0;
  for (unsigned shift = 0; shift < 32; shift += bits) {
    const uint32_t part = ((1u << bits) - 1) << shift;
    out |= chosen(a & part, b & part, minimum);
  }
  return out;
}

/// The minimum or maximum in each lane of words that have been biased.
template <class First, class Second>
LaneValues choose(const First& a, const Second& b, uint8_t type, LaneMask minimum) {
  LaneValues out;
  const unsigned bits = bits_of_part(type);
  if (bits < 32) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      out[lane] = chosen_parts(a[lane], b[lane], bit_of(minimum, lane), bits);
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint32_t x = a[lane], y = b[lane];
      out[lane] = (x < y) == bit_of(minimum, lane) ? x : y;
    }
  }
  return out;
}

uint8_t minimum_type(const Instruction& instruction) {
  return static_cast<uint8_t>(instruction[Mod::k_vty0] | instruction[Mod::k_vty12]);
}

/// The biased words of a source; negation is of the whole word.
class Biased {
 public:
  Biased(const Execution& execution, Role role, uint32_t bias)
      : source_(execution, role), flip_(all_ones_if(execution.operand(role).negate)), bias_(bias) {}
  uint32_t operator[](unsigned lane) const {
    return ((source_[lane] ^ flip_) + (flip_ & 1)) ^ bias_;
  }

 private:
  SourceOperand source_;
  uint32_t flip_;
  uint32_t bias_;
};

/// Removes the bias and writes D; with .RELU negative results become 0.
void write_unbiased(Execution& execution, const LaneValues& values, uint8_t type) {
  const uint32_t bias = bias_of(type);
  if (execution.instruction[Mod::k_relu] == 0)
    return set_result(execution, [&](unsigned lane) { return values[lane] ^ bias; });
  LaneValues zero;
  zero.fill(bias);
  const LaneValues positive = choose(values, zero, type, 0);
  set_result(execution, [&](unsigned lane) { return positive[lane] ^ bias; });
}

bool is_written(const Instruction& instruction, Role role) {
  return !instruction[role].is(Operand::Kind::kNone) && instruction[role].index != kPT;
}

bool writes_predicates(const Instruction& instruction) {
  return is_written(instruction, Role::kP) || is_written(instruction, Role::kQ);
}

/// P and Q say for the lower and the upper half whether A was chosen; of equal halves it is
/// (measured: __vibmin_u16x2 on an H200).
void write_choice(Execution& execution, const Biased& a, const LaneValues& chosen) {
  LaneMask low = 0, high = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t differs = a[lane] ^ chosen[lane];
    if ((differs & 0xFFFF) == 0) low |= LaneMask{1} << lane;
    if (differs >> 16 == 0) high |= LaneMask{1} << lane;
  }
  write_predicate(execution, Role::kP, low);
  write_predicate(execution, Role::kQ, high);
}

void vimnmx(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  const uint8_t type = minimum_type(instruction);
  const uint32_t bias = bias_of(type);
  const LaneMask minimum = predicate_of(execution, Role::kS);
  const Biased a(execution, Role::kA, bias), b(execution, Role::kB, bias);
  const LaneValues values = choose(a, b, type, minimum);
  if (writes_predicates(instruction)) write_choice(execution, a, values);
  write_unbiased(execution, values, type);
}

void vimnmx3(Execution& execution) {
  const uint8_t type = minimum_type(execution.instruction);
  const uint32_t bias = bias_of(type);
  const LaneMask minimum = predicate_of(execution, Role::kS);
  const Biased a(execution, Role::kA, bias), b(execution, Role::kB, bias);
  const Biased c(execution, Role::kC, bias);
  write_unbiased(execution, choose(choose(a, b, type, minimum), c, type, minimum), type);
}

/// The minimum or maximum of a + b and c.
void viaddmnmx(Execution& execution) {
  const uint8_t type = minimum_type(execution.instruction);
  const uint32_t bias = bias_of(type);
  const uint32_t tops = tops_of(type);
  const Biased a(execution, Role::kA, 0), b(execution, Role::kB, 0);
  const Biased c(execution, Role::kC, bias);
  LaneValues sum;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    sum[lane] = sum_of_parts(a[lane], b[lane], tops) ^ bias;
  write_unbiased(execution, choose(sum, c, type, predicate_of(execution, Role::kS)), type);
}

/// IMNMX and UIMNMX; on sm_120 also of 64 bits.
void imnmx(Execution& execution) {
  const uint8_t type = execution.instruction[Mod::k_unsigned_] | execution.instruction[Mod::k_ityp];
  const LaneMask minimum = predicate_of(execution, Role::kS);
  if (execution.operand(Role::kD).count == 1) {
    const uint32_t bias = bias_of(type);
    const Biased x(execution, Role::kA, bias), y(execution, Role::kB, bias);
    return write_unbiased(execution, choose(x, y, type, minimum), type);
  }
  const WideSource a(execution, Role::kA), b(execution, Role::kB);
  const uint64_t bias = is_signed(type) ? uint64_t{1} << 63 : 0;
  set_wide_result(execution, [&](unsigned lane) {
    const bool a_below = (a[lane] ^ bias) < (b[lane] ^ bias);
    return a_below == bit_of(minimum, lane) ? a[lane] : b[lane];
  });
}

/// No source documents the predicates of these forms; ptxas does not use them.
std::string refuse_predicates(const Instruction& instruction) {
  const Operand& t = instruction[Role::kT];
  const bool chained =
      !t.is(Operand::Kind::kNone) && !(t.index == kPT && t.negate);  // "!PT" means none
  return writes_predicates(instruction) || chained ? "the form with further predicates" : "";
}

/// Negated parts of a word do not occur.
std::string refuse_minimum(const Instruction& instruction) {
  if (instruction[Role::kB].negate && bits_of_part(minimum_type(instruction)) < 32)
    return "the form of parts of a word with a minus";
  return refuse_predicates(instruction);
}

/// VIMNMX tells which half it has chosen; with other parts or .RELU that is not known.
std::string refuse_vimnmx(const Instruction& instruction) {
  const bool has_halves = bits_of_part(minimum_type(instruction)) == 16;
  if (has_halves && instruction[Mod::k_relu] == 0) return "";
  return refuse_minimum(instruction);
}

}  // namespace

void add_sm70_minimum_operations(OperationTable& table) {
  entry(table, Op::kSm70_VIMNMX) = {vimnmx, refuse_vimnmx};
  entry(table, Op::kSm70_UVIMNMX) = {vimnmx, refuse_minimum};
  entry(table, Op::kSm70_VIMNMX3) = {vimnmx3, refuse_minimum};
  entry(table, Op::kSm70_VIADDMNMX) = {viaddmnmx, refuse_minimum};
  for (const Op op : {Op::kSm70_IMNMX, Op::kSm70_UIMNMX})
    entry(table, op) = {imnmx, refuse_predicates};
}

}  // namespace shflsim::isa
