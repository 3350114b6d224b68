// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "isa/machine/launch_events.h"
#include "isa/machine/machine.h"

namespace shflsim::isa {

/// An action of a lane at a barrier in shared memory, in a trace: one of a row of 32 words.
///
///   31:0   address of the barrier, or (kSend...) of the stored bytes
///   52:32  number
///   57:53  kind
///   61:58  rank in the cluster of the block that has the barrier, if bit 62 is set
///   62     the barrier is not known to be the block's own
///   63     1
struct BarrierWord {
  enum class Kind : uint8_t {
    kArrivals,          ///< `number` arrivals
    kLeaving,           ///< `number` arrivals that later phases do not wait for
    kArrivalWithBytes,  ///< one arrival; `number` bytes are expected
    kLeavingWithBytes,
    kBytesExpected,
    kBytesCome,
    kOver,         ///< the phase of the parity `number` is over
    kNotOver,      ///< that phase is not over, and the lane continues
    kGivenUp,      ///< not over, and the lane has waited for as long as hardware does
    kAfterLoads,   ///< an arrival after the warp's pending loads to shared memory
    kByteOfLoads,  ///< arrival of a byte after these loads
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
  /// None if the word is not such a word, as in older traces.
  static std::optional<BarrierWord> unpacked(uint64_t word);

  /// Of the barrier in its block's shared memory.
  uint32_t offset() const;
  /// What it changes at the barrier.
  BarrierChange change() const;
  bool leaves() const { return kind == Kind::kLeaving || kind == Kind::kLeavingWithBytes; }
  /// kSend...
  uint32_t bytes_sent() const { return kind == Kind::kSend4 ? 4 : kind == Kind::kSend8 ? 8 : 16; }

  static constexpr uint32_t kMostNumber = (1u << 21) - 1;

  Kind kind = Kind::kArrivals;
  uint32_t number = 0;
  uint32_t address = 0;
  uint32_t rank = 0;
  bool has_rank = false;
};

/// A copy, or the initialisation of a barrier, as one row of 32 words.
struct CopyRow {
  LaneAddresses packed() const;
  static std::optional<CopyRow> unpacked(const LaneAddresses& row);

  bool is_copy = true;
  BulkCopy copy;        ///< without receivers, block, warp and index
  uint32_t ranks = 0;   ///< blocks of the cluster that receive it, one bit per rank
  uint32_t offset = 0;  ///< offset of the barrier in their shared memory
  uint64_t word = 0;    ///< if not a copy: the barrier's new value
};

/// What a lane of LDGSTS copies, in a trace: one of a row of 32 words.
///
///   47:0   address in global memory; 0: the lane stores zeros
///   63:48  offset of the target in the block's shared memory, in words; 0 in all lanes of older
///          traces
struct CopiedLane {
  uint64_t packed() const { return uint64_t{to / kWord} << kBits | from; }
  static CopiedLane unpacked(uint64_t word) {
    return {word & kMostFrom, static_cast<uint32_t>(word >> kBits) * kWord};
  }

  static constexpr unsigned kBits = 48;
  static constexpr uint64_t kMostFrom = (uint64_t{1} << kBits) - 1;
  static constexpr uint32_t kWord = 4;

  uint64_t from = 0;
  uint32_t to = 0;  ///< bytes
};

/// The addresses in global memory of a row of such words.
LaneAddresses copied_from(const LaneAddresses& row);

/// True if the rows of an operation are CopyRows, not words of lanes.
bool has_copy_rows(Op op);
/// True if its steps may have such words or rows, or if it is at the barrier of a cluster.
bool is_asynchronous(Op op);

}  // namespace shflsim::isa
