// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

namespace shflsim::isa {

/// Calls `visit` with each line of a text and its number from 1.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  unsigned number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    visit(text.substr(at, end - at), ++number);
    at = end + 1;
  }
}

}  // namespace shflsim::isa
