// SPDX-License-Identifier: Apache-2.0
// Single-precision operations of sm_70 and later that SPA 5.0 does not have.
#include "isa/machine/alu/float_lanes.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

bool flushes(const Execution& execution) { return execution.instruction[Mod::k_ftz] != 0; }

/// Gives the minimum or maximum of magnitudes the sign that the product of both would have.
void set_xor_sign(const Execution& execution, LaneValues* values) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t sign = (a[lane] ^ b[lane]) & 0x80000000u;
    (*values)[lane] = ((*values)[lane] & 0x7FFFFFFFu) | sign;
  }
}

void fmnmx(Execution& execution) {
  const FloatSource a(execution, Role::kA, flushes(execution));
  const FloatSource b(execution, Role::kB, flushes(execution));
  const LaneMask minimum = predicate_of(execution, Role::kS);
  const bool nan_wins = execution.instruction[Mod::k_nan] != 0;
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    values[lane] = lesser_or_greater(a[lane], b[lane], bit_of(minimum, lane), nan_wins);
  if (execution.instruction[Mod::k_xors] != 0) set_xor_sign(execution, &values);
  write_float(execution, values, {});
}

/// The minimum or maximum of three values, as two FMNMX of which one takes the other's result.
void fmnmx3(Execution& execution) {
  const FloatSource a(execution, Role::kA, flushes(execution));
  const FloatSource b(execution, Role::kB, flushes(execution));
  const FloatSource c(execution, Role::kC, flushes(execution));
  const LaneMask minimum = predicate_of(execution, Role::kS);
  const bool nan_wins = execution.instruction[Mod::k_nan] != 0;
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool least = bit_of(minimum, lane);
    const uint32_t first = lesser_or_greater(a[lane], b[lane], least, nan_wins);
    values[lane] = lesser_or_greater(first, c[lane], least, nan_wins);
  }
  write_float(execution, values, {});
}

/// The chosen operand is passed unchanged, including a NaN's payload.
void fsel(Execution& execution) {
  const FloatSource a(execution, Role::kA, flushes(execution));
  const FloatSource b(execution, Role::kB, flushes(execution));
  const LaneMask takes_a = predicate_of(execution, Role::kS);
  set_result(execution, [&](unsigned lane) { return bit_of(takes_a, lane) ? a[lane] : b[lane]; });
}

}  // namespace

void add_sm70_float_operations(OperationTable& table) {
  entry(table, Op::kSm70_FMNMX) = {fmnmx};
  entry(table, Op::kSm70_FMNMX3) = {fmnmx3};
  for (const Op op : {Op::kSm70_FSEL, Op::kSm70_UFSEL}) entry(table, op) = {fsel};
}

}  // namespace shflsim::isa
