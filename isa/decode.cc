// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>

#include "isa/bits.h"
#include "isa/codec.h"
#include "isa/form.h"

namespace shflsim::isa {
namespace {

using Type = Token::Type;

/// Rows of the table that a word with these bits 63:52 can match.
std::vector<uint16_t> rows_matching(uint64_t top_bits) {
  std::vector<uint16_t> rows;
  for (size_t row = 0; row < forms().size(); ++row) {
    const Form& form = forms()[row];
    const uint64_t mask = form.mask & (uint64_t{0xFFF} << 52);
    if (((top_bits << 52) & mask) == (form.pattern & mask)) {
      rows.push_back(static_cast<uint16_t>(row));
    }
  }
  return rows;
}

/// The rows that `word` can match, found once for all words, so that decoding looks at a few only.
const std::vector<uint16_t>& candidates(uint64_t word) {
  static const std::array<std::vector<uint16_t>, 4096> index = [] {
    std::array<std::vector<uint16_t>, 4096> by_top;
    for (uint64_t top = 0; top < by_top.size(); ++top) by_top[top] = rows_matching(top);
    return by_top;
  }();
  return index[word >> 52];
}

bool bit_set(uint64_t word, uint8_t position) {
  return position != Token::kNoBit && field(word, position, 1) != 0;
}

int64_t integer_value(const Token& token, uint64_t word) {
  uint64_t raw = field(word, token.position, token.width);
  unsigned width = token.width;
  if (token.sign_bit != Token::kNoBit) raw |= field(word, token.sign_bit, 1) << width++;
  const int64_t value = token.is_signed ? sign_extend(raw, width) : static_cast<int64_t>(raw);
  return value * (int64_t{1} << token.shift);
}

/// The bits of a float immediate: a 20-bit one holds the upper bits of the number.
int64_t float_bits(const Token& token, uint64_t word, unsigned size) {
  const uint64_t raw = field(word, token.position, token.width);
  if (token.sign_bit == Token::kNoBit) return static_cast<int64_t>(raw);
  const uint64_t sign = field(word, token.sign_bit, 1);
  return static_cast<int64_t>((sign << (size - 1)) | (raw << (size - 1 - token.width)));
}

uint8_t register_count(const Token& token, const Instruction& instruction) {
  if (token.count != 0) return token.count;
  const std::string_view name = mod_names(token.count_mod)[instruction[token.count_mod]];
  if (name.find("128") != std::string_view::npos) return 4;
  return name.find("64") != std::string_view::npos ? 2 : 1;
}

uint8_t reuse_bit(uint8_t position) {
  return position == 8 ? 1 : position == 20 ? 2 : position == 39 ? 4 : 0;
}

void set_operand(const Token& token, uint64_t word, Instruction* out) {
  Operand& operand = (*out)[token.role];
  operand.negate = bit_set(word, token.negate_bit);
  operand.absolute = bit_set(word, token.absolute_bit);
  operand.invert = bit_set(word, token.invert_bit);
  if (token.half_position != Token::kNoBit) {
    unsigned width = 0;
    while ((size_t{1} << width) < mod_names(token.half_mod).size()) ++width;
    operand.half = static_cast<uint8_t>(field(word, token.half_position, width));
  }
  const uint64_t raw = field(word, token.position, token.width);
  switch (token.type) {
    case Type::kRegister:
      operand.kind = Operand::Kind::kRegister;
      operand.index = static_cast<uint8_t>(raw);
      operand.count = register_count(token, *out);
      operand.reuse_slot = reuse_bit(token.position) != 0;
      operand.reuse = (out->control.reuse & reuse_bit(token.position)) != 0;
      break;
    case Type::kPredicate:
      operand.kind = Operand::Kind::kPredicate;
      operand.index = static_cast<uint8_t>(raw);
      break;
    case Type::kConstant:
      operand.kind = Operand::Kind::kConstant;
      operand.bank = static_cast<uint8_t>(field(word, 34, 5));
      operand.value = static_cast<int64_t>(raw << token.shift);
      break;
    case Type::kInteger:
      operand.kind = Operand::Kind::kImmediate;
      operand.value = integer_value(token, word);
      break;
    case Type::kFloat:
      operand.kind = Operand::Kind::kImmediate;
      operand.value = float_bits(token, word, 32);
      break;
    case Type::kDouble:
      operand.kind = Operand::Kind::kImmediate;
      operand.value = float_bits(token, word, 64);
      break;
    case Type::kMemory:
    case Type::kIndexed:
      operand.kind =
          token.type == Type::kMemory ? Operand::Kind::kMemory : Operand::Kind::kConstant;
      operand.index = static_cast<uint8_t>(field(word, 8, 8));
      operand.indexed = token.type == Type::kIndexed;
      operand.bank = operand.indexed ? static_cast<uint8_t>(field(word, 36, 5)) : 0;
      operand.count = bit_set(word, token.wide_bit) ? 2 : 1;
      operand.value = integer_value(token, word);
      break;
    case Type::kTarget:
      operand.kind = Operand::Kind::kTarget;
      operand.value = out->address + 8 + sign_extend(raw, token.width);
      break;
    case Type::kSpecial:
      operand.kind = Operand::Kind::kSpecial;
      operand.index = static_cast<uint8_t>(raw);
      break;
    default: break;
  }
}

/// Fills modifiers first, since the number of registers may depend on them.
bool set_modifiers(const std::vector<Token>& tokens, uint64_t word, Instruction* out) {
  for (const Token& token : tokens) {
    if (token.type == Type::kGroup && !set_modifiers(token.children, word, out)) return false;
    if (token.type == Type::kCarry) out->sets_cc = bit_set(word, token.position);
    if (token.type != Type::kModifier) continue;
    const auto& names = mod_names(token.mod);
    const uint64_t value = field(word, token.position, token.width);
    if (value >= names.size() || names[value] == nullptr) return false;
    (*out)[token.mod] = static_cast<uint8_t>(value);
  }
  return true;
}

void set_operands(const std::vector<Token>& tokens, uint64_t word, Instruction* out) {
  for (const Token& token : tokens) {
    if (token.type == Type::kGroup) set_operands(token.children, word, out);
    if (token.role != Role::kCount) set_operand(token, word, out);
  }
}

std::string hex(uint64_t value) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(value));
  return text;
}

std::string reserved_error(const Form& form, uint64_t word) {
  const uint64_t wrong = (word ^ form.pattern) & form.reserved;
  std::string bits;
  for (int b = 63; b >= 0; --b) {
    if ((wrong >> b) & 1) bits += (bits.empty() ? "" : ", ") + std::to_string(b);
  }
  return "reserved bits " + bits + " of " + facts(form.op).name + " set in " + hex(word) +
         "; expected 0";
}

}  // namespace

std::string decode(uint64_t word, uint32_t address, const Control& control, Instruction* out) {
  std::string problem = "unknown opcode in " + hex(word);
  for (const uint16_t row : candidates(word)) {
    const Form& form = forms()[row];
    if ((word & form.mask) != form.pattern) continue;
    if (((word ^ form.pattern) & form.reserved) != 0) {
      problem = reserved_error(form, word);
      continue;
    }
    *out = Instruction{};
    out->word = word;
    out->address = address;
    out->form = row;
    out->op = form.op;
    out->guard = static_cast<uint8_t>(field(word, 16, 3));
    out->guard_negate = field(word, 19, 1) != 0;
    out->control = control;
    if (!set_modifiers(form.tokens, word, out)) {
      problem =
          std::string("reserved modifier value of ") + facts(form.op).name + " in " + hex(word);
      continue;
    }
    set_operands(form.tokens, word, out);
    return "";
  }
  return problem;
}

ShuffleMode shuffle_mode(const Instruction& shfl) {
  return static_cast<ShuffleMode>(shfl[Mod::k_shfl]);
}

}  // namespace shflsim::isa
