// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace shflsim::isa {

/// The length in bytes of the prefix that another tool has written before a line; 0 if there is
/// none. Line numbers also have their value, and whether a mark separates them from the text.
struct LineFront {
  size_t size = 0;
  uint64_t number = 0;
  bool is_marked = true;
};

/// Quotation marks before a line, also several: "> > ".
LineFront quotation_front(std::string_view line);
/// One mark of a comment or of a frame before a line.
LineFront mark_front(std::string_view line, std::string_view mark);
/// "12 ", "12:", "12|", "12-", "12.", "12)", "[12]", or "12" in front of a vertical line.
LineFront number_front(std::string_view line);
/// A date, a time or both, also in brackets, or seconds with a fraction: "2026-01-31T12:34:56.7Z ",
/// "Jan 31 12:34:56 ", "[12:34:56] ", "[   12.345678] ".
LineFront time_front(std::string_view line);
/// What `git blame` writes: a commit, and behind it author, time and line number in parentheses.
LineFront blame_front(std::string_view line);
/// The name of a file with ':' or '-' behind it, as in `name`'s own line.
LineFront file_front(std::string_view line, std::string_view name);

/// The words in front of every line that name a machine, a service or a level of a log: "[build] ",
/// "web-1  | ", "host nvcc[12]: ", "INFO ". Empty if the lines have no such words in common.
std::string_view common_tag(const std::vector<std::string_view>& lines);

/// True for a line of a frame: of dashes and characters that draw boxes alone.
bool is_frame(std::string_view line);

}  // namespace shflsim::isa
