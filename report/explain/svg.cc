// SPDX-License-Identifier: Apache-2.0
#include "report/explain/svg.h"

#include <fmt/format.h>

#include <algorithm>

namespace shflsim::report {
namespace {

/// Viewers without style sheets use the attributes of each element, those of the light scheme.
constexpr const char* kStyle =
    "<style>@media (prefers-color-scheme: dark) {\n"
    ".sf-back { fill: #14171b } .sf-band { fill: #1f2731 } .sf-text { fill: #e4e8ec }\n"
    ".sf-quiet { fill: #9aa5b1 } .sf-lane { fill: #1d2126; stroke: #9aa5b1 }\n"
    ".sf-idle { fill: #2a2f36; stroke: #4a525c } .sf-wire { stroke: #3a424b }\n"
    "}</style>\n";

}  // namespace

std::string svg_escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else
      safe += c;
  }
  return safe;
}

std::string svg_text(int x, int y, const std::string& style, const std::string& text) {
  return fmt::format("<text x=\"{}\" y=\"{}\" {}>{}</text>\n", x, y, style, svg_escaped(text));
}

std::string svg_of(const std::vector<Picture>& pictures) {
  int width = 0;
  int height = 0;
  std::string parts;
  for (const Picture& picture : pictures) {
    parts += fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n", height, picture.body);
    width = std::max(width, picture.width);
    height += picture.height;
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
             "viewBox=\"0 0 {0} {1}\" style=\"max-width:100%;height:auto\" "
             "font-family=\"sans-serif\">\n{2}"
             "<rect class=\"sf-back\" width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
             width, height, kStyle) +
         parts + "</svg>\n";
}

}  // namespace shflsim::report
