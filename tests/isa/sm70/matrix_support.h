// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "isa/machine/rounding.h"
#include "tests/isa/machine_support.h"

/// The factors of products of matrices of one warp, and their elements.
namespace shflsim::isa::matrix_support {

constexpr unsigned kColumns = 8;

using Words = std::vector<std::vector<uint32_t>>;  // by register, then lane

/// Puts element k of a line at its place in PTX's figures of mma.sync.
inline void put(Words* words, unsigned lines, unsigned bits, unsigned line, unsigned k,
                uint32_t value) {
  const unsigned each = 32 / bits, span = 4 * each;
  const unsigned index = line / 8 + lines / 8 * (k / span);
  const unsigned lane = 4 * (line % 8) + k % span / each;
  if (index >= words->size()) words->resize(index + 1, std::vector<uint32_t>(kLanes));
  (*words)[index][lane] |= value << (bits * (k % each));
}

inline void give(Experiment& one, uint8_t first, const Words& words) {
  for (size_t i = 0; i < words.size(); ++i)
    one.set_lanes(static_cast<uint8_t>(first + i), words[i]);
}

inline uint32_t low_mask_of(unsigned bits) { return bits == 32 ? ~0u : (1u << bits) - 1; }

inline uint32_t as_format(int value, const FloatFormat& format) {
  return static_cast<uint32_t>(
      pack({value < 0, static_cast<uint64_t>(std::abs(value)), 0}, format, Rounding::kNearest));
}
inline uint32_t half(int value) { return as_format(value, kHalfFormat); }
inline uint32_t bfloat(int value) { return as_format(value, kBfloatFormat); }
inline uint32_t single(int value) { return as_format(value, kSingleFormat); }
inline uint32_t integer(int value) { return static_cast<uint32_t>(value); }
inline int of_single(uint32_t bits) { return static_cast<int>(as_float(bits)); }
inline int of_half(uint32_t bits) {
  const Unpacked value = unpack(bits, kHalfFormat);
  return static_cast<int>(
      std::ldexp(static_cast<double>(value.value.significand), value.value.exponent));
}
inline int of_integer(uint32_t bits) { return static_cast<int>(bits); }

}  // namespace shflsim::isa::matrix_support
