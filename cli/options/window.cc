// SPDX-License-Identifier: Apache-2.0
#include "cli/options/window.h"

#include <boost/algorithm/string.hpp>
#include <limits>

#include "cli/options/spec.h"
#include "isa/base/input_error.h"

namespace shflsim::cli {
namespace {

constexpr uint64_t kMostWarp = std::numeric_limits<uint32_t>::max();
constexpr uint64_t kMostCycle = uint64_t{1} << 48;

/// Reads "100:200"; either number may be left out.
void read_cycles(const std::string& text, size_t colon, const std::string& option,
                 report::Window* window) {
  const std::string from = text.substr(0, colon);
  const std::string to = text.substr(colon + 1);
  if (!from.empty()) window->from = read_number(from, kMostCycle, option);
  if (!to.empty()) window->to = read_number(to, kMostCycle, option);
  if (window->from >= window->to)
    throw InputError(option + ": cycles '" + text + "' are none; expected FROM below TO");
}

report::Window::Warps read_warps(const std::string& text, const std::string& option) {
  const size_t dash = text.find('-');
  const auto first = static_cast<uint32_t>(read_number(text.substr(0, dash), kMostWarp, option));
  if (dash == std::string::npos) return {first, first};
  const auto last =
      static_cast<uint32_t>(read_number(text.substr(dash + 1), first, kMostWarp, option));
  return {first, last};
}

}  // namespace

report::Window read_window(const std::string& text, const std::string& option,
                           const std::vector<report::Window::Warps>& warps) {
  report::Window window;
  bool has_all = false;
  bool has_cycles = false;
  std::vector<std::string> parts;
  boost::split(parts, text, boost::is_any_of(","));
  for (const std::string& part : parts) {
    const size_t colon = part.find(':');
    if (part.empty() || (colon != std::string::npos && has_cycles))
      throw InputError(option + ": '" + text + "'; expected WARPS,FROM:TO such as 0-3,100:200");
    if (colon != std::string::npos) {
      has_cycles = true;
      read_cycles(part, colon, option, &window);
    } else if (part == "all") {
      has_all = true;
    } else {
      window.warps.push_back(read_warps(part, option));
    }
  }
  if (has_all) window.warps.clear();
  if (!has_all && window.warps.empty()) window.warps = warps;
  return window;
}

}  // namespace shflsim::cli
