// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "report/terminal/screen.h"

namespace shflsim::report {

constexpr size_t kTextWidth = 120;  ///< width of a paragraph in columns

/// One column of a text table. All columns of a table have equally many cells.
struct TextColumn {
  std::string heading;     ///< one or two lines
  bool left = false;       ///< aligned to the left, for names; numbers are on the right
  bool shortened = false;  ///< cut, with "..." at the end, if the screen is too narrow
  std::vector<std::string> cells = {};
  size_t rank = 0;  ///< the highest are left out first if the screen is too narrow, 0 never
  Paint paint = Paint::kPlain;
};

/// The rank of a reported key: 0 for keys that name a row, then the most important figures, then
/// one rank for all others.
size_t rank_of(const std::string& key);

/// Leaves out columns whose cells are all empty or 0, and heading lines without a word. If the
/// screen is too narrow, leaves out columns by rank, the last of equals first, and names them below
/// the table. Rows that are `hot` are highlighted if there is colour.
void write_columns(std::ostream& out, std::vector<TextColumn> columns,
                   const std::vector<bool>& hot = {});

/// Writes a paragraph, broken at spaces.
void write_wrapped(std::ostream& out, const std::string& text);

}  // namespace shflsim::report
