// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "isa/base/bounded.h"
#include "isa/base/input_error.h"
#include "isa/families/lane_text.h"

namespace shflsim::isa {
namespace {

constexpr const char* kJoining = "+-*/%&|^";

uint32_t joined_values(uint32_t left, char operation, uint32_t right) {
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

[[noreturn]] void reject_pattern(const std::string& text, unsigned lanes,
                                 const std::string& option) {
  throw InputError(fmt::format(
      "{}: '{}' is no pattern; expected {} numbers with commas between them, or 'lane' and numbers "
      "joined by + - * / % & | ^, such as lane*2%32",
      option, text, lanes));
}

uint32_t pattern_number(const std::string& term, const std::string& whole, unsigned lanes,
                        const std::string& option) {
  const std::optional<uint64_t> value = whole_number(term);
  if (!value || *value > 0xFFFFFFFFu) reject_pattern(whole, lanes, option);
  return static_cast<uint32_t>(*value);
}

uint32_t pattern_value(const std::string& text, uint32_t lane, unsigned lanes,
                       const std::string& option) {
  uint32_t value = 0;
  char operation = '+';
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find_first_of(kJoining, at), text.size());
    const std::string term = text.substr(at, end - at);
    const uint32_t right = term == "lane" ? lane : pattern_number(term, text, lanes, option);
    if (right == 0 && (operation == '/' || operation == '%'))
      throw InputError(option + ": '" + text + "' divides by 0; expected another number");
    value = joined_values(value, operation, right);
    if (end < text.size()) operation = text[end];
    at = end + 1;
  }
  return value;
}

}  // namespace

std::vector<uint32_t> lane_values(const std::string& text, unsigned lanes,
                                  const std::string& option) {
  std::vector<uint32_t> values;
  if (text.find(',') == std::string::npos) {
    for (uint32_t lane = 0; lane < lanes; ++lane)
      values.push_back(pattern_value(text, lane, lanes, option));
    return values;
  }
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');)
    values.push_back(pattern_number(item, text, lanes, option));
  if (values.size() != lanes) {
    throw InputError(
        fmt::format("{}: {} numbers; expected {}, one a lane", option, values.size(), lanes));
  }
  return values;
}

}  // namespace shflsim::isa
