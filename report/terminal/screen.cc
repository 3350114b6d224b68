// SPDX-License-Identifier: Apache-2.0
#include "report/terminal/screen.h"

#include <fmt/color.h>

#include <algorithm>

namespace shflsim::report {
namespace {

/// The slot in which a stream stores its width, and whether it has colour.
int width_slot() {
  static const int slot = std::ios_base::xalloc();
  return slot;
}

int color_slot() {
  static const int slot = std::ios_base::xalloc();
  return slot;
}

fmt::text_style style_of(Paint paint) {
  switch (paint) {
    case Paint::kHeading: return fmt::emphasis::bold;
    case Paint::kHot: return fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red);
    case Paint::kStall: return fmt::fg(fmt::terminal_color::cyan);
    case Paint::kPlain: break;
  }
  return {};
}

/// Length of the first part of `line` that fits: up to a blank, or `width` if there is no blank
/// after `indent`.
size_t fitting(const std::string& line, size_t width, size_t indent) {
  if (line.size() <= width) return line.size();
  const size_t blank = line.find_last_of(' ', width);
  return blank == std::string::npos || blank <= indent ? width : blank;
}

}  // namespace

void set_screen(std::ostream& out, const Screen& screen) {
  const size_t width = screen.width == 0 ? 0 : std::max(screen.width, kLeastWidth);
  out.iword(width_slot()) = static_cast<long>(width);
  out.iword(color_slot()) = screen.color ? 1 : 0;
}

Screen screen_of(std::ostream& out) {
  return {static_cast<size_t>(out.iword(width_slot())), out.iword(color_slot()) != 0};
}

std::string painted(std::ostream& out, Paint paint, const std::string& text) {
  if (paint == Paint::kPlain || text.empty() || !screen_of(out).color) return text;
  return fmt::format(style_of(paint), "{}", text);
}

void write_line(std::ostream& out, const std::string& line, size_t indent) {
  const size_t width = screen_of(out).width;
  if (width == 0) {
    out << line << '\n';
    return;
  }
  const std::string margin(std::min(indent, width / 2), ' ');
  std::string rest = line;
  while (rest.size() > width) {
    const size_t length = fitting(rest, width, margin.size());
    out << rest.substr(0, length) << '\n';
    const size_t next = rest.find_first_not_of(' ', length);
    if (next == std::string::npos) return;
    rest = margin + rest.substr(next);
  }
  out << rest << '\n';
}

}  // namespace shflsim::report
