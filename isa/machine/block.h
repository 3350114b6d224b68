// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "isa/code/register_pool.h"
#include "isa/machine/launch_bank.h"
#include "isa/machine/machine.h"
#include "isa/machine/storage.h"
#include "isa/machine/warp.h"

namespace shflsim::isa {

/// The data of a launch that do not change while it runs.
struct Grid {
  const Program& program;
  const Launch& launch;
  const MachineOptions& options;
  DeviceMemory& memory;
  std::array<std::vector<uint8_t>, 32> banks;  ///< constant banks
  LaunchBank launch_bank;                      ///< constant bank 0
  unsigned registers;                          ///< registers of a lane
  unsigned uniform;                            ///< uniform registers of a warp
  size_t shared_bytes;                         ///< shared memory of a block
  Extent cluster;                              ///< blocks of a cluster
  /// The arguments in bank 0; code can also read them by generic address, and never writes them.
  mutable Storage arguments;

  /// `size` bytes (up to 8) of a constant bank; nullptr if the launch provides none.
  const uint8_t* constant(unsigned bank, uint64_t offset, size_t size) const;
};

/// The number of a block's cluster, and the block with a rank in a cluster. Clusters tile the grid
/// in linear order; ranks are linear in the cluster.
uint32_t cluster_number_of(const Grid& grid, uint32_t block);
uint32_t block_of(const Extent& grid, const Extent& cluster, uint32_t number, uint32_t rank);

/// The number of registers that a lane needs, from the highest one that the code or the launch
/// names, and the number of uniform registers that a warp needs.
unsigned registers_of_lane(const Program& program, const Launch& launch);
unsigned uniform_registers_of_warp(const Program& program);
/// Bytes declared by program and launch; if none are declared, all that sm_50 allows, or 0 for code
/// that cannot access shared memory. From sm_90 on includes the first KiB, which the driver uses.
size_t shared_bytes_of_block(const Program& program, const Launch& launch);

/// The request of a BAR operation to its barrier.
struct BarrierRequest {
  uint8_t id = 0;        ///< 0..15
  uint32_t threads = 0;  ///< threads that have to arrive; 0: all of the block
  bool waits = true;     ///< BAR.SYNC and RED; BAR.ARV arrives only
  LaneMask executing = 0;
  LaneMask predicate = 0;  ///< BAR.RED: the predicate to reduce
  uint8_t reduction = 0;   ///< 0 POPC, 1 AND, 2 OR
};

class AccessOrder;
class Cluster;

/// The last lane map of each SHFL whose operands are immediates, by its index in the code.
using ImmediateMaps = std::map<uint32_t, LaneMap>;

/// What the blocks of one SM share while they are executed. Blocks that are executed without time
/// have one for all.
struct SmState {
  StepObserver& observer;
  /// The value of clock and timer registers; nullptr: there is no time, and they read the number of
  /// instructions that the warp has executed.
  const LaunchClock* clock = nullptr;
  /// Counts the bits of values that toggle; nullptr: they are not counted.
  BitActivity* activity = nullptr;
  ImmediateMaps immediate_maps = {};
  uint64_t warp_instructions = 0;  ///< executed
  uint64_t lane_instructions = 0;

  /// True if a caller decides how long copies take.
  bool is_timed() const { return clock != nullptr && clock->events != nullptr; }
};

/// A thread block: its warps, shared memory and barriers.
class Block {
 public:
  Block(const Grid& grid_of, uint32_t block_index, SmState& its_sm);

  bool is_sm70() const { return family_of(grid.program.arch) == Family::kSm70; }
  /// Makes this block the block with this rank of a cluster.
  void join(std::shared_ptr<Cluster> its_cluster, uint32_t its_rank);
  /// True if all warps have ended.
  bool is_over() const;

  const Grid& grid;
  SmState* sm;
  const uint32_t index;  ///< linear in the grid
  Storage shared;
  uint32_t shared_used = 0;  ///< highest shared byte touched, plus 1
  std::shared_ptr<Cluster> cluster;
  uint32_t rank = 0;         ///< in the cluster
  uint32_t shared_base = 0;  ///< address of `shared` in the cluster
  std::vector<Warp> warps;

  // SHFL and memory operations put data for the observer here.
  LaneMap lane_map;
  LaneAddresses addresses{};
  LaneAddresses asynchronous{};

  /// Rows of shared memory that copies write, until a warp has waited for the copy's barrier.
  struct Row {
    uint32_t first;
    uint32_t bytes;
    uint32_t barrier;  ///< offset of the barrier
  };
  std::vector<Row> awaited;
  bool is_awaited(uint64_t offset, uint64_t bytes) const;
  /// Called when a warp has seen a phase of this barrier end.
  void end_wait(uint32_t barrier);
  /// Barriers that copies have changed, by offset, and the index of the last such copy.
  std::map<uint32_t, uint32_t> told;
  std::vector<RegisterChange> register_changes;

  /// The order of accesses to the cluster's shared memory; nullptr if it is not followed.
  AccessOrder* order() const;
  /// A fence of a warp, for the order of accesses.
  void fence(uint32_t warp);

  /// The warp arrives at a barrier, and waits unless its arrival completes the barrier.
  void arrive(uint32_t warp, const BarrierRequest& request);
  uint32_t live_threads() const;
  /// Called when a warp, or lanes of it, have ended: barriers of the whole block no longer wait for
  /// them.
  void lanes_ended();

  /// The warp waits for the cluster's barrier; all warps that wait for it continue.
  void wait_for_cluster(uint32_t warp, LaneMask lanes);
  void leave_cluster_barrier();
  /// Lanes of the warp wait for a phase of a barrier in shared memory; the other lanes of the warp
  /// wait as well.
  void wait_for_phase(uint32_t warp, const PhaseWait& wait);
  /// Called when the barrier at this offset has changed: warps that waited for the phase continue.
  void barrier_changed(uint32_t offset);
  /// The warp no longer waits for its phase; `ended`: the phase is over.
  void leave_phase(uint32_t warp, bool ended);
  bool waits_for_phase() const { return phase_waiters_ != 0; }
  /// True if the warp waits until LaunchEvents::released() is called for it.
  static bool is_held(const Warp& warp) {
    return warp.state == Warp::State::kWaiting && warp.barrier >= kClusterBarrier;
  }

  static constexpr uint8_t kClusterBarrier = 16;  ///< Warp::barrier of a warp that waits for it
  static constexpr uint8_t kPhase = 17;           ///< of a barrier in shared memory

 private:
  struct Barrier {
    uint32_t arrived = 0;  ///< threads
    uint32_t wanted = 0;   ///< threads; 0 = all
    uint32_t count = 0;    ///< predicates true so far
    bool all = true;
    bool any = false;
    uint8_t reduction = 0;
  };
  uint32_t arriving(uint32_t warp, const BarrierRequest& request) const;
  void set_waiting(uint32_t warp, const BarrierRequest& request);
  void release(Warp& warp, uint8_t id, uint32_t result);
  void release_if_complete(uint8_t id);
  void tell_released(uint32_t warp) const;

  uint32_t phase_waiters_ = 0;  ///< warps that wait for a phase
  std::array<Barrier, 16> barriers_{};
};

}  // namespace shflsim::isa
