// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/matrix_registers.h"

#include <algorithm>
#include <charconv>

#include "isa/lanes/lane_map.h"

namespace shflsim::traces {
namespace {

constexpr unsigned kColumns = 8;  // columns of the second factor in all shapes

struct Shape {
  unsigned rows = 0;   ///< rows of the first factor
  unsigned depth = 0;  ///< columns of the first factor, rows of the second
};

unsigned number_in(std::string_view text) {
  unsigned number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Both "16816" and "16x8x16" mean 16 x 8 x 16.
Shape shape_in(std::string_view text) {
  const size_t cross = text.find('x');
  if (cross != std::string_view::npos)
    return {number_in(text), number_in(text.substr(std::min(text.rfind('x') + 1, text.size())))};
  const size_t rows = text.substr(0, 2) == "16" ? 2 : 1;
  if (text.size() <= rows + 1) return {};
  return {number_in(text.substr(0, rows)), number_in(text.substr(rows + 1))};
}

unsigned factor_bits(std::string_view name, const Modifiers& modifiers) {
  if (name == "DMMA") return 64;
  if (name == "BMMA") return 1;
  if (name == "HMMA") return modifiers.has("TF32") ? 32 : 16;
  const bool is_half_byte =
      is_half_byte_product(name) || (name == "IMMA" && modifiers.has_one_of({"S4", "U4"}));
  return is_half_byte ? 4 : 8;
}

unsigned result_bits(std::string_view name, const Modifiers& modifiers) {
  if (name == "DMMA") return 64;
  const bool is_float = name == "HMMA" || name == "QMMA";
  return is_float && !modifiers.has("F32") ? 16 : 32;
}

uint8_t registers_for(unsigned elements, unsigned bits) {
  constexpr unsigned kRegisterBits = 32;
  constexpr unsigned kMost = 16;  // DMMA.16x8x16
  return static_cast<uint8_t>(
      std::clamp(elements * bits / (kRegisterBits * isa::kLanes), 1u, kMost));
}

}  // namespace

MatrixRegisters matrix_registers(std::string_view name, const Modifiers& modifiers) {
  constexpr std::string_view kOfQuadPairs = "884";  // HMMA.884: two quads each have a product
  const std::string_view shape_text = modifiers.first_number();
  if (name == "HMMA" && shape_text == kOfQuadPairs) return {2, 2, 2};
  const Shape shape = shape_in(shape_text);
  const unsigned bits = factor_bits(name, modifiers);
  const unsigned first = shape.rows * shape.depth / (modifiers.has("SP") ? 2 : 1);
  return {registers_for(shape.rows * kColumns, result_bits(name, modifiers)),
          registers_for(first, bits), registers_for(kColumns * shape.depth, bits)};
}

}  // namespace shflsim::traces
