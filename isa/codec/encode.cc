// SPDX-License-Identifier: Apache-2.0
#include <cctype>

#include "isa/base/bits.h"
#include "isa/base/input_error.h"
#include "isa/codec/codec.h"
#include "isa/codec/form.h"
#include "isa/codec/matcher.h"

namespace shflsim::isa {
namespace {

struct Guard {
  bool is_there = false;
  bool is_uniform = false;
  uint64_t bits = kPT;  ///< the predicate's number, and its negation above
};

/// Reads a guard ("@P0", "@!PT", "@UP1") if there is one, and moves `at` past it.
Guard take_guard(std::string_view text, bool may_be_uniform, size_t* at) {
  Guard guard;
  while (*at < text.size() && std::isspace(static_cast<unsigned char>(text[*at])) != 0) ++*at;
  if (*at >= text.size() || text[*at] != '@') return guard;
  guard.is_there = true;
  const size_t start = ++*at;
  const bool negate = *at < text.size() && text[*at] == '!';
  if (negate) ++*at;
  std::string_view name = leading_name(text.substr(*at));
  *at += name.size();
  guard.is_uniform = may_be_uniform && name.substr(0, 1) == "U";
  if (guard.is_uniform) name.remove_prefix(1);
  const bool is_predicate =
      name.size() == 2 && name[0] == 'P' && (name[1] == 'T' || (name[1] >= '0' && name[1] <= '6'));
  if (!is_predicate) {
    throw SyntaxError{"no guard predicate behind '@'; expected P0 to P6 or PT",
                      static_cast<unsigned>(start + 1)};
  }
  guard.bits = name[1] == 'T' ? kPT : static_cast<uint64_t>(name[1] - '0');
  if (negate) guard.bits |= 8u;
  return guard;
}

/// Throws SyntaxError if there is a guard, but the row's instructions have none.
void check_guard(const Guard& guard, const Form& form, std::string_view name) {
  if (guard.is_there && !form.guarded && guard.bits != kPT)
    throw SyntaxError{std::string(name) + " takes no guard predicate; expected none", 1};
}

/// Keeps the failure that is furthest in the text; joins the expectations of failures at one place.
void add_failure(const Failure& failure, Failure* furthest) {
  if (furthest->expected.empty() || furthest->is_behind(failure)) {
    *furthest = failure;
  } else if (!failure.is_behind(*furthest) &&
             furthest->expected.find(failure.expected) == std::string::npos) {
    furthest->expected += " or " + failure.expected;
  }
}

/// The word that could not be read: a name, with the '.' before a modifier.
std::string_view word_at(std::string_view text, const Offer& offer) {
  const bool is_modifier = offer.kind == Offer::Kind::kModifier;
  size_t end = offer.at + (is_modifier ? 1 : 0);
  while (end < text.size() &&
         (is_word(text[end]) || (!is_modifier && (text[end] == '.' || text[end] == '$'))))
    ++end;
  return text.substr(offer.at, end - offer.at);
}

void add_words(const Offer& offer, const Names& names, Family family,
               std::vector<std::string>* words) {
  if (offer.kind == Offer::Kind::kModifier) {
    for (const char* name : *offer.modifiers) {
      if (name != nullptr && *name != '\0') words->emplace_back(name);
    }
  } else if (offer.kind == Offer::Kind::kSpecial) {
    for (unsigned i = 0; i < 256; ++i)
      words->push_back(special_register_name(static_cast<uint8_t>(i), family));
  } else {
    for (const std::string& name : names.known()) words->push_back(name);
  }
}

/// "; did you mean 'X'?" for the word at which all forms failed; "" if no known word is near.
std::string nearest_offered(std::string_view text, size_t at, const std::vector<Offer>& offers,
                            const Names& names, Family family) {
  std::vector<std::string> words;
  std::string_view word;
  for (const Offer& offer : offers) {
    if (offer.at != at) continue;
    word = word_at(text, offer);
    add_words(offer, names, family, &words);
  }
  const std::string nearest = nearest_name(word, words);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

/// Encodes an instruction's text; collects why each row did not match.
class TextEncoder {
 public:
  TextEncoder(const FormTable& table, std::string_view text, uint32_t address, const Names& names)
      : table_(table), text_(text), address_(address), names_(names) {}

  Encoded encode() {
    const bool is_maxwell = family_of(table_.arch) == Family::kMaxwell;
    guard_ = take_guard(text_, !is_maxwell, &at_);
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    name_ = leading_name(text_.substr(at_));
    const auto rows = table_.by_name.find(name_);
    if (rows == table_.by_name.end()) throw unknown(is_maxwell);
    for (const uint16_t row : rows->second) {
      Encoded encoded;
      if (read_as(table_.forms[row], &encoded)) return is_maxwell ? encoded : with_control(encoded);
    }
    throw SyntaxError{
        "cannot read the operands of " + std::string(name_) + "; expected " + furthest_.expected +
            nearest_offered(text_, furthest_.at, offers_, names_, family_of(table_.arch)),
        static_cast<unsigned>(furthest_.at + 1)};
  }

 private:
  SyntaxError unknown(bool is_maxwell) const {
    std::vector<std::string> known;
    for (const auto& [name, rows] : table_.by_name) known.push_back(name);
    const std::string nearest = nearest_name(name_, known);
    const std::string whose = is_maxwell ? "a SPA 5.0" : "a " + name_of(table_.arch);
    return {"unknown opcode '" + std::string(name_) + "'" +
                (nearest.empty() ? "; expected " + whose + " mnemonic"
                                 : "; did you mean '" + nearest + "'?"),
            static_cast<unsigned>(at_ + 1)};
  }

  bool read_as(const Form& form, Encoded* encoded) {
    check_guard(guard_, form, name_);
    if (guard_.is_there && guard_.is_uniform != form.uniform_guard) {
      add_failure({1, true,
                   form.uniform_guard ? "a uniform guard (UP0 to UP6 or UPT)"
                                      : "a guard of P0 to P6 or PT"},
                  &furthest_);
      return false;
    }
    Matcher matcher(text_, at_, address_, names_, family_of(table_.arch));
    if (!matcher.match(form)) {
      add_failure(matcher.failure(), &furthest_);
      offers_.insert(offers_.end(), matcher.offers().begin(), matcher.offers().end());
      return false;
    }
    encoded->word = matcher.word();
    encoded->reuse = matcher.reuse();
    if (form.guarded)
      encoded->word = with_field(encoded->word, table_.guard_position, 4, guard_.bits);
    return true;
  }

  static Encoded with_control(Encoded encoded) {
    Control control;
    control.reuse = encoded.reuse;
    encoded.word = with_field(encoded.word, kControlPosition, kControlBits, control_field(control));
    return encoded;
  }

  const FormTable& table_;
  std::string_view text_;
  uint32_t address_;
  const Names& names_;
  size_t at_ = 0;
  Guard guard_;
  std::string_view name_;
  Failure furthest_;
  std::vector<Offer> offers_;
};

}  // namespace

Encoded encode(Arch arch, std::string_view text, uint32_t address, const Names& names) {
  return TextEncoder(form_table(arch), text, address, names).encode();
}

Encoded encode(std::string_view text, uint32_t address, const Names& names) {
  return encode(Arch::kSm50, text, address, names);
}

}  // namespace shflsim::isa
