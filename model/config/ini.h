// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "isa/base/faults.h"

namespace shflsim::model {

/// One `key = value` of an INI file, or of the command line, and where it stands.
struct Assignment {
  std::string key;  ///< key with its section: "shuffle.lanes" for `lanes` of [shuffle]
  std::string value;
  std::string source;  ///< comment behind the value, "measured: groundtruth/h200"; may be empty
  std::string file;    ///< as shown to the user; "command line" for --set
  unsigned line = 0;
  unsigned column = 0;  ///< column of the value
  unsigned key_column = 0;

  Position where() const { return {file, line, column}; }
  Position where_key() const { return {file, line, key_column}; }
};

/// Where the comment of a line begins, npos without one: at a '#', or a ';' in front of a word.
size_t comment_of(std::string_view line);

/// Calls `take` with every assignment of the file, in order; `[section]` stands in front of those
/// that follow, and # and ; begin a comment. What is wrong with a line, and what `take` throws for
/// it, goes to `faults`. Throws InputError if there is no such file; `expected` names what it
/// should have been.
void read_ini(const std::string& path, const std::string& expected, Faults& faults,
              const std::function<void(Assignment)>& take);

}  // namespace shflsim::model
