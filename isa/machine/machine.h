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

/// The functional machine: executes a grid of thread blocks, bit for bit and without timing. Blocks
/// (clusters, if there are any) run one after the other in linear order, or take turns in a
/// cooperative launch; the warps of a block take turns. A launch always gives the same trace.

struct Extent {
  uint32_t x = 1;
  uint32_t y = 1;
  uint32_t z = 1;
  /// The number of elements; saturates at the highest number.
  uint64_t count() const { return product_of(uint64_t{x} * y, z); }
};

/// Initial values of a register: one 32-bit word per lane, warp by warp and block by block; threads
/// beyond the last word start with zero.
struct InitialRegister {
  uint8_t index = 0;
  std::vector<uint32_t> words;
};

/// One kernel launch, as the driver passes it to the SM.
struct Launch {
  Extent grid;                      ///< in blocks
  Extent block;                     ///< in threads, 1024 at most
  Extent cluster;                   ///< in blocks, 16 at most; sm_90 and later
  std::vector<uint8_t> parameters;  ///< the kernel's arguments, laid out as in its .nv.info
  /// Constant banks other than bank 0, by number; they replace the program's banks
  /// (Program::constants). Bank 3 has the values that the host has written to __constant__
  /// variables, bank 4 the addresses of device variables.
  std::map<uint8_t, std::vector<uint8_t>> constants;
  /// Generic address of a copy of bank 3 in device memory; 0 if nothing points to the
  /// bank.
  uint64_t constant_address = 0;
  uint32_t shared_bytes = 0;       ///< dynamic shared memory, added to the program's own
  uint32_t local_bytes = 0x10000;  ///< a thread's local memory; the stack pointer starts at its end
  std::vector<InitialRegister> registers;
  /// All blocks run at the same time, and the grid has the workspace that its barrier needs.
  bool is_cooperative = false;
  uint32_t chip_sms = 0;  ///< SMs of the chip, %nsmid; 0: unknown, and no code may read it
  uint64_t number = 0;    ///< of the launch in its program, %gridid, from 1; 0: likewise

  uint64_t blocks() const { return grid.count(); }
  uint64_t warps_per_block() const {
    return block.count() / kLanes + (block.count() % kLanes != 0);
  }
  uint64_t warps() const { return product_of(blocks(), warps_per_block()); }
};

/// The cluster size of a launch: the launch's, or else the code's. Throws InputError if they
/// differ, if the grid does not consist of whole clusters, and for clusters before sm_90.
Extent cluster_of(const Program& program, const Launch& launch);

/// All blocks of the grid, cluster by cluster in the order of ranks; empty without clusters.
std::vector<uint32_t> blocks_by_cluster(const Program& program, const Launch& launch);
std::vector<uint32_t> blocks_by_cluster(const Extent& grid, const Extent& cluster);

/// Throws InputError at `where` for more shared memory, static and dynamic, than a block may have.
void check_shared_memory(const Program& program, const Launch& launch, const Position& where = {});

/// The clock of a launch that is executed while it is timed.
struct LaunchClock {
  uint64_t cycle = 0;   ///< cycles of the SM's clock since the launch began
  uint32_t mhz = 1000;  ///< frequency of the SM's clock
  /// Decides how long copies take; nullptr: they are over at once, and no warp waits for them.
  LaunchEvents* events = nullptr;
};

struct MachineOptions {
  /// Warp instructions of all warps together after which the launch is considered endless.
  static constexpr uint64_t kStepLimit = uint64_t{1} << 25;
  uint64_t step_limit = kStepLimit;
  /// Reports a fault at which hardware stops to the observer, and continues where possible.
  bool go_on_after_faults = false;
  /// Words of constant bank 0 that the launch does not fill read 0: for runs of which only the
  /// times matter. Else reading them is a fault.
  bool has_unfilled_words = false;
  /// Keeps every warp's registers for Outcome::warps.
  bool keep_registers = false;
  /// Receives the output of the kernel's printf, one call of one thread at a time; empty: dropped.
  std::function<void(const std::string& text)> print = {};
};

using LaneAddresses = std::array<uint64_t, kLanes>;

/// One executed warp instruction, for an observer.
struct ExecutedStep {
  uint32_t block = 0;  ///< linear index in the grid
  uint32_t warp = 0;   ///< index in the block
  uint32_t index = 0;  ///< into Program::code
  /// Lanes that execute; for a branch of sm_70 or later, lanes that take it. May be none.
  LaneMask lanes = 0;
  const LaneMap* lane_map = nullptr;  ///< SHFL only
  /// Memory instructions: byte addresses; BAR with registers: packed_barrier() in all lanes; MATCH
  /// and WARPSYNC with a register: the lanes' values of that register.
  const LaneAddresses* addresses = nullptr;
  LaneMask up_clamped = 0;  ///< SHFL.UP only: lanes whose clamp is not 0
  LaneMask active = 0;      ///< `lanes` and the lanes whose guard is false
  /// Actions of a step with copies or with barriers in shared memory, which a trace keeps instead
  /// of the addresses (isa/machine/asynchronous_row.h); nullptr: none.
  const LaneAddresses* asynchronous = nullptr;
};

/// A use of an undefined value that is visible outside the thread.
struct UndefinedUse {
  uint32_t block = 0;
  uint32_t warp = 0;
  uint32_t index = 0;     ///< into Program::code
  LaneMask lanes = 0;     ///< lanes concerned
  const char* what = "";  ///< "stores an undefined value", "branches on an undefined predicate"
};

/// Is called for every executed instruction, in order within each warp.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  virtual void on_step(const ExecutedStep& /*step*/) {}
  virtual void on_undefined_use(const UndefinedUse& /*use*/) {}
  /// All warps of the block have ended.
  virtual void on_block_end(uint32_t /*block*/) {}
};

/// The final registers of a warp.
struct WarpRegisters {
  std::vector<LaneValues> values;  ///< by register number
  std::array<LaneMask, 8> predicates{};
};

struct Outcome {
  uint64_t warp_instructions = 0;    ///< executed warp instructions, also without an executing lane
  uint64_t lane_instructions = 0;    ///< executed instructions summed over executing lanes
  uint32_t shared_bytes = 0;         ///< a block's shared memory: as declared, or as touched
  std::vector<WarpRegisters> warps;  ///< block by block; empty unless keep_registers
};

/// Why the program cannot be executed by any launch: the first instruction that the machine does
/// not support. "" if there is none.
std::string refusal_of(const Program& program);
/// Why an instruction cannot be executed, without its place; "" if it can.
std::string refusal_of_line(const Instruction& instruction);

/// Runs the launch to its end. `memory` has the buffers to which pointers in the parameters point.
///
/// A SHFL read from a lane that does not execute delivers 0 (what an H200 returned in all 65,960
/// measured cases) and an *undefined* mark, which follows the value through registers, predicates
/// and memory; a store of it, a branch on it and an address from it are reported to the observer.
///
/// Throws InputError, naming kernel and address. Before execution: for an operation or form that
/// the machine does not execute, for misaligned registers of a wide value, for constants that the
/// launch does not provide, for more shared memory than a block may have, and for more warps than
/// the step limit allows. During execution: for an access outside every buffer, warps that wait for
/// a barrier that cannot complete, lanes that wait for each other in different places or give a
/// membermask without themselves, control flow without its token, and a launch beyond the step
/// limit.
Outcome execute(const Program& program, const Launch& launch, DeviceMemory& memory,
                StepObserver& observer, const MachineOptions& options = {});

}  // namespace shflsim::isa
