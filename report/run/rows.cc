// SPDX-License-Identifier: Apache-2.0
#include "report/run/rows.h"

#include "report/run/csv.h"

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

Document::Document(const Json& json, std::string rows, std::vector<std::string> its_keys)
    : keys(std::move(its_keys)), json_(std::make_unique<Json>(json)), rows_(std::move(rows)) {}
Document::Document(Document&& other) noexcept = default;
Document::~Document() = default;

const Json& Document::rows() const { return rows_.empty() ? *json_ : json_->at(rows_); }
void Document::add_row(const Json& row) { json_->at(rows_).push_back(row); }

std::string json_of(const Document& document) { return json_of(document.json()); }
std::string json_lines_of(const Document& document) { return json_lines_of(document.rows()); }

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
  for (const Json& row : document.rows()) {
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
