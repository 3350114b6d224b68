// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cstring>

#include "isa/bits.h"
#include "isa/codec.h"
#include "isa/form.h"

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

std::string decimal(double value) {
  if (std::isnan(value)) return std::signbit(value) ? "-QNAN" : "+QNAN";
  if (std::isinf(value)) return value < 0 ? "-INF" : "+INF";
  if (value == 0) return std::signbit(value) ? "-0.0" : "0";
  char text[48];
  // nvdisasm leaves the plain notation where an integer has ten digits.
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

std::string double_text(int64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return decimal(value);
}

std::string register_name(uint8_t index) {
  return index == kRZ ? "RZ" : "R" + std::to_string(index);
}

std::string memory_text(const Operand& operand) {
  if (operand.index == kRZ && operand.value != 0) return "[" + hex(operand.value) + "]";
  std::string text = "[" + register_name(operand.index);
  if (operand.value != 0) text += "+" + hex(operand.value);
  return text + "]";
}

std::string constant_text(const Operand& operand) {
  std::string text = "c[" + hex(operand.bank) + "]";
  if (!operand.indexed)
    return text + "[" + hex(sign_extend(static_cast<uint64_t>(operand.value), 16)) + "]";
  return text + memory_text(operand);
}

/// Highest first: "{5,1}".
std::string set_text(uint64_t bits) {
  std::string text;
  for (int bit = 63; bit >= 0; --bit) {
    if (((bits >> bit) & 1) != 0) text += (text.empty() ? "" : ",") + std::to_string(bit);
  }
  return "{" + text + "}";
}

std::string bare_operand(const Token& token, const Operand& operand) {
  switch (token.type) {
    case Type::kRegister:
    case Type::kPair: return register_name(operand.index);
    case Type::kPredicate: return operand.index == kPT ? "PT" : "P" + std::to_string(operand.index);
    case Type::kConstant:
    case Type::kIndexed: return constant_text(operand);
    case Type::kInteger:
    case Type::kTarget: return hex(operand.value);
    case Type::kHalf: return half_text(operand.value);
    case Type::kFloat: return float_text(operand.value);
    case Type::kDouble: return double_text(operand.value);
    case Type::kMemory: return memory_text(operand);
    case Type::kSet: return set_text(static_cast<uint64_t>(operand.value));
    default: return special_register_name(operand.index);
  }
}

bool is_number(Token::Type type) {
  return type == Type::kInteger || type == Type::kHalf || type == Type::kFloat ||
         type == Type::kDouble;
}

/// "-|R1.H1|.reuse"; on an immediate the signs stand behind it, as words.
std::string operand_text(const Token& token, const Operand& operand) {
  std::string text = bare_operand(token, operand);
  const std::string half =
      token.half_position != Token::kNoBit ? mod_names(token.half_mod)[operand.half] : "";
  if (is_number(token.type)) {
    if (operand.invert) text += ".INV";
    if (operand.negate) text = token.minus_in_front ? "-" + text : text + ".NEG";
    if (operand.absolute) text += ".ABS";
    return text + half;
  }
  text += half;
  if (operand.absolute) text = "|" + text + "|";
  if (operand.reuse) text += ".reuse";
  if (operand.invert) text = "~" + text;
  if (operand.negate) text = (token.type == Type::kPredicate ? "!" : "-") + text;
  return text;
}

bool is_default(const Token& token, const Instruction& instruction) {
  switch (token.type) {
    case Type::kLiteral: return true;
    case Type::kModifier: return *mod_names(token.names)[instruction[token.mod]] == '\0';
    case Type::kCarry: return !instruction.sets_cc;
    case Type::kPredicate:
      return instruction[token.role].index == kPT && !instruction[token.role].negate;
    case Type::kInteger:
    case Type::kSet: return instruction[token.role].value == 0;
    case Type::kRegister: return instruction[token.role].index == kRZ;
    default: return false;
  }
}

std::string phase_text(const Token& token, const Instruction& instruction) {
  const char* name = mod_names(token.mod)[instruction[token.mod]];
  return name != nullptr ? name : "";
}

void append(const std::vector<Token>& tokens, const Instruction& instruction, std::string* out) {
  for (const Token& token : tokens) {
    switch (token.type) {
      case Type::kLiteral: *out += token.literal; break;
      case Type::kModifier: *out += mod_names(token.names)[instruction[token.mod]]; break;
      case Type::kPhase: *out += phase_text(token, instruction); break;
      case Type::kCarry: *out += instruction.sets_cc ? ".CC" : ""; break;
      case Type::kGroup: {
        bool shown = false;
        for (const Token& child : token.children) shown |= !is_default(child, instruction);
        if (shown) append(token.children, instruction, out);
        break;
      }
      default: *out += operand_text(token, instruction[token.role]); break;
    }
  }
}

}  // namespace

std::string text_of(const Instruction& instruction) {
  std::string text;
  if (instruction.has_guard()) {
    text = instruction.guard_negate ? "@!P" : "@P";
    text += instruction.guard == kPT ? "T" : std::to_string(instruction.guard);
    text += " ";
  }
  append(forms()[instruction.form].tokens, instruction, &text);
  return text;
}

}  // namespace shflsim::isa
