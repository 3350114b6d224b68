// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shflsim::report {

/// `text` with <, > and & as entities.
std::string svg_escaped(const std::string& text);

/// A text element; `style` has its attributes other than the position.
std::string svg_text(int x, int y, const std::string& style, const std::string& text);

/// The elements of a drawing, without a frame; lengths in pixels.
struct Picture {
  int width = 0;
  int height = 0;
  std::string body;  ///< "" if there is nothing to draw
};

/// An SVG file with the pictures below one another. It shrinks to the available width, and its
/// colours follow the reader's light or dark scheme.
std::string svg_of(const std::vector<Picture>& pictures);

}  // namespace shflsim::report
