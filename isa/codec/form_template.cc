// SPDX-License-Identifier: Apache-2.0
#include "isa/codec/form_template.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "isa/base/bits.h"

namespace shflsim::isa {

std::vector<Token> TemplateReader::read_until(char end) {
  std::vector<Token> tokens;
  while (at_ < text_.size() && text_[at_] != end) {
    const char c = text_[at_++];
    if (c == '{') {
      tokens.push_back(read_field());
    } else if (c == '<') {
      Token group;
      group.type = Token::Type::kGroup;
      group.children = read_until('>');
      ++at_;
      tokens.push_back(group);
    } else {
      if (tokens.empty() || tokens.back().type != Token::Type::kLiteral) tokens.emplace_back();
      tokens.back().literal += c;
    }
  }
  return tokens;
}

/// name=names@place:option,option
Token TemplateReader::read_field() {
  const size_t close = text_.find('}', at_);
  const std::string_view field = text_.substr(at_, close - at_);
  at_ = close + 1;
  const size_t colon = std::min(field.find(':'), field.size());
  const std::string_view head = field.substr(0, colon);
  const size_t at_sign = std::min(head.find('@'), head.size());
  const std::string_view name = head.substr(0, at_sign);
  const size_t equals = name.find('=');
  Token token = field_named(name.substr(0, equals));
  if (equals != std::string_view::npos) {
    token.names = mod_named(name.substr(equals + 1));
    token.width = bits_for(mod_names(token.names).size());
  }
  if (at_sign < head.size()) set_place(token, head.substr(at_sign + 1));
  std::string_view options = field.substr(std::min(colon + 1, field.size()));
  while (!options.empty()) {
    const size_t comma = std::min(options.find(','), options.size());
    apply_option(token, options.substr(0, comma));
    options.remove_prefix(std::min(comma + 1, options.size()));
  }
  return token;
}

void TemplateReader::set_place(Token& token, std::string_view digits) const {
  const size_t point = digits.find('.');
  token.position = number(digits.substr(0, point));
  if (point != std::string_view::npos) token.width = number(digits.substr(point + 1));
}

uint8_t TemplateReader::number(std::string_view digits) {
  return static_cast<uint8_t>(std::atoi(std::string(digits).c_str()));
}

Token TemplateReader::operand(Token::Type type, Role role, uint8_t position, uint8_t width) {
  Token token;
  token.type = type;
  token.role = role;
  token.position = position;
  token.width = width;
  return token;
}

Token TemplateReader::modifier(std::string_view name) {
  Token token;
  token.type = Token::Type::kModifier;
  token.mod = mod_named(name);
  token.names = token.mod;
  token.width = bits_for(mod_names(token.mod).size());
  return token;
}

void TemplateReader::set_count(Token& token, std::string_view rest) {
  if (rest[0] >= '0' && rest[0] <= '9') {
    token.count = number(rest);
  } else {
    token.count = 0;
    token.count_mod = mod_named(rest);
  }
}

void TemplateReader::set_high(Token& token, std::string_view rest, uint8_t width) {
  token.high_bit = number(rest);
  token.high_width = width;
}

namespace {

using Type = Token::Type;

/// Fields without options: name in the template, type, role, position, width.
struct PlainField {
  std::string_view name;
  Token::Type type;
  Role role;
  uint8_t position;
  uint8_t width;
};
constexpr PlainField kPlainFields[] = {
    {"d", Token::Type::kRegister, Role::kD, 0, 8},
    {"v", Token::Type::kRegister, Role::kB, 0, 8},
    {"rg", Token::Type::kRegister, Role::kG, 28, 8},
    {"ia", Token::Type::kInteger, Role::kA, 8, 8},
    {"ib", Token::Type::kInteger, Role::kB, 20, 5},
    {"ic", Token::Type::kInteger, Role::kC, 34, 13},
    {"ig", Token::Type::kInteger, Role::kG, 28, 8},
    {"p", Token::Type::kPredicate, Role::kP, 48, 3},
    {"q", Token::Type::kPredicate, Role::kQ, 0, 3},
    {"s", Token::Type::kPredicate, Role::kS, 39, 3},
    {"t", Token::Type::kPredicate, Role::kT, 12, 3},
    {"u", Token::Type::kPredicate, Role::kU, 29, 3},
    {"target", Token::Type::kTarget, Role::kB, 20, 24},
    {"sr", Token::Type::kSpecial, Role::kA, 20, 8},
    {"set", Token::Type::kSet, Role::kG, 0, 6},
    {"pair", Token::Type::kPair, Role::kC, 0, 0},
};

/// Reads the notation of isa/codec/opcodes.inc.
class MaxwellReader final : public TemplateReader {
 public:
  explicit MaxwellReader(const Form& form)
      : TemplateReader(form.text), letter_(form.letter), fixed_latency_(is_fixed(form.op)) {}

 private:
  static bool is_fixed(Op op) { return facts(op).latency == Latency::kFixed; }

  static Token constant(Role role) {
    Token token = operand(Token::Type::kConstant, role, 20, 14);
    token.shift = 2;
    token.bank_position = 34;
    return token;
  }

  /// A register in a source field. Only fixed-latency instructions have reuse bits.
  Token source(Role role, uint8_t position) const {
    Token token = operand(Token::Type::kRegister, role, position, 8);
    if (fixed_latency_) {
      token.reuse_bit = role == Role::kA ? 0 : role == Role::kB ? 1 : 2;
    }
    return token;
  }

  Token field_named(std::string_view name) const override {
    if (name == "a") return source(Role::kA, 8);
    if (name == "b") return second_source();
    if (name == "c") return third_source();
    if (name == "rb") return source(Role::kB, 20);
    if (name == "rc") return source(Role::kC, 39);
    if (name == "dc") return repeated_destination();
    if (name == "hh") return half_immediate(Role::kG, 30, 56);
    if (name == "hl") return half_immediate(Role::kB, 20, 29);
    if (name == "m") return memory();
    if (name == "k") return indexed();
    if (name == "kb") return target_constant();
    for (const auto& [known, type, role, position, width] : kPlainFields) {
      if (name == known) return operand(type, role, position, width);
    }
    Token token = modifier(name);
    if (name == "cc") token.type = Type::kCarry;
    if (name == "phase") {
      token.type = Type::kPhase;
      token.width = 0;
    }
    return token;
  }

  Token repeated_destination() const {
    Token token = source(Role::kC, 0);
    token.repeats = true;
    return token;
  }

  static Token half_immediate(Role role, uint8_t position, uint8_t sign_bit) {
    Token token = operand(Token::Type::kHalf, role, position, 9);
    token.immediate.sign_bit = sign_bit;
    return token;
  }

  static Token target_constant() {
    Token token = operand(Token::Type::kConstant, Role::kB, 20, 16);
    token.bank_position = 36;
    return token;
  }

  static Token memory() {
    Token token = operand(Token::Type::kMemory, Role::kA, 20, 24);
    token.immediate.is_signed = true;
    token.address.base = 8;
    return token;
  }

  static Token indexed() {
    Token token = operand(Token::Type::kIndexed, Role::kA, 20, 16);
    token.immediate.is_signed = true;
    token.bank_position = 36;
    token.address.base = 8;
    return token;
  }

  Token second_source() const {
    if (letter_ == "C") return constant(Role::kB);
    if (letter_ == "C1") return source(Role::kB, 39);
    if (letter_ == "I") {
      Token token = operand(Token::Type::kInteger, Role::kB, 20, 19);
      token.immediate.sign_bit = 56;
      token.immediate.is_signed = true;
      return token;
    }
    if (letter_ == "32I") return operand(Token::Type::kInteger, Role::kB, 20, 32);
    return source(Role::kB, 20);
  }

  Token third_source() const {
    if (letter_ == "C1") return constant(Role::kC);
    return source(Role::kC, 39);
  }

  void apply_option(Token& token, std::string_view option) const override {
    const std::string_view rest = option.substr(1);
    switch (option[0]) {
      case '-': token.negate_bit = number(rest); break;
      case 'z': token.never_rz = true; break;
      case 'v': token.immediate.moved = true; break;
      case 'n': set_front_minus(token, rest); break;
      case '!': token.negate_bit = number(rest); break;
      case '|': token.absolute_bit = number(rest); break;
      case '~': token.invert_bit = number(rest); break;
      case 'h': set_half(token, rest); break;
      case 'E': token.wide_bit = number(rest); break;
      case '*': set_count(token, rest); break;
      case 'w':
        token.width = number(rest);
        token.immediate.sign_bit = Token::kNoBit;
        break;
      case 'x': token.shift = number(rest); break;
      case 'u': token.immediate.is_signed = false; break;
      case 's': set_signed(token, rest); break;
      case 'H': set_high(token, rest, 1); break;
      case 'J': set_high(token, rest, 2); break;
      case 'r': move_reuse(token, number(rest)); break;
      case 'y': set_half_float(token); break;
      case 'f': set_float(token, Token::Type::kFloat); break;
      case 'g': set_float(token, Token::Type::kDouble); break;
      default:
        throw std::logic_error("isa/codec/opcodes.inc: option '" + std::string(option) + "'");
    }
  }

  static void set_front_minus(Token& token, std::string_view rest) {
    token.negate_bit = number(rest);
    token.immediate.minus_in_front = true;
  }

  static void set_signed(Token& token, std::string_view rest) {
    if (rest.empty()) {
      token.immediate.is_signed = true;
    } else {
      token.immediate.signed_bit = number(rest);
    }
  }

  static void move_reuse(Token& token, uint8_t bit) {
    if (token.type == Token::Type::kRegister) token.reuse_bit = bit;
  }

  /// hN: one bit, .H1 if set; hN=mod: a field of several bits with its own names.
  static void set_half(Token& token, std::string_view rest) {
    const size_t equals = rest.find('=');
    token.half_position = number(rest.substr(0, equals));
    token.half_mod = mod_named(equals == std::string_view::npos ? "half" : rest.substr(equals + 1));
  }

  static void set_half_float(Token& token) {
    if (token.type != Token::Type::kInteger) return;
    token.type = Token::Type::kHalf;
    token.width = 16;
    token.immediate.sign_bit = Token::kNoBit;
  }

  /// Sets the type of immediates only; register and constant forms use the same template.
  static void set_float(Token& token, Token::Type type) {
    if (token.type == Token::Type::kInteger) token.type = type;
  }

  std::string_view letter_;
  bool fixed_latency_;
};

}  // namespace

std::vector<Token> read_template(const Form& form) { return MaxwellReader(form).read(); }

}  // namespace shflsim::isa
