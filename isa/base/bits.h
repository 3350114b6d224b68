// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace shflsim::isa {

inline uint64_t low_mask(unsigned width) {
  return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}

/// Width in bits of a field that holds `values` different values.
inline uint8_t bits_for(size_t values) {
  uint8_t width = 0;
  while ((size_t{1} << width) < values) ++width;
  return width;
}

/// `width` bits of `word` from bit `position` up.
inline uint64_t field(uint64_t word, unsigned position, unsigned width) {
  return (word >> position) & low_mask(width);
}

/// `word` with `width` bits from `position` up replaced by `value`.
inline uint64_t with_field(uint64_t word, unsigned position, unsigned width, uint64_t value) {
  const uint64_t mask = low_mask(width) << position;
  return (word & ~mask) | ((value << position) & mask);
}

inline int64_t sign_extend(uint64_t value, unsigned width) {
  const uint64_t sign = uint64_t{1} << (width - 1);
  return static_cast<int64_t>((value ^ sign) - sign);
}

}  // namespace shflsim::isa
