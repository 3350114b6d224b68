// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "isa/base/faults.h"

namespace shflsim::model {

/// One `key = value` of an INI file or of the command line, and its place.
struct Assignment {
  std::string key;  ///< key with its section: "shuffle.lanes" for `lanes` of [shuffle]
  std::string value;
  std::string source;  ///< comment after the value, "measured: groundtruth/h200"; may be empty
  std::string file;    ///< as shown to the user; "command line" for --set
  unsigned line = 0;
  unsigned column = 0;  ///< column of the value
  unsigned key_column = 0;

  Position where() const { return {file, line, column}; }
  Position where_key() const { return {file, line, key_column}; }
};

/// The start of a line's comment, npos if there is none: a '#', or a ';' before a word.
size_t comment_of(std::string_view line);

/// Calls `take` with each assignment of the file, in order. `[section]` applies to the keys that
/// follow it; # and ; begin a comment. Errors in a line, and those that `take` throws for it, are
/// added to `faults`. Throws InputError if there is no such file; `expected` says what was
/// expected.
void read_ini(const std::string& path, const std::string& expected, Faults& faults,
              const std::function<void(Assignment)>& take);

}  // namespace shflsim::model
