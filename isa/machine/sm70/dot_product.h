// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "isa/codec/arch.h"
#include "isa/machine/rounding.h"

namespace shflsim::isa {

/// A number that a matrix unit multiplies or adds: significand * 2^exponent, the sign in the
/// significand.
struct Term {
  enum class Kind : uint8_t { kFinite, kInfinite, kNan } kind = Kind::kFinite;
  int32_t significand = 0;
  int16_t exponent = 0;
  uint8_t places = 0;  ///< binary places of the significand
  bool negative = false;
};

Term term_of(uint32_t bits, const FloatFormat& format);

/// TensorFloat-32: single precision of which 10 places count.
constexpr FloatFormat kTensorFormat{8, 10};

/// The adder behind a matrix unit's multipliers: products are exact; they and the addend are
/// aligned to the largest exponent, cut off below `places` binary places under it and summed
/// exactly; the sum is rounded once, in single precision towards zero, in half precision to the
/// nearest. Longer rows are summed group by group, each rounded. Measured on V100 to B200 by
/// Fasi et al., "Numerical behavior of NVIDIA tensor cores" (2021), and Xie et al., "MMA-Sim:
/// Bit-Accurate Reference Model of Tensor Cores and Matrix Cores" (2025), whose figures these are.
struct DotProductUnit {
  int places;
  unsigned group_bytes;  ///< bytes of one operand that are summed as a group
};
DotProductUnit dot_product_unit(Arch arch);

/// The bits of a[0] * b[0] + ... + c in single or half precision, of one group.
uint32_t dot_product(const DotProductUnit& unit, const Term* a, const Term* b, unsigned count,
                     uint32_t c, const FloatFormat& format);

}  // namespace shflsim::isa
