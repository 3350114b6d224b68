// SPDX-License-Identifier: Apache-2.0
#include "isa/codec/matcher.h"

#include <cstdio>
#include <cstring>

namespace shflsim::isa {
namespace {

using Type = Token::Type;

uint64_t default_field(const Token& token) {
  switch (token.type) {
    case Type::kPredicate:
    case Type::kUniformPredicate: return token.inverted ? 0 : kPT;
    case Type::kRegister:
    case Type::kUniform: return low_mask(token.width);
    case Type::kInteger: return static_cast<uint64_t>(token.immediate.usual);
    default: return 0;
  }
}

std::string quoted(std::string_view literal) {
  while (!literal.empty() && literal.front() == ' ') literal.remove_prefix(1);
  while (!literal.empty() && literal.back() == ' ') literal.remove_suffix(1);
  return literal.empty() ? "an operand" : "'" + std::string(literal) + "'";
}

uint64_t empty_name(const std::vector<const char*>& names) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] != nullptr && *names[i] == '\0') return i;
  }
  return names.size();
}

std::string number_text(int64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "%s0x%llx", value < 0 ? "-" : "",
                static_cast<unsigned long long>(value < 0 ? -value : value));
  return text;
}

}  // namespace

std::string list_of(const std::vector<const char*>& names) {
  std::string text;
  for (const char* name : names) {
    if (name != nullptr && *name != '\0') text += (text.empty() ? "" : ", ") + std::string(name);
  }
  return text;
}

bool Matcher::match(const Form& form) {
  word_ = form.pattern;
  if (!match_all(form.tokens) || !match_end()) return false;
  // A row for a special case may fix values of fields that are also in its text.
  return ((word_ ^ form.pattern) & form.mask).none() || fail("another combination of modifiers");
}

bool WordReader::note(const Failure& failure) {
  if (failure_.expected.empty() || failure_.is_behind(failure)) failure_ = failure;
  return false;
}

bool WordReader::fail_range(size_t start, int64_t low, int64_t high, int64_t unit) {
  return fail_value(start, (unit == 1 ? "an immediate" : "a multiple of " + number_text(unit)) +
                               " from " + number_text(low) + " to " + number_text(high));
}

void WordReader::put_signed(const Token& token, uint64_t value) {
  put_value(token, value);
  if (token.immediate.sign_bit != Token::kNoBit)
    put(token.immediate.sign_bit, 1, value >> token.width);
}

bool Matcher::match_all(const std::vector<Token>& tokens) {
  for (const Token& token : tokens) {
    if (!match_one(token)) return false;
  }
  return true;
}

bool Matcher::match_end() {
  take(';');
  return peek() == '\0' || fail("the end of the instruction");
}

bool Matcher::match_one(const Token& token) {
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

bool Matcher::match_group(const Token& token) {
  const size_t start = at_;
  const Word word = word_;
  if (match_all(token.children)) return true;
  at_ = start;
  word_ = word;
  set_defaults(token.children);
  return true;
}

void Matcher::set_defaults(const std::vector<Token>& tokens) {
  for (const Token& token : tokens) {
    if (token.type == Type::kGroup) set_defaults(token.children);
    if (token.type == Type::kModifier) {
      put_value(token, empty_name(mod_names(token.names)));
    } else if (token.role != Role::kCount) {
      put_value(token, default_field(token));
    }
  }
}

/// Index of the longest name at this place, else of the empty name; -1 if neither exists.
int WordReader::take_one_of(const std::vector<const char*>& names) {
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
  if (at_ < text_.size() && text_[at_] == '.')
    offers_.push_back({at_, Offer::Kind::kModifier, &names});
  const size_t empty = empty_name(names);
  return empty < names.size() ? static_cast<int>(empty) : -1;
}

bool Matcher::match_modifier(const Token& token) {
  const auto& names = mod_names(token.names);
  const int taken = take_one_of(names);
  if (taken < 0) return fail("one of " + list_of(names));
  const size_t value = agreeing(token, names, static_cast<size_t>(taken));
  put_value(token, value);
  mod_value_[token.mod] = value;
  modifiers_[token.position] = {&names, value};
  return true;
}

/// If the field was read before, the value named like `taken` that agrees with the earlier value;
/// `taken` if the field is in the text once.
size_t Matcher::agreeing(const Token& token, const std::vector<const char*>& names,
                         size_t taken) const {
  const auto before = modifiers_.find(token.position);
  if (before == modifiers_.end()) return taken;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool same = names[i] != nullptr && std::strcmp(names[i], names[taken]) == 0;
    if (same && before->second.agrees(i, names.size())) return i;
  }
  return taken;
}

}  // namespace shflsim::isa
