// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace shflsim {

/// Where in the user's input something is. Line and column count from 1; 0 means "not known".
struct Position {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

/// What the user gave cannot be used. Printed as one line, `file:line:column: what; what was
/// expected`; the program then leaves with exit status 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& what) : std::runtime_error(what) {}
  InputError(const Position& where, const std::string& what);
};

/// The known name closest to `name` by edit distance, or "" where none is near enough (more than a
/// third of the letters differ) to be a likely typo.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// "; did you mean 'X'?" or "; known: A, B, C" for an error about an unknown name.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace shflsim
