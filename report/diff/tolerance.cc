// SPDX-License-Identifier: Apache-2.0
#include "report/diff/tolerance.h"

#include <fnmatch.h>

#include <cmath>
#include <cstdlib>

#include "isa/base/input_error.h"

namespace shflsim::report {

bool is_of_pattern(const std::string& metric, const std::string& pattern) {
  return fnmatch(pattern.c_str(), metric.c_str(), 0) == 0;
}

void Tolerances::add(const std::string& text) {
  const size_t equals = text.rfind('=');
  Tolerance one{equals == std::string::npos ? "*" : text.substr(0, equals)};
  std::string number = text.substr(equals == std::string::npos ? 0 : equals + 1);
  one.is_percent = !number.empty() && number.back() == '%';
  if (one.is_percent) number.pop_back();
  const bool is_decimal =
      !number.empty() && number.find_first_not_of("0123456789.") == std::string::npos;
  char* end = nullptr;
  one.amount = std::strtod(number.c_str(), &end);
  if (!is_decimal || *end != '\0' || !std::isfinite(one.amount) || one.pattern.empty())
    throw InputError("--tolerance '" + text + "'; expected METRIC=2%, METRIC=10 or 2%");
  tolerances_.push_back(one);
}

bool Tolerances::is_within(const std::string& metric, double a, double b) const {
  for (auto each = tolerances_.rbegin(); each != tolerances_.rend(); ++each) {
    if (!is_of_pattern(metric, each->pattern)) continue;
    return std::abs(b - a) <= (each->is_percent ? std::abs(a) * each->amount / 100 : each->amount);
  }
  return a == b;
}

std::vector<std::string> Tolerances::patterns() const {
  std::vector<std::string> patterns;
  for (const Tolerance& each : tolerances_) patterns.push_back(each.pattern);
  return patterns;
}

}  // namespace shflsim::report
