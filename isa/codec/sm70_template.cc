// SPDX-License-Identifier: Apache-2.0
// The notation of isa/codec/sm70_opcodes.inc.
#include <stdexcept>
#include <string>

#include "isa/base/bits.h"
#include "isa/codec/form_template.h"

namespace shflsim::isa {
namespace {

using Type = Token::Type;

// Positions of operands: docs/sources.md, "Words of 128 bits".
constexpr uint8_t kFieldD = 16, kFieldA = 24, kFieldB = 32, kFieldC = 64;
constexpr uint8_t kConstantOffset = 38, kConstantBank = 54;
constexpr uint8_t kUniformFlag = 91;

struct Sm70Field {
  std::string_view name;
  Type type;
  Role role;
  uint8_t position;
  uint8_t width;
};
constexpr Sm70Field kSm70Fields[] = {
    {"d", Type::kRegister, Role::kD, kFieldD, 8},
    {"g", Type::kRegister, Role::kG, kFieldC, 8},
    {"ud", Type::kUniform, Role::kD, kFieldD, 8},
    {"ua", Type::kUniform, Role::kA, kFieldA, 8},
    {"ub", Type::kUniform, Role::kB, kFieldB, 8},
    {"uc", Type::kUniform, Role::kC, kFieldC, 8},
    {"ug", Type::kUniform, Role::kG, kFieldC, 8},
    {"un", Type::kNextUniform, Role::kB, kFieldC, 8},
    {"bd", Type::kConvergence, Role::kD, 16, 4},
    {"ba", Type::kConvergence, Role::kA, 24, 4},
    {"ia", Type::kInteger, Role::kA, 0, 0},
    {"ib", Type::kInteger, Role::kB, 0, 0},
    {"ic", Type::kInteger, Role::kC, 0, 0},
    {"ig", Type::kInteger, Role::kG, 0, 0},
    {"ih", Type::kInteger, Role::kH, 0, 0},
    {"p", Type::kPredicate, Role::kP, 81, 3},
    {"q", Type::kPredicate, Role::kQ, 84, 3},
    {"s", Type::kPredicate, Role::kS, 87, 3},
    {"t", Type::kPredicate, Role::kT, 77, 3},
    {"u", Type::kPredicate, Role::kU, 68, 3},
    {"up", Type::kUniformPredicate, Role::kP, 81, 3},
    {"uq", Type::kUniformPredicate, Role::kQ, 84, 3},
    {"us", Type::kUniformPredicate, Role::kS, 87, 3},
    {"ut", Type::kUniformPredicate, Role::kT, 77, 3},
    {"uu", Type::kUniformPredicate, Role::kU, 68, 3},
    {"sr", Type::kSpecial, Role::kA, 72, 8},
    {"set", Type::kSet, Role::kG, 32, 6},
    {"rel", Type::kDistance, Role::kB, 34, 48},
};

/// Chooses a, b or c by an operand's field; signs and halves have one position per field.
uint8_t by_place(uint8_t position, uint8_t a, uint8_t b, uint8_t c) {
  if (position == kFieldA) return a;
  return position == kFieldC ? c : b;
}

bool is_immediate(const Token& token) {
  return token.type == Type::kInteger || token.type == Type::kHalves ||
         token.type == Type::kFloat || token.type == Type::kDouble;
}

class Sm70Reader final : public TemplateReader {
 public:
  Sm70Reader(const Form& form, unsigned architecture)
      : TemplateReader(form.text),
        form_(form.letter[0]),
        architecture_(architecture),
        uniform_width_(uniform_bits(architecture)) {}

 private:
  Token field_named(std::string_view name) const override {
    if (name == "a") return source(Role::kA, kFieldA);
    if (name == "b") return source(Role::kB, kFieldB);
    if (name == "c") return source(Role::kC, kFieldC);
    if (name == "B") return second_source();
    if (name == "C") return third_source();
    if (name == "X" || name == "Y") return addend(name == "Y");
    if (name == "UB") return form_ == '4' ? immediate(Role::kB) : uniform(second_place());
    if (name == "UC") return form_ == '2' ? immediate(Role::kC) : uniform(third_place());
    if (name == "m" || name == "md") return memory(name == "m" ? Role::kA : Role::kD);
    if (name == "k") return constant(Role::kA, Type::kIndexed);
    if (name == "kb") return constant(Role::kB, Type::kConstant);
    if (name == "off") return offset();
    if (name == "lut") return table();
    for (const auto& [known, type, role, position, width] : kSm70Fields) {
      if (name == known) return plain(operand(type, role, position, width));
    }
    return modifier(name);
  }

  Token plain(Token token) const {
    const bool is_next = token.type == Type::kNextUniform;
    if (token.type == Type::kUniform || is_next) token.width = uniform_width_;
    if (token.type == Type::kDistance) token.shift = 2;
    if (token.role == Role::kS) token.negate_bit = 90;
    if (token.role == Role::kT) token.negate_bit = 80;
    if (token.role == Role::kU) token.negate_bit = 71;
    return token;
  }

  static Token source(Role role, uint8_t position) {
    Token token = operand(Type::kRegister, role, position, 8);
    token.reuse_bit = role == Role::kA ? 0 : role == Role::kB ? 1 : 2;
    token.half_behind = true;
    return token;
  }

  Token uniform(std::pair<Role, uint8_t> place) const {
    return operand(Type::kUniform, place.first, place.second, uniform_width_);
  }

  static Token immediate(Role role) {
    Token token = operand(Type::kInteger, role, kFieldB, 32);
    token.immediate.is_signed = true;
    return token;
  }

  /// A constant operand of arithmetic; its offset counts words.
  Token constant_source(Role role) const {
    Token token = constant(role, Type::kConstant);
    token.position = kConstantOffset + 2;
    token.width = 14;
    token.shift = 2;
    return token;
  }

  Token constant(Role role, Type type) const {
    Token token = operand(type, role, kConstantOffset, 16);
    token.bank_position = kConstantBank;
    token.immediate.is_signed = true;
    if (type == Type::kConstant && has_uniform(architecture_)) {
      token.address.uniform = kFieldB;
      token.address.uniform_width = uniform_width_;
      token.address.uniform_flag = kUniformFlag;
    }
    return token;
  }

  /// In forms 2, 3, 7 operands B and C are exchanged: C, which is not a register, is in field
  /// 39:32, and B is in field 71:64.
  bool is_exchanged() const { return form_ == '2' || form_ == '3' || form_ == '7'; }
  std::pair<Role, uint8_t> second_place() const {
    return {Role::kB, is_exchanged() ? kFieldC : kFieldB};
  }
  std::pair<Role, uint8_t> third_place() const {
    return {Role::kC, is_exchanged() ? kFieldB : kFieldC};
  }

  /// The operand in field 39:32 in forms that have no register there.
  Token other(Role role) const {
    if (form_ == '2' || form_ == '4') return immediate(role);
    if (form_ == '3' || form_ == '5') return constant_source(role);
    return uniform({role, kFieldB});
  }

  Token second_source() const {
    if (form_ == '1' || is_exchanged()) return source(Role::kB, second_place().second);
    return other(Role::kB);
  }

  Token third_source() const {
    if (!is_exchanged()) return source(Role::kC, kFieldC);
    return other(Role::kC);
  }

  /// The second source. A register is in the field of a multiply-add's second or third source.
  Token addend(bool is_third) const {
    if (form_ != '1') return other(Role::kB);
    Token token = source(Role::kB, is_third ? kFieldC : kFieldB);
    token.reuse_bit = 2;
    return token;
  }

  Token memory(Role role) const {
    Token token = operand(Type::kMemory, role, 40, 24);
    token.immediate.is_signed = true;
    token.address.base = kFieldA;
    token.address.shows_zero = architecture_ >= 90;
    return token;
  }

  /// A signed offset that is printed unchanged.
  static Token offset() {
    Token token = operand(Type::kInteger, Role::kB, 34, 48);
    token.immediate.is_signed = true;
    token.shift = 2;
    return token;
  }

  static Token table() {
    Token token = operand(Type::kInteger, Role::kG, 64, 8);
    token.high_bit = 72;
    token.high_width = 5;
    return token;
  }

  /// "16.8+34.48": the upper part of the value is in a separate field.
  void set_place(Token& token, std::string_view digits) const override {
    const size_t plus = digits.find('+');
    TemplateReader::set_place(token, digits.substr(0, plus));
    if (plus == std::string_view::npos) return;
    Token upper;
    TemplateReader::set_place(upper, digits.substr(plus + 1));
    token.high_bit = upper.position;
    token.high_width = upper.width;
    token.width = static_cast<uint8_t>(token.width + upper.width);
  }

  void apply_option(Token& token, std::string_view option) const override {
    const std::string_view rest = option.substr(1);
    switch (option[0]) {
      case '-': set_sign(token, rest, &Token::negate_bit, 72, 63, 75); break;
      case '|': set_sign(token, rest, &Token::absolute_bit, 73, 62, 74); break;
      case '~': set_sign(token, rest, &Token::invert_bit, 72, 63, 75); break;
      case 'v': set_half(token); break;
      case '!': token.negate_bit = number(rest); break;
      case 'i': token.inverted = true; break;
      case 'y': token.uniform_bit = number(rest); break;
      case 'u': token.immediate.is_signed = false; break;
      case 's': token.immediate.is_signed = true; break;
      case 'd': token.immediate.decimal = true; break;
      case 'p': token.immediate.power = true; break;
      case 'r': token.reuse_bit = number(rest); break;
      case 'w': token.width = number(rest); break;
      case 'x': token.shift = number(rest); break;
      case '=': token.immediate.usual = number(rest); break;
      case '*': set_count(token, rest); break;
      case 'H': set_high(token, rest, 1); break;
      case 'J': set_high(token, rest, 2); break;
      case 'f': set_float(token, Type::kFloat); break;
      case 'g': set_float(token, Type::kDouble); break;
      case 'h': set_float(token, Type::kHalves); break;
      default: apply_address_option(token, option);
    }
  }

  void apply_address_option(Token& token, std::string_view option) const {
    const std::string_view rest = option.substr(1);
    AddressFields& address = token.address;
    switch (option[0]) {
      case 'b': address.base = rest.empty() ? Token::kNoBit : number(rest); break;
      case 'E': token.wide_bit = number(rest); break;
      case 'L': address.wide_flag = number(rest); break;
      case 'X': address.scale = number(rest); break;
      case 'D': set_descriptor(number(rest), &address); break;
      case 'U': set_uniform(rest, &address); break;
      case 'Z': address.leaves_out_zero = true; break;
      default:
        throw std::logic_error("isa/codec/sm70_opcodes.inc: option '" + std::string(option) + "'");
    }
  }

  /// UN: UR is part of the address if bit 91 is set; U!N: always.
  void set_uniform(std::string_view rest, AddressFields* address) const {
    const bool always = rest[0] == '!';
    if (!has_uniform(architecture_)) return;
    address->uniform = number(rest.substr(always ? 1 : 0));
    address->uniform_width = uniform_width_;
    address->uniform_flag = always ? Token::kNoBit : kUniformFlag;
  }

  /// Listings of sm_80 to sm_89 print a descriptor only if bit 101 is set.
  void set_descriptor(uint8_t flag, AddressFields* address) const {
    if (architecture_ < 80) return;
    address->descriptor_flag = flag;
    if (architecture_ < 90) address->shown_flag = 101;
  }

  static void set_sign(Token& token, std::string_view rest, uint8_t Token::*bit, uint8_t a,
                       uint8_t b, uint8_t c) {
    if (is_immediate(token)) return;
    token.*bit = rest.empty() ? by_place(token.position, a, b, c) : number(rest);
  }

  /// Sets the half field of a half-precision operand; for field 71:64 also the sign bits.
  static void set_half(Token& token) {
    if (is_immediate(token)) return;
    token.half_mod = mod_named("halves");
    token.half_position = by_place(token.position, 74, 60, 81);
    if (token.position != kFieldC) return;
    if (token.negate_bit != Token::kNoBit) token.negate_bit = 84;
    if (token.absolute_bit != Token::kNoBit) token.absolute_bit = 83;
  }

  /// Sets the type of immediates only; register and constant forms use the same template.
  static void set_float(Token& token, Type type) {
    if (token.type == Type::kInteger) token.type = type;
  }

  const char form_;
  const unsigned architecture_;
  const uint8_t uniform_width_;
};

}  // namespace

std::vector<Token> read_sm70_template(const Form& form, unsigned architecture) {
  return Sm70Reader(form, architecture).read();
}

}  // namespace shflsim::isa
