// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace shflsim::isa {

/// Text without what terminals, mail and editors add: colours of a terminal (ANSI escape
/// sequences), a quotation mark '>' or '|' in front of every line, ascending line numbers in front
/// of every line ("12 ", "12:" or "12|"), and line ends of a carriage return alone. Marks and line
/// numbers become blanks, so that columns stay. None if the text has nothing of this.
std::optional<std::string> plain_text(std::string_view text);

}  // namespace shflsim::isa
