// SPDX-License-Identifier: Apache-2.0
#include "isa/base/bounded.h"

#include <charconv>

namespace shflsim {

std::string too_much(std::string_view what, uint64_t claimed, uint64_t most,
                     std::string_view unit) {
  std::string text(what);
  text += " of " + std::to_string(claimed);
  if (!unit.empty()) text += " " + std::string(unit);
  return text + "; expected " + std::to_string(most) + " at most";
}

uint64_t bounded(uint64_t claimed, uint64_t most, std::string_view what, const Position& where,
                 std::string_view unit) {
  if (claimed > most) throw InputError(where, too_much(what, claimed, most, unit));
  return claimed;
}

Nesting::Nesting(unsigned* depth, std::string_view what, const Position& where) : depth_(depth) {
  if (*depth_ >= kMostNesting) {
    throw InputError(where, std::string(what) + " nested more than " +
                                std::to_string(kMostNesting) + " deep; expected fewer levels");
  }
  ++*depth_;
}

std::optional<uint64_t> whole_number(std::string_view text) {
  const bool is_hexadecimal =
      text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char* const first = text.data() + (is_hexadecimal ? 2 : 0);
  const char* const last = text.data() + text.size();
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value, is_hexadecimal ? 16 : 10);
  if (first == last || error != std::errc{} || end != last) return std::nullopt;
  return value;
}

uint64_t bounded_number(std::string_view text, uint64_t most, std::string_view what,
                        const Position& where) {
  const std::optional<uint64_t> value = whole_number(text);
  if (value && *value <= most) return *value;
  throw InputError(where, std::string(what) + " of '" + std::string(text) +
                              "'; expected a number up to " + std::to_string(most));
}

}  // namespace shflsim
