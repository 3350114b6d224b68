// SPDX-License-Identifier: Apache-2.0
// 16-bit multiply-add.
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

enum XmadMode : uint8_t { kPlain, kLow, kHigh, kSignFix, kUpperB };

/// Bits 15:0 or 31:16 of a word, sign-extended on demand.
uint32_t half_of(uint32_t word, bool upper, bool is_signed) {
  const uint32_t half = upper ? word >> 16 : word & 0xFFFFu;
  return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(half))) : half;
}

uint8_t xmad_mode(const Instruction& instruction) {
  return static_cast<uint8_t>(instruction[Mod::k_xmode] | instruction[Mod::k_xmode2]);
}

uint32_t xmad_addend(uint8_t mode, uint32_t b, uint32_t c) {
  switch (mode) {
    case kLow: return c & 0xFFFFu;
    case kHigh: return c >> 16;
    case kUpperB: return (b << 16) + c;
    default: return c;
  }
}

/// (a half) * (b half) + c, in the modes from which ptxas builds 32-bit products.
void xmad(Issue& issue) {
  const Source a(issue, Role::kA);
  const Source b(issue, Role::kB);
  const Source c(issue, Role::kC);
  const Instruction& in = issue.instruction;
  const bool upper_a = issue.operand(Role::kA).half != 0;
  const bool upper_b = issue.operand(Role::kB).half != 0;
  const bool signed_a = (in[Mod::k_xsign] & 1) != 0;
  const bool signed_b = (in[Mod::k_xsign] & 2) != 0;
  const uint8_t mode = xmad_mode(in);
  const unsigned shift = in[Mod::k_psl] != 0 ? 16 : 0;
  const bool merges = in[Mod::k_mrg] != 0;
  const LaneMask carry_in = in[Mod::k_x] != 0 ? issue.warp.cc.carry : 0;
  LaneValues values;
  LaneMask carry = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const uint32_t product =
        (half_of(a[lane], upper_a, signed_a) * half_of(b[lane], upper_b, signed_b)) << shift;
    const uint64_t wide =
        uint64_t{product} + xmad_addend(mode, b[lane], c[lane]) + ((carry_in >> lane) & 1u);
    const uint32_t sum = static_cast<uint32_t>(wide);
    carry |= static_cast<uint32_t>(wide >> 32) << lane;
    values[lane] = merges ? (sum & 0xFFFFu) | (b[lane] << 16) : sum;
  }
  write_result(issue, values);
  write_condition(issue, values, carry, 0);
}

std::string refuse_xmad(const Instruction& instruction) {
  return xmad_mode(instruction) == kSignFix ? "the mode .CSFU" : "";
}

}  // namespace

void add_multiply_operations(OperationTable& table) {
  entry(table, Op::kXMAD) = {xmad, refuse_xmad};
}

}  // namespace shflsim::isa
