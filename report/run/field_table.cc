// SPDX-License-Identifier: Apache-2.0
#include "report/run/field_table.h"

#include <fmt/format.h>

namespace shflsim::report {

std::string figure_text(const Value& figure) {
  if (const auto* count = std::get_if<uint64_t>(&figure)) return fmt::format("{}", *count);
  if (const auto* whole = std::get_if<int64_t>(&figure)) return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&figure)) {
    return fmt::format("{:.{}f}", *real, *real >= 100 ? 0 : *real >= 10 ? 1 : 3);
  }
  if (const auto* text = std::get_if<std::string>(&figure)) return *text;
  return "";
}

}  // namespace shflsim::report
