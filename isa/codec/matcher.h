// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "isa/base/bits.h"
#include "isa/base/text_cursor.h"
#include "isa/codec/codec.h"
#include "isa/codec/form.h"

namespace shflsim::isa {

/// The position up to which a text matched a form, and what was expected there.
struct Failure {
  size_t at = 0;
  bool near_miss = false;
  std::string expected;

  bool is_behind(const Failure& other) const {
    return at != other.at ? at < other.at : near_miss < other.near_miss;
  }
};

/// A place where one of several words was expected and none was found: a value of a modifier, a
/// special register, or a name that Names would have to know.
struct Offer {
  enum class Kind : char { kModifier, kSpecial, kName };
  size_t at = 0;
  Kind kind = Kind::kModifier;
  const std::vector<const char*>* modifiers = nullptr;
};

/// The names of a modifier's values as a list, for error messages.
std::string list_of(const std::vector<const char*>& names);

/// Reads a text from left to right and builds a word from it. Keeps the mismatch that is furthest
/// into the text.
class WordReader : protected TextCursor {
 public:
  using TextCursor::TextCursor;

  const Word& word() const { return word_; }
  uint8_t reuse() const { return reuse_; }
  const Failure& failure() const { return failure_; }
  const std::vector<Offer>& offers() const { return offers_; }

 protected:
  bool fail(const std::string& expected) { return note({at_, false, expected}); }
  bool fail_at(size_t at, const std::string& expected) { return note({at, false, expected}); }
  /// The text at `at` is of the right kind, but its value is not allowed.
  bool fail_value(size_t at, const std::string& expected) { return note({at, true, expected}); }
  bool fail_range(size_t start, int64_t low, int64_t high, int64_t unit);
  bool note(const Failure& failure);
  void offer(Offer::Kind kind) { offers_.push_back({at_, kind, nullptr}); }

  void put(unsigned position, unsigned width, uint64_t value) {
    word_ = with_field(word_, position, width, value);
  }
  void put_value(const Token& token, uint64_t value) { word_ = with_value(token, word_, value); }
  void put_bit(uint8_t position) {
    if (position != Token::kNoBit) put(position, 1, 1);
  }
  void put_signed(const Token& token, uint64_t value);
  int take_one_of(const std::vector<const char*>& names);

  Word word_;
  uint8_t reuse_ = 0;

 private:
  Failure failure_;
  std::vector<Offer> offers_;
};

/// A modifier that has been matched: its names, and the index of the matched name.
struct MatchedModifier {
  const std::vector<const char*>* names;
  size_t value;

  /// True if the value with its lower bits replaced by `low` has an equal name.
  bool agrees(size_t low, size_t low_values) const {
    const char* other = (*names)[value / low_values * low_values + low];
    return other != nullptr && std::strcmp(other, (*names)[value]) == 0;
  }
};

/// Matches registers and numbers, and the operands that only sm_70 and later have: uniform ones,
/// convergence barriers, addresses of several parts, pairs of halves.
class LongWordMatcher : public WordReader {
 public:
  LongWordMatcher(std::string_view text, size_t at, uint32_t address, const Names& names,
                  Family family)
      : WordReader(text, at), address_(address), names_(names), family_(family) {}

 protected:
  int take_register();
  bool match_integer(const Token& token);
  bool match_label(int64_t* target);
  bool match_uniform(const Token& token);
  bool match_next_uniform(const Token& token);
  bool match_convergence(const Token& token);
  bool match_halves(const Token& token);
  bool match_distance(const Token& token);
  bool match_bindless(const Token& token);
  bool match_address(const Token& token);

  const uint32_t address_;
  const Names& names_;
  const Family family_;
  std::map<Mod, size_t> mod_value_;

 private:
  int register_number(std::string_view name) const;
  bool take_uniform(unsigned position, unsigned width);
  bool match_descriptor(const AddressFields& address);
  bool match_extent(const AddressFields& address);
  bool match_term(const Token& token, bool is_first);
  bool match_terms(const Token& token);

  bool has_extent_ = false;    ///< the address being read has R.64 or R.U32
  bool adds_uniform_ = false;  ///< the address being read adds a UR
};

/// Matches operands: registers, immediates, constants, addresses, and their suffixes.
class OperandMatcher : public LongWordMatcher {
 public:
  using LongWordMatcher::LongWordMatcher;

 protected:
  bool match_operand(const Token& token);

  std::map<unsigned, MatchedModifier> modifiers_;  ///< by position of the field

 private:
  bool match_suffixes(const Token& token);
  bool match_half(const Token& token);
  void match_reuse(const Token& token);
  bool match_bare(const Token& token);
  bool match_predicate(const Token& token);
  bool match_base(unsigned position);
  bool match_register(const Token& token);
  bool match_pair(const Token& token);
  uint64_t register_count(const Token& token) const;
  bool match_half_float(const Token& token);
  bool match_float(const Token& token, unsigned size);
  bool match_bank(unsigned position);
  bool match_constant(const Token& token);
  bool match_memory(const Token& token);
  bool match_indexed(const Token& token);
  bool match_set(const Token& token);
  bool match_target(const Token& token);
  bool put_absolute(const Token& token, size_t start, int64_t target);
  bool match_special(const Token& token);
};

/// Matches one form's tokens against a text, setting bits of the word as it goes.
class Matcher : public OperandMatcher {
 public:
  using OperandMatcher::OperandMatcher;

  bool match(const Form& form);

 private:
  bool match_all(const std::vector<Token>& tokens);
  bool match_end();
  bool match_one(const Token& token);
  bool match_group(const Token& token);
  void set_defaults(const std::vector<Token>& tokens);
  bool match_modifier(const Token& token);
  size_t agreeing(const Token& token, const std::vector<const char*>& names, size_t taken) const;
};

}  // namespace shflsim::isa
