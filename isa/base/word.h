// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "isa/base/bits.h"

namespace shflsim::isa {

/// An instruction word: 128 bits on sm_70 and later; SPA 5.0 uses the lower 64 bits only.
struct Word {
  uint64_t low = 0;   ///< bits 63:0, which come first in memory
  uint64_t high = 0;  ///< bits 127:64

  constexpr Word() = default;
  constexpr Word(uint64_t low_bits, uint64_t high_bits = 0) : low(low_bits), high(high_bits) {}

  constexpr bool none() const { return (low | high) == 0; }
  constexpr bool operator==(const Word& other) const {
    return low == other.low && high == other.high;
  }
  constexpr bool operator!=(const Word& other) const { return !(*this == other); }
  constexpr Word operator^(const Word& other) const { return {low ^ other.low, high ^ other.high}; }
  constexpr Word operator&(const Word& other) const { return {low & other.low, high & other.high}; }
  constexpr Word operator|(const Word& other) const { return {low | other.low, high | other.high}; }
  constexpr Word operator~() const { return {~low, ~high}; }
};

/// `width` bits, 64 at most, of `word` from bit `position` up; the field may lie in both halves.
inline uint64_t field(const Word& word, unsigned position, unsigned width) {
  if (position >= 64) return field(word.high, position - 64, width);
  uint64_t bits = word.low >> position;
  if (position + width > 64) bits |= word.high << (64 - position);
  return bits & low_mask(width);
}

/// `word` with `width` bits from `position` up replaced by `value`.
inline Word with_field(const Word& word, unsigned position, unsigned width, uint64_t value) {
  if (position >= 64) return {word.low, with_field(word.high, position - 64, width, value)};
  Word out(with_field(word.low, position, width, value), word.high);
  if (position + width > 64) {
    out.high = with_field(word.high, 0, position + width - 64, value >> (64 - position));
  }
  return out;
}

/// The word whose `width` bits from `position` up are set, and no others.
inline Word field_mask(unsigned position, unsigned width) {
  return with_field(Word(), position, width, low_mask(width));
}

}  // namespace shflsim::isa
