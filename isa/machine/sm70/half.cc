// SPDX-License-Identifier: Apache-2.0
// Two 16-bit values per register, IEEE's half or bfloat16: each is computed exactly, or rounded to
// odd in double precision, and then rounded once.
#include <algorithm>
#include <cmath>

#include "isa/machine/alu/float_lanes.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

/// The source of an operand's two values, in the order of the field `halves`.
enum Halves : uint8_t { kBoth, kSingleValue, kLowerTwice, kUpperTwice };

/// IEEE's half. kSmallestNormal is an exponent field of double precision.
struct Half {
  static constexpr uint64_t kPlaces = 10;
  static constexpr uint64_t kSmallestNormal = uint64_t{1023 - 14} << 52;
  static constexpr uint32_t kOne = 0x3C00;
  static constexpr uint32_t kInfinity = 0x7C00;

  /// A product adjusts the exponent field, which makes a half's denormals normal.
  static float widened(uint32_t bits) {
    const uint32_t scaled = bits_of(as_float((bits & 0x7FFFu) << 13) * 0x1p112f);
    const uint32_t top = (bits & kInfinity) == kInfinity ? 0x7F800000u : 0;
    return as_float(scaled | top | (bits & 0x8000u) << 16);
  }
  /// The bits of a number that a half can represent; infinity from 65,536 on.
  static uint32_t narrowed(float value) {
    const float magnitude = std::min(std::fabs(value), 65536.0f);
    return bits_of(magnitude * 0x1p-112f) >> 13 | (bits_of(value) >> 16 & 0x8000u);
  }
};

struct Bfloat {
  static constexpr uint64_t kPlaces = 7;
  static constexpr uint64_t kSmallestNormal = uint64_t{1023 - 126} << 52;
  static constexpr uint32_t kOne = 0x3F80;
  static constexpr uint32_t kInfinity = 0x7F80;

  static float widened(uint32_t bits) { return as_float(bits << 16); }
  static uint32_t narrowed(float value) { return bits_of(value) >> 16; }
};

/// Rounds to nearest in a format with an exponent that is unlimited above: adding a number so large
/// that its last place is the format's drops the places below.
template <class Format>
double to_places(double value) {
  constexpr uint64_t kSign = uint64_t{1} << 63;
  constexpr uint64_t kLargest = uint64_t{1023 + 200} << 52;
  constexpr uint64_t kOneAndAHalf = uint64_t{1} << 51;
  const uint64_t bits = bits_of(value);
  const uint64_t exponent = bits & uint64_t{0x7FF} << 52;
  const uint64_t usual = std::min(std::max(exponent, Format::kSmallestNormal), kLargest);
  const double large = as_double((usual + ((52 - Format::kPlaces) << 52)) | kOneAndAHalf);
  const double rounded = (value + large) - large;
  return as_double((bits_of(rounded) & ~kSign) | (bits & kSign));
}

struct Finish16 {
  bool flushes = false;
  bool saturates = false;
  bool relu = false;
  bool single = false;  ///< D is one number of single precision
};

Finish16 finish_of(const Instruction& instruction, bool flushes) {
  return {flushes, instruction[Mod::k_sat] != 0, form_says(instruction, ".RELU"),
          instruction[Mod::k_f32] != 0};
}

/// A result, exact or rounded to odd, after saturation or .RELU.
double limited(double value, const Finish16& finish) {
  if (finish.saturates) return value > 0 ? (value < 1 ? value : 1.0) : 0.0;  // NaN gives 0
  if (finish.relu) return value > 0 || value != value ? value : 0.0;
  return value;
}

template <class Format>
uint32_t rounded(double result, const Finish16& finish) {
  const double value = limited(result, finish);
  const uint32_t bits = Format::narrowed(static_cast<float>(to_places<Format>(value)));
  const uint32_t kept = finish.flushes && (bits & Format::kInfinity) == 0 ? bits & 0x8000u : bits;
  return value == value ? kept : kNan16;
}

uint32_t rounded_to_single(double result, const Finish16& finish) {
  const double value = limited(result, finish);
  const uint32_t bits = bits_of(static_cast<float>(value));
  return value != value ? kNan32 : finish.flushes ? flush(bits) : bits;
}

/// A number of single precision rounded to 16 bits towards zero, as the unit reads it (".F32"):
/// ptxas uses this for cvt.rz.f16.f32.
template <class Format>
float toward_zero(float value) {
  const double rounded = to_places<Format>(static_cast<double>(value));
  const uint32_t bits = Format::narrowed(static_cast<float>(rounded));
  const bool is_infinite = (bits & Format::kInfinity) == Format::kInfinity;
  const bool is_beyond = is_infinite || std::fabs(rounded) > std::fabs(double{value});
  return Format::widened(std::isfinite(value) && is_beyond ? bits - 1 : bits);
}

/// A source operand's lower and upper value as floats, which represent every 16-bit value.
struct HalfPair {
  std::array<float, kLanes> part[2];
};

/// B.H0_NH1 is i times B as a complex number: its lower value is the upper half with the other
/// sign, its upper value the lower half (measured: __hcmadd on an H200).
template <class Format>
HalfPair half_operand(const Execution& execution, Role role, bool flushes) {
  const Operand& operand = execution.operand(role);
  const SourceOperand source(execution, role);
  const uint32_t keep = operand.absolute ? 0x7FFFFFFFu : ~0u;
  const uint32_t turn = operand.negate ? 0x80000000u : 0;
  const bool single = operand.half == kSingleValue;
  const bool rotates = role == Role::kB && execution.instruction[Mod::k_h0_nh1] != 0;
  const unsigned lanes = operand.is_live_register() ? kLanes : 1;  // lanes whose values may differ
  HalfPair out;
  for (unsigned part = 0; part < 2; ++part) {
    const unsigned from = operand.half == kLowerTwice   ? 0
                          : operand.half == kUpperTwice ? 1
                                                        : part ^ (rotates ? 1 : 0);
    const uint32_t sign = rotates && part == 0 ? turn ^ 0x80000000u : turn;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const uint32_t bits = source[lane] >> (16 * from) & 0xFFFFu;
      const uint32_t kept = flushes && (bits & Format::kInfinity) == 0 ? bits & 0x8000u : bits;
      const float value =
          single ? toward_zero<Format>(as_float(source[lane])) : Format::widened(kept);
      out.part[part][lane] = as_float((bits_of(value) & keep) ^ sign);
    }
    std::fill(out.part[part].begin() + lanes, out.part[part].end(), out.part[part][0]);
  }
  return out;
}

bool reads_a_register(const Execution& execution) {
  return execution.operand(Role::kA).is_live_register() ||
         execution.operand(Role::kB).is_live_register() ||
         execution.operand(Role::kC).is_live_register();
}

/// D = f(part, lane) for both halves. ptxas makes constants with HFMA2: one lane is computed then.
template <class Format, class F>
void write_halves(Execution& execution, const Finish16& finish, F f) {
  const auto word = [&](unsigned lane) {
    if (finish.single) return rounded_to_single(f(0, lane), finish);
    return rounded<Format>(f(1, lane), finish) << 16 | rounded<Format>(f(0, lane), finish);
  };
  if (reads_a_register(execution)) return set_result(execution, word);
  const uint32_t same = word(0);
  set_result(execution, [same](unsigned) { return same; });
}

template <class Format>
void hadd2(Execution& execution) {
  const bool flushes = execution.instruction[Mod::k_ftz] != 0;
  const HalfPair a = half_operand<Format>(execution, Role::kA, flushes);
  const HalfPair b = half_operand<Format>(execution, Role::kB, flushes);
  write_halves<Format>(execution, finish_of(execution.instruction, flushes),
                       [&](unsigned part, unsigned lane) {
                         return fused_to_odd(a.part[part][lane], 1.0f, b.part[part][lane]);
                       });
}

constexpr uint8_t kFlushAndZero = 2;  // ".FMZ": zero times anything is zero

template <class Format>
void hmul2(Execution& execution) {
  const uint8_t mode = execution.instruction[Mod::k_fmz];
  const HalfPair a = half_operand<Format>(execution, Role::kA, mode != 0);
  const HalfPair b = half_operand<Format>(execution, Role::kB, mode != 0);
  write_halves<Format>(execution, finish_of(execution.instruction, mode != 0),
                       [&](unsigned part, unsigned lane) {
                         const double x = static_cast<double>(a.part[part][lane]);
                         const double y = static_cast<double>(b.part[part][lane]);
                         return mode == kFlushAndZero && (x == 0 || y == 0) ? 0.0 : x * y;
                       });
}

template <class Format>
void hfma2(Execution& execution) {
  const uint8_t mode = execution.instruction[Mod::k_fmz];
  const HalfPair a = half_operand<Format>(execution, Role::kA, mode != 0);
  const HalfPair b = half_operand<Format>(execution, Role::kB, mode != 0);
  const HalfPair c = half_operand<Format>(execution, Role::kC, mode != 0);
  write_halves<Format>(execution, finish_of(execution.instruction, mode != 0),
                       [&](unsigned part, unsigned lane) {
                         const float x = a.part[part][lane], y = b.part[part][lane];
                         const float z = c.part[part][lane];
                         const bool only_c = mode == kFlushAndZero && (x == 0 || y == 0);
                         return only_c ? static_cast<double>(z) : fused_to_odd(x, y, z);
                       });
}

/// The words of the halves that `chosen(part, lane)` gives as floats.
template <class Format, class F>
void set_halves(Execution& execution, F chosen) {
  const auto half = [&](unsigned part, unsigned lane) -> uint32_t {
    const uint32_t result = chosen(part, lane);
    return is_nan(result) ? kNan16 : Format::narrowed(as_float(result));
  };
  set_result(execution, [&](unsigned lane) { return half(1, lane) << 16 | half(0, lane); });
}

/// FMNMX's rule for each half: a number is preferred to a NaN, with .NAN the NaN; -0 is below +0.
template <class Format>
void hmnmx2(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  const bool flushes = instruction[Mod::k_ftz] != 0;
  const HalfPair a = half_operand<Format>(execution, Role::kA, flushes);
  const HalfPair b = half_operand<Format>(execution, Role::kB, flushes);
  const LaneMask minimum = predicate_of(execution, Role::kS);
  const bool nan_wins = instruction[Mod::k_nan] != 0;
  set_halves<Format>(execution, [&](unsigned part, unsigned lane) {
    return lesser_or_greater(bits_of(a.part[part][lane]), bits_of(b.part[part][lane]),
                             bit_of(minimum, lane), nan_wins);
  });
}

/// The same of three sources.
template <class Format>
void vhmnmx(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  const bool flushes = instruction[Mod::k_ftz] != 0;
  const HalfPair a = half_operand<Format>(execution, Role::kA, flushes);
  const HalfPair b = half_operand<Format>(execution, Role::kB, flushes);
  const HalfPair c = half_operand<Format>(execution, Role::kC, flushes);
  const LaneMask minimum = predicate_of(execution, Role::kS);
  const bool nan_wins = instruction[Mod::k_nan] != 0;
  set_halves<Format>(execution, [&](unsigned part, unsigned lane) {
    const bool is_minimum = bit_of(minimum, lane);
    const uint32_t first = lesser_or_greater(bits_of(a.part[part][lane]),
                                             bits_of(b.part[part][lane]), is_minimum, nan_wins);
    return lesser_or_greater(first, bits_of(c.part[part][lane]), is_minimum, nan_wins);
  });
}

template <class Format>
std::array<LaneMask, 2> half_tests(const Execution& execution) {
  const bool flushes = execution.instruction[Mod::k_ftz] != 0;
  const HalfPair a = half_operand<Format>(execution, Role::kA, flushes);
  const HalfPair b = half_operand<Format>(execution, Role::kB, flushes);
  std::array<LaneMask, 2> tests;
  for (unsigned part = 0; part < 2; ++part) {
    tests[part] = holds(float_relation([&](unsigned lane) { return a.part[part][lane]; },
                                       [&](unsigned lane) { return b.part[part][lane]; }),
                        execution.instruction[Mod::k_fcmp]);
  }
  return tests;
}

template <class Format>
void hset2(Execution& execution) {
  const auto [low_test, high_test] = half_tests<Format>(execution);
  const LaneMask s = predicate_of(execution, Role::kS);
  const uint8_t operation = execution.instruction[Mod::k_bool_];
  const LaneMask low = combine(operation, low_test, s);
  const LaneMask high = combine(operation, high_test, s);
  const uint32_t truth = execution.instruction[Mod::k_bf] != 0 ? Format::kOne : 0xFFFF;
  set_result(execution, [&](unsigned lane) {
    return (bit_of(high, lane) ? truth << 16 : 0) | (bit_of(low, lane) ? truth : 0);
  });
}

/// P = the lower half's test, Q = the upper's; with .H_AND P = both hold, Q = not both.
template <class Format>
void hsetp2(Execution& execution) {
  const auto [low, high] = half_tests<Format>(execution);
  const LaneMask s = predicate_of(execution, Role::kS);
  const uint8_t operation = execution.instruction[Mod::k_bool_];
  const bool joined = execution.instruction[Mod::k_h_and] != 0;
  write_predicate(execution, Role::kP, combine(operation, joined ? low & high : low, s));
  write_predicate(execution, Role::kQ, combine(operation, joined ? ~(low & high) : high, s));
}

/// Executes with the format that the instruction's field selects.
template <void (*half)(Execution&), void (*bfloat)(Execution&)>
void by_format(Execution& execution) {
  execution.instruction[Mod::k_bf16_v2] != 0 ? bfloat(execution) : half(execution);
}

/// .RELU under a predicate that is not always true is not known, nor .H0_NH1 of one half.
std::string refuse_hfma2(const Instruction& instruction) {
  const Operand& s = instruction[Role::kS];
  const bool always = s.is(Operand::Kind::kNone) || (s.index == kPT && !s.negate);
  if (!always) return "the form .RELU with a predicate";
  const bool is_whole = instruction[Mod::k_h0_nh1] == 0 || instruction[Role::kB].half == kBoth;
  return is_whole ? "" : "the form .H0_NH1 of one half";
}

std::string refuse_xorsign(const Instruction& instruction) {
  return instruction[Mod::k_xors] != 0 ? "the form .XORSIGN" : "";
}

}  // namespace

void add_sm70_half_operations(OperationTable& table) {
  entry(table, Op::kSm70_HADD2) = {by_format<hadd2<Half>, hadd2<Bfloat>>};
  entry(table, Op::kSm70_HFMA2) = {by_format<hfma2<Half>, hfma2<Bfloat>>, refuse_hfma2};
  entry(table, Op::kSm70_HFMA2_MMA) = {by_format<hfma2<Half>, hfma2<Bfloat>>, refuse_hfma2};
  entry(table, Op::kSm70_HMNMX2) = {by_format<hmnmx2<Half>, hmnmx2<Bfloat>>, refuse_xorsign};
  entry(table, Op::kSm70_VHMNMX) = {by_format<vhmnmx<Half>, vhmnmx<Bfloat>>};
  entry(table, Op::kSm70_HMUL2) = {by_format<hmul2<Half>, hmul2<Bfloat>>};
  entry(table, Op::kSm70_HSET2) = {by_format<hset2<Half>, hset2<Bfloat>>};
  entry(table, Op::kSm70_HSETP2) = {by_format<hsetp2<Half>, hsetp2<Bfloat>>};
}

}  // namespace shflsim::isa
