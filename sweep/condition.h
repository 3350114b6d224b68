// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "isa/base/input_error.h"
#include "report/run/field.h"

namespace shflsim::sweep {

/// A condition on points: comparisons `KEY OPERATOR VALUE` with =, !=, <, <=, > or >=, joined by
/// `and`, and groups of comparisons joined by `or`. Numbers are compared as numbers; * and ? in a
/// word match any letters.
class Condition {
 public:
  /// `known`: all keys. Throws InputError at `where`.
  Condition(const std::string& text, const Position& where, const std::vector<std::string>& known);

  /// `value_of`: the point's value of a key. A missing value fulfils no comparison.
  bool holds(const std::function<report::Value(const std::string& key)>& value_of) const;

 private:
  struct Clause {
    std::string key;
    std::string relation;
    std::string value;
    bool holds(const report::Value& value) const;
  };
  static Clause clause_of(const std::string& text, const Position& where,
                          const std::vector<std::string>& known);

  std::vector<std::vector<Clause>> alternatives_;
};

}  // namespace shflsim::sweep
