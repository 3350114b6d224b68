// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "traces/accel_sim/traced_register.h"

namespace shflsim::traces {

/// The place of a text: line and column of its first byte, from 1.
struct TextPlace {
  const std::string& path;
  unsigned line = 0;
  unsigned column = 1;
};

/// Reads the words of a text one after the other; they are separated by blanks. Throws InputError,
/// with line and column, for an unexpected word.
class Words {
 public:
  Words(std::string_view text, const TextPlace& place) : text_(text), place_(place) {}

  bool at_end() const { return text_.find_first_not_of(" \t", end_) == std::string_view::npos; }
  /// `what` names the expected word in an error.
  std::string_view word(const char* what);

  template <class Number>
  Number number(const char* what, int base = 10) {
    std::string_view text = word(what);
    if (base == 16 && text.substr(0, 2) == "0x") text.remove_prefix(2);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size()) fail_number(text, what);
    return value;
  }
  uint64_t number_upto(uint64_t most, const char* what);
  /// Reads R4, UR4, P0 or UP0.
  TracedRegister traced_register(const char* what);

  /// The beginning and the end of the last word in the text.
  size_t begin() const { return begin_; }
  size_t end() const { return end_; }
  /// Throws InputError at the last word.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  [[noreturn]] void fail_number(std::string_view text, const char* what) const;

  std::string_view text_;
  const TextPlace place_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

}  // namespace shflsim::traces
