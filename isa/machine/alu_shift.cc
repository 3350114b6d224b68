// SPDX-License-Identifier: Apache-2.0
// Shifts and bit fields.
#include "isa/machine/bit_tools.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

/// Distances of 32 and more shift everything out, unless they wrap.
void shl(Issue& issue) {
  const Source a(issue, Role::kA);
  const Source b(issue, Role::kB);
  const uint32_t wrap = issue.instruction[Mod::k_wrap] != 0 ? 31u : ~0u;
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t distance = b[lane] & wrap;
    values[lane] = distance < 32 ? a[lane] << (distance & 31) : 0;
  }
  write_result(issue, values);
  write_condition(issue, values, 0, 0);
}

void shr(Issue& issue) {
  const Source a(issue, Role::kA);
  const Source b(issue, Role::kB);
  const uint32_t wrap = issue.instruction[Mod::k_wrap] != 0 ? 31u : ~0u;
  const bool is_signed = issue.instruction[Mod::k_unsigned_] != 0;
  const bool reverses = issue.instruction[Mod::k_brev] != 0;
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t from = reverses ? bit_reverse(a[lane]) : a[lane];
    const uint32_t distance = b[lane] & wrap;
    const uint32_t sign = is_signed ? all_ones_if((from >> 31) != 0) : 0;
    const uint32_t near = distance & 31;
    const uint32_t filled = (from >> near) | (near != 0 ? sign << (32 - near) : 0);
    values[lane] = distance < 32 ? filled : sign;
  }
  write_result(issue, values);
  write_condition(issue, values, 0, 0);
}

/// b holds the position in bits 7:0 and the length in bits 15:8.
void bfe(Issue& issue) {
  const Source a(issue, Role::kA);
  const Source b(issue, Role::kB);
  const bool is_signed = issue.instruction[Mod::k_unsigned_] != 0;
  const bool reverses = issue.instruction[Mod::k_brev] != 0;
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t from = reverses ? bit_reverse(a[lane]) : a[lane];
    values[lane] = extract_field(from, b[lane] & 0xFF, (b[lane] >> 8) & 0xFF, is_signed);
  }
  write_result(issue, values);
  write_condition(issue, values, 0, 0);
}

std::string refuse_chained(const Instruction& instruction) {
  return instruction[Mod::k_x] != 0 ? "the form .X" : "";
}

}  // namespace

void add_shift_operations(OperationTable& table) {
  entry(table, Op::kSHL) = {shl, refuse_chained};
  entry(table, Op::kSHR) = {shr, refuse_chained};
  entry(table, Op::kBFE) = {bfe};
}

}  // namespace shflsim::isa
