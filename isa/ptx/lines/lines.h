// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "isa/base/input_error.h"
#include "isa/ptx/lines/operation.h"

namespace shflsim::isa::ptx {

/// SPA 5.0 code before registers are allocated: basic blocks of lines whose registers are virtual.

/// A register of the PTX text or a temporary one.
struct VirtualRegister {
  std::string name;       ///< "" for a temporary
  uint8_t width = 1;      ///< 32-bit registers: 1, 2 or 4; 0: a predicate
  bool keep = false;      ///< has a register of its own throughout, to be set and seen from outside
  bool is_short = false;  ///< short-lived copy of a spilled register; never spilled again
  int fixed = -1;         ///< number of the hardware register that it must have; -1: any
};

/// Which part of a register's 32 bits an operand is.
enum class Piece : uint8_t { kAll, kUpperHalf, kLowerHalfTwice, kByte1, kByte2, kByte3 };

/// One operand of a line.
struct Term {
  enum class Kind : uint8_t {
    kZero,      ///< RZ
    kTrue,      ///< PT
    kRegister,  ///< a virtual register, or predicate
    kNumber,
    kFloat,     ///< a float of 32 bits: these are in `value`
    kSpecial,   ///< special register `value`
    kConstant,  ///< c[bank][offset], plus a register where there is one
    kMemory,    ///< [register + offset]
  };
  Kind kind = Kind::kZero;
  uint8_t part = 0;   ///< the first of the register's 32-bit parts that the operand names
  uint8_t width = 1;  ///< number of 32-bit parts, 0 for a predicate
  bool written = false;
  bool negate = false;  ///< -x; of a predicate: not
  bool invert = false;
  bool absolute = false;
  Piece piece = Piece::kAll;
  uint8_t bank = 3;     ///< kConstant
  bool beyond = false;  ///< kMemory: counted from the end of the frame (isa/ptx/lines/frames.h)
  uint8_t through = 0;  ///< the register that passes the word (isa/ptx/lines/convention.h); 0: none
  int id = -1;          ///< virtual register or predicate; -1 for none
  int64_t offset = 0;   ///< kMemory, kConstant
  int64_t value = 0;

  bool is(Kind other) const { return kind == other; }
  bool is_register() const { return id >= 0; }
  bool has_sign() const { return negate || invert || absolute; }
  bool has_sign_of(const Term& other) const {
    return negate == other.negate && invert == other.invert && absolute == other.absolute;
  }
  bool is_whole() const { return piece == Piece::kAll && !absolute; }
  /// PT, and not its opposite.
  bool is_true() const { return kind == Kind::kTrue && !negate; }
};

/// What a call by pointer names: its first operand says where the function begins.
constexpr const char* kByPointer = "$pointer";
/// What names the place behind the next instruction.
constexpr const char* kBehindNext = "$behind";

/// One instruction.
struct Line {
  Operation operation;
  std::vector<Term> terms;
  bool sets_cc = false;  ///< writes a carry (".CC")
  int guard = -1;        ///< virtual predicate
  bool guard_negate = false;
  int target = -1;               ///< block that SSY or BRA names, behind the terms
  std::string callee;            ///< name of the function that CAL calls
  bool keeps_order = false;      ///< an access that others of its space do not move past
  std::vector<Term> membermask;  ///< at most one, of shfl.sync: no operand, but kept alive
  Position where;

  Op op() const { return operation.op(); }
  bool has(Mod mod) const { return operation.has(mod); }
  bool is(Mod mod, uint8_t value) const { return operation.is(mod, value); }
};

inline bool is_call(const Line& line) { return line.op() == Op::kCAL; }

/// Lines that run one after the other, and what follows: the end, `next`, or a choice by `guard`.
struct Block {
  std::vector<Line> lines;
  int guard = -1;
  bool guard_negate = false;
  int taken = -1;                 ///< where the threads with the guard true go
  int next = -1;                  ///< where the others go; -1: they end
  bool uniform = false;           ///< the text says that all threads decide alike
  bool is_found_uniform = false;  ///< find_uniform_choices() says so
  Position where;
};

/// A function in this form. Block 0 is the entry and has no predecessor.
struct Code {
  std::vector<VirtualRegister> registers;
  std::vector<Block> blocks;
  bool is_called = false;    ///< not a kernel: it returns, and R1 points to its frame
  int stack_pointer = -1;    ///< virtual register that is R1; -1: none
  uint64_t frame_bytes = 0;  ///< local memory of the frame (isa/ptx/lines/frames.h)
};

/// Variables of a module whose addresses stand in the bank of addresses: their places there.
using UsedGlobals = std::map<std::string, size_t>;

/// Places SSY and SYNC so that threads which part at a branch join where the branch's paths meet,
/// ends blocks with BRA and EXIT, and returns the order in which the blocks stand in memory.
/// Blocks may be added. Throws InputError for control flow whose paths cannot be joined.
std::vector<int> place_control_flow(Code& code);

/// The number of the (first) register or predicate of each virtual one; pairs start at even
/// numbers. Throws NoRoom if 255 registers or 7 predicates are not enough.
std::vector<uint8_t> allocate(const Code& code, const Position& where);

/// Registers to be spilled, so that at most `registers` and `predicates` are in use at once, and at
/// most `preserved` registers and no predicates over calls. Registers that are used least per line
/// come first.
struct Room {
  unsigned registers = 0;
  unsigned predicates = 0;
  unsigned preserved = 0;
};
std::set<int> too_many_for(const Code& code, const Room& room, const Position& where);

}  // namespace shflsim::isa::ptx
