// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shflsim::isa {

/// A barrier in shared memory (PTX: mbarrier) in the eight-byte format of sm_80 to sm_89. ptxas'
/// code reads and writes both words itself; only an arrival is an instruction. The lower word is
/// 2^30 minus the arrivals of a phase. Bit 31 of the upper word is the phase's parity, the bits
/// below are 2^31 minus the pending arrivals. Source: the code of ptxas 13.0 for sm_80.
constexpr uint64_t after_arrival(uint64_t barrier) {
  constexpr uint32_t kHalf = 1u << 30, kParity = 1u << 31;
  const uint32_t each_phase = static_cast<uint32_t>(barrier);
  uint32_t upper = static_cast<uint32_t>(barrier >> 32) + 1;
  if ((upper & ~kParity) == 0) upper |= (each_phase + kHalf) & ~kParity;
  return uint64_t{upper} << 32 | each_phase;
}

/// A change of a barrier in shared memory.
struct BarrierChange {
  int64_t arrivals = 0;
  int64_t bytes = 0;  ///< bytes that are expected; negative: bytes that have come
};

/// A barrier of sm_90 and later, which only SYNCS accesses: bits 20:1 are minus the arrivals of a
/// phase, 62:43 minus the pending arrivals, 63 the phase's parity (source: the initial word that
/// ptxas 13.0 writes, and how its code extracts parity and count from an arrival's result). It is
/// assumed that the pending bytes are between these fields: only SYNCS reads them.
struct SharedBarrier {
  explicit constexpr SharedBarrier(uint64_t word)
      : arrivals(count_at(word, 1)),
        pending(count_at(word, 43)),
        bytes(static_cast<int32_t>(static_cast<uint32_t>(word >> 21) << 10) >> 10),
        parity((word >> 63) != 0) {}

  constexpr uint64_t word() const {
    const uint64_t counted = static_cast<uint32_t>(bytes) & ((1u << 22) - 1);
    return uint64_t{parity} << 63 | uint64_t{(0 - pending) & kMostArrivals} << 43 | counted << 21 |
           uint64_t{(0 - arrivals) & kMostArrivals} << 1;
  }
  /// A phase ends when all arrivals and all expected bytes have come.
  constexpr void end_phase_if_complete() {
    if (pending != 0 || bytes != 0) return;
    parity = !parity;
    pending = arrivals;
  }

  static constexpr uint32_t kMostArrivals = (1u << 20) - 1;
  static constexpr int32_t kMostBytes = (1 << 20) - 1;  ///< PTX ISA: limit in both directions

  uint32_t arrivals;  ///< arrivals that each phase needs
  uint32_t pending;   ///< arrivals pending in this phase
  int32_t bytes;      ///< bytes still expected; negative if bytes come before they are expected
  bool parity;        ///< parity of the current phase

 private:
  static constexpr uint32_t count_at(uint64_t word, unsigned bit) {
    return (0 - static_cast<uint32_t>(word >> bit)) & kMostArrivals;
  }
};

}  // namespace shflsim::isa
