// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "isa/base/word.h"
#include "isa/codec/arch.h"
#include "isa/codec/control.h"

namespace shflsim::isa {

constexpr uint8_t kRZ = 255;  ///< register that reads as zero and drops what is written
constexpr uint8_t kPT = 7;    ///< predicate that is always true and drops what is written

/// Operation, one per mnemonic: kFADD, kSHFL, ... of isa/codec/opcodes.inc for SPA 5.0, followed by
/// kSm70_FADD, kSm70_SHFL, ... of isa/codec/sm70_opcodes.inc for sm_70 and later.
enum class Op : uint16_t {
#define OPCODES(name) k##name,
#define SM70_OPCODES(name)
#include "isa/codec/op_names.inc"
#undef OPCODES
#undef SM70_OPCODES
  kFirstSm70Op,
  kLastMaxwellOp = kFirstSm70Op - 1,  // kFirstSm70Op is the next value
#define OPCODES(name)
#define SM70_OPCODES(name) kSm70_##name,
#include "isa/codec/op_names.inc"
#undef OPCODES
#undef SM70_OPCODES
  kCount
};

/// A modifier or enumerated field, one per line of isa/codec/modifiers.inc (".FTZ", the
/// rounding...).
enum class Mod : uint16_t {
#define MOD(name, ...) k_##name,
#include "isa/codec/modifiers.inc"
#undef MOD
  kCount
};

/// Pipe of the SM that an operation takes. The math pipes of a sub-partition come first: five
/// physical pipes, then special uses of these.
enum class Pipe : uint8_t {
  kFmai,          ///< the multiply-add pipe
  kFxu,           ///< the fixed-point pipe
  kDouble,        ///< double precision
  kHalf,          ///< two half-precision values per register; Volta and later
  kTensor,        ///< the matrix unit; Volta and later
  kFmaiFxu,       ///< whichever of the multiply-add and the fixed-point pipe is free
  kMultiply,      ///< the multiply-add pipe for 32-bit integer products; Volta and later
  kWideMultiply,  ///< the multiply-add pipe for 64-bit integer products; Volta and later
  kXu,            ///< special functions and conversions, behind the MIO queue
  kShuffle,       ///< the shuffle unit, behind the MIO queue
  kShared,        ///< shared memory and barriers, behind the MIO queue
  kGlobal,        ///< global, local, generic and texture memory
  kSpecial,       ///< special registers, indexed constants: results return out of order
  kBranch,        ///< branch unit
  kFrontEnd,      ///< handled at issue: NOP, DEPBAR; the uniform data path of Volta and later
};
constexpr unsigned kPipes = 15;
constexpr unsigned kMathPipes = 5;  ///< math pipes of a sub-partition
constexpr bool is_math(Pipe pipe) { return pipe <= Pipe::kWideMultiply; }
/// True for the pipes behind the MIO queue.
constexpr bool is_mio(Pipe pipe) { return pipe >= Pipe::kXu && pipe <= Pipe::kSpecial; }
/// The pipe's name in trace files: "fmai", "shuffle", ...
const char* pipe_name(Pipe pipe);

/// What tells that a result is available: the stall count, or a scoreboard.
enum class Latency : uint8_t { kFixed, kVariable, kBranch };

/// What an operation does besides computing, as far as timing depends on it: the column `kind` of
/// the opcode tables.
enum class OpKind : uint8_t {
  kPlain,
  kUniform,  ///< arithmetic of uniform registers
  kLoad,
  kLocalLoad,    ///< LDL
  kMatrixLoad,   ///< matrices of shared memory, which come one after another
  kStore,        ///< has no result: nothing waits for it
  kLocalStore,   ///< STL
  kAtomic,       ///< ATOM: reads and writes memory, and has a result
  kAtomicStore,  ///< RED: an atomic without a result
  kConstantLoad,
  kUniformLoad,    ///< ULDC
  kBarrier,        ///< BAR, of a block
  kBarrierState,   ///< B2R, R2B
  kSharedBarrier,  ///< SYNCS.EXCH, SYNCS.CCTL: begins or ends a barrier in shared memory
  kSharedArrival,  ///< SYNCS.ARRIVE: arrives at such a barrier
  kSharedCheck,    ///< SYNCS.PHASECHK: tests whether a phase of such a barrier is over
  kReduction,      ///< REDUX
  kMatch,
  /// F2I, I2F, FRND: slower if the source has 64 bits; F2F is not (measured: double_many).
  kConversion,
  kMatrix,
  kToUniform,  ///< S2UR: a special register to a uniform one
  kFence,      ///< MEMBAR
  kNop,
  kJump,          ///< BRA
  kIndirectJump,  ///< BRX
  kFarJump,       ///< JMP, JMX
  kCall,
  kReturn,
  kExit,
  kConvergence,  ///< BSYNC
  kWarpSync,
  kSetEnd,         ///< ENDCOLLECTIVE
  kBulkCopy,       ///< UBLKCP and similar: an asynchronous copy
  kBulkCommit,     ///< UTMACMDFLUSH: holds a scoreboard until the warp's copies are over
  kClusterBarrier  ///< UCGABAR: arrives at the barrier of the block's cluster, or waits at it
};

/// SYNCS: all operations on barriers in shared memory.
constexpr bool is_of_shared_barrier(OpKind kind) {
  return kind == OpKind::kSharedBarrier || kind == OpKind::kSharedArrival ||
         kind == OpKind::kSharedCheck;
}

/// Role of an operand. A to C are the sources (SPA 5.0: in the order of the register fields 15:8,
/// 27:20, 46:39); D is the destination; G and H are further immediates or registers; P and Q are
/// predicates that are written; S, T and U are predicates that are read.
enum class Role : uint8_t { kD, kA, kB, kC, kG, kH, kP, kQ, kS, kT, kU, kCount };
constexpr unsigned kRoles = static_cast<unsigned>(Role::kCount);

struct Operand {
  enum class Kind : uint8_t {
    kNone,
    kRegister,          ///< `index`, `count` consecutive registers; RZ allowed
    kPredicate,         ///< `index` 0..6, 7 = PT
    kImmediate,         ///< `value`: the 32 bits (64 for doubles) that the operation uses
    kConstant,          ///< c[`bank`][`value`], or c[`bank`][R`index` + `value`] if indexed
    kMemory,            ///< [R`index` + `value`]; `count` = 2 for a 64-bit address
    kTarget,            ///< branch target: absolute byte address in the kernel, in `value`
    kSpecial,           ///< special register `index`
    kUniform,           ///< uniform register `index`; URZ is kRZ on every architecture
    kUniformPredicate,  ///< `index` 0..6, 7 = UPT
    kConvergence,       ///< convergence barrier B`index`
  };
  Kind kind = Kind::kNone;
  uint8_t index = 0;
  uint8_t count = 1;    ///< registers read or written
  uint8_t bank = 0;     ///< constant bank
  uint8_t half = 0;     ///< XMAD: 1 = upper 16 bits (.H1); half ops: the operand's select field
  bool negate = false;  ///< minus; for predicates: not
  bool absolute = false;
  bool invert = false;  ///< bitwise not
  static constexpr uint8_t kNoReuseBit = 0xFF;
  uint8_t reuse_bit =
      kNoReuseBit;       ///< registers in field 15:8, 27:20 or 46:39: their bit of Control::reuse
  bool reuse = false;    ///< the control field asks to keep it (".reuse")
  bool indexed = false;  ///< constants: a register is added to the offset
  bool has_uniform = false;    ///< memory: UR`uniform` is part of the address; constants: see below
  bool is_descriptor = false;  ///< memory: UR holds a descriptor: desc[UR][R]
  bool is_shown = true;        ///< the descriptor is part of the text
  bool is_wide = false;        ///< R of an address with UR has 64 bits: ".64", not ".U32"
  uint8_t uniform = kRZ;       ///< constants: of cx[UR][value], or of c[`bank`][UR + value]
  uint8_t scale = 0;           ///< shared memory: R is multiplied by 1, 4, 8, 16 for 0 to 3
  int64_t value = 0;

  bool is(Kind k) const { return kind == k; }
  /// True for a register operand, or an address with a register, that is not RZ.
  bool is_live_register() const {
    return (kind == Kind::kRegister || kind == Kind::kMemory) && index != kRZ;
  }
};

/// One decoded instruction: its fields by name. isa/codec/opcodes.inc and
/// isa/codec/sm70_opcodes.inc describe the encodings.
struct Instruction {
  Word word;
  Word rest;             ///< sm_70 and later: unnamed bits that differ from the form's pattern
  uint32_t address = 0;  ///< byte address in the kernel; SPA 5.0: control words count
  uint16_t form = 0;     ///< row of the architecture's opcode table
  Op op = Op::kCount;
  Arch arch = Arch::kSm50;
  uint8_t guard = kPT;
  bool guard_negate = false;
  bool guard_is_uniform = false;  ///< UP, not P
  bool sets_cc = false;           ///< writes the carry/condition code (".CC")
  Control control;
  std::array<Operand, kRoles> operands{};
  std::array<uint8_t, static_cast<size_t>(Mod::kCount)> mods{};

  const Operand& operator[](Role role) const { return operands[static_cast<size_t>(role)]; }
  Operand& operator[](Role role) { return operands[static_cast<size_t>(role)]; }
  uint8_t operator[](Mod mod) const { return mods[static_cast<size_t>(mod)]; }
  uint8_t& operator[](Mod mod) { return mods[static_cast<size_t>(mod)]; }
  bool has_guard() const { return guard != kPT || guard_negate; }
};

}  // namespace shflsim::isa
