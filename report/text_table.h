// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace shflsim::report {

constexpr size_t kTextWidth = 120;  ///< columns that a line should not exceed

/// One column of a text table. All columns of a table have equally many cells.
struct TextColumn {
  std::string heading;     ///< one or two lines
  bool left = false;       ///< aligned to the left: names; numbers stand to the right
  bool shortened = false;  ///< cut, with "..." at the end, where the line would get too long
  std::vector<std::string> cells = {};
};

/// Columns whose cells are all empty or 0 are left out, and so are heading lines without a word.
void write_columns(std::ostream& out, std::vector<TextColumn> columns);

/// A paragraph broken at spaces.
void write_wrapped(std::ostream& out, const std::string& text);

}  // namespace shflsim::report
