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

/// A metric in which two results differ.
struct Difference {
  std::string kind;  ///< ResultPart::kind
  std::string name;
  std::optional<std::string> pc_a;  ///< none if A has no such instruction
  std::optional<std::string> pc_b;
  std::string metric;
  Value a;  ///< a number; empty if A does not have it
  Value b;
  bool is_within = false;  ///< within the tolerance; false if only one result has it

  bool is_of_both() const { return !is_empty(a) && !is_empty(b); }
  Value difference() const;  ///< b - a, or empty
  Value percent() const;     ///< difference in percent of a, or empty
};

/// The metrics of two results of one kind, compared. Instructions are matched by address if both
/// results have the same code, else by a longest common subsequence of their texts. Units and
/// points are matched by name, several of one name in their order.
struct Diff {
  struct Setting {
    std::string key;
    std::string a;  ///< "" if A has no such value
    std::string b;
  };
  ResultFile a;
  ResultFile b;
  bool is_by_text = false;  ///< the two results have different code
  size_t aligned = 0;       ///< instructions that both have
  size_t compared = 0;      ///< metrics that at least one result has
  size_t beyond = 0;        ///< differences that exceed the tolerances
  std::vector<Setting> config;
  std::vector<Difference> differences;
};

/// Compares the metrics that match a pattern of `metrics`, or all if it is empty. Throws InputError
/// if the results are of two kinds, and for a pattern that matches no metric.
Diff diff_of(const ResultFile& a, const ResultFile& b, const Tolerances& tolerances,
             const std::vector<std::string>& metrics);

Document diff_document(const Diff& diff);
/// `top`: number of points and instructions shown, those with the greatest differences.
void write_diff(std::ostream& out, const Diff& diff, size_t top);

}  // namespace shflsim::report
