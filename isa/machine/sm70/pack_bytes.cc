// SPDX-License-Identifier: Apache-2.0
// F2FP to and from floats of eight bits: converts two floats, or the two halves of a word.
#include <algorithm>
#include <utility>

#include "isa/machine/alu/conversions.h"
#include "isa/machine/alu/float_lanes.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

/// A float of eight bits: sign, exponent, fraction. All NaNs are 0x7F.
struct ByteFormat {
  FloatFormat format;  ///< format of the number times 2^scale, with IEEE's bias
  int scale;
  uint32_t largest;  ///< magnitude of the largest number
};
/// Four bits of exponent, biased by 7, and no infinity: all bit patterns but NaN are numbers.
constexpr ByteFormat kE4m3{{5, 3}, -8, 0x7E};
constexpr ByteFormat kE5m2{{5, 2}, 0, 0x7B};
constexpr uint32_t kByteNan = 0x7F;
constexpr uint32_t kHalfNan = 0x7FFF;

/// Converts to eight bits; values that are too large become the largest number (.SATFINITE).
uint32_t byte_of(Unpacked value, const ByteFormat& byte, const Instruction& instruction) {
  if (value.kind == Unpacked::Kind::kNan) return kByteNan;
  const bool is_negative = std::exchange(value.value.negative, false);
  if (is_negative && instruction[Mod::k_relu] != 0) return 0;
  value.value.exponent += byte.scale;
  const uint32_t magnitude =
      value.kind == Unpacked::Kind::kInfinite
          ? byte.largest
          : static_cast<uint32_t>(pack(value.value, byte.format, rounding_of(instruction)));
  return (is_negative ? 0x80u : 0u) | std::min(magnitude, byte.largest);
}

uint32_t half_of(uint32_t bits, const ByteFormat& byte, const Instruction& instruction) {
  const uint32_t magnitude = bits & 0x7Fu;
  const bool is_negative = (bits & 0x80u) != 0;
  const bool is_infinite = byte.scale == 0 && magnitude == byte.largest + 1;
  if (magnitude > byte.largest && !is_infinite) return kHalfNan;
  if (is_negative && instruction[Mod::k_relu] != 0) return 0;
  const uint32_t sign = is_negative ? 0x8000u : 0u;
  if (is_infinite) return sign | 0x7C00u;
  Exact value = unpack(magnitude, byte.format).value;
  value.exponent -= byte.scale;
  return sign | static_cast<uint32_t>(pack(value, kHalfFormat, Rounding::kNearest));
}

/// UNPACK_B: converts the lower or the upper two bytes of B to two halves.
void from_bytes(Execution& execution, const ByteFormat& byte) {
  const Instruction& instruction = execution.instruction;
  const SourceOperand b(execution, Role::kB);
  const unsigned shift = instruction[Mod::k_half] != 0 ? 16 : 0;
  set_result(execution, [&](unsigned lane) {
    const uint32_t bytes = b[lane] >> shift;
    return half_of(bytes >> 8, byte, instruction) << 16 | half_of(bytes, byte, instruction);
  });
}

/// PACK_AB_MERGE_C: the lower half of C becomes the upper half, A is byte 1, B is byte 0.
/// UNPACK_B_MERGE_C takes the halves of B instead of A and B.
void to_bytes(Execution& execution, bool from_halves) {
  const Instruction& instruction = execution.instruction;
  const ByteFormat& byte = instruction[Mod::k_eight] != 0 ? kE4m3 : kE5m2;
  const FloatFormat& from = from_halves ? kHalfFormat : kSingleFormat;
  const SourceOperand a(execution, from_halves ? Role::kB : Role::kA);
  const SourceOperand b(execution, Role::kB);
  const SourceOperand c(execution, Role::kC);
  set_result(execution, [&](unsigned lane) {
    const uint32_t high = from_halves ? a[lane] >> 16 : a[lane];
    const uint32_t low = from_halves ? b[lane] & 0xFFFFu : b[lane];
    return c[lane] << 16 | byte_of(unpack(high, from), byte, instruction) << 8 |
           byte_of(unpack(low, from), byte, instruction);
  });
}

}  // namespace

void convert_bytes(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  if (form_says(instruction, ".F16.E4M3.UNPACK_B")) return from_bytes(execution, kE4m3);
  if (form_says(instruction, ".F16.E5M2.UNPACK_B")) return from_bytes(execution, kE5m2);
  to_bytes(execution, form_says(instruction, ".F16.UNPACK_B_MERGE_C"));
}

}  // namespace shflsim::isa
