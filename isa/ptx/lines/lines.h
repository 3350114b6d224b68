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
  bool keep = false;      ///< has one hardware register in the whole function, visible from outside
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
    kFloat,     ///< a 32-bit float, whose bits are in `value`
    kSpecial,   ///< special register `value`
    kConstant,  ///< c[bank][offset], plus a register if there is one
    kMemory,    ///< [register + offset]
  };
  Kind kind = Kind::kZero;
  uint8_t part = 0;   ///< the first of the register's 32-bit parts that the operand names
  uint8_t width = 1;  ///< number of 32-bit parts, 0 for a predicate
  bool written = false;
  bool negate = false;  ///< -x; for a predicate: not
  bool invert = false;
  bool absolute = false;
  Piece piece = Piece::kAll;
  uint8_t bank = 3;     ///< kConstant
  bool beyond = false;  ///< kMemory: relative to the end of the frame (isa/ptx/lines/frames.h)
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
  /// True for PT, but not for !PT.
  bool is_true() const { return kind == Kind::kTrue && !negate; }
};

/// The callee of a call by pointer, whose first operand is the function's address.
constexpr const char* kByPointer = "$pointer";
/// The callee that means the place after the next instruction.
constexpr const char* kBehindNext = "$behind";

/// One instruction.
struct Line {
  Operation operation;
  std::vector<Term> terms;
  bool sets_cc = false;  ///< writes a carry (".CC")
  int guard = -1;        ///< virtual predicate
  bool guard_negate = false;
  int target = -1;           ///< target block of SSY or BRA
  std::string callee;        ///< name of the function that CAL calls
  bool keeps_order = false;  ///< an access that other accesses of its space must not pass
  /// At most one, of an operation of several lanes: not an operand, but kept live.
  std::vector<Term> membermask;
  Position where;

  Op op() const { return operation.op(); }
  bool has(Mod mod) const { return operation.has(mod); }
  bool is(Mod mod, uint8_t value) const { return operation.is(mod, value); }
};

inline bool is_call(const Line& line) { return line.op() == Op::kCAL; }

/// A basic block: its lines, and what follows: the end, `next`, or a choice by `guard`.
struct Block {
  std::vector<Line> lines;
  int guard = -1;
  bool guard_negate = false;
  int taken = -1;                 ///< successor of threads whose guard is true
  int next = -1;                  ///< successor of the others; -1: they end
  bool uniform = false;           ///< the text says that all threads decide alike (.uni)
  bool is_found_uniform = false;  ///< find_uniform_choices() has found that they do
  Position where;
};

/// A function in this form. Block 0 is the entry and has no predecessor.
struct Code {
  std::vector<VirtualRegister> registers;
  std::vector<Block> blocks;
  bool is_called = false;    ///< not a kernel: it returns, and R1 points to its frame
  int stack_pointer = -1;    ///< virtual register for R1; -1: none
  uint64_t frame_bytes = 0;  ///< local memory of the frame (isa/ptx/lines/frames.h)
};

/// Variables of a module whose addresses are in the bank of addresses: their indices there.
using UsedGlobals = std::map<std::string, size_t>;

/// Places SSY and SYNC so that threads that diverge at a branch join where the branch's paths meet,
/// ends blocks with BRA and EXIT, and returns the order of the blocks in memory. Blocks may be
/// added. Throws InputError for control flow whose paths cannot be joined.
std::vector<int> place_control_flow(Code& code);

/// The number of the (first) register or predicate of each virtual one; pairs start at even
/// numbers. Throws NoRoom if 255 registers or 7 predicates are not enough.
std::vector<uint8_t> allocate(const Code& code, const Position& where);

/// Limits for too_many_for(), which returns registers to be spilled so that at most `registers` and
/// `predicates` are in use at once, and at most `preserved` registers and no predicates across
/// calls. Registers with the fewest uses per line are chosen first.
struct Room {
  unsigned registers = 0;
  unsigned predicates = 0;
  unsigned preserved = 0;
};
std::set<int> too_many_for(const Code& code, const Room& room, const Position& where);

}  // namespace shflsim::isa::ptx
