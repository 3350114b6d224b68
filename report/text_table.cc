// SPDX-License-Identifier: Apache-2.0
#include "report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace shflsim::report {
namespace {

constexpr size_t kIndent = 2;
constexpr size_t kLeastShortened = 36;

std::string upper_heading(const TextColumn& column) {
  const size_t end = column.heading.find('\n');
  return end == std::string::npos ? "" : column.heading.substr(0, end);
}

std::string lower_heading(const TextColumn& column) {
  const size_t end = column.heading.find('\n');
  return end == std::string::npos ? column.heading : column.heading.substr(end + 1);
}

size_t width_of(const TextColumn& column) {
  size_t width = std::max(upper_heading(column).size(), lower_heading(column).size());
  for (const std::string& cell : column.cells) width = std::max(width, cell.size());
  return width;
}

bool has_content(const TextColumn& column) {
  return std::any_of(column.cells.begin(), column.cells.end(),
                     [](const std::string& cell) { return !cell.empty() && cell != "0"; });
}

void shorten(TextColumn* column, size_t width) {
  const std::string dots = "...";
  for (std::string& cell : column->cells) {
    if (cell.size() > width) cell.replace(width - dots.size(), std::string::npos, dots);
  }
}

void fit(std::vector<TextColumn>* columns) {
  size_t line = kIndent;
  for (const TextColumn& column : *columns) line += width_of(column) + 1;
  if (line <= kTextWidth + 1) return;
  const size_t excess = line - kTextWidth - 1;
  for (TextColumn& column : *columns) {
    if (!column.shortened) continue;
    const size_t width = width_of(column);
    shorten(&column, std::max(kLeastShortened, width - std::min(width, excess)));
  }
}

/// One line, with what `text_of` gives for each column.
template <class TextOf>
void write_line(std::ostream& out, const std::vector<TextColumn>& columns, const TextOf& text_of) {
  std::string line(kIndent - 1, ' ');
  for (const TextColumn& column : columns) {
    const size_t width = width_of(column);
    line += column.left ? fmt::format(" {:<{}}", text_of(column), width)
                        : fmt::format(" {:>{}}", text_of(column), width);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out << line << '\n';
}

template <class TextOf>
void write_heading(std::ostream& out, const std::vector<TextColumn>& columns,
                   const TextOf& text_of) {
  const bool any = std::any_of(columns.begin(), columns.end(),
                               [&](const TextColumn& column) { return !text_of(column).empty(); });
  if (any) write_line(out, columns, text_of);
}

}  // namespace

void write_columns(std::ostream& out, std::vector<TextColumn> columns) {
  columns.erase(std::remove_if(columns.begin(), columns.end(),
                               [](const TextColumn& column) { return !has_content(column); }),
                columns.end());
  if (columns.empty()) return;
  fit(&columns);
  write_heading(out, columns, upper_heading);
  write_heading(out, columns, lower_heading);
  for (size_t row = 0; row < columns.front().cells.size(); ++row) {
    write_line(out, columns, [row](const TextColumn& column) { return column.cells[row]; });
  }
}

void write_wrapped(std::ostream& out, const std::string& text) {
  std::istringstream words(text);
  std::string line(kIndent - 1, ' ');
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > kTextWidth) {
      out << line << '\n';
      line.assign(kIndent - 1, ' ');
    }
    line += ' ' + word;
  }
  out << line << '\n';
}

}  // namespace shflsim::report
