// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/machine/shared_barrier.h"

namespace shflsim::isa {

/// An asynchronous copy that a warp has started. The machine moves the bytes at the start; what
/// remains is to notify the barriers in shared memory that the bytes have come.
struct BulkCopy {
  enum class Way : uint8_t {
    kToShared,     ///< from global memory
    kToGlobal,     ///< from shared memory
    kToCluster,    ///< from shared memory or registers to shared memory of the cluster
    kPrefetching,  ///< from global memory to the L2
    kArrival,      ///< no bytes: arrivals at a barrier of another block
    kCluster,      ///< no bytes: the end of a phase of the cluster's barrier
    kAfterLoads,   ///< no bytes: arrivals after the warp's pending loads to shared memory
  };
  static constexpr uint32_t kNowhere = ~0u;
  /// A barrier that is notified.
  struct Receiver {
    uint32_t block = 0;   ///< linear in the grid
    uint32_t offset = 0;  ///< in the block's shared memory
    /// Offset of the bytes of a bulk copy in that memory; kNowhere: they are not one row.
    uint32_t to = kNowhere;
  };

  /// The bytes of a box of a tensor in global memory: rows with strides.
  struct Rows {
    static constexpr unsigned kLoops = 4;
    bool is_box = false;  ///< else the bytes are contiguous
    uint32_t bytes = 0;   ///< bytes of a row; 0: all of the box is outside the tensor
    std::array<uint16_t, kLoops>
        counts{};  ///< rows of each further dimension; 0: no such dimension
    std::array<uint64_t, kLoops> strides{};  ///< bytes from one row to the next
    uint16_t before = 0;  ///< bytes of a row that are outside the tensor, in front of those inside
    uint16_t after = 0;   ///< the same behind them
  };

  uint64_t number = 0;  ///< for the use of the receiver of the event
  uint32_t block = 0;   ///< linear in the grid
  uint32_t warp = 0;
  uint32_t index = 0;  ///< index of the instruction in Program::code
  Way way = Way::kToShared;
  bool reduces = false;  ///< a reduction: combines with the target's values
  bool is_sent = false;  ///< words of the warp's registers
  uint32_t bytes = 0;    ///< that each receiver gets
  BarrierChange change;  ///< of each receiver
  uint64_t address = 0;  ///< address in global memory, if source or target is there
  Rows rows;             ///< the rows in global memory of a box of a tensor
  uint64_t map = 0;      ///< address of the tensor map; 0: none
  std::vector<Receiver> receivers;
};

/// Events of a launch that is executed while it is timed.
class LaunchEvents {
 public:
  virtual ~LaunchEvents() = default;
  /// A copy has started; the caller has to report its end (SteppedLaunch::end_copy).
  virtual void copy_began(const BulkCopy& copy) = 0;
  /// A warp that waited for its cluster, or for a phase of a barrier in shared memory, continues.
  virtual void released(uint32_t block, uint32_t warp) = 0;
};

}  // namespace shflsim::isa
