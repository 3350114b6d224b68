// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "isa/codec/arch.h"
#include "isa/machine/rounding.h"

namespace shflsim::isa {

/// A number that a matrix unit multiplies or adds: significand * 2^exponent; the significand is
/// signed.
struct Term {
  enum class Kind : uint8_t { kFinite, kInfinite, kNan } kind = Kind::kFinite;
  int32_t significand = 0;
  int16_t exponent = 0;
  uint8_t places = 0;  ///< binary places of the significand
  bool negative = false;
};

Term term_of(uint32_t bits, const FloatFormat& format);
/// A float of eight bits with four bits of exponent (PTX: e4m3): no infinity, one NaN per sign.
Term term_of_e4m3(uint32_t bits);

/// A type of the elements that a matrix unit multiplies.
struct TermType {
  unsigned bytes;
  Term (*read)(uint32_t bits);
};
constexpr TermType kHalfTerm{2, [](uint32_t bits) { return term_of(bits, kHalfFormat); }};
constexpr TermType kBfloatTerm{2, [](uint32_t bits) { return term_of(bits, kBfloatFormat); }};
constexpr TermType kTensorTerm{
    4, [](uint32_t bits) { return term_of(bits >> kBelowTensorFloat, kTensorFormat); }};
constexpr TermType kE4m3Term{1, term_of_e4m3};
constexpr TermType kE5m2Term{1, [](uint32_t bits) { return term_of(bits, FloatFormat{5, 2}); }};

/// The adder of a matrix unit. Products are exact; they and the addend are aligned to the largest
/// exponent, truncated below `places` binary places under it, and summed exactly; the sum is
/// rounded once, in single precision towards zero, in half precision to nearest. Longer rows are
/// summed group by group, each rounded. The figures are from Fasi et al., "Numerical behavior of
/// NVIDIA tensor cores" (2021), and Xie et al., "MMA-Sim: Bit-Accurate Reference Model of Tensor
/// Cores and Matrix Cores" (2025), who measured V100 to B200.
struct DotProductUnit {
  int places;
  unsigned group_bytes;  ///< bytes of one operand that are summed as a group
  int sum_places = 23;   ///< binary places that a sum in single precision keeps
};
DotProductUnit dot_product_unit(Arch arch);
/// The unit for floats of eight bits on sm_90: fewer places. Measured on an H100: 1.3 million sums.
constexpr DotProductUnit kByteProductUnit{13, 32, 13};

/// The bits of a[0] * b[0] + ... + c in single or half precision, of one group.
uint32_t dot_product(const DotProductUnit& unit, const Term* a, const Term* b, unsigned count,
                     uint32_t c, const FloatFormat& format);

}  // namespace shflsim::isa
