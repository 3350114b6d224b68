// SPDX-License-Identifier: Apache-2.0
#include "report/compare/point_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "isa/base/input_error.h"
#include "report/run/json_fields.h"
#include "report/run/report.h"
#include "report/terminal/text_table.h"

namespace shflsim::report {
namespace {

void check_known(const std::string& key, const std::vector<std::string>& known,
                 const std::string& option, const char* what) {
  if (std::find(known.begin(), known.end(), key) == known.end())
    throw InputError(option + ": no " + what + " '" + key + "'" + suggestion(key, known));
}

std::string text_of(const Value& value) {
  if (const auto* count = std::get_if<uint64_t>(&value)) return fmt::format("{}", *count);
  if (const auto* whole = std::get_if<int64_t>(&value)) return fmt::format("{}", *whole);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const auto* real = std::get_if<double>(&value);
  if (real == nullptr) return "";
  const double size = std::abs(*real);
  return fmt::format("{:.{}f}", *real, size >= 1000 ? 0 : size >= 10 ? 1 : 3);
}

}  // namespace

std::vector<std::string> PointTable::coordinates() const {
  std::vector<std::string> all = {"input", "kernel", "config"};
  all.insert(all.end(), axes.begin(), axes.end());
  return all;
}

size_t PointTable::column(const std::string& key, const std::string& option) const {
  check_known(key, keys, option, "column");
  return static_cast<size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
}

size_t PointTable::metric(const std::string& key, const std::string& option) const {
  check_known(key, metrics, option, "metric");
  return column(key, option);
}

size_t PointTable::coordinate(const std::string& key, const std::string& option) const {
  check_known(key, coordinates(), option, "input, config or axis");
  return column(key, option);
}

PointTable done_points(const PointTable& table) {
  PointTable done = table;
  const auto is_not_done = [](const std::vector<Value>& row) {
    return std::get<std::string>(row.back()) != "done";
  };
  done.rows.erase(std::remove_if(done.rows.begin(), done.rows.end(), is_not_done), done.rows.end());
  return done;
}

void write_sheet(std::ostream& out, const Sheet& sheet) {
  std::vector<TextColumn> columns;
  for (size_t i = 0; i < sheet.keys.size(); ++i) {
    TextColumn column{sheet.keys[i]};
    for (const std::vector<Value>& row : sheet.rows) {
      column.left = column.left || std::holds_alternative<std::string>(row[i]);
      column.cells.push_back(text_of(row[i]));
    }
    column.rank = i < 2 ? 0 : i;
    columns.push_back(column);
  }
  write_columns(out, columns);
}

Document document_of(const Sheet& sheet, const std::string& view) {
  Document document(Json{{"schema", "shflsim-results/1"},
                         {"version", tool_version()},
                         {"view", view},
                         {"remarks", sheet.remarks},
                         {"rows", Json::array()}},
                    "rows", sheet.keys);
  for (const std::vector<Value>& row : sheet.rows) {
    Json object = Json::object();
    for (size_t i = 0; i < row.size(); ++i) object[sheet.keys[i]] = std::visit(ToJson(), row[i]);
    document.add_row(object);
  }
  return document;
}

Document points_document(const PointTable& table) {
  Document document = document_of(table, "points");
  const std::vector<std::string> verdict = verdict_on(done_points(table));
  if (!verdict.empty()) document.json()["verdict"] = verdict;
  if (!table.arguments.empty()) document.json()["arguments"] = table.arguments;
  return document;
}

}  // namespace shflsim::report
