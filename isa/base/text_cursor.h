// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cctype>
#include <cstdint>
#include <string_view>

namespace shflsim::isa {

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
inline bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}
/// The letters, digits and '_' that `text` begins with.
std::string_view leading_name(std::string_view text);
/// `text` without the white space around it, as a part of it.
std::string_view trimmed(std::string_view text);

/// Reads an instruction's text from left to right. A take... call skips what it looks for if that
/// comes next; otherwise it leaves the position unchanged, white space aside.
class TextCursor {
 public:
  TextCursor(std::string_view text, size_t at) : text_(text), at_(at) {}

 protected:
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

  /// Takes the letters of `wanted`, white space aside; a name must not continue after them.
  bool take_text(std::string_view wanted);
  std::string_view take_name();
  /// A branch target by name: `(.L_x_1), (.L_1), .L_x_1 or NAME.
  std::string_view take_label();
  bool take_number(int64_t* value);
  /// A decimal number, or a name such as +INF or +QNAN.
  bool take_float(unsigned size, uint64_t* bits);

  std::string_view text_;
  size_t at_;
};

/// The 16-bit float of the same value as a double's bits; false if there is none.
bool half_of(uint64_t bits, uint64_t* half);

}  // namespace shflsim::isa
