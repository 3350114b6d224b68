// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/execution.h"
#include "isa/machine/rounding.h"

namespace shflsim::isa {

/// An integer type by its field: bits 1:0 the size (8, 16, 32, 64 bits), bit 2 signed.
struct IntegerType {
  explicit IntegerType(uint8_t field) : bits(8u << (field & 3)), is_signed((field & 4) != 0) {}
  unsigned bits;
  bool is_signed;
};

// Operations of the conversion unit, independent of the family's fields. The source is operand B;
// 64 bits are a register pair. A source smaller than a word starts at its byte `first_byte`.

struct IntegerToFloat {
  IntegerType from;
  FloatFormat to;
  Rounding rounding;
  unsigned first_byte;
};
void convert(Execution& execution, const IntegerToFloat& conversion);

struct FloatToInteger {
  FloatFormat from;
  IntegerType to;
  Rounding rounding;
  unsigned first_byte;
  bool flushes;
  uint64_t nan;  ///< result for a NaN
};
void convert(Execution& execution, const FloatToInteger& conversion);

/// The integer result for NaN: 0, but only the sign bit from or to 64 bits (PTX, cvt).
uint64_t integer_of_nan(const IntegerType& type, const FloatFormat& from);

struct FloatToFloat {
  FloatFormat from;
  FloatFormat to;
  Rounding rounding;
  unsigned first_byte;
  bool flushes;
  bool saturates;
  bool to_integer;  ///< rounds to an integer first, in the same direction
};
void convert(Execution& execution, const FloatToFloat& conversion);

/// F2FP to or from pairs of floats of eight bits, E4M3 and E5M2 (isa/machine/sm70/pack_bytes.cc).
void convert_bytes(Execution& execution);

}  // namespace shflsim::isa
