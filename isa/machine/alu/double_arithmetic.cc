// SPDX-License-Identifier: Apache-2.0
// Compiled with -frounding-math: the only file that changes the processor's rounding direction.
#include "isa/machine/alu/double_arithmetic.h"

#include <cfenv>
#include <cmath>

namespace shflsim::isa {
namespace {

constexpr uint64_t kSign = uint64_t{1} << 63;
constexpr uint64_t kInfinity = 0x7FF0000000000000u;
constexpr uint64_t kQuiet = uint64_t{1} << 51;
constexpr uint64_t kInvalid = 0xFFF8000000000000u;  // result of an invalid operation

/// Sets the processor's rounding direction during the object's lifetime.
class RoundingScope {
 public:
  explicit RoundingScope(Rounding rounding) : changes_(rounding != Rounding::kNearest) {
    static constexpr int kModes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    if (changes_) std::fesetround(kModes[static_cast<size_t>(rounding)]);
  }
  ~RoundingScope() {
    if (changes_) std::fesetround(FE_TONEAREST);
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  bool changes_;
};

}  // namespace

// Volatile operands prevent that the operation moves across a change of direction.

double add_rounded(double a, double b, Rounding rounding) {
  const RoundingScope scope(rounding);
  const volatile double x = a, y = b;
  const volatile double result = x + y;
  return result;
}

double multiply_rounded(double a, double b, Rounding rounding) {
  const RoundingScope scope(rounding);
  const volatile double x = a, y = b;
  const volatile double result = x * y;
  return result;
}

double fused_rounded(double a, double b, double c, Rounding rounding) {
  const RoundingScope scope(rounding);
  const volatile double x = a, y = b, z = c;
  const volatile double result = std::fma(x, y, z);
  return result;
}

double as_operand(uint64_t bits, bool absolute, bool negate) {
  if ((bits & ~kSign) > kInfinity) return as_double(bits);
  return as_double((absolute ? bits & ~kSign : bits) ^ (negate ? kSign : 0));
}

double with_nan(double result, std::initializer_list<double> operands) {
  for (const double each : operands) {
    if (each != each) return as_double(bits_of(each) | kQuiet);
  }
  return result == result ? result : as_double(kInvalid);
}

}  // namespace shflsim::isa
