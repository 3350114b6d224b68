// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "isa/machine/launch_events.h"
#include "isa/machine/machine.h"

namespace shflsim::isa {

/// What a lane does at a barrier in shared memory, as a trace keeps it: a word of a row of 32.
///
///   31:0   address of the barrier, or (kSend...) of what is stored
///   52:32  number
///   57:53  kind
///   61:58  rank in the cluster of the block whose barrier it is, where bit 62 is set
///   62     the barrier is not known to be the block's own
///   63     1
struct BarrierWord {
  enum class Kind : uint8_t {
    kArrivals,          ///< `number` arrivals
    kLeaving,           ///< the same, which later phases do not wait for
    kArrivalWithBytes,  ///< one arrival; `number` bytes are expected
    kLeavingWithBytes,
    kBytesExpected,
    kBytesCome,
    kOver,         ///< the phase of the parity `number` is over
    kNotOver,      ///< it is not, and the lane goes on
    kGivenUp,      ///< it is not, and the lane has waited for as long as hardware does
    kAfterLoads,   ///< an arrival behind the loads to shared memory that the warp has begun
    kByteOfLoads,  ///< the same of a byte
    kSend4,        ///< 4 bytes go to another block; `number` is the barrier's offset / 8
    kSend8,
    kSend16,
    kCount
  };

  uint64_t packed() const {
    return uint64_t{1} << 63 | uint64_t{has_rank} << 62 | uint64_t{rank & 15u} << 58 |
           uint64_t{static_cast<uint8_t>(kind)} << 53 | uint64_t{number & kMostNumber} << 32 |
           address;
  }
  /// Nothing if the word says nothing, as in traces that do not know these words.
  static std::optional<BarrierWord> unpacked(uint64_t word);

  static constexpr uint32_t kMostNumber = (1u << 21) - 1;

  Kind kind = Kind::kArrivals;
  uint32_t number = 0;
  uint32_t address = 0;
  uint32_t rank = 0;
  bool has_rank = false;
};

/// A copy, or the first word of a barrier, as a row of 32 words of which all count.
struct CopyRow {
  LaneAddresses packed() const;
  static std::optional<CopyRow> unpacked(const LaneAddresses& row);

  bool is_copy = true;
  BulkCopy copy;        ///< without receivers, block, warp and index
  uint32_t ranks = 0;   ///< blocks of the cluster that receive it, a bit each
  uint32_t offset = 0;  ///< of the barrier in their shared memory
  uint64_t word = 0;    ///< no copy: what the barrier is set to
};

/// Whether the rows of an operation are such rows, and not words of lanes.
bool has_copy_rows(Op op);
/// Whether its steps may have words or rows at all, or are of the barrier of a cluster.
bool is_asynchronous(Op op);

}  // namespace shflsim::isa
