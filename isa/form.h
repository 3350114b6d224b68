// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/instruction.h"

namespace shflsim::isa {

/// One piece of a form's text: either letters as they stand, or a field of the word.
struct Token {
  enum class Type : uint8_t {
    kLiteral,
    kModifier,  ///< a field printed as one of its names (isa/modifiers.inc)
    kCarry,     ///< ".CC"
    kRegister,
    kPredicate,
    kConstant,  ///< c[bank][offset]
    kInteger,   ///< immediate, plain bits, sign in a bit of its own or none
    kHalf,      ///< immediate, a 16-bit float
    kFloat,     ///< immediate, upper bits of a 32-bit float
    kDouble,    ///< immediate, upper bits of a 64-bit float
    kMemory,    ///< [Ra + offset]
    kIndexed,   ///< c[bank][Ra + offset]
    kTarget,    ///< branch target, relative to the next word
    kSpecial,   ///< special register by name
    kSet,       ///< numbers of the bits that are set: {5,1}
    kPair,      ///< the register behind those of field 27:20; no field of its own
    kPhase,     ///< flags of the control field, printed with the names of `mod`; no bits
    kGroup,     ///< optional: printed where any of its fields differs from its default
  };
  static constexpr uint8_t kNoBit = 0xFF;

  Type type = Type::kLiteral;
  Role role = Role::kCount;
  Mod mod = Mod::kCount;
  Mod names = Mod::kCount;  ///< whose names a modifier is printed with; mostly `mod`
  uint8_t position = 0;
  uint8_t width = 0;
  uint8_t high_bit = kNoBit;  ///< modifiers: top part of the value where it stands apart
  uint8_t high_width = 0;     ///< and its width
  uint8_t shift = 0;          ///< value = field << shift
  uint8_t sign_bit = kNoBit;  ///< immediates: where the sign sits when not on top
  uint8_t negate_bit = kNoBit;
  bool minus_in_front = false;  ///< immediates: "-0x1", not "0x1.NEG"
  uint8_t absolute_bit = kNoBit;
  uint8_t invert_bit = kNoBit;
  uint8_t half_position = kNoBit;  ///< field that selects the operand's half
  uint8_t wide_bit = kNoBit;       ///< memory: this bit says that the address has 64 bits
  bool is_signed = false;
  uint8_t signed_bit = kNoBit;  ///< immediates: signed where this bit is set
  uint8_t bank_position = 0;    ///< constants: where the bank's number sits
  uint8_t reuse_bit = kNoBit;   ///< registers: which reuse bit speaks of them, 0 to 2
  bool repeats = false;         ///< registers: the field stands in the text twice
  bool moved = false;           ///< float immediates: see option v
  bool never_rz = false;        ///< registers: RZ in this place is the text of another row
  uint8_t count = 1;            ///< registers; 0 = as `count_mod` says
  Mod count_mod = Mod::kCount;
  Mod half_mod = Mod::kCount;  ///< names of the half field
  std::string literal;
  std::vector<Token> children;
};

/// A row of the opcode table: one operation in one operand form.
struct Form {
  Op op;
  const char* letter;  ///< R, C, C1, I, 32I, ... as in isa/opcodes.inc
  uint64_t pattern;
  uint64_t mask;
  const char* text;  ///< the template, in the notation of isa/opcodes.inc
  std::vector<Token> tokens;
  uint64_t reserved = 0;  ///< bits that no field uses: must equal the pattern's
  bool guarded = true;    ///< has a guard predicate in bits 19:16
};

/// The whole table, in the order of isa/opcodes.inc.
const std::vector<Form>& forms();
/// What an operation occupies, how its result is timed and its least stall count.
struct OpFacts {
  const char* name;
  Pipe pipe;
  Latency latency;
  uint8_t min_stall;
};
const OpFacts& facts(Op op);
/// The modifier of this name in isa/modifiers.inc. Throws std::logic_error where there is none.
Mod mod_named(std::string_view name);
/// The names of a modifier's values; nullptr where a value is reserved.
const std::vector<const char*>& mod_names(Mod mod);
/// Registers that an operand of the size with this name takes: ".64" 2, ".U8" 1.
uint8_t registers_of(std::string_view size_name);

}  // namespace shflsim::isa
