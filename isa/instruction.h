// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "isa/control.h"

namespace shflsim::isa {

constexpr uint8_t kRZ = 255;  ///< register that reads as zero and drops what is written
constexpr uint8_t kPT = 7;    ///< predicate that is always true and drops what is written

/// Operation, one per mnemonic of isa/opcodes.inc ("FADD", "SHFL", ...).
enum class Op : uint8_t {
#define OP(name, pipe, latency, stall) k##name,
#define FORM(op, letter, pattern, mask, text)
#define FORM64(op, letter, pattern, mask, text)
#include "isa/opcodes.inc"
#undef OP
#undef FORM
#undef FORM64
  kCount
};

/// A modifier or enumerated field, one per line of isa/modifiers.inc (".FTZ", the rounding...).
enum class Mod : uint8_t {
#define MOD(name, ...) k_##name,
#include "isa/modifiers.inc"
#undef MOD
  kCount
};

/// Pipe of the SM that an operation takes. The math pipes of a sub-partition stand first: five that
/// there are, then what takes one of them in another way.
enum class Pipe : uint8_t {
  kFmai,          ///< the multiply-add pipe
  kFxu,           ///< the fixed-point pipe
  kDouble,        ///< double precision
  kHalf,          ///< two half-precision values a register; Volta and later
  kTensor,        ///< the matrix unit; Volta and later
  kFmaiFxu,       ///< whichever of the multiply-add and the fixed-point pipe is free
  kMultiply,      ///< the multiply-add pipe for an integer product of 32 bits; Volta and later
  kWideMultiply,  ///< the same, of 64 bits
  kXu,            ///< special functions and conversions, behind the MIO queue
  kShuffle,       ///< the shuffle unit, behind the MIO queue
  kShared,        ///< shared memory and barriers, behind the MIO queue
  kGlobal,        ///< global, local, generic and texture memory
  kSpecial,       ///< special registers, constants by address: returns out of order
  kBranch,        ///< branch unit
  kFrontEnd,      ///< handled at issue: NOP, DEPBAR; the uniform data path of Volta and later
};
constexpr unsigned kPipes = 15;
constexpr unsigned kMathPipes = 5;  ///< that a sub-partition has
constexpr bool is_math(Pipe pipe) { return pipe <= Pipe::kWideMultiply; }
/// True for the pipes behind the MIO queue.
constexpr bool is_mio(Pipe pipe) { return pipe >= Pipe::kXu && pipe <= Pipe::kSpecial; }
/// "fmai", "shuffle", ...: what trace files call it.
const char* pipe_name(Pipe pipe);

/// How a result's readiness is known: by the stall count, or by a scoreboard.
enum class Latency : uint8_t { kFixed, kVariable, kBranch };

/// Part that an operand plays. A..C are the sources in the order of the register fields 15:8,
/// 27:20, 46:39; D the destination; G a further immediate; P, Q predicates written; S, T, U
/// predicates read.
enum class Role : uint8_t { kD, kA, kB, kC, kG, kP, kQ, kS, kT, kU, kCount };
constexpr unsigned kRoles = static_cast<unsigned>(Role::kCount);

struct Operand {
  enum class Kind : uint8_t {
    kNone,
    kRegister,   ///< `index`, `count` consecutive registers; RZ allowed
    kPredicate,  ///< `index` 0..6, 7 = PT
    kImmediate,  ///< `value`: the 32 bits (or 64 for doubles) that the operation sees
    kConstant,   ///< c[`bank`][`value`], or c[`bank`][R`index` + `value`] where indexed
    kMemory,     ///< [R`index` + `value`]; `count` = 2 for a 64-bit address
    kTarget,     ///< branch target: absolute byte address in the kernel, in `value`
    kSpecial,    ///< special register `index`
  };
  Kind kind = Kind::kNone;
  uint8_t index = 0;
  uint8_t count = 1;    ///< registers read or written
  uint8_t bank = 0;     ///< constant bank
  uint8_t half = 0;     ///< XMAD: 1 = upper 16 bits (.H1); half ops: the operand's select field
  bool negate = false;  ///< minus; for predicates: not
  bool absolute = false;
  bool invert = false;         ///< bitwise not
  bool has_reuse_bit = false;  ///< a register in field 15:8, 27:20 or 46:39, which has a reuse bit
  bool reuse = false;          ///< the control field asks to keep it (".reuse")
  bool indexed = false;        ///< constants: a register is added to the offset
  int64_t value = 0;

  bool is(Kind k) const { return kind == k; }
  /// A real register, read or written: a register operand that is not RZ.
  bool is_live_register() const {
    return (kind == Kind::kRegister || kind == Kind::kMemory) && index != kRZ;
  }
};

/// One decoded instruction. What it says is in isa/opcodes.inc; this is its fields by name.
struct Instruction {
  uint64_t word = 0;
  uint32_t address = 0;  ///< byte address in the kernel; control words count
  uint16_t form = 0;     ///< row of the opcode table
  Op op = Op::kCount;
  uint8_t guard = kPT;
  bool guard_negate = false;
  bool sets_cc = false;  ///< writes the carry/condition code (".CC")
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
