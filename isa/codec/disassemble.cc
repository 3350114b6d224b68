// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "isa/base/bits.h"
#include "isa/base/text_cursor.h"
#include "isa/codec/codec.h"
#include "isa/codec/form.h"

namespace shflsim::isa {
namespace {

using Type = Token::Type;

std::string hex(int64_t value) {
  char text[24];
  const bool negative = value < 0;
  std::snprintf(text, sizeof text, "%s0x%llx", negative ? "-" : "",
                static_cast<unsigned long long>(negative ? -value : value));
  return text;
}

std::string unsigned_hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string decimal(double value) {
  if (std::isnan(value)) return std::signbit(value) ? "-QNAN" : "+QNAN";
  if (std::isinf(value)) return value < 0 ? "-INF" : "+INF";
  if (value == 0) return std::signbit(value) ? "-0.0" : "0";
  char text[48];
  // nvdisasm uses the exponential notation from ten digits on.
  std::snprintf(text, sizeof text, std::fabs(value) >= 1e9 ? "%.20e" : "%.20g", value);
  return text;
}

std::string float_text(int64_t bits) {
  const uint32_t raw = static_cast<uint32_t>(bits);
  float value;
  std::memcpy(&value, &raw, sizeof value);
  return decimal(static_cast<double>(value));
}

std::string half_text(int64_t bits) {
  const int exponent = static_cast<int>((bits >> 10) & 31);
  const int64_t fraction = bits & 0x3FF;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) {
    return decimal(std::copysign(fraction != 0 ? std::nan("") : HUGE_VAL, sign));
  }
  const double magnitude = std::ldexp(static_cast<double>(fraction + (exponent != 0 ? 1024 : 0)),
                                      (exponent != 0 ? exponent : 1) - 25);
  return decimal(sign * magnitude);
}

/// A bfloat16 has a float's sign and exponent, and the upper seven bits of its fraction.
std::string bfloat_text(int64_t bits) { return float_text(bits << 16); }

std::string halves_text(const Token& token, const Instruction& instruction) {
  const int64_t bits = instruction[token.role].value;
  const bool is_bfloat = instruction[Mod::k_bf16_v2] != 0;
  const auto text = [is_bfloat](int64_t half) {
    return is_bfloat ? bfloat_text(half & 0xFFFF) : half_text(half & 0xFFFF);
  };
  return text(bits >> 16) + ", " + text(bits);
}

std::string double_text(int64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  const bool is_quiet = (bits >> 51 & 1) != 0;
  if (std::isnan(value) && !is_quiet) return bits < 0 ? "-SNAN" : "+SNAN";
  return decimal(value);
}

std::string register_name(uint8_t index) {
  return index == kRZ ? "RZ" : "R" + std::to_string(index);
}

std::string uniform_name(uint8_t index) {
  return index == kRZ ? "URZ" : "UR" + std::to_string(index);
}

std::string predicate_name(const Operand& operand) {
  const char* prefix = operand.is(Operand::Kind::kUniformPredicate) ? "UP" : "P";
  return operand.index == kPT ? std::string(prefix) + "T" : prefix + std::to_string(operand.index);
}

/// The parts of an address, joined by plus. RZ without suffix is left out if there are other parts.
std::string sum_text(const Operand& operand, const std::string& base, bool adds_uniform) {
  const bool has_others = adds_uniform || operand.value != 0;
  const bool is_left_out = base == register_name(kRZ) && has_others;
  std::string text = is_left_out ? "" : base;
  if (adds_uniform) text += (text.empty() ? "" : "+") + uniform_name(operand.uniform);
  if (operand.value != 0 || text.empty()) text += (text.empty() ? "" : "+") + hex(operand.value);
  return "[" + text + "]";
}

/// The width of an address register, if the other parts do not imply it. A wide RZ is left out
/// together with its width.
std::string extent_text(const Operand& operand, const AddressFields& address, bool adds_uniform) {
  if (address.wide_flag == Token::kNoBit) return "";
  const bool has_none = address.uniform == Token::kNoBit;
  const bool has_base = operand.has_uniform && !operand.is_descriptor;
  const bool is_shown = operand.index != kRZ || address.shows_zero;
  if (!operand.is_wide) return has_base && is_shown ? ".U32" : "";
  if (operand.index == kRZ && (adds_uniform || operand.value != 0)) return "";
  return has_none || operand.has_uniform ? ".64" : "";
}

std::string memory_text(const Operand& operand, const AddressFields& address) {
  static const char* const scales[] = {"", ".X4", ".X8", ".X16"};
  std::string base = address.base == Token::kNoBit ? "" : register_name(operand.index);
  const bool is_left_out = address.leaves_out_zero && operand.uniform == kRZ;
  const bool adds_uniform = operand.has_uniform && !operand.is_descriptor && !is_left_out;
  base += scales[operand.scale] + extent_text(operand, address, adds_uniform);
  const std::string text = sum_text(operand, base, adds_uniform);
  const bool is_shown = operand.has_uniform && operand.is_descriptor && operand.is_shown;
  return is_shown ? "desc[" + uniform_name(operand.uniform) + "]" + text : text;
}

std::string constant_text(const Operand& operand, const AddressFields& address) {
  const std::string offset = hex(sign_extend(static_cast<uint64_t>(operand.value), 16));
  if (!operand.indexed) {
    const std::string bank =
        operand.has_uniform ? "cx[" + uniform_name(operand.uniform) : "c[" + hex(operand.bank);
    return bank + "][" + offset + "]";
  }
  const std::string bank = "c[" + hex(operand.bank) + "]";
  if (!operand.has_uniform) return bank + memory_text(operand, address);
  const bool is_left_out = operand.uniform == kRZ && operand.value != 0;
  return bank + (is_left_out ? "[" + hex(operand.value) + "]" : sum_text(operand, "", true));
}

/// The set bits, the highest first: "{5,1}".
std::string set_text(uint64_t bits) {
  std::string text;
  for (int bit = 63; bit >= 0; --bit) {
    if (((bits >> bit) & 1) != 0) text += (text.empty() ? "" : ",") + std::to_string(bit);
  }
  return "{" + text + "}";
}

std::string bare_operand(const Token& token, const Operand& operand, Family family) {
  switch (token.type) {
    case Type::kRegister:
    case Type::kPair: return register_name(operand.index);
    case Type::kUniform:
    case Type::kNextUniform: return uniform_name(operand.index);
    case Type::kPredicate:
    case Type::kUniformPredicate: return predicate_name(operand);
    case Type::kConvergence: return "B" + std::to_string(operand.index);
    case Type::kConstant:
    case Type::kIndexed: return constant_text(operand, token.address);
    case Type::kInteger:
      if (token.width == 64) return unsigned_hex(static_cast<uint64_t>(operand.value));
      return token.immediate.decimal ? std::to_string(operand.value) : hex(operand.value);
    case Type::kDistance:
    case Type::kTarget: return hex(operand.value);
    case Type::kHalf: return half_text(operand.value);
    case Type::kFloat: return float_text(operand.value);
    case Type::kDouble: return double_text(operand.value);
    case Type::kMemory: return memory_text(operand, token.address);
    case Type::kSet: return set_text(static_cast<uint64_t>(operand.value));
    default: return special_register_name(operand.index, family);
  }
}

bool is_predicate(Token::Type type) {
  return type == Type::kPredicate || type == Type::kUniformPredicate;
}

/// "-|R1.H1|.reuse"; signs of an immediate are suffixes, as words.
std::string operand_text(const Token& token, const Operand& operand, Family family) {
  std::string text = bare_operand(token, operand, family);
  const std::string half =
      token.half_position != Token::kNoBit ? mod_names(token.half_mod)[operand.half] : "";
  if (is_number(token.type)) {
    if (operand.invert) text += ".INV";
    if (operand.negate) text = token.immediate.minus_in_front ? "-" + text : text + ".NEG";
    if (operand.absolute) text += ".ABS";
    return text + half;
  }
  if (!token.half_behind) text += half;
  if (operand.absolute) text = "|" + text + "|";
  if (operand.reuse) text += ".reuse";
  if (token.half_behind) text += half;
  if (operand.invert) text = "~" + text;
  if (operand.negate) text = (is_predicate(token.type) ? "!" : "-") + text;
  return text;
}

bool are_default(const std::vector<Token>& tokens, const Instruction& instruction);

bool is_default(const Token& token, const Instruction& instruction) {
  switch (token.type) {
    case Type::kLiteral: return true;
    case Type::kModifier: return *mod_names(token.names)[instruction[token.mod]] == '\0';
    case Type::kCarry: return !instruction.sets_cc;
    case Type::kPredicate:
    case Type::kUniformPredicate:
      return instruction[token.role].index == kPT && !instruction[token.role].negate;
    case Type::kInteger:
    case Type::kSet: return instruction[token.role].value == token.immediate.usual;
    case Type::kUniform:
    case Type::kRegister: return instruction[token.role].index == kRZ;
    case Type::kGroup: return are_default(token.children, instruction);
    default: return false;
  }
}

bool are_default(const std::vector<Token>& tokens, const Instruction& instruction) {
  return std::all_of(tokens.begin(), tokens.end(),
                     [&](const Token& token) { return is_default(token, instruction); });
}

std::string phase_text(const Token& token, const Instruction& instruction) {
  const char* name = mod_names(token.mod)[instruction[token.mod]];
  return name != nullptr ? name : "";
}

void append(const std::vector<Token>& tokens, const Instruction& instruction, std::string* out);

void append(const Token& token, const Instruction& instruction, std::string* out) {
  switch (token.type) {
    case Type::kLiteral: *out += token.literal; break;
    case Type::kModifier: *out += mod_names(token.names)[instruction[token.mod]]; break;
    case Type::kPhase: *out += phase_text(token, instruction); break;
    case Type::kCarry: *out += instruction.sets_cc ? ".CC" : ""; break;
    case Type::kHalves: *out += halves_text(token, instruction); break;
    case Type::kGroup:
      if (!is_default(token, instruction)) append(token.children, instruction, out);
      break;
    default: *out += operand_text(token, instruction[token.role], family_of(instruction.arch));
  }
}

void append(const std::vector<Token>& tokens, const Instruction& instruction, std::string* out) {
  for (const Token& token : tokens) append(token, instruction, out);
}

const Form& form_of(const Instruction& instruction) {
  return forms(instruction.arch)[instruction.form];
}

}  // namespace

std::string name_in_text(const Instruction& instruction) {
  return std::string(leading_name(form_of(instruction).text));
}

/// In a form, a literal with the blank before the operands ends the operation's name.
std::string modifiers_in_text(const Instruction& instruction) {
  std::string text;
  for (const Token& token : form_of(instruction).tokens) {
    const bool is_literal = token.type == Type::kLiteral;
    const size_t blank = is_literal ? token.literal.find(' ') : std::string::npos;
    if (blank != std::string::npos) {
      text += token.literal.substr(0, blank);
      break;
    }
    append(token, instruction, &text);
  }
  return text.substr(leading_name(form_of(instruction).text).size());
}

std::string text_of(const Instruction& instruction) {
  std::string text;
  if (instruction.has_guard()) {
    text = instruction.guard_negate ? "@!" : "@";
    text += instruction.guard_is_uniform ? "UP" : "P";
    text += instruction.guard == kPT ? "T" : std::to_string(instruction.guard);
    text += " ";
  }
  append(form_of(instruction).tokens, instruction, &text);
  return text;
}

}  // namespace shflsim::isa
