// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
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
    kFloat,     ///< immediate, upper bits of a 32-bit float
    kDouble,    ///< immediate, upper bits of a 64-bit float
    kMemory,    ///< [Ra + offset]
    kIndexed,   ///< c[bank][Ra + offset]
    kTarget,    ///< branch target, relative to the next word
    kSpecial,   ///< special register by name
    kGroup,     ///< optional: printed where any of its fields differs from its default
  };
  static constexpr uint8_t kNoBit = 0xFF;

  Type type = Type::kLiteral;
  Role role = Role::kCount;
  Mod mod = Mod::kCount;
  uint8_t position = 0;
  uint8_t width = 0;
  uint8_t shift = 0;          ///< value = field << shift
  uint8_t sign_bit = kNoBit;  ///< immediates: where the sign sits when not on top
  uint8_t negate_bit = kNoBit;
  uint8_t absolute_bit = kNoBit;
  uint8_t invert_bit = kNoBit;
  uint8_t half_position = kNoBit;  ///< field that selects the operand's half
  uint8_t wide_bit = kNoBit;       ///< memory: this bit says that the address has 64 bits
  bool is_signed = false;
  uint8_t count = 1;  ///< registers; 0 = as `count_mod` says
  Mod count_mod = Mod::kCount;
  Mod half_mod = Mod::kCount;  ///< names of the half field
  std::string literal;
  std::vector<Token> children;
};

/// A row of the opcode table: one operation in one operand form.
struct Form {
  Op op;
  const char* letter;  ///< R, C, C1, I, 32I, ... as in maxwell_isa.md 3
  uint64_t pattern;
  uint64_t mask;
  const char* text;  ///< the template, in the notation of isa/opcodes.inc
  std::vector<Token> tokens;
  uint64_t reserved = 0;  ///< bits that no field uses: must equal the pattern's
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
/// The names of a modifier's values; nullptr where a value is reserved.
const std::vector<const char*>& mod_names(Mod mod);

}  // namespace shflsim::isa
