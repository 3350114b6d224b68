// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "report/diff/tolerance.h"
#include "report/run/document.h"
#include "report/run/result_file.h"

namespace shflsim::report {

/// A figure in which two results differ.
struct Difference {
  std::string kind;  ///< ResultPart::kind
  std::string name;
  std::optional<std::string> pc_a;  ///< none where A has no such instruction
  std::optional<std::string> pc_b;
  std::string metric;
  Value a;  ///< a number; empty where A does not have it
  Value b;
  bool is_within = false;  ///< the tolerance; never where one does not have it

  bool is_of_both() const { return !is_empty(a) && !is_empty(b); }
  Value difference() const;  ///< b - a, or empty
  Value percent() const;     ///< difference in percent of a, or empty
};

/// Two results of one kind, figure by figure. Instructions are matched by address where both
/// results have the same code, else by a longest common subsequence of their texts; units and
/// points are matched by name, several of one name in their order.
struct Diff {
  struct Setting {
    std::string key;
    std::string a;  ///< "" where A has no such value
    std::string b;
  };
  ResultFile a;
  ResultFile b;
  bool is_by_text = false;  ///< the two are not the same code
  size_t aligned = 0;       ///< instructions that both have
  size_t compared = 0;      ///< figures that either has
  size_t beyond = 0;        ///< differences beyond the tolerances
  std::vector<Setting> config;
  std::vector<Difference> differences;
};

/// Compares the metrics that one of `metrics` matches, all where it is empty. Throws InputError
/// where the results are of two kinds, and for a pattern that matches no metric of either.
Diff diff_of(const ResultFile& a, const ResultFile& b, const Tolerances& tolerances,
             const std::vector<std::string>& metrics);

Document diff_document(const Diff& diff);
/// `top`: points and instructions shown, those that differ most.
void write_diff(std::ostream& out, const Diff& diff, size_t top);

}  // namespace shflsim::report
