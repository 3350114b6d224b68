// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/field.h"

namespace shflsim::report {

/// The points of a sweep, a row each: input, kernel, config, the axes, the metrics, state.
struct PointTable {
  std::vector<std::string> axes;     ///< keys of the parameters that were varied
  std::vector<std::string> metrics;  ///< keys of what was kept
  std::vector<std::string> keys;     ///< of all columns, in order
  std::vector<std::vector<Value>> rows;

  /// The column of a key. Throws InputError, with the nearest one; `option` begins it.
  size_t column(const std::string& key, const std::string& option) const;
  /// The same for a metric alone.
  size_t metric(const std::string& key, const std::string& option) const;
  bool is_done(const std::vector<Value>& row) const;
};

/// Of a cell; none where it is empty or a word.
double number_of(const Value& value);

}  // namespace shflsim::report
