// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
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

/// One error in the user's input.
struct Fault {
  Position where;
  std::string what;  ///< `what; what was expected`

  /// `file:line:column: what` as it is printed: one line, without control characters.
  std::string line() const;
};

/// The user's input cannot be used. Printed as one line per fault, `file:line:column: what; what
/// was expected`; the program then exits with status 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& what) : InputError(Position{}, what) {}
  InputError(const Position& where, const std::string& what)
      : InputError(std::vector<Fault>{{where, what}}, 0) {}
  /// One or more faults of one input (isa/base/faults.h collects them); `untold` is the number of
  /// further faults, which are only counted.
  InputError(std::vector<Fault> faults, size_t untold);

  const std::vector<Fault>& faults() const { return *faults_; }
  size_t untold() const { return untold_; }
  /// "FILE: 5 more faults" if there are more faults than kept; else "".
  std::string untold_line() const;

 private:
  std::shared_ptr<const std::vector<Fault>> faults_;  // a copied exception may not throw
  size_t untold_;
};

/// `text` with control characters, and bytes that are not UTF-8, escaped as \n, \t or \x1b, so that
/// it cannot control a terminal.
std::string printable(std::string_view text);

/// The known name closest to `name`, or "" if none is near enough to be a likely typo. The edit
/// distance ignores case, counts exchanged neighbours once and may be a third of the letters; among
/// equally close names, one of the same length is preferred. Else the first known name that begins
/// with `name`. Names of over 64 letters have no nearest name.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// "; did you mean 'X'?", "; known: A, B, C" or "; there is none" for an error about an unknown
/// name.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace shflsim
