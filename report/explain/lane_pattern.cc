// SPDX-License-Identifier: Apache-2.0
#include "report/explain/lane_pattern.h"

#include <sstream>

#include "isa/base/bounded.h"

namespace shflsim::report {
namespace {

constexpr const char* kOperators = "+-*/%&|^";

[[noreturn]] void reject(const std::string& text, const std::string& option) {
  throw InputError(option + ": '" + text +
                   "' is no pattern; expected 32 numbers with commas between them, or 'lane' and "
                   "numbers joined by + - * / % & | ^, such as lane*2%32");
}

uint32_t number(const std::string& text, const std::string& whole, const std::string& option) {
  const std::optional<uint64_t> value = whole_number(text);
  if (!value || *value > 0xFFFFFFFFu) reject(whole, option);
  return static_cast<uint32_t>(*value);
}

uint32_t joined(uint32_t left, char operation, uint32_t right) {
  switch (operation) {
    case '+': return left + right;
    case '-': return left - right;
    case '*': return left * right;
    case '/': return left / right;
    case '%': return left % right;
    case '&': return left & right;
    case '|': return left | right;
    default: return left ^ right;
  }
}

uint32_t evaluated(const std::string& text, uint32_t lane, const std::string& option) {
  uint32_t value = 0;
  char operation = '+';
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find_first_of(kOperators, at), text.size());
    const std::string term = text.substr(at, end - at);
    const uint32_t right = term == "lane" ? lane : number(term, text, option);
    if (right == 0 && (operation == '/' || operation == '%')) {
      throw InputError(option + ": '" + text + "' divides by 0; expected another number");
    }
    value = joined(value, operation, right);
    if (end < text.size()) operation = text[end];
    at = end + 1;
  }
  return value;
}

isa::LaneValues listed(const std::string& text, const std::string& option) {
  isa::LaneValues values{};
  std::istringstream items(text);
  size_t count = 0;
  for (std::string item; std::getline(items, item, ','); ++count) {
    if (count < values.size()) values[count] = number(item, text, option);
  }
  if (count != values.size()) {
    throw InputError(option + ": " + std::to_string(count) + " numbers; expected 32, one a lane");
  }
  return values;
}

}  // namespace

isa::LaneValues lane_pattern(const std::string& text, const std::string& option) {
  if (text.find(',') != std::string::npos) return listed(text, option);
  isa::LaneValues values{};
  for (uint32_t lane = 0; lane < isa::kLanes; ++lane) values[lane] = evaluated(text, lane, option);
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
