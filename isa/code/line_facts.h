// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "isa/code/footprint.h"
#include "isa/codec/control.h"
#include "isa/codec/instruction.h"

namespace shflsim::isa {

/// Where a warp continues after an instruction, and what its lanes wait for. Trace files contain
/// the numbers of this enumeration and of those below (traces/FORMAT.md).
enum class Branch : uint8_t {
  kNone,
  kJump,          ///< BRA
  kWarpJump,      ///< BRA.DIV, BRA.CONV: takes all lanes or none
  kIndirectJump,  ///< BRX
  kFarJump,       ///< JMP, JMX
  kCall,
  kIndirectCall,  ///< CALL to an address in a register
  kReturn,
  kExit,
  kConvergence,  ///< BSYNC
  kWarpSync,     ///< WARPSYNC
  kSetSync,      ///< WARPSYNC with the lanes in a register
  kSetEnd,       ///< ENDCOLLECTIVE
};

/// How an instruction accesses global memory through the caches.
enum class AccessKind : uint8_t {
  kLoad,
  kReadOnlyLoad,  ///< LDG.CI, LDG.CONSTANT
  kPastL1Load,    ///< LDG.STRONG.GPU, .CG, .CV: data that other SMs may have written
  kStore,
  kAtomic,  ///< ATOM and RED: executed by the L2
};

/// True for reads that leave the memory as it is, also for those whose data goes to shared memory.
constexpr bool is_load(AccessKind kind) {
  return kind != AccessKind::kStore && kind != AccessKind::kAtomic;
}
struct AccessFacts {
  AccessKind kind = AccessKind::kLoad;
  bool is_local = false;  ///< LDL, STL: addresses are each thread's own
  bool swaps = false;     ///< compare-and-swap
  bool spins = false;     ///< ATOMS.CAST.SPIN: one of the lanes on a word may swap, others fail

  /// True if other threads may see a value that the instruction writes.
  bool writes() const {
    return !is_local && (kind == AccessKind::kStore || kind == AccessKind::kAtomic);
  }
};

/// The scope of a MEMBAR that waits for the L2: chip or system. A MEMBAR of block scope is kNone,
/// since it has no effect beyond the order that stores have anyway.
enum class Fence : uint8_t { kNone, kChip, kSystem };

/// Matrix products: the first factor has one or two registers, four registers, or doubles.
enum class MatrixProduct : uint8_t { kNone, kSmall, kLarge, kDouble };

/// An operand c[bank][offset].
struct ConstantOperand {
  bool exists = false;
  bool is_indexed = false;  ///< a register is added: each step contains the offset
  uint8_t bank = 0;
  uint16_t offset = 0;
};

/// Operands of a BAR: one of the block's 16 barriers, and what the BAR does with it.
struct BarrierOperands {
  bool stops = true;          ///< SYNC and RED wait; ARV arrives and continues
  bool reduces = false;       ///< BAR.RED
  bool in_registers = false;  ///< number or threads are in registers and differ from step to step
  uint8_t number = 0;         ///< 0..15
  uint16_t threads = 0;       ///< threads that have to arrive; 0: all threads of the block
};
/// Number and threads as one value, which a step contains instead of addresses.
constexpr uint64_t packed_barrier(uint32_t number, uint32_t threads) {
  return uint64_t{threads} << 4 | number;
}
void unpack_barrier(uint64_t packed, BarrierOperands* operands);

/// The scoreboards that a DEPBAR waits for.
struct ScoreboardWait {
  uint8_t mask = 0;  ///< scoreboards...
  uint8_t most = 0;  ///< ...until at most this many of their operations are pending
};

/// A product of a group of four warps; 0 columns: not such a product.
struct GroupProduct {
  uint16_t columns = 0;     ///< of D
  bool is_shared = false;   ///< A is in shared memory, like B
  bool is_integer = false;  ///< IGMMA
  bool ends_group = false;  ///< WARPGROUP.DEPBAR counts it
};
/// Number of the scoreboard of product groups, after the six scoreboards of the control bits.
constexpr uint8_t kGroupScoreboard = 6;

/// All facts of a static instruction on which timing depends. They come from a decoded instruction,
/// or from a name in a foreign trace.
struct LineFacts {
  Op op = Op::kCount;  ///< kCount: the name is in no opcode table
  OpKind kind = OpKind::kPlain;
  Pipe pipe = Pipe::kFrontEnd;
  Control control;
  Footprint footprint;
  Branch branch = Branch::kNone;
  bool parts_sets = false;          ///< WARPSYNC: each set of lanes continues without the others
  uint8_t convergence_barrier = 0;  ///< BSSY, BSYNC, BMOV: of the warp, 0 to 15
  ConstantOperand constant;
  Fence fence = Fence::kNone;
  MatrixProduct matrices = MatrixProduct::kNone;
  uint8_t match_words = 0;     ///< MATCH: registers that a lane compares, else 0
  bool matches_any = false;    ///< MATCH.ANY
  bool converts_wide = false;  ///< a conversion from 64 bits
  bool is_guarded = false;
  bool is_clock_read = false;
  bool reads_cluster = false;    ///< S2R of SR_CgaCtaId, the block's number in its cluster
  bool accesses_shared = false;  ///< accesses the banks of shared memory
  bool is_store = false;         ///< has no result: its time ends when its sources are read
  uint8_t access_bytes = 4;      ///< memory: bytes that a lane reads or writes
  AccessFacts access;            ///< global memory
  BarrierOperands barrier;       ///< BAR
  ScoreboardWait scoreboard_wait;
  GroupProduct group_product;

  bool is_exit() const { return branch == Branch::kExit; }
  bool is_block_barrier() const { return kind == OpKind::kBarrier; }
  bool is_constant_load() const { return kind == OpKind::kConstantLoad; }
  /// True for a reduction over the lanes of a warp: REDUX, MATCH.
  bool is_reduction() const { return kind == OpKind::kReduction || kind == OpKind::kMatch; }
};

/// Sets the facts that follow from the operation alone.
void set_operation(Op op, LineFacts* line);
/// The facts of a decoded instruction.
LineFacts line_facts(const Instruction& instruction);
/// True if a warp executes `line` while it waits for the phase that `check` asks for, a SYNCS
/// .PHASECHK.TRYWAIT before it: arithmetic that waits neither for its scoreboard nor its predicate.
bool passes_check(const LineFacts& check, const LineFacts& line);
/// True for each form of ATOM.CAS and ATOMS.CAST.
bool is_swap(const Instruction& instruction);
/// True if the instruction reads the SM's clock or the global timer (lower or upper word).
bool reads_clock(const Instruction& instruction);

}  // namespace shflsim::isa
