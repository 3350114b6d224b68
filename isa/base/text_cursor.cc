// SPDX-License-Identifier: Apache-2.0
#include "isa/base/text_cursor.h"

namespace shflsim::isa {

std::string_view leading_name(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(0, end);
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool TextCursor::take_text(std::string_view wanted) {
  const size_t start = at_;
  char last = '\0';
  bool is_spaced = true;
  for (const char c : wanted) {
    if (c == ' ') {
      is_spaced = true;
      continue;
    }
    if (is_spaced || !is_word(last)) skip_spaces();
    is_spaced = false;
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

std::string_view TextCursor::take_name() {
  skip_spaces();
  const std::string_view name = leading_name(text_.substr(at_));
  at_ += name.size();
  return name;
}

std::string_view TextCursor::take_label() {
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

}  // namespace shflsim::isa
