// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace shflsim::isa {

inline uint32_t bit_reverse(uint32_t value) {
  value = (value & 0x55555555u) << 1 | ((value >> 1) & 0x55555555u);
  value = (value & 0x33333333u) << 2 | ((value >> 2) & 0x33333333u);
  value = (value & 0x0F0F0F0Fu) << 4 | ((value >> 4) & 0x0F0F0F0Fu);
  return __builtin_bswap32(value);
}

/// `length` bits of `value` from `position` up, as PTX's bfe defines it: bits beyond bit 31 read as
/// zero, or if signed as the field's topmost existing bit.
inline uint32_t extract_field(uint32_t value, uint32_t position, uint32_t length, bool is_signed) {
  if (length == 0) return 0;
  const uint32_t top = std::min(position + length - 1, 31u);
  const bool fills = is_signed && ((value >> top) & 1u) != 0;
  const uint32_t fill = fills ? ~0u : 0u;
  if (position >= 32) return fill;
  const uint32_t width = top - position + 1;
  const uint32_t mask = width == 32 ? ~0u : (1u << width) - 1;
  return ((value >> position) & mask) | (fill & ~mask);
}

/// `base` with `length` bits from `position` up replaced by the low bits of `value` (PTX's bfi).
inline uint32_t insert_field(uint32_t base, uint32_t value, uint32_t position, uint32_t length) {
  if (position >= 32 || length == 0) return base;
  const uint32_t width = std::min(length, 32 - position);
  const uint32_t mask = (width == 32 ? ~0u : (1u << width) - 1) << position;
  return (base & ~mask) | ((value << position) & mask);
}

/// Adds the parts of two words separately; `tops` has the top bit of each part, whose carry out
/// is dropped.
inline uint32_t sum_of_parts(uint32_t a, uint32_t b, uint32_t tops) {
  return ((a & ~tops) + (b & ~tops)) ^ ((a ^ b) & tops);
}

inline float as_float(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline double as_double(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline uint64_t bits_of(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace shflsim::isa
