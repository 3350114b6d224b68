// SPDX-License-Identifier: Apache-2.0
// Encodes an instruction's fields as its word.
#include <cstring>

#include "isa/base/bits.h"
#include "isa/codec/codec.h"
#include "isa/codec/form.h"

namespace shflsim::isa {
namespace {

using Type = Token::Type;

void put_bit(uint8_t position, bool value, Word* word) {
  if (position != Token::kNoBit) *word = with_field(*word, position, 1, value ? 1 : 0);
}

void put_uniform(uint8_t position, uint8_t width, uint8_t index, Word* word) {
  *word = with_field(*word, position, width, index == kRZ ? low_mask(width) : index);
}

void put_flags(const Token& token, const Operand& operand, Word* word) {
  put_bit(token.negate_bit, operand.negate, word);
  put_bit(token.absolute_bit, operand.absolute, word);
  put_bit(token.invert_bit, operand.invert, word);
  if (token.half_position != Token::kNoBit) {
    const uint8_t width = bits_for(mod_names(token.half_mod).size());
    *word = with_field(*word, token.half_position, width, operand.half);
  }
}

void put_address(const AddressFields& address, const Operand& operand, Word* word) {
  if (address.base != Token::kNoBit) *word = with_field(*word, address.base, 8, operand.index);
  if (address.uniform != Token::kNoBit)
    put_uniform(address.uniform, address.uniform_width, operand.uniform, word);
  put_bit(address.uniform_flag, operand.has_uniform, word);
  put_bit(address.descriptor_flag, operand.is_descriptor, word);
  put_bit(address.shown_flag, operand.is_shown, word);
  put_bit(address.wide_flag, operand.is_wide, word);
  if (address.scale != Token::kNoBit) *word = with_field(*word, address.scale, 2, operand.scale);
}

void put_number(const Token& token, uint64_t value, Word* word) {
  *word = with_value(token, *word, value);
  if (token.immediate.sign_bit != Token::kNoBit)
    put_bit(token.immediate.sign_bit, (value >> token.width & 1) != 0, word);
}

/// The upper `bits` bits of a float.
void put_float(const Token& token, uint64_t bits, unsigned size, Word* word) {
  const unsigned dropped =
      size - token.width - (token.immediate.sign_bit == Token::kNoBit ? 0u : 1u);
  put_number(token, bits >> dropped, word);
}

void put_predicate(const Token& token, const Operand& operand, Word* word) {
  const uint64_t index = token.inverted ? kPT - operand.index : operand.index;
  *word = with_field(*word, token.position, token.width, index);
  put_bit(token.uniform_bit, operand.is(Operand::Kind::kUniformPredicate), word);
}

uint64_t target_field(const Token& token, const Instruction& instruction) {
  const int64_t target = instruction[token.role].value;
  if (token.type == Type::kTarget) {
    return static_cast<uint64_t>(
        token.width == Token::kAbsolute ? target : target - instruction.address - 8);
  }
  return static_cast<uint64_t>((target - instruction.address - 16) >> token.shift);
}

void put_operand(const Token& token, const Instruction& instruction, Word* word) {
  const Operand& operand = instruction[token.role];
  const auto value = static_cast<uint64_t>(operand.value);
  put_flags(token, operand, word);
  switch (token.type) {
    case Type::kUniform: put_uniform(token.position, token.width, operand.index, word); break;
    case Type::kPredicate:
    case Type::kUniformPredicate: put_predicate(token, operand, word); break;
    case Type::kConstant:
    case Type::kIndexed:
      *word = with_field(*word, token.bank_position, 5, operand.bank);
      [[fallthrough]];
    case Type::kMemory:
      put_number(token, static_cast<uint64_t>(operand.value >> token.shift), word);
      put_address(token.address, operand, word);
      put_bit(token.wide_bit, operand.count == 2, word);
      break;
    case Type::kInteger:
      put_number(token, static_cast<uint64_t>(operand.value >> token.shift), word);
      break;
    case Type::kHalf: put_float(token, value, 16, word); break;
    case Type::kFloat: put_float(token, value, 32, word); break;
    case Type::kDouble: put_float(token, value, 64, word); break;
    case Type::kHalves:
    case Type::kSet: put_number(token, value, word); break;
    case Type::kTarget:
    case Type::kDistance: put_number(token, target_field(token, instruction), word); break;
    case Type::kPair:
    case Type::kNextUniform: break;  // have no field of their own
    default: put_number(token, operand.index, word); break;
  }
}

void put_operands(const std::vector<Token>& tokens, const Instruction& instruction, Word* word) {
  for (const Token& token : tokens) {
    put_operands(token.children, instruction, word);
    if (token.role != Role::kCount) put_operand(token, instruction, word);
  }
}

/// Called after the operands are written: an SPA 5.0 modifier may overlap the bits of their signs.
void put_modifiers(const std::vector<Token>& tokens, const Instruction& instruction, Word* word) {
  for (const Token& token : tokens) {
    put_modifiers(token.children, instruction, word);
    if (token.type == Type::kCarry) put_bit(token.position, instruction.sets_cc, word);
    if (token.type == Type::kModifier) *word = with_value(token, *word, instruction[token.mod]);
  }
}

bool is_nan(const Token& token, int64_t bits) {
  const auto raw = static_cast<uint64_t>(bits);
  const auto half_is_nan = [](uint64_t half, uint64_t infinity) {
    return (half & 0x7FFF) > infinity;
  };
  if (token.type == Type::kFloat) return (raw & 0x7FFFFFFF) > 0x7F800000;
  if (token.type == Type::kDouble) return (raw << 1) > (uint64_t{0x7FF} << 53);
  return token.type == Type::kHalves &&
         (half_is_nan(raw, 0x7C00) || half_is_nan(raw >> 16, 0x7C00));
}

/// Bits of an address that its text does not determine.
Word untold_address(const Token& token, const Operand& operand) {
  const AddressFields& address = token.address;
  if (address.uniform == Token::kNoBit) return {};
  const Word uniform = field_mask(address.uniform, address.uniform_width);
  const auto bit = [](uint8_t position) {
    return position == Token::kNoBit ? Word() : field_mask(position, 1);
  };
  if (token.type == Type::kConstant)
    return operand.has_uniform ? field_mask(token.bank_position, 5) : uniform;
  const bool is_hidden = operand.is_descriptor && !operand.is_shown;
  if (!operand.has_uniform) {
    return uniform | bit(address.descriptor_flag) | bit(address.wide_flag) |
           bit(address.shown_flag);
  }
  const bool is_zero = address.leaves_out_zero && operand.uniform == kRZ && !operand.is_descriptor;
  const bool may_be_hidden = address.leaves_out_zero && address.shown_flag != Token::kNoBit;
  const Word either = may_be_hidden ? bit(address.descriptor_flag) : Word();
  if (is_zero) return uniform | bit(address.uniform_flag) | bit(address.shown_flag) | either;
  if (is_hidden) return uniform | bit(address.shown_flag) | either;
  if (operand.is_descriptor) return {};
  return operand.index == kRZ ? bit(address.shown_flag) | bit(address.wide_flag)
                              : bit(address.shown_flag);
}

/// True if another value of the modifier has the same name.
bool is_ambiguous(const Token& token, const Instruction& instruction) {
  const auto& names = mod_names(token.names);
  const char* name = names[instruction[token.mod]];
  size_t same = 0;
  for (const char* other : names) same += other != nullptr && std::strcmp(name, other) == 0;
  return same > 1;
}

/// The bits of two carries in separate groups, if the second alone reads like the first.
Word untold_carries(const std::vector<Token>& tokens, const Instruction& instruction) {
  Word bits;
  unsigned carries = 0;
  for (const Token& token : tokens) {
    if (token.type != Type::kGroup || token.children.empty()) continue;
    const Role role = token.children.front().role;
    if (role != Role::kP && role != Role::kQ) continue;
    bits = bits | bits_of(token.children.front());
    ++carries;
  }
  const bool reads_alike =
      carries == 2 && instruction[Role::kP].index == kPT && instruction[Role::kQ].index != kPT;
  return reads_alike ? bits : Word();
}

Word untold(const std::vector<Token>& tokens, const Instruction& instruction) {
  Word bits = untold_carries(tokens, instruction);
  for (const Token& token : tokens) {
    bits = bits | untold(token.children, instruction);
    if (token.type == Type::kModifier && is_ambiguous(token, instruction))
      bits = bits | bits_of(token);
    if (token.role == Role::kCount) continue;
    const Operand& operand = instruction[token.role];
    bits = bits | untold_address(token, operand);
    if (is_nan(token, operand.value)) bits = bits | bits_of(token);
  }
  return bits;
}

}  // namespace

Word encode(const Instruction& instruction) {
  const FormTable& table = form_table(instruction.arch);
  const Form& form = table.forms[instruction.form];
  Word word = form.pattern ^ instruction.rest;
  put_operands(form.tokens, instruction, &word);
  put_modifiers(form.tokens, instruction, &word);
  if (form.guarded) {
    word = with_field(word, table.guard_position, 3, instruction.guard);
    word = with_field(word, table.guard_position + 3, 1, instruction.guard_negate ? 1 : 0);
  }
  if (family_of(table.arch) == Family::kMaxwell) return word;
  return with_field(word, kControlPosition, kControlBits, control_field(instruction.control));
}

Word said_bits(const Instruction& instruction) {
  const FormTable& table = form_table(instruction.arch);
  const Form& form = table.forms[instruction.form];
  if (family_of(table.arch) == Family::kMaxwell) return ~uint64_t{0};
  const Word control = field_mask(kControlPosition, kControlBits);
  return ~(control | form.unnamed | untold(form.tokens, instruction)) | form.mask;
}

}  // namespace shflsim::isa
