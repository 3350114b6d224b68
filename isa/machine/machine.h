// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "isa/base/bounded.h"
#include "isa/code/program.h"
#include "isa/lanes/lane_map.h"
#include "isa/machine/device_memory.h"
#include "isa/machine/launch_events.h"

namespace shflsim::isa {

class BitActivity;

/// The functional machine: executes a grid of thread blocks, bit for bit and without any notion of
/// time. Blocks run one after the other in linear order, or in turns in a cooperative launch; the
/// warps of a block take turns, so that the same launch always gives the same trace.

struct Extent {
  uint32_t x = 1;
  uint32_t y = 1;
  uint32_t z = 1;
  /// Stays at the highest number where there would be more.
  uint64_t count() const { return product_of(uint64_t{x} * y, z); }
};

/// First values of a register: one 32-bit word a lane, warp by warp and block by block; threads
/// beyond the last word start with zero.
struct InitialRegister {
  uint8_t index = 0;
  std::vector<uint32_t> words;
};

/// One kernel launch, as the driver hands it to the SM.
struct Launch {
  Extent grid;                      ///< in blocks
  Extent block;                     ///< in threads, 1024 at most
  Extent cluster;                   ///< in blocks, 16 at most; sm_90 and later
  std::vector<uint8_t> parameters;  ///< the kernel's arguments, laid out as in its .nv.info
  /// Constant banks other than bank 0, by number, in place of those that the program comes with
  /// (Program::constants): what the host has written to __constant__ variables (bank 3), the
  /// addresses of device variables (bank 4).
  std::map<uint8_t, std::vector<uint8_t>> constants;
  /// Generic address of bank 3, where device memory has its bytes too; 0 if nothing points
  /// there.
  uint64_t constant_address = 0;
  uint32_t shared_bytes = 0;       ///< dynamic shared memory, added to the program's own
  uint32_t local_bytes = 0x10000;  ///< a thread's local memory; the stack pointer starts there
  std::vector<InitialRegister> registers;
  /// All blocks run at the same time, and the grid has the workspace that its barrier needs.
  bool is_cooperative = false;

  uint64_t blocks() const { return grid.count(); }
  uint64_t warps_per_block() const {
    return block.count() / kLanes + (block.count() % kLanes != 0);
  }
  uint64_t warps() const { return product_of(blocks(), warps_per_block()); }
};

/// The clusters of a launch: as it says, else as the code does. Throws InputError if they
/// differ, where the grid is not made of whole clusters, and for clusters before sm_90.
Extent cluster_of(const Program& program, const Launch& launch);

/// All blocks of the grid, cluster by cluster and by their ranks; empty if each is alone.
std::vector<uint32_t> blocks_by_cluster(const Program& program, const Launch& launch);
std::vector<uint32_t> blocks_by_cluster(const Extent& grid, const Extent& cluster);

/// Throws InputError at `where` for more shared memory, static and dynamic, than a block may have.
void check_shared_memory(const Program& program, const Launch& launch, const Position& where = {});

/// The time, for a launch that is executed while it is timed.
struct LaunchClock {
  uint64_t cycle = 0;   ///< of the SM's clock, since the launch began
  uint32_t mhz = 1000;  ///< the SM's clock
  /// Who knows how long copies take; nullptr: they are over at once, and no warp is held for them.
  LaunchEvents* events = nullptr;
};

struct MachineOptions {
  /// Warp instructions that all warps together may execute before the launch is taken for endless.
  static constexpr uint64_t kStepLimit = uint64_t{1} << 25;
  uint64_t step_limit = kStepLimit;
  /// Reports a fault at which hardware stops to the observer, and continues where possible.
  bool go_on_after_faults = false;
  /// Keep every warp's registers for Outcome::warps.
  bool keep_registers = false;
  /// What clock and timer registers read; nullptr: there is no time, and they read how many
  /// instructions the warp has executed.
  const LaunchClock* clock = nullptr;
  /// Notes how many bits of the values toggle; nullptr: nothing does.
  BitActivity* activity = nullptr;
  /// Receives what the kernel's printf prints, a call of a thread at a time; empty: nothing does.
  std::function<void(const std::string& text)> print = {};
};

using LaneAddresses = std::array<uint64_t, kLanes>;

/// One executed warp instruction, as an observer sees it.
struct ExecutedStep {
  uint32_t block = 0;  ///< linear index in the grid
  uint32_t warp = 0;   ///< index in the block
  uint32_t index = 0;  ///< into Program::code
  /// Lanes that execute; for a branch of sm_70 or later, lanes that take it. May be none.
  LaneMask lanes = 0;
  const LaneMap* lane_map = nullptr;  ///< SHFL only
  /// Memory instructions: byte addresses; BAR with registers: packed_barrier() in all lanes; MATCH
  /// and WARPSYNC with a register: what the lanes have there.
  const LaneAddresses* addresses = nullptr;
  LaneMask up_clamped = 0;  ///< SHFL.UP only: lanes whose clamp is not 0
  LaneMask active = 0;      ///< `lanes` and those that the guard keeps from it
  /// What a step does with copies and with barriers in shared memory, as a trace keeps it in the
  /// place of the addresses (isa/machine/asynchronous_row.h); nullptr: nothing.
  const LaneAddresses* asynchronous = nullptr;
};

/// A use of an undefined value that can be seen from outside the thread.
struct UndefinedUse {
  uint32_t block = 0;
  uint32_t warp = 0;
  uint32_t index = 0;     ///< into Program::code
  LaneMask lanes = 0;     ///< lanes concerned
  const char* what = "";  ///< "stores an undefined value", "branches on an undefined predicate"
};

/// Told of everything that is executed, in order within each warp.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  virtual void on_step(const ExecutedStep& /*step*/) {}
  virtual void on_undefined_use(const UndefinedUse& /*use*/) {}
  /// All warps of the block have ended.
  virtual void on_block_end(uint32_t /*block*/) {}
};

/// What a warp leaves behind.
struct WarpRegisters {
  std::vector<LaneValues> values;  ///< by register number
  std::array<LaneMask, 8> predicates{};
};

struct Outcome {
  uint64_t warp_instructions = 0;    ///< executed warp instructions, also with no executing lane
  uint64_t lane_instructions = 0;    ///< executed instructions summed over executing lanes
  uint32_t shared_bytes = 0;         ///< a block's shared memory: as declared, or as touched
  std::vector<WarpRegisters> warps;  ///< block by block; empty unless keep_registers
};

/// What keeps the program from being executed, whatever the launch: its first instruction that the
/// machine has no part for. "" if there is none.
std::string refusal_of(const Program& program);
/// What keeps an instruction from being executed, without its place.
std::string refusal_of_line(const Instruction& instruction);

/// Runs the launch to its end. `memory` holds the buffers that pointers in the parameters refer to.
///
/// A SHFL read from a lane that does not execute delivers 0 (what an H200 returned in all 65,960
/// measured cases) and an *undefined* mark, which follows the value through registers, predicates
/// and memory; a store of it, a branch on it and an address from it are reported to the observer.
///
/// Throws InputError, naming kernel and address: before anything runs, for an operation or a form
/// of it that the machine does not execute, for registers that cannot hold a value together, for
/// constants that the launch does not provide, for more shared memory than a block may have and for
/// more warps than the step limit has room for; while running, for an access outside every buffer,
/// warps that wait for a barrier which cannot complete, lanes that wait for each other in different
/// places or give a membermask without themselves, control flow without its token, and a launch
/// beyond the step limit.
Outcome execute(const Program& program, const Launch& launch, DeviceMemory& memory,
                StepObserver& observer, const MachineOptions& options = {});

}  // namespace shflsim::isa
