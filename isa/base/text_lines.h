// SPDX-License-Identifier: Apache-2.0
// Lines of a text that is not code yet, and replacements in it.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "isa/base/text_cursor.h"

namespace shflsim::isa {

/// Calls f(line, place) for each line until it returns false; false if it did.
template <class F>
bool all_lines(std::string_view text, F f) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (!f(text.substr(at, end - at), at)) return false;
    at = end + 1;
  }
  return true;
}

/// True for a line of blanks alone.
inline bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

inline bool has_end(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Makes blanks of a part of a text.
inline void make_blank(std::string* text, size_t at, size_t size) {
  text->replace(at, size, size, ' ');
}

struct Replacement {
  std::string_view from;
  std::string_view to;
};

template <size_t N>
std::string with_replacements(std::string_view text, const std::array<Replacement, N>& table) {
  std::string plain;
  plain.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const Replacement& each) {
      return starts_with(text.substr(i, each.from.size()), each.from);
    });
    plain += found == table.end() ? text.substr(i, 1) : found->to;
    i += found == table.end() ? 1 : found->from.size();
  }
  return plain;
}

}  // namespace shflsim::isa
