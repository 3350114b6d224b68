// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shflsim::isa {

/// A barrier in shared memory (PTX: mbarrier) as sm_80 to sm_89 keep it in eight bytes. ptxas' code
/// reads and writes both words itself; only an arrival is an instruction. The lower word is 2^30
/// less the arrivals of a phase; of the upper one bit 31 is the phase's parity, and what is below
/// it 2^31 less the arrivals still to come. SourceOperand: what ptxas 13.0 makes of PTX for sm_80.
constexpr uint64_t after_arrival(uint64_t barrier) {
  constexpr uint32_t kHalf = 1u << 30, kParity = 1u << 31;
  const uint32_t each_phase = static_cast<uint32_t>(barrier);
  uint32_t upper = static_cast<uint32_t>(barrier >> 32) + 1;
  if ((upper & ~kParity) == 0) upper |= (each_phase + kHalf) & ~kParity;
  return uint64_t{upper} << 32 | each_phase;
}

/// What becomes of a barrier in shared memory at one time.
struct BarrierChange {
  int64_t arrivals = 0;
  int64_t bytes = 0;  ///< that are announced; negative: that have come
};

/// A barrier of sm_90 and later, which only SYNCS accesses: bits 20:1 are minus the arrivals of a
/// phase, 62:43 minus those still to come, 63 the phase's parity (source: the word that ptxas 13.0
/// writes first, and how its code finds parity and count in what an arrival returns). That the
/// bytes still to come stand between them is assumed: nothing reads them but SYNCS.
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
  /// A phase ends when all have arrived and as many bytes have come as were expected.
  constexpr void end_phase_if_complete() {
    if (pending != 0 || bytes != 0) return;
    parity = !parity;
    pending = arrivals;
  }

  static constexpr uint32_t kMostArrivals = (1u << 20) - 1;
  static constexpr int32_t kMostBytes = (1 << 20) - 1;  ///< PTX ISA: limit in both directions

  uint32_t arrivals;  ///< arrivals that each phase needs
  uint32_t pending;   ///< arrivals to come in this phase
  int32_t bytes;      ///< bytes still expected; negative where bytes come before they are announced
  bool parity;        ///< parity of the current phase

 private:
  static constexpr uint32_t count_at(uint64_t word, unsigned bit) {
    return (0 - static_cast<uint32_t>(word >> bit)) & kMostArrivals;
  }
};

}  // namespace shflsim::isa
