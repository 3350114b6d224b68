// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/machine/shared_barrier.h"

namespace shflsim::isa {

/// A copy that a warp has started and that goes on while the warp does. Its bytes are where they
/// belong from the start on; what is left is to tell barriers in shared memory that they have come.
struct BulkCopy {
  enum class Way : uint8_t {
    kToShared,     ///< from global memory
    kToGlobal,     ///< from shared memory
    kToCluster,    ///< from shared memory or registers to shared memory of the cluster
    kPrefetching,  ///< from global memory to the L2
    kArrival,      ///< nothing: arrivals at a barrier of another block
    kCluster,      ///< nothing: the end of a phase of the barrier of the block's cluster
    kAfterLoads,   ///< nothing: arrivals behind the loads to shared memory that the warp has begun
  };
  static constexpr uint32_t kNowhere = ~0u;
  /// A barrier that is told.
  struct Receiver {
    uint32_t block = 0;   ///< linear in the grid
    uint32_t offset = 0;  ///< in the block's shared memory
    /// Where the bytes of a bulk copy go in that memory; kNowhere: they are no row.
    uint32_t to = kNowhere;
  };

  /// Where the bytes of a box of a tensor are in global memory: rows at distances.
  struct Rows {
    static constexpr unsigned kLoops = 4;
    bool is_box = false;  ///< else the bytes stand one after the other
    uint32_t bytes = 0;   ///< of a row; 0: all of the box is outside the tensor
    std::array<uint16_t, kLoops>
        counts{};  ///< rows of each further dimension; 0: no such dimension
    std::array<uint64_t, kLoops> strides{};  ///< bytes from one to the next
  };

  uint64_t number = 0;  ///< for who keeps it
  uint32_t block = 0;   ///< linear in the grid
  uint32_t warp = 0;
  uint32_t index = 0;  ///< of the instruction, into Program::code
  Way way = Way::kToShared;
  bool reduces = false;  ///< combines with what is there
  uint32_t bytes = 0;    ///< that each receiver gets
  BarrierChange change;  ///< of each receiver
  uint64_t address = 0;  ///< in global memory, where it has a side there
  Rows rows;             ///< there, of a box of a tensor
  uint64_t map = 0;      ///< address of the tensor map that says so; 0: none
  std::vector<Receiver> receivers;
};

/// What a launch that is executed while it is timed tells its caller.
class LaunchEvents {
 public:
  virtual ~LaunchEvents() = default;
  /// The caller says when it is over (SteppedLaunch::end_copy).
  virtual void copy_began(const BulkCopy& copy) = 0;
  /// A warp that waited for its cluster, or for a phase of a barrier in shared memory, goes on.
  virtual void released(uint32_t block, uint32_t warp) = 0;
};

}  // namespace shflsim::isa
