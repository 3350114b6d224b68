// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace shflsim::isa {

/// Text without what terminals, mail, web pages and tools add: colours and links of a terminal
/// (ANSI escape sequences), frames, marks of quotations and comments, ascending line numbers, file
/// names, times and names of services in front of every line; text outside of fences of Markdown or
/// <pre>; the old lines of a difference; and line ends of a carriage return alone. Prefixes of
/// lines become blanks, so that lines and columns do not change. Only what every line has is taken
/// away. None if the text has nothing of this.
std::optional<std::string> plain_text(std::string_view text);

}  // namespace shflsim::isa
