// SPDX-License-Identifier: Apache-2.0
// Integers narrowed with saturation: I2I, I2IP (PTX: cvt.pack.sat).
#include <algorithm>

#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

/// A range that signed words are brought into.
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

/// The lower half of c, a, b, from the top down.
void i2ip(Execution& execution) {
  const Range range = execution.instruction[Mod::k_vbyte] != 0 ? kS8 : kU8;
  const SourceOperand a(execution, Role::kA), b(execution, Role::kB), c(execution, Role::kC);
  set_result(execution, [&](unsigned lane) {
    return c[lane] << 16 | range.saturated(a[lane]) << 8 | range.saturated(b[lane]);
  });
}

}  // namespace

void add_sm70_pack_operations(OperationTable& table) {
  entry(table, Op::kSm70_I2I) = {i2i};
  entry(table, Op::kSm70_I2IP) = {i2ip};
}

}  // namespace shflsim::isa
