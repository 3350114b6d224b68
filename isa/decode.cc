// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>

#include "isa/bits.h"
#include "isa/codec.h"
#include "isa/form.h"

namespace shflsim::isa {
namespace {

using Type = Token::Type;

constexpr uint8_t kAbsolute = 32;  ///< width of a target that is no distance
constexpr uint8_t kPlusOne = 3;    ///< Mod::k_po: ".PO"

using RowsByTop = std::array<std::vector<uint16_t>, 4096>;

/// Enters the row under each value of bits 63:52 that its words can have.
void add_row(uint16_t row, const Form& form, RowsByTop* by_top) {
  const uint64_t free = ~(form.mask >> 52) & 0xFFF;
  const uint64_t fixed = form.pattern >> 52 & ~free;
  uint64_t chosen = 0;
  do {
    (*by_top)[fixed | chosen].push_back(row);
    chosen = (chosen - free) & free;  // the next subset of the free bits
  } while (chosen != 0);
}

/// The rows that `word` can match, found once for all words, so that decoding looks at a few only.
const std::vector<uint16_t>& candidates(uint64_t word) {
  static const RowsByTop index = [] {
    RowsByTop by_top;
    uint16_t row = 0;
    for (const Form& form : forms()) add_row(row++, form, &by_top);
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
  const bool is_signed = token.is_signed || bit_set(word, token.signed_bit);
  const int64_t value = is_signed ? sign_extend(raw, width) : static_cast<int64_t>(raw);
  return value * (int64_t{1} << token.shift);
}

/// The bits of a float immediate: a 20-bit one holds the upper bits of the number.
int64_t float_bits(const Token& token, uint64_t word, unsigned size) {
  const uint64_t raw = field(word, token.position, token.width);
  if (token.sign_bit == Token::kNoBit) return static_cast<int64_t>(raw);
  const uint64_t sign = field(word, token.sign_bit, 1);
  return static_cast<int64_t>((sign << (size - 1)) | (raw << (size - 1 - token.width)));
}

unsigned width_of(const std::vector<const char*>& names) {
  unsigned width = 0;
  while ((size_t{1} << width) < names.size()) ++width;
  return width;
}

uint8_t register_count(const Token& token, const Instruction& instruction) {
  if (token.count != 0) return token.count;
  return registers_of(mod_names(token.count_mod)[instruction[token.count_mod]]);
}

uint64_t modifier_value(const Token& token, uint64_t word) {
  if (token.high_bit == Token::kNoBit) return field(word, token.position, token.width);
  const unsigned low_width = token.width - 0u - token.high_width;
  return field(word, token.position, low_width) | field(word, token.high_bit, token.high_width)
                                                      << low_width;
}

void set_flags(const Token& token, uint64_t word, Instruction* out) {
  Operand& operand = (*out)[token.role];
  // Minus on both operands of an addition is an encoding of its own: plus one (".PO").
  const bool plus_one = (*out)[Mod::k_po] == kPlusOne;
  operand.negate = !plus_one && bit_set(word, token.negate_bit);
  operand.absolute = bit_set(word, token.absolute_bit);
  operand.invert = bit_set(word, token.invert_bit);
  if (token.half_position != Token::kNoBit) {
    operand.half =
        static_cast<uint8_t>(field(word, token.half_position, width_of(mod_names(token.half_mod))));
  }
}

void set_register(const Token& token, uint64_t raw, Instruction* out) {
  Operand& operand = (*out)[token.role];
  operand.kind = Operand::Kind::kRegister;
  operand.index = static_cast<uint8_t>(raw);
  operand.count = register_count(token, *out);
  operand.has_reuse_bit = token.reuse_bit != Token::kNoBit;
  operand.reuse = operand.has_reuse_bit && ((out->control.reuse >> token.reuse_bit) & 1) != 0;
}

void set_address(const Token& token, uint64_t word, Operand* operand) {
  operand->indexed = token.type == Type::kIndexed;
  operand->kind = operand->indexed ? Operand::Kind::kConstant : Operand::Kind::kMemory;
  operand->index = static_cast<uint8_t>(field(word, 8, 8));
  operand->bank = operand->indexed ? static_cast<uint8_t>(field(word, token.bank_position, 5)) : 0;
  operand->count = bit_set(word, token.wide_bit) ? 2 : 1;
  // Without a base register the offset is the address itself.
  operand->value =
      operand->index == kRZ && !operand->indexed
          ? static_cast<int64_t>(field(word, token.position, token.width) << token.shift)
          : integer_value(token, word);
}

void set_immediate(int64_t value, Operand* operand) {
  operand->kind = Operand::Kind::kImmediate;
  operand->value = value;
}

void set_operand(const Token& token, uint64_t word, Instruction* out) {
  Operand& operand = (*out)[token.role];
  set_flags(token, word, out);
  const uint64_t raw = field(word, token.position, token.width);
  switch (token.type) {
    case Type::kRegister: set_register(token, raw, out); break;
    case Type::kPair: {
      const Operand& first = (*out)[Role::kB];
      set_register(token, first.index + 0u + first.count, out);
      break;
    }
    case Type::kPredicate:
      operand.kind = Operand::Kind::kPredicate;
      operand.index = static_cast<uint8_t>(raw);
      break;
    case Type::kConstant:
      operand.kind = Operand::Kind::kConstant;
      operand.bank = static_cast<uint8_t>(field(word, token.bank_position, 5));
      operand.value = static_cast<int64_t>(raw << token.shift);
      break;
    case Type::kInteger: set_immediate(integer_value(token, word), &operand); break;
    case Type::kHalf: set_immediate(float_bits(token, word, 16), &operand); break;
    case Type::kFloat: set_immediate(float_bits(token, word, 32), &operand); break;
    case Type::kDouble: set_immediate(float_bits(token, word, 64), &operand); break;
    case Type::kSet: set_immediate(static_cast<int64_t>(raw), &operand); break;
    case Type::kMemory:
    case Type::kIndexed: set_address(token, word, &operand); break;
    case Type::kTarget:
      operand.kind = Operand::Kind::kTarget;
      operand.value = token.width == kAbsolute ? static_cast<int64_t>(raw)
                                               : out->address + 8 + sign_extend(raw, token.width);
      break;
    default:
      operand.kind = Operand::Kind::kSpecial;
      operand.index = static_cast<uint8_t>(raw);
      break;
  }
}

/// NaN is printed without its payload, so one payload a form stands for all: what the compilers
/// emit, the quiet bit alone in a short immediate and all ones in a 32-bit one.
bool is_printable(const Token& token, uint64_t word, const Instruction& instruction) {
  if (token.half_position != Token::kNoBit &&
      mod_names(token.half_mod)[instruction[token.role].half] == nullptr) {
    return false;
  }
  const Operand& operand = instruction[token.role];
  if (token.never_rz && operand.index == kRZ) return false;
  if (token.minus_in_front && operand.negate && operand.value == 0) return false;
  if (token.type == Type::kPair) {
    const Operand& first = instruction[Role::kB];
    return first.index != kRZ && first.index + first.count + first.count <= kRZ;
  }
  if (token.type == Type::kHalf) {
    const uint64_t half = static_cast<uint64_t>(float_bits(token, word, 16)) & 0x7FFF;
    return half <= 0x7C00 || half == 0x7E00;
  }
  const bool is_double = token.type == Type::kDouble;
  if (!is_double && token.type != Type::kFloat) return true;
  const uint64_t raw = field(word, token.position, token.width);
  const unsigned payload = token.sign_bit == Token::kNoBit ? 23 : is_double ? 8 : 11;
  const uint64_t exponent = low_mask(is_double ? 11 : 8);
  const uint64_t fraction = raw & low_mask(payload);
  if (((raw >> payload) & exponent) != exponent || fraction == 0) return true;
  if (token.moved) return fraction == uint64_t{7} << (payload - 3);
  return fraction == (payload == 23 ? low_mask(23) : uint64_t{1} << (payload - 1));
}

/// Fills modifiers first, since the number of registers may depend on them.
bool set_modifiers(const std::vector<Token>& tokens, uint64_t word, Instruction* out) {
  for (const Token& token : tokens) {
    if (token.type == Type::kGroup && !set_modifiers(token.children, word, out)) return false;
    if (token.type == Type::kCarry) out->sets_cc = bit_set(word, token.position);
    if (token.type == Type::kPhase) (*out)[token.mod] = out->control.reuse & 3;
    if (token.type != Type::kModifier) continue;
    const auto& names = mod_names(token.names);
    const uint64_t value = modifier_value(token, word);
    if (value >= names.size() || names[value] == nullptr) return false;
    (*out)[token.mod] = static_cast<uint8_t>(value);
  }
  return true;
}

bool set_operands(const std::vector<Token>& tokens, uint64_t word, Instruction* out) {
  for (const Token& token : tokens) {
    if (token.type == Type::kGroup && !set_operands(token.children, word, out)) return false;
    if (token.role == Role::kCount) continue;
    set_operand(token, word, out);
    if (!is_printable(token, word, *out)) return false;
  }
  return true;
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
    if (((word ^ form.pattern) & form.mask) != 0) continue;
    if (((word ^ form.pattern) & form.reserved) != 0) {
      problem = reserved_error(form, word);
      continue;
    }
    *out = Instruction{};
    out->word = word;
    out->address = address;
    out->form = row;
    out->op = form.op;
    out->guard = form.guarded ? static_cast<uint8_t>(field(word, 16, 3)) : kPT;
    out->guard_negate = form.guarded && field(word, 19, 1) != 0;
    out->control = control;
    if (!set_modifiers(form.tokens, word, out)) {
      problem =
          std::string("reserved modifier value of ") + facts(form.op).name + " in " + hex(word);
      continue;
    }
    if (!set_operands(form.tokens, word, out)) {
      problem = std::string("reserved operand of ") + facts(form.op).name + " in " + hex(word);
      continue;
    }
    return "";
  }
  return problem;
}

ShuffleMode shuffle_mode(const Instruction& shfl) {
  return static_cast<ShuffleMode>(shfl[Mod::k_shfl]);
}

}  // namespace shflsim::isa
