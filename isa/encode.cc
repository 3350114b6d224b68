// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

#include "isa/bits.h"
#include "isa/codec.h"
#include "isa/form.h"
#include "isa/input_error.h"

namespace shflsim::isa {
namespace {

using Type = Token::Type;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view leading_name(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(0, end);
}

/// Rows by the first name of their text: "FADD32I" and "FADD" are two.
const std::map<std::string, std::vector<const Form*>, std::less<>>& rows_by_name() {
  static const auto index = [] {
    std::map<std::string, std::vector<const Form*>, std::less<>> by_name;
    for (const Form& form : forms()) by_name[std::string(leading_name(form.text))].push_back(&form);
    return by_name;
  }();
  return index;
}

uint64_t default_field(const Token& token) {
  if (token.type == Type::kPredicate) return kPT;
  if (token.type == Type::kRegister) return kRZ;
  return 0;
}

std::string list_of(const std::vector<const char*>& names) {
  std::string text;
  for (const char* name : names) {
    if (name != nullptr && *name != '\0') text += (text.empty() ? "" : ", ") + std::string(name);
  }
  return text;
}

/// How far a text could be read as one form, and what should have stood there.
struct Failure {
  size_t at = 0;
  bool near_miss = false;
  std::string expected;

  bool is_behind(const Failure& other) const {
    return at != other.at ? at < other.at : near_miss < other.near_miss;
  }
};

/// Matches one form's tokens against a text, setting bits of the word as it goes.
class Matcher {
 public:
  Matcher(std::string_view text, size_t at, uint32_t address, const Names& names)
      : text_(text), at_(at), address_(address), names_(names) {}

  bool match(const Form& form) {
    word_ = form.pattern;
    if (!match_all(form.tokens) || !match_end()) return false;
    // A row for a special case fixes values of fields that its text has, too.
    return ((word_ ^ form.pattern) & form.mask) == 0 || fail("another combination of modifiers");
  }

  uint64_t word() const { return word_; }
  uint8_t reuse() const { return reuse_; }
  const Failure& failure() const { return failure_; }

 private:
  bool fail(const std::string& expected) { return note({at_, false, expected}); }
  bool fail_at(size_t at, const std::string& expected) { return note({at, false, expected}); }
  /// What stands at `at` is of the right kind, but its value will not do.
  bool fail_value(size_t at, const std::string& expected) { return note({at, true, expected}); }
  bool note(const Failure& failure) {
    if (failure_.expected.empty() || failure_.is_behind(failure)) failure_ = failure;
    return false;
  }

  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  char peek() {
    skip_spaces();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  /// Letters as they stand, white space aside; a name may not go on behind them.
  bool take_text(std::string_view wanted) {
    const size_t start = at_;
    char last = '\0';
    for (const char c : wanted) {
      if (c == ' ') continue;
      if (last == '\0' || !is_word(last)) skip_spaces();
      if (at_ >= text_.size() || text_[at_] != c) {
        at_ = start;
        return false;
      }
      ++at_;
      last = c;
    }
    if (is_word(last) && at_ < text_.size() && is_word(text_[at_])) {
      at_ = start;
      return false;
    }
    return true;
  }

  std::string_view take_name() {
    skip_spaces();
    const std::string_view name = leading_name(text_.substr(at_));
    at_ += name.size();
    return name;
  }

  void put(unsigned position, unsigned width, uint64_t value) {
    word_ = with_field(word_, position, width, value);
  }
  void put_bit(uint8_t position) {
    if (position != Token::kNoBit) put(position, 1, 1);
  }

  bool match_all(const std::vector<Token>& tokens) {
    for (const Token& token : tokens) {
      if (!match_one(token)) return false;
    }
    return true;
  }

  bool match_end() {
    take(';');
    return peek() == '\0' || fail("the end of the instruction");
  }

  bool match_one(const Token& token) {
    switch (token.type) {
      case Type::kLiteral: return take_text(token.literal) || fail(quoted(token.literal));
      case Type::kModifier: return match_modifier(token);
      case Type::kCarry:
        if (take_text(".CC")) put(token.position, 1, 1);
        return true;
      case Type::kPhase:
        reuse_ = static_cast<uint8_t>(reuse_ | take_one_of(mod_names(token.mod)));
        return true;
      case Type::kGroup: return match_group(token);
      default: return match_operand(token);
    }
  }

  static std::string quoted(std::string_view literal) {
    while (!literal.empty() && literal.front() == ' ') literal.remove_prefix(1);
    while (!literal.empty() && literal.back() == ' ') literal.remove_suffix(1);
    return literal.empty() ? "an operand" : "'" + std::string(literal) + "'";
  }

  bool match_group(const Token& token) {
    const size_t start = at_;
    const uint64_t word = word_;
    if (match_all(token.children)) return true;
    at_ = start;
    word_ = word;
    set_defaults(token.children);
    return true;
  }

  void set_defaults(const std::vector<Token>& tokens) {
    for (const Token& token : tokens) {
      if (token.type == Type::kModifier) {
        put_modifier(token, empty_name(mod_names(token.names)));
      } else if (token.role != Role::kCount) {
        put(token.position, token.width, default_field(token));
      }
    }
  }

  static uint64_t empty_name(const std::vector<const char*>& names) {
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] != nullptr && *names[i] == '\0') return i;
    }
    return names.size();
  }

  /// Index of the longest name that stands here; of the empty one if none does; -1 if neither.
  int take_one_of(const std::vector<const char*>& names) {
    int best = -1;
    size_t best_end = at_;
    const size_t start = at_;
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] == nullptr || *names[i] == '\0' || !take_text(names[i])) continue;
      if (at_ > best_end) {
        best = static_cast<int>(i);
        best_end = at_;
      }
      at_ = start;
    }
    at_ = best_end;
    if (best >= 0) return best;
    const size_t empty = empty_name(names);
    return empty < names.size() ? static_cast<int>(empty) : -1;
  }

  void put_modifier(const Token& token, uint64_t value) {
    if (token.high_bit == Token::kNoBit) {
      put(token.position, token.width, value);
    } else {
      const unsigned low_width = token.width - 0u - token.high_width;
      put(token.position, low_width, value);
      put(token.high_bit, token.high_width, value >> low_width);
    }
  }

  bool match_modifier(const Token& token) {
    const auto& names = mod_names(token.names);
    const int taken = take_one_of(names);
    if (taken < 0) return fail("one of " + list_of(names));
    const size_t value = agreeing(token, names, static_cast<size_t>(taken));
    put_modifier(token, value);
    mod_value_[token.mod] = value;
    modifiers_[token.position] = {&names, value};
    return true;
  }

  /// Of the values that have the name of `taken`, the one that agrees with what the same field was
  /// read as before; `taken` if it stands in the text once.
  size_t agreeing(const Token& token, const std::vector<const char*>& names, size_t taken) const {
    const auto before = modifiers_.find(token.position);
    if (before == modifiers_.end()) return taken;
    for (size_t i = 0; i < names.size(); ++i) {
      const bool same = names[i] != nullptr && std::strcmp(names[i], names[taken]) == 0;
      if (same && before->second.agrees(i, names.size())) return i;
    }
    return taken;
  }

  bool match_operand(const Token& token) {
    skip_spaces();
    if (token.type == Type::kPredicate) return match_predicate(token);
    if (token.minus_in_front && take('-')) put_bit(token.negate_bit);
    if (is_number(token.type)) return match_bare(token) && match_suffixes(token);
    if (token.invert_bit != Token::kNoBit && take('~')) put_bit(token.invert_bit);
    if (token.negate_bit != Token::kNoBit && take('-')) put_bit(token.negate_bit);
    const bool absolute = token.absolute_bit != Token::kNoBit && take('|');
    if (absolute) put_bit(token.absolute_bit);
    if (!match_bare(token)) return false;
    if (token.half_position != Token::kNoBit && !match_half(token)) return false;
    if (absolute && !take('|')) return fail("'|'");
    match_reuse(token);
    return true;
  }

  static bool is_number(Type type) {
    return type == Type::kInteger || type == Type::kHalf || type == Type::kFloat ||
           type == Type::kDouble;
  }

  bool match_suffixes(const Token& token) {
    if (token.invert_bit != Token::kNoBit && take_text(".INV")) put_bit(token.invert_bit);
    if (!token.minus_in_front && token.negate_bit != Token::kNoBit && take_text(".NEG"))
      put_bit(token.negate_bit);
    if (token.absolute_bit != Token::kNoBit && take_text(".ABS")) put_bit(token.absolute_bit);
    return token.half_position == Token::kNoBit || match_half(token);
  }

  /// The part of an operand. The field may have been printed once before, as a modifier that says
  /// the operand's type: then only parts of that type's size will do.
  bool match_half(const Token& token) {
    const auto& parts = mod_names(token.half_mod);
    const size_t start = at_;
    const int taken = take_one_of(parts);
    const auto type = modifiers_.find(token.half_position);
    for (size_t i = 0; taken >= 0 && i < parts.size(); ++i) {
      if (parts[i] == nullptr || std::strcmp(parts[i], parts[static_cast<size_t>(taken)]) != 0) {
        continue;
      }
      if (type != modifiers_.end() && !type->second.agrees(i, parts.size())) continue;
      put(token.half_position, width_of(parts), i);
      return true;
    }
    return fail_at(start, "a part of the operand, one of " + list_of(parts));
  }

  static unsigned width_of(const std::vector<const char*>& names) {
    unsigned width = 0;
    while ((size_t{1} << width) < names.size()) ++width;
    return width;
  }

  void match_reuse(const Token& token) {
    if (token.reuse_slot == Token::kNoBit || !take_text(".reuse")) return;
    reuse_ = static_cast<uint8_t>(reuse_ | (1u << token.reuse_slot));
  }

  bool match_bare(const Token& token) {
    switch (token.type) {
      case Type::kRegister: return match_register(token);
      case Type::kPair: return match_pair(token);
      case Type::kConstant: return match_constant(token);
      case Type::kInteger: return match_integer(token);
      case Type::kHalf: return match_half_float(token);
      case Type::kFloat: return match_float(token, 32);
      case Type::kDouble: return match_float(token, 64);
      case Type::kMemory: return match_memory(token);
      case Type::kIndexed: return match_bank(token.bank_position) && match_memory(token);
      case Type::kTarget: return match_target(token);
      case Type::kSet: return match_set(token);
      default: return match_special(token);
    }
  }

  bool match_predicate(const Token& token) {
    if (token.negate_bit != Token::kNoBit && take('!')) put_bit(token.negate_bit);
    const size_t start = at_;
    const std::string_view name = take_name();
    int index = -1;
    if (name == "PT" || name == "__") index = kPT;
    if (name.size() == 2 && name[0] == 'P' && name[1] >= '0' && name[1] <= '6')
      index = name[1] - '0';
    if (index < 0) {
      at_ = start;
      return fail("a predicate (P0 to P6, PT or __)");
    }
    put(token.position, 3, static_cast<uint64_t>(index));
    return true;
  }

  /// Number of the register that stands here; -1, and nothing taken, if none does.
  int take_register() {
    skip_spaces();
    const size_t start = at_;
    const int index = register_number(take_name());
    if (index < 0) at_ = start;
    return index;
  }

  bool match_base(unsigned position) {
    const int index = take_register();
    if (index < 0) return fail("a register (R0 to R254 or RZ)");
    put(position, 8, static_cast<uint64_t>(index));
    return true;
  }

  bool match_register(const Token& token) {
    const size_t start = at_;
    const uint64_t known = field(word_, token.position, 8);
    if (!match_base(token.position)) return false;
    if (token.never_rz && field(word_, token.position, 8) == kRZ) {
      return fail_value(start, "a register other than RZ");
    }
    if (!token.repeats || known == field(word_, token.position, 8)) return true;
    return fail_at(start, "the destination register once more");
  }

  /// The register behind those that field 27:20 names.
  bool match_pair(const Token& token) {
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

  uint64_t register_count(const Token& token) const {
    const auto value = mod_value_.find(token.count_mod);
    if (value == mod_value_.end()) return token.count;
    return registers_of(mod_names(token.count_mod)[value->second]);
  }

  int register_number(std::string_view name) const {
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

  bool take_number(int64_t* value) {
    skip_spaces();
    const std::string rest(text_.substr(at_, 40));
    const char* start = rest.c_str();
    const char* digits = *start == '-' || *start == '+' ? start + 1 : start;
    if (std::isdigit(static_cast<unsigned char>(*digits)) == 0) return false;
    char* end = nullptr;
    const uint64_t magnitude = std::strtoull(digits, &end, 0);
    if (is_word(*end)) return false;
    *value = *start == '-' ? -static_cast<int64_t>(magnitude) : static_cast<int64_t>(magnitude);
    at_ += static_cast<size_t>(end - start);
    return true;
  }

  bool match_integer(const Token& token) {
    const size_t start = at_;
    int64_t value = 0;
    if (!take_number(&value)) return fail("an immediate");
    const bool is_signed = token.is_signed || (token.signed_bit != Token::kNoBit &&
                                               field(word_, token.signed_bit, 1) != 0);
    const unsigned width = token.width + (token.sign_bit != Token::kNoBit ? 1u : 0u);
    const int64_t unit = int64_t{1} << token.shift;
    const int64_t low = is_signed ? -(int64_t{1} << (width - 1)) * unit : 0;
    const int64_t high = ((int64_t{1} << (is_signed ? width - 1 : width)) - 1) * unit;
    if (value < low || value > high || value % unit != 0) return fail_range(start, low, high, unit);
    put_signed(token, static_cast<uint64_t>(value / unit));
    return true;
  }

  bool fail_range(size_t start, int64_t low, int64_t high, int64_t unit) {
    return fail_value(start, (unit == 1 ? "an immediate" : "a multiple of " + number_text(unit)) +
                                 " from " + number_text(low) + " to " + number_text(high));
  }

  static std::string number_text(int64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "%s0x%llx", value < 0 ? "-" : "",
                  static_cast<unsigned long long>(value < 0 ? -value : value));
    return text;
  }

  void put_signed(const Token& token, uint64_t value) {
    put(token.position, token.width, value);
    if (token.sign_bit != Token::kNoBit) put(token.sign_bit, 1, value >> token.width);
  }

  bool match_half_float(const Token& token) {
    const size_t start = at_;
    uint64_t bits = 0;
    if (!take_float(64, &bits)) return fail("a number");
    uint64_t half = 0;
    const unsigned dropped = token.sign_bit == Token::kNoBit ? 0 : 15u - token.width;
    if (!half_of(bits, &half) || (half & low_mask(dropped)) != 0) {
      return fail_value(start, "a number that fits " + std::to_string(16 - dropped) + " bits");
    }
    put_signed(token, half >> dropped);
    return true;
  }

  /// The 16-bit float of the same value; false if there is none.
  static bool half_of(uint64_t bits, uint64_t* half) {
    const int exponent = static_cast<int>((bits >> 52) & 0x7FF) - 1023;
    const uint64_t fraction = bits & low_mask(52);
    const uint64_t sign = bits >> 63 << 15;
    *half = sign;
    if ((bits << 1) == 0) return true;
    if (exponent == 1024) {
      *half |= fraction != 0 ? 0x7E00u : 0x7C00u;
      return true;
    }
    if (exponent < -24 || exponent > 15) return false;
    const unsigned dropped = exponent < -14 ? static_cast<unsigned>(42 - 14 - exponent) : 42u;
    const uint64_t significand = fraction | (uint64_t{1} << 52);
    if ((significand & low_mask(dropped)) != 0) return false;
    const uint64_t kept = significand >> dropped;
    *half |= exponent < -14 ? kept : kept + (static_cast<uint64_t>(exponent + 14) << 10);
    return true;
  }

  bool match_float(const Token& token, unsigned size) {
    const size_t start = at_;
    uint64_t bits = 0;
    if (!take_float(size, &bits)) return fail("a number");
    if (token.sign_bit == Token::kNoBit) {
      const bool is_nan = (bits & 0x7FFFFFFF) > 0x7F800000;
      put(token.position, token.width, is_nan ? bits | 0x7FFFFFFF : bits);
      return true;
    }
    const unsigned dropped = size - 1 - token.width;
    if ((bits & low_mask(dropped)) != 0) {
      return fail_value(start, "a number that fits the upper 20 bits");
    }
    put_signed(token, bits >> dropped);
    return true;
  }

  /// A decimal number or the name of one that is none.
  bool take_float(unsigned size, uint64_t* bits) {
    skip_spaces();
    const bool is_short = size == 32;
    const std::string_view named[] = {"+INF", "-INF", "INF", "+QNAN", "-QNAN"};
    for (const std::string_view name : named) {
      if (!take_text(name)) continue;
      *bits = bits_named(name, is_short);
      return true;
    }
    size_t end = at_;
    while (end < text_.size() && (is_word(text_[end]) || std::strchr(".+-", text_[end]))) ++end;
    const std::string number(text_.substr(at_, end - at_));
    const size_t digit = number.find_first_not_of("+-");
    if (digit == std::string::npos ||
        std::isdigit(static_cast<unsigned char>(number[digit])) == 0 ||
        number.compare(digit, 2, "0x") == 0) {
      return false;
    }
    char* stop = nullptr;
    *bits = is_short ? bits_of(std::strtof(number.c_str(), &stop))
                     : bits_of(std::strtod(number.c_str(), &stop));
    if (stop[-1] == '.') --stop;  // the point of a suffix such as ".NEG"
    at_ += static_cast<size_t>(stop - number.c_str());
    return true;
  }

  /// NaN: see is_printable in isa/decode.cc.
  uint64_t bits_named(std::string_view name, bool is_short) const {
    const uint64_t sign = name[0] == '-' ? uint64_t{1} << (is_short ? 31 : 63) : 0;
    const bool is_nan = name.back() == 'N';
    if (is_short) return sign | (is_nan ? 0x7FC00000u : 0x7F800000u);
    return sign | (uint64_t{is_nan ? 0x7FF8u : 0x7FF0u} << 48);
  }

  static uint64_t bits_of(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  static uint64_t bits_of(double value) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }

  bool match_bank(unsigned position) {
    int64_t bank = 0;
    if (!take('c') || !take('[')) return fail("a constant c[bank][offset]");
    const size_t start = at_;
    if (!take_number(&bank)) return fail("a constant bank");
    if (bank < 0 || bank > 31) return fail_value(start, "a constant bank from 0x0 to 0x1f");
    put(position, 5, static_cast<uint64_t>(bank));
    return take(']') || fail("']'");
  }

  /// Offsets of a constant bank are printed with the sign of their 16 bits.
  bool match_constant(const Token& token) {
    if (!match_bank(token.bank_position)) return false;
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

  bool match_memory(const Token& token) {
    if (!take('[')) return fail("an address '['");
    Token offset = token;
    put_signed(token, 0);
    const bool is_absolute = std::isdigit(static_cast<unsigned char>(peek())) != 0 ||
                             (token.type == Type::kIndexed && peek() == '-');
    if (is_absolute) {
      put(8, 8, kRZ);
      offset.is_signed = token.type == Type::kIndexed;
    } else if (!match_base(8)) {
      return false;
    }
    if (is_absolute || take('+') || peek() == '-') {
      if (!match_integer(offset)) return false;
    }
    return take(']') || fail("']'");
  }

  /// {5,1}
  bool match_set(const Token& token) {
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

  bool match_target(const Token& token) {
    const size_t start = at_;
    int64_t target = -1;
    if (!take_number(&target)) {
      target = names_.label_named(take_label());
      if (target < 0) return fail_at(start, "a label or an address");
    }
    if (token.width == 32) return put_absolute(token, start, target);
    const int64_t offset = target - static_cast<int64_t>(address_) - 8;
    if (offset < -(1 << 23) || offset >= (1 << 23)) return fail_at(start, "a target within 8 MiB");
    put(token.position, token.width, static_cast<uint64_t>(offset));
    return true;
  }

  bool put_absolute(const Token& token, size_t start, int64_t target) {
    if (target < 0 || target > 0xFFFFFFFF) return fail_at(start, "an address below 4 GiB");
    put(token.position, token.width, static_cast<uint64_t>(target));
    return true;
  }

  /// `(.L_x_1), (.L_1), .L_x_1 or NAME.
  std::string_view take_label() {
    take('`');
    const bool bracket = take('(');
    skip_spaces();
    size_t end = at_;
    while (end < text_.size() && (is_word(text_[end]) || text_[end] == '.' || text_[end] == '$'))
      ++end;
    const std::string_view label = text_.substr(at_, end - at_);
    at_ = end;
    if (bracket) take(')');
    return label;
  }

  bool match_special(const Token& token) {
    skip_spaces();
    size_t end = at_;
    while (end < text_.size() && (is_word(text_[end]) || text_[end] == '.')) ++end;
    const int number = special_register_number(text_.substr(at_, end - at_));
    if (number < 0) return fail("a special register such as SR_LANEID");
    at_ = end;
    put(token.position, token.width, static_cast<uint64_t>(number));
    return true;
  }

  std::string_view text_;
  size_t at_;
  uint32_t address_;
  const Names& names_;
  uint64_t word_ = 0;
  uint8_t reuse_ = 0;
  /// A modifier that has been matched: its names, and which of them.
  struct Matched {
    const std::vector<const char*>* names;
    size_t value;

    /// Its name is the same with `low` in the place of the lower bits.
    bool agrees(size_t low, size_t low_values) const {
      const char* other = (*names)[value / low_values * low_values + low];
      return other != nullptr && std::strcmp(other, (*names)[value]) == 0;
    }
  };

  std::map<Mod, size_t> mod_value_;
  std::map<unsigned, Matched> modifiers_;  ///< by position of the field
  Failure failure_;
};

/// "@P0", "@!PT"; moves `at` behind it.
uint64_t take_guard(std::string_view text, size_t* at) {
  while (*at < text.size() && std::isspace(static_cast<unsigned char>(text[*at])) != 0) ++*at;
  if (*at >= text.size() || text[*at] != '@') return kPT;
  const size_t start = ++*at;
  const bool negate = *at < text.size() && text[*at] == '!';
  if (negate) ++*at;
  const std::string_view name = leading_name(text.substr(*at));
  const bool is_predicate =
      name.size() == 2 && name[0] == 'P' && (name[1] == 'T' || (name[1] >= '0' && name[1] <= '6'));
  if (!is_predicate) {
    throw SyntaxError{"no guard predicate behind '@'; expected P0 to P6 or PT",
                      static_cast<unsigned>(start + 1)};
  }
  *at += name.size();
  const uint64_t index = name[1] == 'T' ? kPT : static_cast<uint64_t>(name[1] - '0');
  return index | (negate ? 8u : 0u);
}

/// Keeps the failure that came furthest; of several at one place all that was expected.
void add_failure(const Failure& failure, Failure* furthest) {
  if (furthest->expected.empty() || furthest->is_behind(failure)) {
    *furthest = failure;
  } else if (!failure.is_behind(*furthest) &&
             furthest->expected.find(failure.expected) == std::string::npos) {
    furthest->expected += " or " + failure.expected;
  }
}

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const auto& [name, rows] : rows_by_name()) names.push_back(name);
  return names;
}

}  // namespace

Encoded encode(std::string_view text, uint32_t address, const Names& names) {
  size_t at = 0;
  const uint64_t guard = take_guard(text, &at);
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  const std::string_view name = leading_name(text.substr(at));
  const auto rows = rows_by_name().find(name);
  if (rows == rows_by_name().end()) {
    const std::string nearest = nearest_name(name, known_names());
    throw SyntaxError{"unknown opcode '" + std::string(name) + "'" +
                          (nearest.empty() ? "; expected a SPA 5.0 mnemonic"
                                           : "; did you mean '" + nearest + "'?"),
                      static_cast<unsigned>(at + 1)};
  }
  Failure furthest;
  for (const Form* form : rows->second) {
    if (!form->guarded && guard != kPT) {
      throw SyntaxError{std::string(name) + " takes no guard predicate; expected none", 1};
    }
    Matcher matcher(text, at, address, names);
    if (matcher.match(*form)) {
      return {form->guarded ? with_field(matcher.word(), 16, 4, guard) : matcher.word(),
              matcher.reuse()};
    }
    add_failure(matcher.failure(), &furthest);
  }
  throw SyntaxError{
      "cannot read the operands of " + std::string(name) + "; expected " + furthest.expected,
      static_cast<unsigned>(furthest.at + 1)};
}

}  // namespace shflsim::isa
