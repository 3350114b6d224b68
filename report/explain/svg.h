// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shflsim::report {

/// `text` with <, > and & as entities.
std::string svg_escaped(const std::string& text);

/// A text element; `style` has its attributes besides its place.
std::string svg_text(int x, int y, const std::string& style, const std::string& text);

/// What is drawn, without a frame; lengths in pixels.
struct Picture {
  int width = 0;
  int height = 0;
  std::string body;  ///< "" if there is nothing to draw
};

/// The pictures below one another as an SVG file, which shrinks to the width it is given. Its
/// colours follow the reader's light or dark scheme.
std::string svg_of(const std::vector<Picture>& pictures);

}  // namespace shflsim::report
