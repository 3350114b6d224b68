// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

namespace shflsim::report {

/// The screen that a stream is shown on. A stream without one shows whole lines without colour, as
/// a file or a pipe needs them.
struct Screen {
  size_t width = 0;  ///< columns of a line; 0: as many as it takes
  bool color = false;
};

constexpr size_t kLeastWidth = 40;  ///< columns; a narrower terminal breaks lines itself

void set_screen(std::ostream& out, const Screen& screen);
Screen screen_of(std::ostream& out);

/// What text is, for its colour.
enum class Paint : char { kPlain, kHeading, kHot, kStall };
/// `text` in its colour, where the stream shows any.
std::string painted(std::ostream& out, Paint paint, const std::string& text);

/// Writes one line. A line longer than the screen is wrapped, indented by `indent` columns.
void write_line(std::ostream& out, const std::string& line, size_t indent = 2);

}  // namespace shflsim::report
