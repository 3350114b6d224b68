// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>

#include "isa/base/bits.h"
#include "isa/codec/codec.h"
#include "isa/codec/form.h"
#include "isa/codec/group_shape.h"
#include "isa/codec/unmodelled.h"

namespace shflsim::isa {
namespace {

using Type = Token::Type;

constexpr uint8_t kPlusOne = 3;  ///< Mod::k_po: ".PO"

bool bit_set(const Word& word, uint8_t position) {
  return position != Token::kNoBit && field(word, position, 1) != 0;
}

int64_t integer_value(const Token& token, const Word& word) {
  uint64_t raw = raw_value(token, word);
  unsigned width = token.width;
  if (token.immediate.sign_bit != Token::kNoBit)
    raw |= field(word, token.immediate.sign_bit, 1) << width++;
  const bool is_signed = token.immediate.is_signed || bit_set(word, token.immediate.signed_bit);
  const int64_t value = is_signed ? sign_extend(raw, width) : static_cast<int64_t>(raw);
  return value * (int64_t{1} << token.shift);
}

/// The bits of a float immediate: a 20-bit one holds the upper bits of the number.
int64_t float_bits(const Token& token, const Word& word, unsigned size) {
  const uint64_t raw = field(word, token.position, token.width);
  if (token.immediate.sign_bit == Token::kNoBit)
    return static_cast<int64_t>(raw << (size - token.width));
  const uint64_t sign = field(word, token.immediate.sign_bit, 1);
  return static_cast<int64_t>((sign << (size - 1)) | (raw << (size - 1 - token.width)));
}

void set_flags(const Token& token, const Word& word, Instruction* out) {
  Operand& operand = (*out)[token.role];
  // Minus on both operands of an addition is an encoding of its own: plus one (".PO").
  const bool plus_one = (*out)[Mod::k_po] == kPlusOne;
  operand.negate = !plus_one && bit_set(word, token.negate_bit);
  operand.absolute = bit_set(word, token.absolute_bit);
  operand.invert = bit_set(word, token.invert_bit);
  if (token.half_position != Token::kNoBit) {
    operand.half = static_cast<uint8_t>(
        field(word, token.half_position, bits_for(mod_names(token.half_mod).size())));
  }
}

void set_register(const Token& token, uint64_t raw, Instruction* out) {
  Operand& operand = (*out)[token.role];
  operand.kind = Operand::Kind::kRegister;
  operand.index = static_cast<uint8_t>(raw);
  operand.count = registers_of(token, *out);
  operand.reuse_bit = token.reuse_bit;
  operand.reuse =
      token.reuse_bit != Token::kNoBit && ((out->control.reuse >> token.reuse_bit) & 1) != 0;
}

/// A field of all ones means URZ, for fields of any width.
uint8_t uniform_index(const Word& word, uint8_t position, uint8_t width) {
  const uint64_t raw = field(word, position, width);
  return raw == low_mask(width) ? kRZ : static_cast<uint8_t>(raw);
}

uint8_t next_uniform(const Token& token, const Word& word) {
  const uint64_t next = field(word, token.position, token.width) + 1;
  return next < low_mask(token.width) ? static_cast<uint8_t>(next) : kRZ;
}

void set_uniform(const AddressFields& address, const Word& word, Operand* operand) {
  if (address.uniform == Token::kNoBit) return;
  operand->has_uniform =
      address.uniform_flag == Token::kNoBit || bit_set(word, address.uniform_flag);
  operand->uniform = uniform_index(word, address.uniform, address.uniform_width);
}

void set_address(const Token& token, const Word& word, Operand* operand) {
  const AddressFields& address = token.address;
  operand->indexed = token.type == Type::kIndexed;
  operand->kind = operand->indexed ? Operand::Kind::kConstant : Operand::Kind::kMemory;
  operand->index =
      address.base == Token::kNoBit ? kRZ : static_cast<uint8_t>(field(word, address.base, 8));
  operand->bank = operand->indexed ? static_cast<uint8_t>(field(word, token.bank_position, 5)) : 0;
  operand->count = bit_set(word, token.wide_bit) ? 2 : 1;
  set_uniform(address, word, operand);
  operand->is_descriptor = bit_set(word, address.descriptor_flag);
  operand->is_shown = address.shown_flag == Token::kNoBit || bit_set(word, address.shown_flag);
  operand->is_wide = bit_set(word, address.wide_flag);
  if (address.scale != Token::kNoBit)
    operand->scale = static_cast<uint8_t>(field(word, address.scale, 2));
  // SPA 5.0: without a base register the offset is the address itself.
  const bool is_absolute = address.uniform == Token::kNoBit && operand->index == kRZ &&
                           !operand->indexed && operand->scale == 0;
  operand->value = is_absolute ? static_cast<int64_t>(raw_value(token, word) << token.shift)
                               : integer_value(token, word);
}

void set_constant(const Token& token, const Word& word, Operand* operand) {
  operand->kind = Operand::Kind::kConstant;
  operand->bank = static_cast<uint8_t>(field(word, token.bank_position, 5));
  operand->value = static_cast<int64_t>(raw_value(token, word) << token.shift);
  set_uniform(token.address, word, operand);
}

void set_predicate(const Token& token, const Word& word, Operand* operand) {
  const bool is_uniform = token.type == Type::kUniformPredicate || bit_set(word, token.uniform_bit);
  const auto raw = static_cast<uint8_t>(field(word, token.position, token.width));
  operand->kind = is_uniform ? Operand::Kind::kUniformPredicate : Operand::Kind::kPredicate;
  operand->index = token.inverted ? static_cast<uint8_t>(kPT - raw) : raw;
}

void set_immediate(int64_t value, Operand* operand) {
  operand->kind = Operand::Kind::kImmediate;
  operand->value = value;
}

void set_place(Operand::Kind kind, uint64_t index, Operand* operand) {
  operand->kind = kind;
  operand->index = static_cast<uint8_t>(index);
}

int64_t target_of(const Token& token, const Word& word, const Instruction& instruction) {
  if (token.width == Token::kAbsolute) return static_cast<int64_t>(raw_value(token, word));
  return instruction.address + int64_t{8} + sign_extend(raw_value(token, word), token.width);
}

/// The target of a branch, whose distance counts from the next word (16 bytes later).
int64_t distance_target(const Token& token, const Word& word, const Instruction& instruction) {
  const int64_t distance = sign_extend(raw_value(token, word), token.width);
  return instruction.address + int64_t{16} + distance * (int64_t{1} << token.shift);
}

void set_operand(const Token& token, const Word& word, Instruction* out) {
  using Kind = Operand::Kind;
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
    case Type::kUniform:
      set_place(Kind::kUniform, uniform_index(word, token.position, token.width), &operand);
      operand.count = registers_of(token, *out);
      break;
    case Type::kNextUniform: set_place(Kind::kUniform, next_uniform(token, word), &operand); break;
    case Type::kPredicate:
    case Type::kUniformPredicate: set_predicate(token, word, &operand); break;
    case Type::kConvergence: set_place(Kind::kConvergence, raw, &operand); break;
    case Type::kConstant: set_constant(token, word, &operand); break;
    case Type::kInteger: set_immediate(integer_value(token, word), &operand); break;
    case Type::kHalf: set_immediate(float_bits(token, word, 16), &operand); break;
    case Type::kFloat: set_immediate(float_bits(token, word, 32), &operand); break;
    case Type::kDouble: set_immediate(float_bits(token, word, 64), &operand); break;
    case Type::kHalves:
    case Type::kSet: set_immediate(static_cast<int64_t>(raw), &operand); break;
    case Type::kMemory:
    case Type::kIndexed: set_address(token, word, &operand); break;
    case Type::kTarget:
      operand.kind = Kind::kTarget;
      operand.value = target_of(token, word, *out);
      break;
    case Type::kDistance:
      operand.kind = Kind::kTarget;
      operand.value = distance_target(token, word, *out);
      break;
    default: set_place(Kind::kSpecial, raw, &operand); break;
  }
}

/// The factors that a multiplication prints as a shift: 2 to 1 << 30, without 1 << 16.
bool is_shift(int64_t factor) {
  return factor > 1 && (factor & (factor - 1)) == 0 && factor <= int64_t{1} << 30 &&
         factor != int64_t{1} << 16;
}

/// SPA 5.0: NaN is printed without its payload, so only one payload per form is accepted: the one
/// that compilers emit, only the quiet bit in a short immediate and all ones in a 32-bit one.
bool is_printable(const Token& token, const Word& word, const Instruction& instruction) {
  if (token.half_position != Token::kNoBit &&
      mod_names(token.half_mod)[instruction[token.role].half] == nullptr) {
    return false;
  }
  const Operand& operand = instruction[token.role];
  if (token.immediate.power && !is_shift(operand.value)) return false;
  if (instruction.arch != Arch::kSm50) return true;
  if (token.never_rz && operand.index == kRZ) return false;
  if (token.immediate.minus_in_front && operand.negate && operand.value == 0) return false;
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
  const unsigned payload = token.immediate.sign_bit == Token::kNoBit ? 23 : is_double ? 8 : 11;
  const uint64_t exponent = low_mask(is_double ? 11 : 8);
  const uint64_t fraction = raw & low_mask(payload);
  if (((raw >> payload) & exponent) != exponent || fraction == 0) return true;
  if (token.immediate.moved) return fraction == uint64_t{7} << (payload - 3);
  return fraction == (payload == 23 ? low_mask(23) : uint64_t{1} << (payload - 1));
}

/// Fills modifiers first, since the number of registers may depend on them.
bool set_modifiers(const std::vector<Token>& tokens, const Word& word, Instruction* out) {
  for (const Token& token : tokens) {
    if (token.type == Type::kGroup && !set_modifiers(token.children, word, out)) return false;
    if (token.type == Type::kCarry) out->sets_cc = bit_set(word, token.position);
    if (token.type == Type::kPhase) (*out)[token.mod] = out->control.reuse & 3;
    if (token.type != Type::kModifier) continue;
    const auto& names = mod_names(token.names);
    const uint64_t value = raw_value(token, word);
    if (value >= names.size() || names[value] == nullptr) return false;
    (*out)[token.mod] = static_cast<uint8_t>(value);
  }
  return true;
}

bool set_operands(const std::vector<Token>& tokens, const Word& word, Instruction* out) {
  for (const Token& token : tokens) {
    if (token.type == Type::kGroup && !set_operands(token.children, word, out)) return false;
    if (token.role == Role::kCount) continue;
    set_operand(token, word, out);
    if (!is_printable(token, word, *out)) return false;
  }
  return true;
}

std::string hex(const Word& word, const FormTable& table) {
  const auto low = static_cast<unsigned long long>(word.low);
  const auto high = static_cast<unsigned long long>(word.high);
  char text[36];
  if (family_of(table.arch) == Family::kMaxwell) {
    std::snprintf(text, sizeof text, "0x%016llx", low);
  } else {
    std::snprintf(text, sizeof text, "0x%016llx%016llx", high, low);
  }
  return text;
}

std::string reserved_error(const Form& form, const Word& word, const FormTable& table) {
  const Word wrong = (word ^ form.pattern) & form.reserved;
  std::string bits;
  for (unsigned b = 128; b-- > 0;) {
    if (field(wrong, b, 1) != 0) bits += (bits.empty() ? "" : ", ") + std::to_string(b);
  }
  return "reserved bits " + bits + " of " + facts(form.op).name + " set in " + hex(word, table) +
         "; expected 0";
}

void begin(const Form& form, const FormTable& table, Instruction* out) {
  const Word& word = out->word;
  out->arch = table.arch;
  out->op = form.op;
  out->rest = (word ^ form.pattern) & form.unnamed;
  out->guard_is_uniform = form.uniform_guard;
  if (!form.guarded) return;
  out->guard = static_cast<uint8_t>(field(word, table.guard_position, 3));
  out->guard_negate = field(word, table.guard_position + 3, 1) != 0;
}

/// Why the word does not match this row; "" if it matches, and then `out` is filled.
std::string decode_row(uint16_t row, const FormTable& table, Instruction* out) {
  const Form& form = table.forms[row];
  const Word word = out->word;
  if (!((word ^ form.pattern) & form.reserved).none()) return reserved_error(form, word, table);
  out->form = row;
  begin(form, table, out);
  const std::string name = facts(form.op).name;
  if (!set_modifiers(form.tokens, word, out))
    return "reserved modifier value of " + name + " in " + hex(word, table);
  if (!set_operands(form.tokens, word, out))
    return "reserved operand of " + name + " in " + hex(word, table);
  set_group_registers(out);
  return "";
}

std::string decode_in(const FormTable& table, const Word& word, uint32_t address,
                      const Control& control, Instruction* out) {
  std::string problem;
  for (const uint16_t row : table.by_opcode[field(word, table.opcode_position, 12)]) {
    const Form& form = table.forms[row];
    if (!((word ^ form.pattern) & form.mask).none()) continue;
    *out = Instruction{};
    out->word = word;
    out->address = address;
    out->control = control;
    problem = decode_row(row, table, out);
    if (problem.empty()) return "";
  }
  if (!problem.empty()) return problem;
  const std::string what =
      unmodelled(table.arch, static_cast<unsigned>(field(word, table.opcode_position, 12)));
  return what.empty() ? "unknown opcode in " + hex(word, table)
                      : what + ", cannot be executed: " + hex(word, table);
}

}  // namespace

std::string decode(uint64_t word, uint32_t address, const Control& control, Instruction* out) {
  return decode_in(form_table(Arch::kSm50), Word(word), address, control, out);
}

std::string decode(Arch arch, const Word& word, uint32_t address, Instruction* out) {
  const auto control = static_cast<uint32_t>(field(word, kControlPosition, kControlBits));
  return decode_in(form_table(arch), word, address, control_from_field(control), out);
}

ShuffleMode shuffle_mode(const Instruction& shfl) {
  return static_cast<ShuffleMode>(shfl[Mod::k_shfl]);
}

}  // namespace shflsim::isa
