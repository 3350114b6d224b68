// SPDX-License-Identifier: Apache-2.0
#include "report/run/cells.h"

#include <fmt/format.h>

namespace shflsim::report {

Value ratio(uint64_t part, uint64_t whole) {
  if (whole == 0) return {};
  return static_cast<double>(part) / static_cast<double>(whole);
}

uint64_t cycles_in(const model::StateCycles& states, model::WarpState state) {
  return states[static_cast<size_t>(state)];
}

std::string pc_of(const traces::Trace& trace, size_t index) {
  return fmt::format("0x{:04x}", trace.code.lines[index].address);
}

}  // namespace shflsim::report
