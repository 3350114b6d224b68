// SPDX-License-Identifier: Apache-2.0
#include "report/point_table.h"

#include <algorithm>
#include <cmath>

#include "isa/input_error.h"

namespace shflsim::report {
namespace {

void check_known(const std::string& key, const std::vector<std::string>& known,
                 const std::string& option) {
  if (std::find(known.begin(), known.end(), key) == known.end())
    throw InputError(option + ": no column '" + key + "'" + suggestion(key, known));
}

}  // namespace

size_t PointTable::column(const std::string& key, const std::string& option) const {
  check_known(key, keys, option);
  return static_cast<size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
}

size_t PointTable::metric(const std::string& key, const std::string& option) const {
  check_known(key, metrics, option);
  return column(key, option);
}

bool PointTable::is_done(const std::vector<Value>& row) const {
  return std::get<std::string>(row.back()) == "done";
}

double number_of(const Value& value) {
  if (const auto* count = std::get_if<uint64_t>(&value)) return static_cast<double>(*count);
  if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nan("");
}

}  // namespace shflsim::report
