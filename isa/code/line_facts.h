// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "isa/code/footprint.h"
#include "isa/codec/control.h"
#include "isa/codec/instruction.h"

namespace shflsim::isa {

/// Where a warp goes behind an instruction, and what its lanes wait for there. Trace files keep the
/// numbers of these and of the enumerations below (traces/FORMAT.md).
enum class Branch : uint8_t {
  kNone,
  kJump,          ///< BRA
  kWarpJump,      ///< BRA.DIV, BRA.CONV: takes all lanes or none
  kIndirectJump,  ///< BRX
  kFarJump,       ///< JMP, JMX
  kCall,
  kIndirectCall,  ///< CALL to where a register says
  kReturn,
  kExit,
  kConvergence,  ///< BSYNC
  kWarpSync,     ///< WARPSYNC
  kSetSync,      ///< WARPSYNC with the lanes in a register
  kSetEnd,       ///< ENDCOLLECTIVE
};

/// What an instruction of global memory asks of the caches.
enum class AccessKind : uint8_t {
  kLoad,
  kReadOnlyLoad,  ///< LDG.CI, LDG.CONSTANT
  kPastL1Load,    ///< LDG.STRONG.GPU, .CG, .CV: of what other SMs may have written
  kStore,
  kAtomic,  ///< ATOM and RED: the L2 does them
};
struct AccessFacts {
  AccessKind kind = AccessKind::kLoad;
  bool is_local = false;  ///< LDL, STL: addresses are each thread's own

  /// What other threads may see.
  bool writes() const {
    return !is_local && (kind == AccessKind::kStore || kind == AccessKind::kAtomic);
  }
};

/// MEMBAR that waits for the L2, at the scope of the chip or the whole system. One of the block's
/// scope has no effect beyond the order that stores have anyway.
enum class Fence : uint8_t { kNone, kChip, kSystem };

/// Products of matrices: of a first factor of one or two registers, of four, and of doubles.
enum class MatrixProduct : uint8_t { kNone, kSmall, kLarge, kDouble };

/// An operand c[bank][offset].
struct ConstantOperand {
  bool exists = false;
  bool is_indexed = false;  ///< a register is added: each step has the offset
  uint8_t bank = 0;
  uint16_t offset = 0;
};

/// What a BAR does with which of its block's 16 barriers.
struct BarrierOperands {
  bool stops = true;          ///< SYNC and RED wait; ARV arrives and goes on
  bool reduces = false;       ///< BAR.RED
  bool in_registers = false;  ///< number and threads are in registers and differ from step to step
  uint8_t number = 0;         ///< 0..15
  uint16_t threads = 0;       ///< threads that have to arrive; 0: all threads of the block
};
/// Number and threads as one value: what a step has in the place of addresses.
constexpr uint64_t packed_barrier(uint32_t number, uint32_t threads) {
  return uint64_t{threads} << 4 | number;
}
void unpack_barrier(uint64_t packed, BarrierOperands* operands);

/// What a DEPBAR waits for.
struct ScoreboardWait {
  uint8_t mask = 0;  ///< scoreboards...
  uint8_t most = 0;  ///< ...until at most this many of their operations are pending
};

/// A product of a group of four warps; none has no columns.
struct GroupProduct {
  uint16_t columns = 0;     ///< of D
  bool is_shared = false;   ///< A stands in shared memory, as B does
  bool is_integer = false;  ///< IGMMA
  bool ends_group = false;  ///< WARPGROUP.DEPBAR counts it
};
/// Behind the six scoreboards of the control bits: the groups of such products.
constexpr uint8_t kGroupScoreboard = 6;

/// All facts of a static instruction on which timing depends. They come from a decoded instruction,
/// or from a name in a foreign trace.
struct LineFacts {
  Op op = Op::kCount;  ///< kCount: a name that no opcode table has
  OpKind kind = OpKind::kPlain;
  Pipe pipe = Pipe::kFrontEnd;
  Control control;
  Footprint footprint;
  Branch branch = Branch::kNone;
  bool parts_sets = false;          ///< WARPSYNC: each set of lanes goes on without the others
  uint8_t convergence_barrier = 0;  ///< BSYNC: of the warp, 0 to 15
  ConstantOperand constant;
  Fence fence = Fence::kNone;
  MatrixProduct matrices = MatrixProduct::kNone;
  uint8_t match_words = 0;     ///< MATCH: registers that a lane compares, else 0
  bool matches_any = false;    ///< MATCH.ANY
  bool converts_wide = false;  ///< a conversion from 64 bits
  bool is_guarded = false;
  bool is_clock_read = false;
  bool accesses_shared = false;  ///< goes to the banks of shared memory
  bool is_store = false;         ///< has no result: its time is taken to the read of its sources
  uint8_t access_bytes = 4;      ///< memory: bytes that a lane reads or writes
  AccessFacts access;            ///< global memory
  BarrierOperands barrier;       ///< BAR
  ScoreboardWait scoreboard_wait;
  GroupProduct group_product;

  bool is_exit() const { return branch == Branch::kExit; }
  bool is_block_barrier() const { return kind == OpKind::kBarrier; }
  bool is_constant_load() const { return kind == OpKind::kConstantLoad; }
  /// Over the lanes of a warp: REDUX, MATCH.
  bool is_reduction() const { return kind == OpKind::kReduction || kind == OpKind::kMatch; }
};

/// Sets the facts that follow from the operation alone.
void set_operation(Op op, LineFacts* line);
/// Of a decoded instruction.
LineFacts line_facts(const Instruction& instruction);
/// Reads the SM's clock or the global timer, either word.
bool reads_clock(const Instruction& instruction);

}  // namespace shflsim::isa
