// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <map>

#include "isa/bits.h"
#include "isa/codec.h"
#include "isa/form.h"
#include "isa/input_error.h"
#include "isa/matcher.h"

namespace shflsim::isa {
namespace {

/// Rows by the first name of their text: "FADD32I" and "FADD" are two.
const std::map<std::string, std::vector<const Form*>, std::less<>>& rows_by_name() {
  static const auto index = [] {
    std::map<std::string, std::vector<const Form*>, std::less<>> by_name;
    for (const Form& form : forms()) by_name[std::string(leading_name(form.text))].push_back(&form);
    return by_name;
  }();
  return index;
}

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

/// The word that could not be read: a name, with the '.' in front of a modifier.
std::string_view word_at(std::string_view text, const Offer& offer) {
  const bool is_modifier = offer.kind == Offer::Kind::kModifier;
  size_t end = offer.at + (is_modifier ? 1 : 0);
  while (end < text.size() &&
         (is_word(text[end]) || (!is_modifier && (text[end] == '.' || text[end] == '$'))))
    ++end;
  return text.substr(offer.at, end - offer.at);
}

void add_words(const Offer& offer, const Names& names, std::vector<std::string>* words) {
  if (offer.kind == Offer::Kind::kModifier) {
    for (const char* name : *offer.modifiers) {
      if (name != nullptr && *name != '\0') words->emplace_back(name);
    }
  } else if (offer.kind == Offer::Kind::kSpecial) {
    for (unsigned i = 0; i < 256; ++i)
      words->push_back(special_register_name(static_cast<uint8_t>(i)));
  } else {
    for (const std::string& name : names.known()) words->push_back(name);
  }
}

/// "; did you mean 'X'?" for the word where all forms failed; "" where none is near.
std::string nearest_offered(std::string_view text, size_t at, const std::vector<Offer>& offers,
                            const Names& names) {
  std::vector<std::string> words;
  std::string_view word;
  for (const Offer& offer : offers) {
    if (offer.at != at) continue;
    word = word_at(text, offer);
    add_words(offer, names, &words);
  }
  const std::string nearest = nearest_name(word, words);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
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
  std::vector<Offer> offers;
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
    offers.insert(offers.end(), matcher.offers().begin(), matcher.offers().end());
  }
  throw SyntaxError{"cannot read the operands of " + std::string(name) + "; expected " +
                        furthest.expected + nearest_offered(text, furthest.at, offers, names),
                    static_cast<unsigned>(furthest.at + 1)};
}

}  // namespace shflsim::isa
