// SPDX-License-Identifier: Apache-2.0
#include "report/terminal/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <sstream>

#include "isa/base/input_error.h"

namespace shflsim::report {
namespace {

constexpr size_t kIndent = 2;
// Columns of a shortened text: while other columns can be left out, and when none can.
constexpr size_t kRoomyText = 40;
constexpr size_t kLeastText = 24;

/// A column in the layout.
struct Laid {
  TextColumn column;
  std::string upper;  ///< lines of the heading
  std::string lower;
  size_t width;
};

Laid laid(TextColumn column) {
  const size_t end = column.heading.find('\n');
  const bool is_single = end == std::string::npos;
  Laid one{{}, is_single ? "" : column.heading.substr(0, end), "", 0};
  one.lower = is_single ? column.heading : column.heading.substr(end + 1);
  one.width = std::max(one.upper.size(), one.lower.size());
  for (std::string& cell : column.cells) {
    cell = printable(cell);
    one.width = std::max(one.width, cell.size());
  }
  one.column = std::move(column);
  return one;
}

bool has_content(const TextColumn& column) {
  return std::any_of(column.cells.begin(), column.cells.end(),
                     [](const std::string& cell) { return !cell.empty() && cell != "0"; });
}

/// The heading in one line: "lat. min".
std::string name_of(const Laid& one) {
  return one.upper.empty() ? one.lower : one.upper + ' ' + one.lower;
}

/// Length of a line in which shortened texts have at most `most` columns.
size_t line_width(const std::vector<Laid>& columns, size_t most) {
  return std::accumulate(columns.begin(), columns.end(), kIndent - 1,
                         [most](size_t sum, const Laid& one) {
                           const bool cut = one.column.shortened;
                           return sum + 1 + (cut ? std::min(one.width, most) : one.width);
                         });
}

/// The column of at least this rank to leave out first; the end if there is none.
std::vector<Laid>::iterator least_important(std::vector<Laid>* columns, size_t rank) {
  auto found = columns->end();
  for (auto one = columns->begin(); one != columns->end(); ++one) {
    if (one->column.rank < rank) continue;
    if (found == columns->end() || one->column.rank >= found->column.rank) found = one;
  }
  return found;
}

/// Leaves out columns until a line fits, and adds their names to `out_of`.
void leave_out(std::vector<Laid>* columns, size_t rank, size_t most, size_t width,
               std::vector<std::string>* out_of) {
  while (line_width(*columns, most) > width) {
    const auto least = least_important(columns, rank);
    if (least == columns->end()) return;
    out_of->insert(out_of->begin(), name_of(*least));
    columns->erase(least);
  }
}

void shorten(Laid* one, size_t width) {
  const std::string dots = "...";
  for (std::string& cell : one->column.cells) {
    if (cell.size() > width) cell.replace(width - dots.size(), std::string::npos, dots);
  }
  one->width = width;
}

/// Fits the columns to `width`. Returns the names of the columns that were left out.
std::vector<std::string> fit(std::vector<Laid>* columns, size_t width) {
  std::vector<std::string> out_of;
  leave_out(columns, rank_of(""), kRoomyText, width, &out_of);
  leave_out(columns, 1, kLeastText, width, &out_of);
  for (Laid& one : *columns) {
    const size_t line = line_width(*columns, one.width);
    if (!one.column.shortened || line <= width) continue;
    const size_t excess = line - width;
    shorten(&one, std::max(kLeastText, one.width - std::min(one.width, excess)));
  }
  return out_of;
}

/// Writes "not in 80 columns: ..." with as many names as a line holds.
void write_left_out(std::ostream& out, const std::vector<std::string>& names, size_t width) {
  if (names.empty()) return;
  const std::string hint = " (| cat shows all)";
  std::string line = fmt::format("  not in {} columns: ", width);
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string more = fmt::format(", {} more", names.size() - i);
    const std::string name = (i == 0 ? "" : ", ") + names[i];
    if (line.size() + name.size() + more.size() + hint.size() > width) {
      line += i == 0 ? more.substr(2) : more;
      break;
    }
    line += name;
  }
  write_line(out, line + hint);
}

/// Writes one line with the text that `text_of` gives for each column, without blanks at its end.
template <class TextOf, class PaintOf>
void write_cells(std::ostream& out, const std::vector<Laid>& columns, const TextOf& text_of,
                 const PaintOf& paint_of) {
  std::string line;
  size_t blanks = kIndent - 1;
  for (const Laid& one : columns) {
    const std::string& text = text_of(one);
    const size_t missing = one.width - text.size();
    const size_t words = text.find_last_not_of(' ') + 1;
    blanks += 1 + (one.column.left ? 0 : missing);
    if (words != 0) {
      line.append(blanks, ' ');
      line += painted(out, paint_of(one), text.substr(0, words));
      blanks = text.size() - words;
    } else {
      blanks += text.size();
    }
    if (one.column.left) blanks += missing;
  }
  out << line << '\n';
}

void write_heading(std::ostream& out, const std::vector<Laid>& columns, std::string Laid::*line) {
  const bool any = std::any_of(columns.begin(), columns.end(),
                               [line](const Laid& one) { return !(one.*line).empty(); });
  if (!any) return;
  write_cells(
      out, columns, [line](const Laid& one) -> const std::string& { return one.*line; },
      [](const Laid& /*one*/) { return Paint::kHeading; });
}

}  // namespace

size_t rank_of(const std::string& key) {
  static const std::vector<std::string> first = {"pc",
                                                 "text",
                                                 "state",
                                                 "unit",
                                                 "workload",
                                                 "design",
                                                 "cycles",
                                                 "speedup",
                                                 "passes",
                                                 "warp_cycles_share",
                                                 "top_stall",
                                                 "share",
                                                 "port_conflicts",
                                                 "utilization",
                                                 "latency_mean",
                                                 "energy_nj",
                                                 "dominated_by",
                                                 "issued",
                                                 "lanes",
                                                 "cycles_difference",
                                                 "operations",
                                                 "busy",
                                                 "mux2",
                                                 "stall_difference"};
  constexpr size_t kNames = 6;  // the first keys identify a row
  const auto place = std::distance(first.begin(), std::find(first.begin(), first.end(), key));
  const auto index = static_cast<size_t>(place);
  return index < kNames ? 0 : index - kNames + 1;
}

void write_columns(std::ostream& out, std::vector<TextColumn> columns,
                   const std::vector<bool>& hot) {
  std::vector<Laid> all;
  for (TextColumn& column : columns) {
    if (has_content(column)) all.push_back(laid(std::move(column)));
  }
  if (all.empty()) return;
  const size_t width = screen_of(out).width;
  const std::vector<std::string> out_of =
      width == 0 ? std::vector<std::string>{} : fit(&all, width);
  write_heading(out, all, &Laid::upper);
  write_heading(out, all, &Laid::lower);
  for (size_t row = 0; row < all.front().column.cells.size(); ++row) {
    const bool is_hot = row < hot.size() && hot[row];
    write_cells(
        out, all, [row](const Laid& one) -> const std::string& { return one.column.cells[row]; },
        [is_hot](const Laid& one) {
          return one.column.paint == Paint::kPlain && is_hot ? Paint::kHot : one.column.paint;
        });
  }
  write_left_out(out, out_of, width);
}

void write_wrapped(std::ostream& out, const std::string& text) {
  const size_t screen = screen_of(out).width;
  const size_t width = screen == 0 ? kTextWidth : std::min(screen, kTextWidth);
  std::istringstream words(text);
  std::string line(kIndent - 1, ' ');
  for (std::string word; words >> word;) {
    word = printable(word);
    if (line.size() + 1 + word.size() > width && line.size() > kIndent) {
      write_line(out, line);
      line.assign(kIndent - 1, ' ');
    }
    line += ' ' + word;
  }
  write_line(out, line);
}

}  // namespace shflsim::report
