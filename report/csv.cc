// SPDX-License-Identifier: Apache-2.0
#include "report/csv.h"

#include <fmt/format.h>

#include "report/atomic_file.h"
#include "report/columns.h"
#include "report/report.h"

namespace shflsim::report {
namespace {

struct ToCsv {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const std::string& text) const { return csv_quoted(text); }
  std::string operator()(const std::vector<uint64_t>& list) const {
    return fmt::format("{}", fmt::join(list, " "));
  }
  template <class Number>
  std::string operator()(Number number) const {
    return fmt::format("{}", number);
  }
};

template <class CellOf>
void add_line(const CellOf& cell_of, std::string* text) {
  const char* separator = "";
  for (const Field<InstructionRow>& column : instruction_columns()) {
    *text += separator + cell_of(column);
    separator = ",";
  }
  *text += '\n';
}

}  // namespace

std::string csv_quoted(std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(field);
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv_cell(const Value& value) { return std::visit(ToCsv(), value); }

std::string csv_text(const traces::Trace& trace, const model::RunResult& result) {
  const Run run{trace, result};
  std::string text;
  add_line([](const auto& column) { return column.key; }, &text);
  for (size_t i = 0; i < result.instructions.size(); ++i) {
    add_line([&](const auto& column) { return csv_cell(column.get({run, i})); }, &text);
  }
  return text;
}

void write_csv(const std::string& path, const traces::Trace& trace,
               const model::RunResult& result) {
  write_file_atomically(path, csv_text(trace, result));
}

}  // namespace shflsim::report
