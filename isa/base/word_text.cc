// SPDX-License-Identifier: Apache-2.0
#include "isa/base/word_text.h"

#include <cctype>

namespace shflsim::isa {
namespace {

unsigned value_of(char digit) {
  const unsigned char lower = static_cast<unsigned char>(std::tolower(digit));
  return lower <= '9' ? lower - '0' : lower - 'a' + 10u;
}

}  // namespace

std::string_view hex_digits(std::string_view text) {
  if (text.substr(0, 2) == "0x") text.remove_prefix(2);
  for (const char c : text) {
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return "";
  }
  return text;
}

std::optional<Word> word_of_hex(std::string_view text) {
  constexpr size_t kWordDigits = 32;
  const std::string_view digits = hex_digits(text);
  if (digits.empty() || digits.size() > kWordDigits) return std::nullopt;
  Word word;
  for (const char c : digits) word = {word.low << 4 | value_of(c), word.high << 4 | word.low >> 60};
  return word;
}

}  // namespace shflsim::isa
