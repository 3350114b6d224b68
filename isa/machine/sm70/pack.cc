// SPDX-License-Identifier: Apache-2.0
// Numbers narrowed with saturation: I2I, I2IP (PTX: cvt.pack.sat), F2IP.
#include <algorithm>
#include <cmath>

#include "isa/machine/alu/float_lanes.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

/// A range to which signed words are clamped.
struct Range {
  unsigned bits;
  int32_t low;
  int32_t high;

  uint32_t saturated(uint32_t word) const {
    const int32_t value = std::clamp(static_cast<int32_t>(word), low, high);
    return static_cast<uint32_t>(value) & ((1u << bits) - 1);
  }
};

constexpr Range kU8 = {8, 0, 255};
constexpr Range kS8 = {8, -128, 127};
constexpr Range kU2 = {2, 0, 3};
constexpr Range kS2 = {2, -2, 1};
constexpr Range kU4 = {4, 0, 15};
constexpr Range kS4 = {4, -8, 7};
constexpr Range kU16 = {16, 0, 65535};
constexpr Range kS16 = {16, -32768, 32767};

void i2i(Execution& execution) {
  static constexpr Range kRanges[4] = {kU8, kS8, kU16, kS16};  // Mod::k_i2i
  const uint8_t type = execution.instruction[Mod::k_i2i];
  const Range range = kRanges[type & 3];
  const uint32_t sign = (type & 1) != 0 ? 1u << (range.bits - 1) : 0;
  const SourceOperand b(execution, Role::kB);
  set_result(execution, [&](unsigned lane) { return (range.saturated(b[lane]) ^ sign) - sign; });
}

/// Packs c's lower bits, a and b, from the top down; two halves leave no room for c.
void i2ip(Execution& execution) {
  static constexpr Range kRanges[8] = {kU8, kS8, kU16, kS16, kU2, kS2, kU4, kS4};  // Mod::k_i2ip
  const Range range = kRanges[execution.instruction[Mod::k_i2ip] & 7];
  const SourceOperand a(execution, Role::kA), b(execution, Role::kB), c(execution, Role::kC);
  set_result(execution, [&](unsigned lane) {
    const uint32_t pair = range.saturated(a[lane]) << range.bits | range.saturated(b[lane]);
    return range.bits == 16 ? pair : c[lane] << (2 * range.bits) | pair;
  });
}

std::string refuse_i2ip(const Instruction& instruction) {
  const bool may_not = form_says(instruction, "{sat@");  // before sm_90 it always saturates
  return may_not && instruction[Mod::k_sat] == 0 ? "the form without .SAT" : "";
}

enum IntegerRounding : uint8_t { kNearestEven, kDown, kUp, kTowardZero };  // Mod::k_iround

/// The byte nearest to a float, ties to even, or the next one towards zero. A NaN gives 0.
uint32_t rounded_byte(float value, bool truncates) {
  if (!(value > 0)) return 0;
  if (value >= 255) return 255;
  return static_cast<uint32_t>(truncates ? std::trunc(value) : std::nearbyint(value));
}

void f2ip(Execution& execution) {
  const FloatSource b(execution, Role::kB, false);
  const bool truncates = execution.instruction[Mod::k_iround] == kTowardZero;
  set_result(execution, [&](unsigned lane) { return rounded_byte(as_float(b[lane]), truncates); });
}

/// ptxas converts one byte only, for cvt.rni.u8.f32 and cvt.rzi.u8.f32: A and C are RZ. No other
/// form is measured.
std::string refuse_f2ip(const Instruction& instruction) {
  for (const Role role : {Role::kA, Role::kC}) {
    const Operand& operand = instruction[role];
    if (!operand.is(Operand::Kind::kRegister) || operand.index != kRZ) return "two floats";
  }
  if (instruction[Mod::k_vbyte] != 0) return "the form .S8";
  if (instruction[Mod::k_ntz] == 0) return "the form without .NTZ";
  const uint8_t rounding = instruction[Mod::k_iround];
  if (rounding == kDown || rounding == kUp) return "the form .FLOOR or .CEIL";
  return instruction[Mod::k_relu] != 0 ? "the form .RELU" : "";
}

}  // namespace

void add_sm70_pack_operations(OperationTable& table) {
  entry(table, Op::kSm70_F2IP) = {f2ip, refuse_f2ip};
  entry(table, Op::kSm70_I2I) = {i2i};
  entry(table, Op::kSm70_I2IP) = {i2ip, refuse_i2ip};
}

}  // namespace shflsim::isa
