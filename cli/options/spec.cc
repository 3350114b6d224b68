// SPDX-License-Identifier: Apache-2.0
#include "cli/options/spec.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "isa/base/bounded.h"
#include "isa/base/readable.h"

namespace shflsim::cli {

uint64_t read_number(const std::string& text, uint64_t most, const std::string& option) {
  return read_number(text, 0, most, option);
}

uint64_t read_number(const std::string& text, uint64_t least, uint64_t most,
                     const std::string& option) {
  const std::optional<uint64_t> value = whole_number(text);
  if (!value || *value < least || *value > most) {
    throw InputError(option + ": '" + text + "' is " + (value ? "out of range" : "no number") +
                     "; expected " + std::to_string(least) + " to " + std::to_string(most));
  }
  return *value;
}

double read_limit(const std::string& text, const std::string& option) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value) || std::signbit(value))
    throw InputError(option + ": '" + text +
                     "' is no limit; expected a number from 0 on, such as 1.5");
  return value;
}

uint32_t read_float(const std::string& text, const std::string& option) {
  char* end = nullptr;
  const float value = std::strtof(text.c_str(), &end);
  if (text.empty() || *end != '\0') {
    throw InputError(option + ": '" + text + "' is no number; expected one such as 1.5");
  }
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

isa::Extent read_extent(const std::string& text, const isa::Extent& most,
                        const std::string& option) {
  isa::Extent extent;
  uint32_t* const parts[] = {&extent.x, &extent.y, &extent.z};
  const uint32_t limits[] = {most.x, most.y, most.z};
  size_t at = 0;
  for (size_t i = 0; at <= text.size(); ++i) {
    const size_t comma = std::min(text.find(',', at), text.size());
    if (i == 3) throw InputError(option + ": more than x,y,z; expected three numbers at most");
    *parts[i] = static_cast<uint32_t>(read_number(text.substr(at, comma - at), limits[i], option));
    if (*parts[i] == 0) {
      throw InputError(option + ": 0 of them run nothing; expected 1 to " +
                       std::to_string(limits[i]));
    }
    at = comma + 1;
  }
  return extent;
}

std::string read_architecture(const std::string& text, const std::string& option) {
  const size_t digits = text.find('_') + 1;
  const std::string kind = text.substr(0, digits);
  const std::optional<uint64_t> number = whole_number(std::string_view(text).substr(digits));
  if ((kind == "sm_" || kind == "compute_") && number && text == kind + std::to_string(*number))
    return text;
  throw InputError(option + ": '" + text +
                   "' is no architecture; expected one such as sm_52 or compute_52");
}

Pair read_pair(const std::string& text, char separator, const std::string& expected) {
  const size_t at = text.find(separator);
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
    throw InputError("'" + text + "' is incomplete; expected " + expected);
  }
  return {text.substr(0, at), text.substr(at + 1)};
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> items;
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, ',');) items.push_back(item);
  return items;
}

std::vector<uint8_t> bytes_of_file(const std::string& path) {
  const std::string bytes = isa::read_bytes(path, "a file of bytes", isa::DeviceMemory::kMostBytes);
  return {bytes.begin(), bytes.end()};
}

}  // namespace shflsim::cli
