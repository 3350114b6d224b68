// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

namespace shflsim::traces {

/// The modifiers of an operation's name: E and 64 of ".E.64", as views of the given text.
class Modifiers {
 public:
  explicit Modifiers(std::string_view text);

  bool has(std::string_view modifier) const;
  bool has_one_of(std::initializer_list<std::string_view> some) const;
  /// The first modifier that begins with a digit; "" if none does.
  std::string_view first_number() const;

 private:
  std::vector<std::string_view> all_;
};

}  // namespace shflsim::traces
