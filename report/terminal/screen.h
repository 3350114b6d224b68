// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

namespace shflsim::report {

/// The screen that shows a stream. A stream without a screen, such as a file or a pipe, gets whole
/// lines without colour.
struct Screen {
  size_t width = 0;  ///< columns of a line; 0: unlimited
  bool color = false;
};

constexpr size_t kLeastWidth = 40;  ///< columns; a narrower terminal breaks the lines itself

void set_screen(std::ostream& out, const Screen& screen);
Screen screen_of(std::ostream& out);

/// The role of a text, which determines its colour.
enum class Paint : char { kPlain, kHeading, kHot, kStall };
/// `text` in its colour, if the stream shows colours.
std::string painted(std::ostream& out, Paint paint, const std::string& text);

/// Writes one line. A line longer than the screen is wrapped, indented by `indent` columns.
void write_line(std::ostream& out, const std::string& line, size_t indent = 2);

}  // namespace shflsim::report
