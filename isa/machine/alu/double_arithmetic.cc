// SPDX-License-Identifier: Apache-2.0
// Compiled with -frounding-math: the only file that changes the processor's rounding direction.
#include "isa/machine/alu/double_arithmetic.h"

#include <cfenv>
#include <cmath>

namespace shflsim::isa {
namespace {

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

}  // namespace shflsim::isa
