// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "report/terminal/screen.h"

namespace shflsim::report {

constexpr size_t kTextWidth = 120;  ///< columns of a paragraph's lines

/// One column of a text table. All columns of a table have equally many cells.
struct TextColumn {
  std::string heading;     ///< one or two lines
  bool left = false;       ///< aligned to the left: names; numbers stand to the right
  bool shortened = false;  ///< cut, with "..." at the end, where the screen is too narrow
  std::vector<std::string> cells = {};
  size_t rank = 0;  ///< the highest are left out first where the screen is too narrow, 0 never
  Paint paint = Paint::kPlain;
};

/// The rank of a reported key: 0 for keys that name a row, then the most important figures, then
/// one rank for all others.
size_t rank_of(const std::string& key);

/// Columns whose cells are all empty or 0 are left out, and so are heading lines without a word. On
/// a screen that is too narrow, columns are left out by rank, the last of equals first, and said so
/// below. Rows that are `hot` stand out where there is colour.
void write_columns(std::ostream& out, std::vector<TextColumn> columns,
                   const std::vector<bool>& hot = {});

/// A paragraph broken at spaces.
void write_wrapped(std::ostream& out, const std::string& text);

}  // namespace shflsim::report
