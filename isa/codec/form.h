// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/word.h"
#include "isa/codec/arch.h"
#include "isa/codec/instruction.h"

namespace shflsim::isa {

/// Positions of the parts of an address other than its offset.
struct AddressFields {
  static constexpr uint8_t kNoBit = 0xFF;

  uint8_t base = kNoBit;     ///< register; none: an address of UR and offset
  uint8_t uniform = kNoBit;  ///< uniform register
  uint8_t uniform_width = 0;
  uint8_t uniform_flag = kNoBit;     ///< UR is part of the address if this bit is set, or always
  uint8_t descriptor_flag = kNoBit;  ///< UR is a descriptor if this bit is set
  uint8_t shown_flag = kNoBit;       ///< the descriptor is printed if this bit is set, or always
  uint8_t wide_flag = kNoBit;        ///< R has 64 bits if this bit is set
  uint8_t scale = kNoBit;            ///< field of two bits: R is multiplied by 1, 4, 8, 16
  bool leaves_out_zero = false;      ///< URZ is not part of the text
  bool shows_zero = false;           ///< RZ of 32 bits is part of the text: from sm_90 on
};

/// How the field of an immediate is read and printed.
struct ImmediateFields {
  static constexpr uint8_t kNoBit = 0xFF;

  uint8_t sign_bit = kNoBit;    ///< position of the sign bit if it is not the top bit
  uint8_t signed_bit = kNoBit;  ///< signed if this bit is set
  bool is_signed = false;
  bool minus_in_front = false;  ///< printed as "-0x1", not "0x1.NEG"
  bool moved = false;           ///< floats: see option v
  bool decimal = false;         ///< printed as a decimal number
  bool power = false;           ///< printed as 2, 4, ...; the field holds a shift
  int64_t usual = 0;            ///< default value, which a group does not print
};

/// One piece of a form's text: either literal text or a field of the word.
struct Token {
  enum class Type : uint8_t {
    kLiteral,
    kModifier,  ///< a field printed as one of its names (isa/codec/modifiers.inc)
    kCarry,     ///< ".CC"
    kRegister,
    kPredicate,
    kConstant,  ///< c[bank][offset]
    kInteger,   ///< integer immediate; the sign may be in a separate bit
    kHalf,      ///< immediate, a 16-bit float
    kFloat,     ///< immediate, upper bits of a 32-bit float
    kDouble,    ///< immediate, upper bits of a 64-bit float
    kMemory,    ///< [Ra + offset]
    kIndexed,   ///< c[bank][Ra + offset]
    kTarget,    ///< branch target, relative to the next word
    kSpecial,   ///< special register by name
    kSet,       ///< numbers of the bits that are set: {5,1}
    kPair,      ///< the register after those of field 27:20; has no field
    kPhase,     ///< flags of the control field, printed with the names of `mod`; has no bits
    kGroup,     ///< optional: printed if any of its fields differs from its default
    // sm_70 and later:
    kUniform,           ///< uniform register
    kNextUniform,       ///< the uniform register after that of the field; has no field
    kUniformPredicate,  ///< uniform predicate
    kConvergence,       ///< convergence barrier
    kHalves,            ///< immediate of two 16-bit floats, the upper one first
    kDistance,          ///< branch target, relative to the next word, in units of 1 << `shift`
  };
  static constexpr uint8_t kNoBit = 0xFF;
  static constexpr uint8_t kAbsolute = 32;  ///< width of a target that is an absolute address

  Type type = Type::kLiteral;
  Role role = Role::kCount;
  Mod mod = Mod::kCount;
  Mod names = Mod::kCount;  ///< modifier whose names are printed; mostly `mod`
  uint8_t position = 0;
  uint8_t width = 0;
  uint8_t high_bit = kNoBit;  ///< position of the top bits if they are a separate field
  uint8_t high_width = 0;     ///< width of the field of top bits, bits
  uint8_t shift = 0;          ///< value = field << shift
  uint8_t negate_bit = kNoBit;
  uint8_t absolute_bit = kNoBit;
  uint8_t invert_bit = kNoBit;
  uint8_t half_position = kNoBit;  ///< field that selects the operand's half
  uint8_t wide_bit = kNoBit;       ///< memory: this bit says that the address has 64 bits
  uint8_t bank_position = 0;       ///< constants: position of the bank's number
  uint8_t reuse_bit = kNoBit;      ///< registers: number of their reuse bit, 0 to 2
  bool repeats = false;            ///< registers: the field appears in the text twice
  bool inverted = false;           ///< predicates: the field holds 7 - the number
  bool half_behind = false;        ///< the half is printed after |...| and .reuse
  uint8_t uniform_bit = kNoBit;    ///< predicates: uniform if this bit is set
  ImmediateFields immediate;       ///< immediates, targets
  AddressFields address;           ///< memory, constants
  bool never_rz = false;           ///< registers: with RZ in this field the word is another row's
  uint8_t count = 1;               ///< registers; 0 = as `count_mod` says
  Mod count_mod = Mod::kCount;
  Mod half_mod = Mod::kCount;  ///< names of the half field
  std::string literal;
  std::vector<Token> children;
};

inline bool is_number(Token::Type type) {
  using Type = Token::Type;
  return type == Type::kInteger || type == Type::kHalf || type == Type::kFloat ||
         type == Type::kDouble;
}

/// A row of the opcode table: one operation in one operand form.
struct Form {
  Op op;
  const char* letter;  ///< R, C, C1, I, 32I, ... as in isa/codec/opcodes.inc
  Word pattern;
  Word mask;
  const char* text;  ///< the template, in the notation of isa/codec/opcodes.inc
  std::vector<Token> tokens;
  Word reserved;        ///< SPA 5.0: bits that no field uses; they must equal the pattern
  Word unnamed;         ///< sm_70 and later: bits that no field uses; they are kept
  Word idle;            ///< of these, bits without a known effect
  bool guarded = true;  ///< has a guard predicate
  bool uniform_guard = false;
};

/// The rows of one architecture, in the order of its family's table, and the layout of its
/// instruction words.
struct FormTable {
  Arch arch;
  unsigned guard_position;   ///< bit position of the 3-bit guard; its negation is the bit above
  unsigned opcode_position;  ///< bit position of 12 bits that differ between most rows
  std::vector<Form> forms;
  std::array<std::vector<uint16_t>, 4096> by_opcode;  ///< rows by value of these 12 bits
  /// Rows by the first name of their text; "FADD32I" and "FADD" are different names.
  std::map<std::string, std::vector<uint16_t>, std::less<>> by_name;
};

const FormTable& form_table(Arch arch);
inline const std::vector<Form>& forms(Arch arch = Arch::kSm50) { return form_table(arch).forms; }
/// An operation's pipe, its kind, how its result is timed, and its least stall count.
struct OpFacts {
  const char* name;
  Pipe pipe;
  OpKind kind;
  Latency latency;
  uint8_t min_stall;
};
const OpFacts& facts(Op op);
/// Reads and writes the value of a field, which may have two parts.
uint64_t raw_value(const Token& token, const Word& word);
Word with_value(const Token& token, const Word& word, uint64_t value);
/// The integers that an immediate can be.
struct IntegerRange {
  int64_t low;
  int64_t high;
  int64_t unit;  ///< values are multiples of it
  bool holds(int64_t value) const { return value >= low && value <= high && value % unit == 0; }
};
/// The range of an immediate of less than 64 bits; a bit of `word` may say that it is signed.
IntegerRange range_of(const Token& token, const Word& word);
/// Bits that the token's fields use.
Word bits_of(const Token& token);
/// The modifier of this name in isa/codec/modifiers.inc. Throws std::logic_error if there is
/// none.
Mod mod_named(std::string_view name);
/// The names of a modifier's values; nullptr if a value is reserved.
const std::vector<const char*>& mod_names(Mod mod);
/// Registers that an operand of the size with this name takes: ".64" 2, ".U8" 1.
uint8_t registers_of(std::string_view size_name);
/// Registers that the operand of this token takes, by the instruction's modifiers.
uint8_t registers_of(const Token& token, const Instruction& instruction);
/// True if the row's words have this modifier.
bool has_field(const Form& form, Mod mod);
/// True if the text of the instruction's form contains these words (".CAS"), which its opcode
/// implies and no field contains.
bool form_says(const Instruction& instruction, const char* words);

}  // namespace shflsim::isa
