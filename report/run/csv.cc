// SPDX-License-Identifier: Apache-2.0
#include "report/run/csv.h"

#include <fmt/format.h>

namespace shflsim::report {
namespace {

struct ToCsv {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const std::string& text) const { return csv_quoted(text); }
  std::string operator()(const std::vector<uint64_t>& list) const {
    return fmt::format("{}", fmt::join(list, " "));
  }
  std::string operator()(const std::vector<std::string>& list) const {
    return csv_quoted(joined(list, " "));
  }
  template <class Number>
  std::string operator()(Number number) const {
    return fmt::format("{}", number);
  }
};

}  // namespace

std::string csv_quoted(std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(field);
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv_cell(const Value& value) { return std::visit(ToCsv(), value); }

std::string csv_head_keys() {
  std::string keys;
  for (const Field<Origin>& field : input_columns()) keys += "," + field.key;
  for (const Field<Machine>& field : machine_columns())
    keys += "," + (field.key == "name" ? std::string("machine") : field.key);
  return keys;
}

std::string csv_head(const Origin& origin, const Machine& machine) {
  std::string cells;
  for (const Field<Origin>& field : input_columns()) cells += "," + csv_cell(field.get(origin));
  for (const Field<Machine>& field : machine_columns()) cells += "," + csv_cell(field.get(machine));
  return cells;
}

}  // namespace shflsim::report
