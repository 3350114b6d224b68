// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace shflsim::isa {

// The code in a text of something else; none if the text is no such text. Lines keep their numbers.

/// The text between <pre> and </pre>.
std::optional<std::string> of_web_page(std::string_view text);
/// The longest block between fences of Markdown, three or more of a mark.
std::optional<std::string> of_fences(std::string_view text, char mark);
/// The new text of a unified difference, or the old one where there is no new one.
std::optional<std::string> of_difference(std::string_view text);
/// The new text of a difference without context: "> " in front of it, "< " in front of the old one.
std::optional<std::string> of_plain_difference(std::string_view text);

}  // namespace shflsim::isa
