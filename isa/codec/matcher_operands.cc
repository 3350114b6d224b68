// SPDX-License-Identifier: Apache-2.0
// Matches each kind of operand: registers, constants, immediates, addresses, targets.
#include <cctype>
#include <cstring>

#include "isa/codec/matcher.h"

namespace shflsim::isa {
namespace {

using Type = Token::Type;

constexpr uint8_t kMaxwellBase = 8;  ///< position of an address's register in SPA 5.0 words

}  // namespace

bool OperandMatcher::match_operand(const Token& token) {
  skip_spaces();
  if (token.type == Type::kPredicate || token.type == Type::kUniformPredicate)
    return match_predicate(token);
  if (token.immediate.minus_in_front && take('-')) put_bit(token.negate_bit);
  if (is_number(token.type)) return match_bare(token) && match_suffixes(token);
  if (token.invert_bit != Token::kNoBit && take('~')) put_bit(token.invert_bit);
  if (token.negate_bit != Token::kNoBit && take('-')) put_bit(token.negate_bit);
  const bool absolute = token.absolute_bit != Token::kNoBit && take('|');
  if (absolute) put_bit(token.absolute_bit);
  if (!match_bare(token)) return false;
  const bool has_half = token.half_position != Token::kNoBit;
  if (has_half && !token.half_behind && !match_half(token)) return false;
  if (absolute && !take('|')) return fail("'|'");
  match_reuse(token);
  return !has_half || !token.half_behind || match_half(token);
}

bool OperandMatcher::match_suffixes(const Token& token) {
  if (token.invert_bit != Token::kNoBit && take_text(".INV")) put_bit(token.invert_bit);
  if (!token.immediate.minus_in_front && token.negate_bit != Token::kNoBit && take_text(".NEG"))
    put_bit(token.negate_bit);
  if (token.absolute_bit != Token::kNoBit && take_text(".ABS")) put_bit(token.absolute_bit);
  return token.half_position == Token::kNoBit || match_half(token);
}

/// The selected part of an operand. If the field was already read as a modifier (the operand's
/// type), only parts of that type's size match.
bool OperandMatcher::match_half(const Token& token) {
  const auto& parts = mod_names(token.half_mod);
  const size_t start = at_;
  const int taken = take_one_of(parts);
  const auto type = modifiers_.find(token.half_position);
  for (size_t i = 0; taken >= 0 && i < parts.size(); ++i) {
    if (parts[i] == nullptr || std::strcmp(parts[i], parts[static_cast<size_t>(taken)]) != 0) {
      continue;
    }
    if (type != modifiers_.end() && !type->second.agrees(i, parts.size())) continue;
    put(token.half_position, bits_for(parts.size()), i);
    return true;
  }
  return fail_at(start, "a part of the operand, one of " + list_of(parts));
}

void OperandMatcher::match_reuse(const Token& token) {
  if (token.reuse_bit == Token::kNoBit || !take_text(".reuse")) return;
  reuse_ = static_cast<uint8_t>(reuse_ | (1u << token.reuse_bit));
}

bool OperandMatcher::match_bare(const Token& token) {
  switch (token.type) {
    case Type::kRegister: return match_register(token);
    case Type::kPair: return match_pair(token);
    case Type::kConstant: return match_constant(token);
    case Type::kInteger: return match_integer(token);
    case Type::kHalf: return match_half_float(token);
    case Type::kFloat: return match_float(token, 32);
    case Type::kDouble: return match_float(token, 64);
    case Type::kMemory:
      return token.address.base == kMaxwellBase ? match_memory(token) : match_address(token);
    case Type::kUniform: return match_uniform(token);
    case Type::kNextUniform: return match_next_uniform(token);
    case Type::kConvergence: return match_convergence(token);
    case Type::kHalves: return match_halves(token);
    case Type::kDistance: return match_distance(token);
    case Type::kIndexed: return match_bank(token.bank_position) && match_indexed(token);
    case Type::kTarget: return match_target(token);
    case Type::kSet: return match_set(token);
    default: return match_special(token);
  }
}

bool OperandMatcher::match_predicate(const Token& token) {
  if (token.negate_bit != Token::kNoBit && take('!')) put_bit(token.negate_bit);
  const bool may_be_uniform = token.uniform_bit != Token::kNoBit;
  const bool is_uniform = token.type == Type::kUniformPredicate;
  const size_t start = at_;
  std::string_view name = take_name();
  const bool has_prefix = (is_uniform || may_be_uniform) && name.substr(0, 1) == "U";
  if (has_prefix) name.remove_prefix(1);
  if (has_prefix && may_be_uniform) put_bit(token.uniform_bit);
  int index = -1;
  if (name == "PT" || name == "__") index = kPT;
  if (name.size() == 2 && name[0] == 'P' && name[1] >= '0' && name[1] <= '6') index = name[1] - '0';
  if (index < 0 || (is_uniform && !has_prefix && name != "__")) {
    at_ = start;
    return fail(is_uniform ? "a uniform predicate (UP0 to UP6 or UPT)"
                           : "a predicate (P0 to P6, PT or __)");
  }
  put(token.position, token.width, static_cast<uint64_t>(token.inverted ? kPT - index : index));
  return true;
}

/// Takes a register and returns its number; returns -1 and takes nothing if there is none here.
int LongWordMatcher::take_register() {
  skip_spaces();
  const size_t start = at_;
  const int index = register_number(take_name());
  if (index < 0) at_ = start;
  return index;
}

bool OperandMatcher::match_base(unsigned position) {
  const int index = take_register();
  if (index < 0) {
    offer(Offer::Kind::kName);
    return fail("a register (R0 to R254 or RZ)");
  }
  put(position, 8, static_cast<uint64_t>(index));
  return true;
}

bool OperandMatcher::match_register(const Token& token) {
  const size_t start = at_;
  const uint64_t known = field(word_, token.position, 8);
  if (!match_base(token.position)) return false;
  if (token.never_rz && field(word_, token.position, 8) == kRZ) {
    return fail_value(start, "a register other than RZ");
  }
  if (!token.repeats || known == field(word_, token.position, 8)) return true;
  return fail_at(start, "the destination register once more");
}

/// The register after those that field 27:20 names.
bool OperandMatcher::match_pair(const Token& token) {
  const size_t start = at_;
  const uint64_t first = field(word_, 20, 8);
  const uint64_t count = register_count(token);
  const int index = take_register();
  if (index >= 0 && first != kRZ && static_cast<uint64_t>(index) == first + count &&
      first + 2 * count <= kRZ) {
    return true;
  }
  return fail_at(start, "R" + std::to_string(first + count) + ", next to the register before it");
}

uint64_t OperandMatcher::register_count(const Token& token) const {
  const auto value = mod_value_.find(token.count_mod);
  if (value == mod_value_.end()) return token.count;
  return registers_of(mod_names(token.count_mod)[value->second]);
}

int LongWordMatcher::register_number(std::string_view name) const {
  if (name == "RZ") return kRZ;
  if (name.size() >= 2 && name[0] == 'R' &&
      std::isdigit(static_cast<unsigned char>(name[1])) != 0) {
    if (name.size() > 4) return -1;
    int value = 0;
    for (const char c : name.substr(1)) {
      if (c < '0' || c > '9') return -1;
      value = value * 10 + (c - '0');
    }
    return value <= 254 ? value : -1;
  }
  return names_.register_named(name);
}

bool LongWordMatcher::match_integer(const Token& token) {
  const size_t start = at_;
  int64_t value = 0;
  if (!take_number(&value)) return fail("an immediate");
  if (token.width == 64) {
    put(token.position, token.width, static_cast<uint64_t>(value));
    return true;
  }
  const IntegerRange range = range_of(token, word_);
  if (!range.holds(value)) return fail_range(start, range.low, range.high, range.unit);
  if (token.immediate.power && (value < 2 || (value & (value - 1)) != 0))
    return fail_value(start, "a power of two");
  put_signed(token, static_cast<uint64_t>(value / range.unit));
  return true;
}

bool OperandMatcher::match_half_float(const Token& token) {
  const size_t start = at_;
  uint64_t bits = 0;
  if (!take_float(64, &bits)) return fail("a number");
  uint64_t half = 0;
  const unsigned dropped = token.immediate.sign_bit == Token::kNoBit ? 0 : 15u - token.width;
  if (!half_of(bits, &half) || (half & low_mask(dropped)) != 0) {
    return fail_value(start, "a number that fits " + std::to_string(16 - dropped) + " bits");
  }
  put_signed(token, half >> dropped);
  return true;
}

bool OperandMatcher::match_float(const Token& token, unsigned size) {
  const size_t start = at_;
  uint64_t bits = 0;
  if (!take_float(size, &bits)) return fail("a number");
  if (token.immediate.sign_bit == Token::kNoBit && size == 64) {
    if (low_mask(32) & bits) return fail_value(start, "a number that fits the upper 32 bits");
    put(token.position, token.width, bits >> 32);
    return true;
  }
  if (token.immediate.sign_bit == Token::kNoBit) {
    const bool is_nan = (bits & 0x7FFFFFFF) > 0x7F800000;
    put(token.position, token.width, is_nan ? bits | 0x7FFFFFFF : bits);
    return true;
  }
  if (token.immediate.moved && (bits & 0x7FFFFFFF) > 0x7F800000) bits |= 0x7FF00000;
  const unsigned dropped = size - 1 - token.width;
  if ((bits & low_mask(dropped)) != 0) {
    return fail_value(start, "a number that fits the upper 20 bits");
  }
  put_signed(token, bits >> dropped);
  return true;
}

bool OperandMatcher::match_bank(unsigned position) {
  int64_t bank = 0;
  if (!take('c') || !take('[')) return fail("a constant c[bank][offset]");
  const size_t start = at_;
  if (!take_number(&bank)) return fail("a constant bank");
  if (bank < 0 || bank > 31) return fail_value(start, "a constant bank from 0x0 to 0x1f");
  put(position, 5, static_cast<uint64_t>(bank));
  return take(']') || fail("']'");
}

/// Offsets of a constant bank are printed with the sign of their 16 bits.
bool OperandMatcher::match_constant(const Token& token) {
  if (token.address.uniform_flag != Token::kNoBit && take_text("cx")) {
    if (!match_bindless(token)) return false;
  } else if (!match_bank(token.bank_position)) {
    return false;
  }
  if (!take('[')) return fail("'['");
  const size_t start = at_;
  int64_t offset = 0;
  if (!take_number(&offset)) return fail("an offset");
  const int64_t unit = int64_t{1} << token.shift;
  if (offset < -0x8000 || offset > 0xFFFF || offset % unit != 0) {
    return fail_range(start, -0x8000, 0x10000 - unit, unit);
  }
  put(token.position, token.width, static_cast<uint64_t>(offset) >> token.shift);
  return take(']') || fail("']'");
}

bool OperandMatcher::match_memory(const Token& token) {
  if (!take('[')) return fail("an address '['");
  Token offset = token;
  put_signed(token, 0);
  const bool is_absolute = std::isdigit(static_cast<unsigned char>(peek())) != 0 ||
                           (token.type == Type::kIndexed && peek() == '-');
  if (is_absolute) {
    put(8, 8, kRZ);
    offset.immediate.is_signed = token.type == Type::kIndexed;
  } else if (!match_base(8)) {
    return false;
  }
  if (is_absolute || take('+') || peek() == '-') {
    if (!match_integer(offset)) return false;
  }
  return take(']') || fail("']'");
}

/// The second bracket of c[0x0][R4+0x8] or c[0x0][UR4+0x8].
bool OperandMatcher::match_indexed(const Token& token) {
  if (token.address.base == kMaxwellBase) return match_memory(token);
  Token in_bracket = token;
  in_bracket.bank_position = 0;
  return match_address(in_bracket);
}

/// {5,1}
bool OperandMatcher::match_set(const Token& token) {
  if (!take('{')) return fail("'{'");
  uint64_t bits = 0;
  while (!take('}')) {
    const size_t start = at_;
    int64_t bit = 0;
    if (!take_number(&bit) || bit < 0 || bit >= token.width) {
      return fail_at(start, "a number from 0 to " + std::to_string(token.width - 1));
    }
    bits |= uint64_t{1} << bit;
    if (!take(',') && peek() != '}') return fail("'}'");
  }
  put(token.position, token.width, bits);
  return true;
}

/// A branch target: a number or the name of a label.
bool LongWordMatcher::match_label(int64_t* target) {
  if (take_number(target)) return true;
  const size_t start = at_;
  *target = names_.label_named(take_label());
  if (*target >= 0) return true;
  at_ = start;
  offer(Offer::Kind::kName);
  return fail("a label or an address");
}

bool OperandMatcher::match_target(const Token& token) {
  const size_t start = at_;
  int64_t target = -1;
  if (!match_label(&target)) return false;
  if (token.width == 32) return put_absolute(token, start, target);
  const int64_t offset = target - static_cast<int64_t>(address_) - 8;
  if (offset < -(1 << 23) || offset >= (1 << 23)) return fail_at(start, "a target within 8 MiB");
  put(token.position, token.width, static_cast<uint64_t>(offset));
  return true;
}

bool OperandMatcher::put_absolute(const Token& token, size_t start, int64_t target) {
  if (target < 0 || target > 0xFFFFFFFF) return fail_at(start, "an address below 4 GiB");
  put(token.position, token.width, static_cast<uint64_t>(target));
  return true;
}

bool OperandMatcher::match_special(const Token& token) {
  skip_spaces();
  size_t end = at_;
  while (end < text_.size() && (is_word(text_[end]) || text_[end] == '.')) ++end;
  const int number = special_register_number(text_.substr(at_, end - at_), family_);
  if (number < 0) {
    offer(Offer::Kind::kSpecial);
    return fail("a special register such as SR_LANEID");
  }
  at_ = end;
  put(token.position, token.width, static_cast<uint64_t>(number));
  return true;
}

}  // namespace shflsim::isa
