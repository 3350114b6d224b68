// SPDX-License-Identifier: Apache-2.0
#include "report/explain/lane_pattern.h"

#include <algorithm>
#include <optional>

#include "isa/base/bounded.h"
#include "isa/families/lane_text.h"

namespace shflsim::report {

isa::LaneValues lane_pattern(const std::string& text, const std::string& option) {
  const std::vector<uint32_t> each = isa::lane_values(text, isa::kLanes, option);
  isa::LaneValues values{};
  std::copy(each.begin(), each.end(), values.begin());
  return values;
}

isa::LaneMask lane_mask(const std::string& text, const std::string& option) {
  const std::optional<uint64_t> value = whole_number(text);
  if (!value || *value > isa::kAllLanes) {
    throw InputError(option + ": '" + text + "' is no mask; expected 32 bits such as 0x0000ffff");
  }
  return static_cast<isa::LaneMask>(*value);
}

}  // namespace shflsim::report
