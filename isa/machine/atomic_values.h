// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shflsim::isa {

/// The effect of an atomic operation on a value in any memory.
struct AtomicValue {
  enum Operation : uint8_t { kAdd, kMin, kMax, kInc, kDec, kAnd, kOr, kXor, kExch, kSafeAdd = 10 };
  /// The first values are in the order of SPA 5.0's fields asize and atype.
  enum Type : uint8_t { kU32, kS32, kU64, kF32, kF16x2, kS64, kF64, kBf16x2, kF32Whole, kNone };

  static constexpr unsigned bytes_of(Type type) {
    return type == kU64 || type == kS64 || type == kF64 ? 8 : 4;
  }
  static constexpr bool is_half_pair(Type type) { return type == kF16x2 || type == kBf16x2; }
  static constexpr bool is_float(Type type) {
    return type == kF32 || type == kF64 || type == kF32Whole || is_half_pair(type);
  }
  /// For floats only sums and exchanges are defined, for pairs of halves also minimum and maximum.
  static constexpr bool is_defined(uint8_t operation, Type type) {
    const bool compares = operation == kMin || operation == kMax;
    return !is_float(type) || operation == kAdd || operation == kExch ||
           (compares && is_half_pair(type));
  }

  /// The new value in memory. The two halves of a pair are separate values.
  static uint64_t updated(uint8_t operation, Type type, uint64_t old, uint64_t operand);
};

}  // namespace shflsim::isa
