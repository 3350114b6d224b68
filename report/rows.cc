// SPDX-License-Identifier: Apache-2.0
#include "report/rows.h"

#include "report/csv.h"

namespace shflsim::report {
namespace {

std::string cell_of(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string joined;
  for (const Json& each : value) {
    if (!joined.empty()) joined += each.is_string() ? "; " : " ";
    joined += cell_of(each);
  }
  return joined;
}

}  // namespace

const Json& rows_of(const Document& document) {
  return document.rows.empty() ? document.json : document.json.at(document.rows);
}

std::string json_of(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string json_lines_of(const Json& rows) {
  std::string lines;
  for (const Json& row : rows)
    lines += row.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return lines;
}

std::string csv_of(const Document& document) {
  std::string text;
  for (const std::string& key : document.keys) text += (text.empty() ? "" : ",") + key;
  for (const Json& row : rows_of(document)) {
    std::string line;
    for (const std::string& key : document.keys) {
      if (&key != document.keys.data()) line += ',';
      if (row.contains(key)) line += csv_quoted(cell_of(row[key]));
    }
    text += "\n" + line;
  }
  return text + "\n";
}

}  // namespace shflsim::report
