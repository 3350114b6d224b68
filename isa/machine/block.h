// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "isa/machine/machine.h"
#include "isa/machine/storage.h"
#include "isa/machine/warp.h"

namespace shflsim::isa {

/// Everything of a launch that does not change while it runs.
struct Grid {
  const Program& program;
  const Launch& launch;
  const MachineOptions& options;
  DeviceMemory& memory;
  StepObserver& observer;
  std::array<std::vector<uint8_t>, 32> banks;  ///< constant banks
  unsigned registers;                          ///< registers of a lane
  unsigned uniform;                            ///< uniform registers of a warp
  size_t shared_bytes;                         ///< shared memory of a block

  /// `size` bytes (up to 8) of a constant bank; nullptr where the launch provides none.
  const uint8_t* constant(unsigned bank, uint64_t offset, size_t size) const;
};

/// Registers that a lane needs, from the highest that code or launch name, and uniform registers
/// that a warp does.
unsigned registers_of_lane(const Program& program, const Launch& launch);
unsigned uniform_registers_of_warp(const Program& program);
/// Bytes declared by program and launch; where none are, all that sm_50 allows, or 0 for code that
/// cannot reach shared memory. From sm_90 on the first KiB, which is the driver's, is among them.
size_t shared_bytes_of_block(const Program& program, const Launch& launch);

/// What a BAR operation asks of its barrier.
struct BarrierRequest {
  uint8_t id = 0;        ///< 0..15
  uint32_t threads = 0;  ///< threads that have to arrive; 0: all of the block
  bool waits = true;     ///< BAR.SYNC and RED; BAR.ARV arrives only
  LaneMask executing = 0;
  LaneMask predicate = 0;  ///< BAR.RED: what is reduced
  uint8_t reduction = 0;   ///< 0 POPC, 1 AND, 2 OR
};

/// The last lane map of each SHFL whose operands are immediates, by its index in the code.
using ImmediateMaps = std::map<uint32_t, LaneMap>;

/// A thread block: its warps, shared memory and barriers.
class Block {
 public:
  Block(const Grid& grid_of, uint32_t block_index, ImmediateMaps& maps);

  bool is_sm70() const { return family_of(grid.program.arch) == Family::kSm70; }

  const Grid& grid;
  const uint32_t index;  ///< linear in the grid
  Storage shared;
  uint32_t shared_used = 0;  ///< highest shared byte touched, plus 1
  std::vector<Warp> warps;

  // Where SHFL and memory operations leave what the observer is shown.
  LaneMap lane_map;
  ImmediateMaps& immediate_maps;
  LaneAddresses addresses{};

  /// The warp arrives; it is set waiting unless its arrival completes the barrier.
  void arrive(uint32_t warp, const BarrierRequest& request);
  /// A warp, or lanes of it, have ended: barriers that wait for the whole block no longer wait for
  /// them.
  void lanes_ended();

 private:
  struct Barrier {
    uint32_t arrived = 0;  ///< threads
    uint32_t wanted = 0;   ///< threads; 0 = all
    uint32_t count = 0;    ///< predicates true so far
    bool all = true;
    bool any = false;
    uint8_t reduction = 0;
  };
  uint32_t live_threads() const;
  uint32_t arriving(uint32_t warp, const BarrierRequest& request) const;
  void set_waiting(uint32_t warp, const BarrierRequest& request);
  void release(Warp& warp, uint8_t id, uint32_t result);
  void release_if_complete(uint8_t id);

  std::array<Barrier, 16> barriers_{};
};

}  // namespace shflsim::isa
