// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shflsim::report {

/// Whether a metric's name matches a pattern, in which * matches any letters.
bool is_of_pattern(const std::string& metric, const std::string& pattern);

/// How far two results may be apart and still count as equal.
class Tolerances {
 public:
  /// "cycles=2%", "stall_*=10", or "2%" for every metric; of several for a metric the last holds.
  /// Throws InputError.
  void add(const std::string& text);
  bool is_within(const std::string& metric, double a, double b) const;
  /// The patterns that were given.
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
