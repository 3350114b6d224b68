// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/modifiers.h"

#include <algorithm>

namespace shflsim::traces {

Modifiers::Modifiers(std::string_view text) {
  while (!text.empty()) {
    text.remove_prefix(1);
    const size_t end = std::min(text.find('.'), text.size());
    all_.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

bool Modifiers::has(std::string_view modifier) const {
  return std::find(all_.begin(), all_.end(), modifier) != all_.end();
}

bool Modifiers::has_one_of(std::initializer_list<std::string_view> some) const {
  return std::any_of(some.begin(), some.end(), [this](std::string_view one) { return has(one); });
}

std::string_view Modifiers::first_number() const {
  const auto found = std::find_if(all_.begin(), all_.end(), [](std::string_view each) {
    return !each.empty() && each[0] >= '0' && each[0] <= '9';
  });
  return found == all_.end() ? std::string_view() : *found;
}

}  // namespace shflsim::traces
