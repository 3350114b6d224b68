// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shflsim::report {

/// True if the metric's name matches the pattern, in which * matches any letters.
bool is_of_pattern(const std::string& metric, const std::string& pattern);

/// The differences up to which two results count as equal.
class Tolerances {
 public:
  /// Adds "cycles=2%", "stall_*=10", or "2%" for every metric; the last that matches a metric
  /// applies. Throws InputError.
  void add(const std::string& text);
  bool is_within(const std::string& metric, double a, double b) const;
  /// The patterns of the added tolerances.
  std::vector<std::string> patterns() const;

 private:
  struct Tolerance {
    std::string pattern;
    double amount = 0;
    bool is_percent = false;  ///< amount is in percent of the first result's figure
  };
  std::vector<Tolerance> tolerances_;
};

}  // namespace shflsim::report
