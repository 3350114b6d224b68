// SPDX-License-Identifier: Apache-2.0
// Conversions of sm_70 and later: one at a time in the special function unit, or two floats packed
// into a register.
#include "isa/machine/alu/conversions.h"
#include "isa/machine/alu/float_lanes.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

/// A float format by its field: 1 half, 2 single, 3 double, 4 bfloat16.
const FloatFormat& float_format(uint8_t field) {
  static constexpr FloatFormat kFormats[] = {kSingleFormat, kHalfFormat,   kSingleFormat,
                                             kDoubleFormat, kBfloatFormat, kSingleFormat,
                                             kSingleFormat, kSingleFormat};
  return kFormats[field & 7];
}

/// The float format; some forms have .BF16 in their text without a field.
const FloatFormat& float_format(const Instruction& instruction, uint8_t field) {
  return form_says(instruction, ".BF16") ? kBfloatFormat : float_format(field);
}

/// The value of two modifiers of which a form has only one: rows for 64 bits have one, other rows
/// the other. The missing modifier reads 0, which no float type has as its value; among integers 0
/// is U8 in both.
uint8_t either(const Instruction& instruction, Mod one, Mod other) {
  return instruction[one] | instruction[other];
}

Rounding rounding_by(const Instruction& instruction, Mod mod) {
  return static_cast<Rounding>(instruction[mod]);
}

void i2f(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  convert(execution,
          IntegerToFloat{IntegerType(either(instruction, Mod::k_ifrom_v, Mod::k_f32i)),
                         float_format(instruction, either(instruction, Mod::k_i2fd, Mod::k_fsrc32) |
                                                       instruction[Mod::k_fto_v]),
                         rounding_of(instruction),
                         instruction[Mod::k_byte] + 2u * instruction[Mod::k_half]});
}

/// I2FP, in the fixed-point pipe: only from 32 bits to single precision.
void i2fp(Execution& execution) {
  constexpr uint8_t kUnsigned = 2, kSigned = 6;
  const Instruction& instruction = execution.instruction;
  convert(execution,
          IntegerToFloat{IntegerType(instruction[Mod::k_u32s] != 0 ? kSigned : kUnsigned),
                         kSingleFormat, rounding_of(instruction), 0});
}

/// With .NTZ a NaN becomes zero, otherwise only the sign bit.
void f2i(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  const IntegerType to(either(instruction, Mod::k_f2i, Mod::k_f32i));
  const uint64_t nan = instruction[Mod::k_ntz] != 0 ? 0 : uint64_t{1} << (to.bits - 1);
  const uint8_t from =
      either(instruction, Mod::k_fsrc, Mod::k_fsrc32) | instruction[Mod::k_ffrom_v];
  convert(
      execution,
      FloatToInteger{float_format(instruction, from), to, rounding_by(instruction, Mod::k_iround),
                     2u * instruction[Mod::k_half], instruction[Mod::k_ftz] != 0, nan});
}

void f2f(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  convert(execution, FloatToFloat{float_format(either(instruction, Mod::k_ffrom, Mod::k_ffrom_v)),
                                  float_format(either(instruction, Mod::k_f2fd, Mod::k_f2f32d)),
                                  rounding_of(instruction), 2u * instruction[Mod::k_half],
                                  instruction[Mod::k_ftz] != 0, false, false});
}

void frnd(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  const FloatFormat& format =
      float_format(either(instruction, Mod::k_fsrc, Mod::k_fsrc32) | instruction[Mod::k_ffrom_v]);
  convert(execution,
          FloatToFloat{format, format, rounding_by(instruction, Mod::k_iround),
                       2u * instruction[Mod::k_half], instruction[Mod::k_ftz] != 0, false, true});
}

/// How F2FP converts each of its two values.
struct Packing {
  FloatFormat format;
  Rounding rounding;
  bool relu;       ///< negative results become zero
  bool satfinite;  ///< results that are too large become the largest number
};

bool is_tensor_float(const Instruction& instruction) { return form_says(instruction, ".TF32."); }

Packing packing_of(const Instruction& instruction) {
  const bool is_bfloat = (instruction[Mod::k_bf16] | instruction[Mod::k_packed]) != 0;
  const FloatFormat& half = is_bfloat ? kBfloatFormat : kHalfFormat;
  return {is_tensor_float(instruction) ? kTensorFormat : half, rounding_of(instruction),
          instruction[Mod::k_relu] != 0, instruction[Mod::k_satfinite] != 0};
}

/// NaN has all bits but the sign's; of a tensor float that is assumed, as in copies through maps.
uint32_t packed(uint32_t bits, const Packing& packing) {
  const unsigned sign_bit = packing.format.exponent_bits + packing.format.fraction_bits;
  if (is_nan(bits)) return (1u << sign_bit) - 1;
  if (packing.relu && (bits >> 31) != 0) return 0;
  const uint32_t sign = (bits >> 31) << sign_bit;
  const uint32_t infinity = static_cast<uint32_t>((1u << packing.format.exponent_bits) - 1)
                            << packing.format.fraction_bits;
  const Unpacked value = unpack(bits, kSingleFormat);
  const uint32_t result =
      value.kind == Unpacked::Kind::kInfinite
          ? sign | infinity
          : static_cast<uint32_t>(pack(value.value, packing.format, packing.rounding));
  return packing.satfinite && (result & ~sign) == infinity ? result - 1 : result;
}

/// True for forms with floats of eight bits.
bool has_bytes(const Instruction& instruction) {
  return form_says(instruction, ".E4M3.") || form_says(instruction, ".E5M2.") ||
         form_says(instruction, "{eight@");
}

/// PACK_AB: a in the upper half, b in the lower. MERGE_C: c's upper half, b in the lower half.
/// PACK_B: b in the whole word.
void f2fp(Execution& execution) {
  if (has_bytes(execution.instruction)) return convert_bytes(execution);
  const Packing packing = packing_of(execution.instruction);
  const SourceOperand b(execution, Role::kB);
  if (is_tensor_float(execution.instruction)) {
    return set_result(execution,
                      [&](unsigned lane) { return packed(b[lane], packing) << kBelowTensorFloat; });
  }
  if (execution.operand(Role::kA).is(Operand::Kind::kNone)) {
    const SourceOperand c(execution, Role::kC);
    return set_result(execution, [&](unsigned lane) {
      return (c[lane] & 0xFFFF0000u) | packed(b[lane], packing);
    });
  }
  const SourceOperand a(execution, Role::kA);
  set_result(execution, [&](unsigned lane) {
    return packed(a[lane], packing) << 16 | packed(b[lane], packing);
  });
}

std::string refuse_f2fp(const Instruction& instruction) {
  for (const char* form : {".E8", ".E2M1"}) {
    if (form_says(instruction, form)) return std::string("the form ") + form;
  }
  if (form_says(instruction, "{six@")) return "floats of six bits";
  const bool can_be_infinite =
      form_says(instruction, "{eight@") && instruction[Mod::k_satfinite] == 0;
  return can_be_infinite ? "floats of eight bits without .SATFINITE" : "";
}

}  // namespace

void add_sm70_conversion_operations(OperationTable& table) {
  entry(table, Op::kSm70_F2F) = {f2f};
  entry(table, Op::kSm70_F2FP) = {f2fp, refuse_f2fp};
  for (const Op op : {Op::kSm70_F2I, Op::kSm70_UF2I}) entry(table, op) = {f2i};
  entry(table, Op::kSm70_FRND) = {frnd};
  entry(table, Op::kSm70_I2F) = {i2f};
  entry(table, Op::kSm70_I2FP) = {i2fp};
  entry(table, Op::kSm70_UI2F) = {i2f};
  entry(table, Op::kSm70_UI2FP) = {i2fp};
}

}  // namespace shflsim::isa
