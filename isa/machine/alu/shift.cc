// SPDX-License-Identifier: Apache-2.0
// Shifts, bit fields, bit counts and byte permutations.
#include <algorithm>

#include "isa/machine/bit_tools.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

/// Distances of 32 and more shift everything out, unless they wrap.
void shl(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const uint32_t wrap = execution.instruction[Mod::k_wrap] != 0 ? 31u : ~0u;
  LaneValues values;
  if (execution.operand(Role::kB).is(Operand::Kind::kImmediate) && b[0] < 32) {
    const uint32_t distance = b[0];  // equal in all lanes: vectorised
    for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = a[lane] << distance;
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint32_t distance = b[lane] & wrap;
      values[lane] = distance < 32 ? a[lane] << (distance & 31) : 0;
    }
  }
  write_result(execution, values);
  write_condition(execution, values, 0, 0);
}

void shr(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const uint32_t wrap = execution.instruction[Mod::k_wrap] != 0 ? 31u : ~0u;
  const bool is_signed = execution.instruction[Mod::k_unsigned_] != 0;
  const bool reverses = execution.instruction[Mod::k_brev] != 0;
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t from = reverses ? bit_reverse(a[lane]) : a[lane];
    const uint32_t distance = b[lane] & wrap;
    const uint32_t sign = is_signed ? all_ones_if((from >> 31) != 0) : 0;
    const uint32_t near = distance & 31;
    const uint32_t filled = (from >> near) | (near != 0 ? sign << (32 - near) : 0);
    values[lane] = distance < 32 ? filled : sign;
  }
  write_result(execution, values);
  write_condition(execution, values, 0, 0);
}

/// b holds the position in bits 7:0 and the length in bits 15:8.
void bfe(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const bool is_signed = execution.instruction[Mod::k_unsigned_] != 0;
  const bool reverses = execution.instruction[Mod::k_brev] != 0;
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t from = reverses ? bit_reverse(a[lane]) : a[lane];
    values[lane] = extract_field(from, b[lane] & 0xFF, (b[lane] >> 8) & 0xFF, is_signed);
  }
  write_result(execution, values);
  write_condition(execution, values, 0, 0);
}

/// Inserts the lower bits of a into c; b has position and length.
void bfi(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const SourceOperand c(execution, Role::kC);
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    values[lane] = insert_field(c[lane], a[lane], b[lane] & 0xFF, (b[lane] >> 8) & 0xFF);
  }
  write_result(execution, values);
  write_condition(execution, values, 0, 0);
}

enum FunnelWidth : uint8_t { kFunnel32 = 0, kFunnelUnsigned64 = 2, kFunnelSigned64 = 3 };

/// The distance of a funnel shift: clamped to 32 (32-bit) or 64 (64-bit), or wrapping.
uint32_t funnel_distance(uint32_t wanted, bool wide, bool wraps) {
  if (wraps) return wanted & (wide ? 63u : 31u);
  return std::min(wanted, wide ? 64u : 32u);
}

/// The upper word of c:a shifted left.
uint32_t funnel_left(uint64_t value, uint32_t distance) {
  return distance >= 64 ? 0 : static_cast<uint32_t>((value << distance) >> 32);
}

/// The lower word of c:a shifted right.
uint32_t funnel_right(uint64_t value, uint32_t distance, bool is_signed) {
  const bool fills = is_signed && (value >> 63) != 0;
  if (distance >= 64) return fills ? ~0u : 0;
  const uint64_t fill = fills && distance != 0 ? ~uint64_t{0} << (64 - distance) : 0;
  return static_cast<uint32_t>((value >> distance) | fill);
}

template <bool left>
void shf(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const SourceOperand c(execution, Role::kC);
  const uint8_t width = execution.instruction[Mod::k_funnel];
  const bool wraps = execution.instruction[Mod::k_wrap] != 0;
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint64_t value = uint64_t{c[lane]} << 32 | a[lane];
    const uint32_t distance = funnel_distance(b[lane], width != kFunnel32, wraps);
    values[lane] = left ? funnel_left(value, distance)
                        : funnel_right(value, distance, width == kFunnelSigned64);
  }
  write_result(execution, values);
  write_condition(execution, values, 0, 0);
}

void popc(Execution& execution) {
  const SourceOperand b(execution, Role::kB);
  const uint32_t flip = all_ones_if(execution.operand(Role::kB).invert);
  set_result(execution, [&](unsigned lane) {
    return static_cast<uint32_t>(__builtin_popcount(b[lane] ^ flip));
  });
}

/// Position of the highest bit that differs from the sign (from 0 if unsigned), counted from bit 0
/// or (.SH) as the distance that would shift it to bit 31; all ones if there is none.
uint32_t leading_bit(uint32_t value, bool is_signed, bool as_shift) {
  if (is_signed && (value >> 31) != 0) value = ~value;
  if (value == 0) return ~0u;
  const uint32_t zeros = static_cast<uint32_t>(__builtin_clz(value));
  return as_shift ? zeros : 31 - zeros;
}

void flo(Execution& execution) {
  const SourceOperand b(execution, Role::kB);
  const uint32_t flip = all_ones_if(execution.operand(Role::kB).invert);
  const bool is_signed = execution.instruction[Mod::k_unsigned_] != 0;
  const bool as_shift = execution.instruction[Mod::k_sh] != 0;
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    values[lane] = leading_bit(b[lane] ^ flip, is_signed, as_shift);
  }
  write_result(execution, values);
  write_condition(execution, values, 0, 0);
}

/// The four selectors of a PTX prmt in this mode; each selects one of eight bytes.
uint32_t selectors_of(uint32_t control, uint8_t mode) {
  enum Mode : uint8_t {
    kIndex,
    kForward,
    kBackward,
    kReplicate8,
    kEdgeLeft,
    kEdgeRight,
    kReplicate16
  };
  const uint32_t n = control & 3;
  switch (mode) {
    case kForward: return (n + 3) << 12 | (n + 2) << 8 | (n + 1) << 4 | n;
    case kBackward: return ((n + 5) & 7) << 12 | ((n + 6) & 7) << 8 | ((n + 7) & 7) << 4 | n;
    case kReplicate8: return n * 0x1111;
    case kEdgeLeft: return 0x3000 | std::max(n, 2u) << 8 | std::max(n, 1u) << 4 | n;
    case kEdgeRight: return n << 12 | std::min(n, 2u) << 8 | std::min(n, 1u) << 4;
    case kReplicate16: return (n & 1) != 0 ? 0x3232 : 0x1010;
    default: return control;
  }
}

uint32_t permuted(uint64_t bytes, uint32_t selectors) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const uint32_t selector = (selectors >> (4 * i)) & 0xF;
    uint32_t byte = static_cast<uint32_t>(bytes >> (8 * (selector & 7))) & 0xFF;
    if ((selector & 8) != 0) byte = (byte & 0x80) != 0 ? 0xFF : 0;
    result |= byte << (8 * i);
  }
  return result;
}

/// b selects from the bytes of a (0 to 3) and c (4 to 7).
void prmt(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const SourceOperand c(execution, Role::kC);
  const uint8_t mode = execution.instruction[Mod::k_prmt] | execution.instruction[Mod::k_prmt_v];
  set_result(execution, [&](unsigned lane) {
    return permuted(uint64_t{c[lane]} << 32 | a[lane], selectors_of(b[lane], mode));
  });
}

std::string refuse_chained(const Instruction& instruction) {
  return instruction[Mod::k_x] != 0 ? "the form .X" : "";
}

std::string refuse_funnel(const Instruction& instruction) {
  return instruction[Mod::k_xhi] != 0 ? "the forms .HI, .X and .XHI" : "";
}

/// No source documents the meaning of this predicate on sm_70 and later.
std::string refuse_found(const Instruction& instruction) {
  const Operand& p = instruction[Role::kP];
  return !p.is(Operand::Kind::kNone) && p.index != kPT ? "the form that writes a predicate" : "";
}

}  // namespace

void add_shift_operations(OperationTable& table) {
  entry(table, Op::kSHL) = {shl, refuse_chained};
  entry(table, Op::kSHR) = {shr, refuse_chained};
  entry(table, Op::kBFE) = {bfe};
  entry(table, Op::kBFI) = {bfi};
  entry(table, Op::kSHF_L) = {shf<true>, refuse_funnel};
  entry(table, Op::kSHF_R) = {shf<false>, refuse_funnel};
  for (const Op op : {Op::kPOPC, Op::kSm70_POPC, Op::kSm70_UPOPC}) entry(table, op) = {popc};
  for (const Op op : {Op::kFLO, Op::kSm70_FLO, Op::kSm70_UFLO})
    entry(table, op) = {flo, refuse_found};
  for (const Op op : {Op::kPRMT, Op::kSm70_PRMT, Op::kSm70_UPRMT}) entry(table, op) = {prmt};
}

}  // namespace shflsim::isa
